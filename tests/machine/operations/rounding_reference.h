// Correct rounding to any floating-point format, by search: the reference that the tests of rounded operations use.
//
//   // 1/3 rounded up to f16: c is a candidate, and the answer's sign says on which side of it 1/3 lies
//   round_by_search(f16, false, Mode::rp, [](Exact c) { return compare(Exact(1), 3 * c); });
//
// Nothing here looks at how the simulator rounds. A format's numbers are decoded by their definition, the largest one
// that does not exceed the value is found by bisection, and the mode picks it or its neighbour. Comparisons are made in
// 113 bits, exact for a product of two 54-bit numbers.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace lanescope::machine::test {

#if __LDBL_MANT_DIG__ == 113
using Exact = long double;
#else
using Exact = __float128;
#endif

enum class Mode { rn, rz, rm, rp, rna };
inline constexpr std::array plain_modes{Mode::rn, Mode::rz, Mode::rm, Mode::rp};
inline std::string name_of(Mode mode) {
    constexpr const char* names[] = {"rn", "rz", "rm", "rp", "rna"};
    return names[static_cast<int>(mode)];
}

struct BinaryFormat {
    int exponent_bits, mantissa_bits;
    int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    uint64_t sign() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
    uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }
    uint64_t nan() const { return sign() - 1; }  // the one that GPUs return
    uint64_t smallest_normal() const { return uint64_t{1} << mantissa_bits; }
    bool is_nan(uint64_t bits) const { return (bits & (sign() - 1)) > infinity(); }
    bool is_infinite(uint64_t bits) const { return (bits & (sign() - 1)) == infinity(); }
    bool is_negative(uint64_t bits) const { return (bits & sign()) != 0; }
    uint64_t flush(uint64_t bits) const { return (bits & (sign() - 1)) < smallest_normal() ? bits & sign() : bits; }
    uint64_t saturate(uint64_t bits) const {
        const uint64_t one = static_cast<uint64_t>(bias()) << mantissa_bits;
        return is_nan(bits) || is_negative(bits) ? 0 : std::min(bits, one);
    }
};
inline constexpr BinaryFormat f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52}, tf32{8, 10}, e5m2{5, 2}, e4m3{4, 3};

inline Exact power_of_two(int exponent) {
    Exact power = 1;
    const Exact factor = exponent < 0 ? Exact(0.5) : Exact(2);
    for (int i = std::abs(exponent); i > 0; --i) power *= factor;
    return power;
}

// The value of a bit pattern without its sign. The pattern of infinity counts as the number that would follow the
// largest.
inline Exact magnitude_of(BinaryFormat format, uint64_t bits) {
    const uint64_t mantissa = bits & (format.smallest_normal() - 1);
    const int field = static_cast<int>((bits & (format.sign() - 1)) >> format.mantissa_bits);
    const uint64_t significand = field == 0 ? mantissa : mantissa | format.smallest_normal();
    static std::array<Exact, 2300> powers = [] {  // 2^-1150 ... 2^1149
        std::array<Exact, 2300> p;
        for (int i = 0; i < 2300; ++i) p[static_cast<size_t>(i)] = power_of_two(i - 1150);
        return p;
    }();
    const int exponent = (field == 0 ? 1 : field) - format.bias() - format.mantissa_bits;
    return static_cast<Exact>(significand) * powers[static_cast<size_t>(exponent + 1150)];
}
inline Exact value_of(BinaryFormat format, uint64_t bits) {
    const Exact magnitude = magnitude_of(format, bits);
    return format.is_negative(bits) ? -magnitude : magnitude;
}

inline int compare(Exact a, Exact b) { return a < b ? -1 : a > b ? 1 : 0; }

// The bits of the value whose magnitude is compared with candidates by `side` (its sign is that of magnitude -
// candidate).
template <class Side>
uint64_t round_by_search(BinaryFormat format, bool negative, Mode mode, Side side) {
    uint64_t low = 0, beyond = format.infinity() + 1;  // low <= value < beyond
    while (beyond - low > 1) {
        const uint64_t middle = low + (beyond - low) / 2;
        (side(magnitude_of(format, middle)) >= 0 ? low : beyond) = middle;
    }
    const uint64_t sign = negative ? format.sign() : 0;
    const bool away = (mode == Mode::rm && negative) || (mode == Mode::rp && !negative);
    if (low == format.infinity()) {
        const bool infinite = mode == Mode::rn || mode == Mode::rna || away;
        return sign | (infinite ? low : low - 1);
    }
    const Exact below = magnitude_of(format, low);
    if (side(below) == 0) return sign | low;
    if (mode == Mode::rn || mode == Mode::rna) {
        const int half = side((below + magnitude_of(format, low + 1)) / 2);
        const bool up = half > 0 || (half == 0 && (mode == Mode::rna || (low & 1) != 0));
        return sign | (up ? low + 1 : low);
    }
    return sign | (away ? low + 1 : low);
}

// high + low, with low too small to matter unless high lies on a candidate.
struct ExactSum {
    Exact high, low;
};
inline ExactSum exact_sum(Exact a, Exact b) {
    const Exact sum = a + b, back = sum - a;
    return {sum, (a - (sum - back)) + (b - back)};
}
inline uint64_t round_sum(BinaryFormat format, ExactSum sum, Mode mode) {
    const bool negative = sum.high < 0;
    const ExactSum magnitude = negative ? ExactSum{-sum.high, -sum.low} : sum;
    return round_by_search(format, negative, mode, [=](Exact c) {
        const int high = compare(magnitude.high, c);
        return high != 0 ? high : compare(magnitude.low, 0);
    });
}
inline uint64_t round_value(BinaryFormat format, Exact value, Mode mode) { return round_sum(format, {value, 0}, mode); }

// a * b + c on bit patterns of one format, rounded once.
inline uint64_t reference_fma(BinaryFormat format, uint64_t a, uint64_t b, uint64_t c, Mode mode) {
    const bool product_negative = format.is_negative(a) != format.is_negative(b);
    const bool infinite_product = format.is_infinite(a) || format.is_infinite(b);
    const bool invalid_product = infinite_product && (magnitude_of(format, a) == 0 || magnitude_of(format, b) == 0);
    if (format.is_nan(a) || format.is_nan(b) || format.is_nan(c) || invalid_product) return format.nan();
    if (infinite_product) {
        const bool opposite = format.is_infinite(c) && format.is_negative(c) != product_negative;
        return opposite ? format.nan() : format.infinity() | (product_negative ? format.sign() : 0);
    }
    if (format.is_infinite(c)) return c;
    const ExactSum sum = exact_sum(value_of(format, a) * value_of(format, b), value_of(format, c));
    if (sum.high == 0) {  // equal signs keep theirs; an exact cancellation is +0, or -0 when rounding down
        const bool product_zero = magnitude_of(format, a) == 0 || magnitude_of(format, b) == 0;
        const bool same_sign = product_zero && product_negative == format.is_negative(c);
        return (same_sign ? product_negative : mode == Mode::rm) ? format.sign() : 0;
    }
    return round_sum(format, sum, mode);
}
inline uint64_t one_of(BinaryFormat format) { return static_cast<uint64_t>(format.bias()) << format.mantissa_bits; }
inline uint64_t reference_add(BinaryFormat format, uint64_t a, uint64_t b, Mode mode) {
    return reference_fma(format, a, one_of(format), b, mode);
}
inline uint64_t reference_subtract(BinaryFormat format, uint64_t a, uint64_t b, Mode mode) {
    return reference_add(format, a, format.is_nan(b) ? b : b ^ format.sign(), mode);
}
// a * b + (-0 or +0, of the product's sign)
inline uint64_t reference_multiply(BinaryFormat format, uint64_t a, uint64_t b, Mode mode) {
    return reference_fma(format, a, b, (a ^ b) & format.sign(), mode);
}
inline uint64_t reference_divide(BinaryFormat format, uint64_t a, uint64_t b, Mode mode) {
    const bool negative = format.is_negative(a) != format.is_negative(b);
    const uint64_t sign = negative ? format.sign() : 0;
    if (format.is_nan(a) || format.is_nan(b)) return format.nan();
    const Exact dividend = magnitude_of(format, a), divisor = magnitude_of(format, b);
    const bool both_infinite = format.is_infinite(a) && format.is_infinite(b);
    if (both_infinite || (dividend == 0 && divisor == 0)) return format.nan();
    if (format.is_infinite(a) || divisor == 0) return sign | format.infinity();
    if (format.is_infinite(b)) return sign;
    return round_by_search(format, negative, mode, [=](Exact c) { return compare(dividend, c * divisor); });
}
inline uint64_t reference_square_root(BinaryFormat format, uint64_t a, Mode mode) {
    const Exact x = magnitude_of(format, a);
    if (format.is_nan(a) || (format.is_negative(a) && x != 0)) return format.nan();
    if (format.is_infinite(a) || x == 0) return a;
    return round_by_search(format, false, mode, [=](Exact c) { return compare(x, c * c); });
}

}  // namespace lanescope::machine::test
