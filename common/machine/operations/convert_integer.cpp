// cvt between integers: narrowing keeps the low bits or, with .sat, gives the nearest value of the destination.
// cvt.pack.sat clamps two s32 into the halves or bytes of a 32-bit result.
#include <limits>
#include <utility>

#include "machine/operations/convert.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

template <class D, class S>
D clamp_to(S x) {
    using Limits = std::numeric_limits<D>;
    if (std::cmp_less(x, Limits::min())) return Limits::min();
    if (std::cmp_greater(x, Limits::max())) return Limits::max();
    return static_cast<D>(x);
}

template <class D>
uint32_t clamped_bits(int32_t x) {
    return static_cast<std::make_unsigned_t<D>>(clamp_to<D>(x));
}

// d = clamp(a) : clamp(b), 16 bits each
template <class D>
Handler pack_halves() {
    return handler<uint32_t, int32_t, int32_t>(
        [](int32_t a, int32_t b) { return clamped_bits<D>(a) << 16 | clamped_bits<D>(b); });
}
// d = the low half of c : clamp(a) : clamp(b), 8 bits each
template <class D>
Handler pack_bytes() {
    return handler<uint32_t, int32_t, int32_t, uint32_t>(
        [](int32_t a, int32_t b, uint32_t c) { return c << 16 | clamped_bits<D>(a) << 8 | clamped_bits<D>(b); });
}

Handler select_pack(const Operation& op) {
    if (op.type2 != Type::s32 || !op.only_flags(flag::pack | flag::sat) || !op.has(flag::sat)) return nullptr;
    if (op.source_count == 2 && op.type == Type::u16) return pack_halves<uint16_t>();
    if (op.source_count == 2 && op.type == Type::s16) return pack_halves<int16_t>();
    if (op.source_count == 3 && op.type == Type::u8) return pack_bytes<uint8_t>();
    if (op.source_count == 3 && op.type == Type::s8) return pack_bytes<int8_t>();
    return nullptr;
}

}  // namespace

Handler select_integer_conversion(const Operation& op) {
    if (op.rounding != Rounding::none) return nullptr;
    if (op.has(flag::pack)) return select_pack(op);
    if (!op.only_flags(flag::sat) || op.source_count != 1) return nullptr;
    return for_integer(op.type, [&]<class D>() {
        return for_integer(op.type2, [&]<class S>() -> Handler {
            if (!op.has(flag::sat)) return handler<D, S>([](S x) { return static_cast<D>(x); });
            // PTX has .sat only where something can be out of range
            constexpr bool all_fit =
                std::cmp_greater_equal(std::numeric_limits<S>::min(), std::numeric_limits<D>::min()) &&
                std::cmp_less_equal(std::numeric_limits<S>::max(), std::numeric_limits<D>::max());
            if constexpr (all_fit)
                return nullptr;
            else
                return handler<D, S>([](S x) { return clamp_to<D>(x); });
        });
    });
}

}  // namespace lanescope::machine
