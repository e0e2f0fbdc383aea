// Counting, finding and extracting bits: popc clz bfind fns brev bfe bfi bmsk szext.
#include <algorithm>
#include <bit>

#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

inline constexpr uint32_t not_found = 0xFFFFFFFF;

// The lowest `count` bits set, for any count.
template <class T>
T low_bits(uint32_t count) {
    constexpr uint32_t width = 8 * sizeof(T);
    return count >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
}

template <class T>
T reverse_bits(T x) {
    T reversed = 0;
    for (size_t i = 0; i < 8 * sizeof(T); ++i) {
        reversed = static_cast<T>(reversed << 1) | (x & 1);
        x >>= 1;
    }
    return reversed;
}

// The position of the most significant bit that is not a copy of the sign; not_found if there is none.
template <class T>
uint32_t highest_bit(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = static_cast<U>(a);
    if (a < 0) bits = static_cast<U>(~bits);
    return bits == 0 ? not_found : static_cast<uint32_t>(std::bit_width(bits) - 1);
}

Handler select_bfind(const Operation& op) {
    if (!op.only_flags(flag::shiftamt)) return nullptr;
    const bool as_shift = op.has(flag::shiftamt);  // the left shift that brings the bit to the top
    return for_type<Type::u32, Type::s32, Type::u64, Type::s64>(op.type, [&]<class T>() {
        return as_shift ? handler<uint32_t, T>([](T a) {
            const uint32_t bit = highest_bit(a);
            return bit == not_found ? not_found : uint32_t{8 * sizeof(T) - 1} - bit;
        })
                        : handler<uint32_t, T>([](T a) { return highest_bit(a); });
    });
}

// The position of the |offset|-th set bit of `mask`, counted from bit `base` upwards (offset > 0) or downwards.
uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset) {
    if (base > 31) return not_found;
    if (offset == 0) return mask >> base & 1 ? base : not_found;
    const int step = offset > 0 ? 1 : -1;
    int64_t left = offset > 0 ? int64_t{offset} : -int64_t{offset};
    for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
        if (mask >> position & 1 && --left == 0) return static_cast<uint32_t>(position);
    }
    return not_found;
}

// `length` bits of a from `position` on, extended by zeros or (signed T) by the field's highest bit. Position and
// length are the low bytes of their operands; past the top of a, the field goes on with a's sign (or zeros).
template <class T>
T extract_field(T a, uint32_t position, uint32_t length) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xFF;
    length &= 0xFF;
    const U field = position >= width ? U{0} : static_cast<U>(static_cast<U>(a) >> position);
    const U inside = low_bits<U>(std::min(length, position >= width ? 0 : width - position));
    const uint32_t sign_position = std::min(position + length - 1, width - 1);
    const bool fill = std::is_signed_v<T> && length != 0 && (static_cast<U>(a) >> sign_position & 1);
    return static_cast<T>((field & inside) | (fill ? static_cast<U>(~inside) : U{0}));
}

// b with `length` bits from `position` on replaced by the lowest bits of a.
template <class T>
T insert_field(T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xFF;
    length &= 0xFF;
    if (position >= width) return b;
    const T field = static_cast<T>(low_bits<T>(length) << position);
    return static_cast<T>((b & ~field) | (static_cast<T>(a << position) & field));
}

// `width` ones from bit `position` on.
uint32_t bit_mask(uint32_t position, uint32_t width) {
    return position >= 32 ? 0 : low_bits<uint32_t>(width) << position;
}

// The lowest `width` bits of a, extended by zeros or by the highest of them.
template <class T>
T extend(T a, uint32_t width) {
    const uint32_t inside = low_bits<uint32_t>(width);
    const bool fill = std::is_signed_v<T> && width != 0 && (static_cast<uint32_t>(a) >> ((width - 1) & 31) & 1);
    return static_cast<T>((static_cast<uint32_t>(a) & inside) | (fill ? ~inside : 0));
}

// Bit counts beyond 31 are either taken modulo 32 or mean 32.
uint32_t wrapped(uint32_t count) { return count & 31; }
uint32_t clamped(uint32_t count) { return std::min(count, 32u); }

Handler select_bmsk(const Operation& op) {
    if (op.type != Type::b32) return nullptr;
    switch (op.flags) {
        case flag::wrap:
            return handler<uint32_t, uint32_t, uint32_t>(
                [](uint32_t a, uint32_t b) { return bit_mask(wrapped(a), wrapped(b)); });
        case flag::clamp:
            return handler<uint32_t, uint32_t, uint32_t>(
                [](uint32_t a, uint32_t b) { return bit_mask(clamped(a), clamped(b)); });
        default:
            return nullptr;
    }
}

Handler select_szext(const Operation& op) {
    switch (op.flags) {
        case flag::wrap:
            return for_type<Type::u32, Type::s32>(op.type, []<class T>() {
                return handler<T, T, uint32_t>([](T a, uint32_t b) { return extend(a, wrapped(b)); });
            });
        case flag::clamp:
            return for_type<Type::u32, Type::s32>(op.type, []<class T>() {
                return handler<T, T, uint32_t>([](T a, uint32_t b) { return extend(a, clamped(b)); });
            });
        default:
            return nullptr;
    }
}

}  // namespace

Handler select_bit_field(const Operation& op) {
    switch (op.opcode) {
        case Opcode::bfind:
            return select_bfind(op);
        case Opcode::bmsk:
            return select_bmsk(op);
        case Opcode::szext:
            return select_szext(op);
        default:
            break;
    }
    if (!op.only_flags(0)) return nullptr;
    switch (op.opcode) {
        case Opcode::popc:
            return for_type<Type::b32, Type::b64>(op.type, []<class T>() {
                return handler<uint32_t, T>([](T a) { return static_cast<uint32_t>(std::popcount(a)); });
            });
        case Opcode::clz:
            return for_type<Type::b32, Type::b64>(op.type, []<class T>() {
                return handler<uint32_t, T>([](T a) { return static_cast<uint32_t>(std::countl_zero(a)); });
            });
        case Opcode::brev:
            return for_type<Type::b32, Type::b64>(
                op.type, []<class T>() { return handler<T, T>([](T a) { return reverse_bits(a); }); });
        case Opcode::fns:
            if (op.type != Type::b32) return nullptr;
            return handler<uint32_t, uint32_t, uint32_t, int32_t>(
                [](uint32_t mask, uint32_t base, int32_t offset) { return find_nth_set(mask, base, offset); });
        case Opcode::bfe:
            return for_type<Type::u32, Type::s32, Type::u64, Type::s64>(op.type, []<class T>() {
                return handler<T, T, uint32_t, uint32_t>(
                    [](T a, uint32_t position, uint32_t length) { return extract_field(a, position, length); });
            });
        case Opcode::bfi:
            return for_type<Type::b32, Type::b64>(op.type, []<class T>() {
                return handler<T, T, T, uint32_t, uint32_t>(
                    [](T a, T b, uint32_t position, uint32_t length) { return insert_field(a, b, position, length); });
            });
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
