// cvt with results that hold two numbers (f16x2, bf16x2, e4m3x2, e5m2x2), and to tf32. Of two sources the first goes
// to the upper half.
#include "machine/operations/convert.h"
#include "machine/operations/rounding.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

// One element of a packed result.
template <class Format>
struct Element {
    explicit Element(const Operation& op)
        : mode(op.rounding), finite(op.has(flag::satfinite)), relu(op.has(flag::relu)) {}

    uint32_t operator()(float source) const {
        const float x = relu && source <= 0 ? 0.0f : source;
        return finite ? narrow_finite<Format>(x, mode) : narrow<Format>(x, mode);
    }

    Rounding mode;
    bool finite, relu;
};

// cvt.rn.f16x2.f32 d, a, b
template <class Format>
void pack_floats(LaneState& lanes, const Operation& op) {
    constexpr int width = 8 * sizeof(typename Format::Bits);
    using Pair = std::conditional_t<width == 16, uint32_t, uint16_t>;
    const Element<Format> element(op);
    map<Pair, float, float>(lanes, op,
                            [=](float a, float b) { return static_cast<Pair>(element(a) << width | element(b)); });
}

// cvt.rn.satfinite.e4m3x2.f16x2 d, a
template <class Format>
void narrow_f16_pair(LaneState& lanes, const Operation& op) {
    const Element<Format> element(op);
    map<uint16_t, uint32_t>(lanes, op, [=](uint32_t a) {
        const uint32_t low = element(from_f16(static_cast<uint16_t>(a)));
        const uint32_t high = element(from_f16(static_cast<uint16_t>(a >> 16)));
        return static_cast<uint16_t>(high << 8 | low);
    });
}

// e5m2 is the upper byte of an f16.
uint16_t f16_from_e5m2(uint8_t x) {
    const auto bits = static_cast<uint16_t>(x << 8);
    return FloatFormat<F16>::is_nan(bits) ? nan_16 : bits;
}

// e4m3 becomes an f16 by moving its fields; the product corrects the bias (7 to 15) and normalises subnormals.
uint16_t f16_from_e4m3(uint8_t x) {
    if ((x & 0x7F) == 0x7F) return nan_16;
    const auto fields = static_cast<uint16_t>((x & 0x80) << 8 | (x & 0x7F) << 7);
    return to_f16_rn(from_f16(fields) * 256.0f);
}

template <uint16_t (*widen_element)(uint8_t)>
void widen_to_f16_pair(LaneState& lanes, const Operation& op) {
    const bool relu = op.has(flag::relu);
    map<uint32_t, uint16_t>(lanes, op, [=](uint16_t a) {
        const auto one = [=](uint8_t x) -> uint32_t {
            const uint16_t bits = widen_element(x);
            return relu ? FloatFormat<F16>::relu(bits) : bits;
        };
        return one(static_cast<uint8_t>(a >> 8)) << 16 | one(static_cast<uint8_t>(a));
    });
}

// tf32 occupies the upper 19 bits of 32.
void to_tf32(LaneState& lanes, const Operation& op) {
    const Element<Tf32> element(op);
    map<uint32_t, float>(lanes, op, [=](float a) { return element(a) << 13; });
}

Handler select_tf32(const Operation& op) {
    if (op.type2 != Type::f32 || op.source_count != 1) return nullptr;
    const bool away = op.rounding == Rounding::rna && op.only_flags(flag::satfinite);
    const bool plain =
        (op.rounding == Rounding::rn || op.rounding == Rounding::rz) && op.only_flags(flag::satfinite | flag::relu);
    return away || plain ? to_tf32 : nullptr;
}

template <class Format, uint16_t (*nearest)(float)>
Handler select_16_bit_pair(const Operation& op) {
    const bool rounding = op.rounding == Rounding::rn || op.rounding == Rounding::rz;
    if (!rounding || op.type2 != Type::f32 || op.source_count != 2) return nullptr;
    if (op.rounding == Rounding::rn && op.only_flags(0)) {
        return handler<uint32_t, float, float>(
            [](float a, float b) { return uint32_t{nearest(a)} << 16 | nearest(b); });
    }
    return op.only_flags(flag::relu | flag::satfinite) ? pack_floats<Format> : nullptr;
}

template <class Format>
Handler select_8_bit_pair(const Operation& op) {
    if (op.rounding != Rounding::rn || !op.has(flag::satfinite) || !op.only_flags(flag::satfinite | flag::relu))
        return nullptr;
    if (op.type2 == Type::f32 && op.source_count == 2) return pack_floats<Format>;
    if (op.type2 == Type::f16x2 && op.source_count == 1) return narrow_f16_pair<Format>;
    return nullptr;
}

Handler select_f16_pair(const Operation& op) {
    const bool exact = op.rounding == Rounding::rn && op.source_count == 1 && op.only_flags(flag::relu);
    if (exact && op.type2 == Type::e4m3x2) return widen_to_f16_pair<f16_from_e4m3>;
    if (exact && op.type2 == Type::e5m2x2) return widen_to_f16_pair<f16_from_e5m2>;
    return select_16_bit_pair<FloatFormat<F16>, to_f16_rn>(op);
}

}  // namespace

Handler select_packed_conversion(const Operation& op) {
    switch (op.type) {
        case Type::f16x2:
            return select_f16_pair(op);
        case Type::bf16x2:
            return select_16_bit_pair<FloatFormat<BF16>, to_bf16_rn>(op);
        case Type::e4m3x2:
            return select_8_bit_pair<E4m3>(op);
        case Type::e5m2x2:
            return select_8_bit_pair<E5m2>(op);
        case Type::tf32:
            return select_tf32(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
