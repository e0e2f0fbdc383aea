// f16 and bf16, one or two to a lane: add, sub, mul, fma, min, max, abs, neg, ex2 and tanh.
//
// A result is the exact one rounded once. Sums and products are exact or carry enough spare bits in the type in which
// they are computed (float for f16, double for bf16) that rounding them again gives the same; fma rounds its sum to odd
// there, which keeps a second rounding from going wrong. Subnormals are kept unless .ftz is given.
#include <cmath>

#include "machine/operations/float_format.h"
#include "machine/operations/minimum.h"
#include "machine/operations/operations.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

// The type in which a format is computed. Products of two bf16 need double's exponents.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, F16>, float, double>;

// Rounding to odd: towards zero, but with the last bit set if anything was cut off. The bits that a shorter format keeps,
// and on which side of a tie the value lies, are then those of the exact value, whose nearest W is `rounded`.
template <class W>
W round_to_odd(W rounded, bool inexact, bool too_large) {
    const auto odd = static_cast<BitsOf<W>>((to_bits(rounded) - too_large) | 1);
    return inexact ? from_bits<W>(odd) : rounded;
}

// product + c for an exact product
template <class W>
W add_to_odd(W product, W c) {
    const W sum = product + c;
    const W back = sum - product;
    const W error = (product - (sum - back)) + (c - back);  // exact: product + c = sum + error
    const bool inexact = error < 0 || error > 0;            // infinities and NaN make error NaN
    return round_to_odd(sum, inexact, inexact && (error < 0) != (sum < 0));
}

uint16_t to_nearest(F16, float x) { return to_f16_rn(x); }
uint16_t to_nearest(BF16, double x) {
    const float near = static_cast<float>(x);
    const double back = near;
    return to_bf16_rn(round_to_odd(near, back < x || back > x, std::fabs(back) > std::fabs(x)));
}

struct Add {
    template <class W>
    W operator()(W a, W b) const {
        return a + b;
    }
};
struct Subtract {
    template <class W>
    W operator()(W a, W b) const {
        return a - b;
    }
};
struct Multiply {
    template <class W>
    W operator()(W a, W b) const {
        return a * b;
    }
};
struct FusedMultiplyAdd {
    template <class W>
    W operator()(W a, W b, W c) const {
        return add_to_odd(a * b, c);
    }
};
struct Exp2 {
    template <class W>
    W operator()(W a) const {
        return std::exp2(static_cast<float>(a));
    }
};
struct Tanh {
    template <class W>
    W operator()(W a) const {
        return std::tanh(static_cast<float>(a));
    }
};

struct HalfModifiers {
    bool ftz = false, sat = false, relu = false;
};

// .ftz flushes what would still be below the smallest normal number if exponents had no limit: rounding may lift a
// value from within a quarter of a unit, half a unit of the next binade down.
template <class T, class W>
W flush_tiny(W x) {
    using F = FloatFormat<T>;
    constexpr W smallest_normal = std::is_same_v<T, F16> ? W(0x1p-14) : W(0x1p-126);
    constexpr W kept = smallest_normal - smallest_normal / (W{4} * F::smallest_normal);
    return std::fabs(x) < kept ? std::copysign(W{0}, x) : x;
}

// One number of format T.
template <class T, class F, HalfModifiers modifiers, class... Bits>
uint16_t compute(Bits... operands) {
    using Format = FloatFormat<T>;
    const auto prepared = [](uint16_t x) -> Wide<T> { return widen(T{modifiers.ftz ? Format::flush(x) : x}); };
    auto exact = F{}(prepared(operands)...);
    if constexpr (modifiers.ftz) exact = flush_tiny<T>(exact);
    uint16_t x = to_nearest(T{}, exact);
    if constexpr (modifiers.sat) x = Format::saturate(x);
    if constexpr (modifiers.relu) x = Format::relu(x);
    return x;
}

// d = F(s0, ...) in every lane, F a function of 16-bit patterns; in a pair on both halves. Flattened, since a loop is
// vectorised only if everything in it is inlined.
template <bool pair, class F, class... Bits>
[[gnu::flatten]] void run(LaneState& lanes, const Operation& op) {
    if constexpr (pair) {
        const auto both = [](auto... s) {
            const uint32_t low = F{}(static_cast<uint16_t>(s)...);
            const uint32_t high = F{}(static_cast<uint16_t>(s >> 16)...);
            return low | high << 16;
        };
        map<uint32_t, std::conditional_t<true, uint32_t, Bits>...>(lanes, op, both);
    } else {
        map<uint16_t, Bits...>(lanes, op, F{});
    }
}
template <bool pair, class... Bits, class F>
Handler for_halves(F) {
    return run<pair, F, Bits...>;
}

template <class T, bool pair, class F, HalfModifiers modifiers, class... Bits>
Handler computed() {
    return for_halves<pair, Bits...>([](Bits... s) { return compute<T, F, modifiers>(s...); });
}

// add, sub, mul, fma: .ftz and .sat for f16 only
template <class T, bool pair, class F, class... Bits>
Handler arithmetic(const Operation& op, uint64_t allowed) {
    if (op.rounding != Rounding::none && op.rounding != Rounding::rn) return nullptr;
    if (!op.only_flags(allowed) || (op.has(flag::sat) && op.has(flag::relu))) return nullptr;
    const bool ftz = op.has(flag::ftz);
    if (op.has(flag::relu)) {
        return ftz ? computed<T, pair, F, HalfModifiers{.ftz = true, .relu = true}, Bits...>()
                   : computed<T, pair, F, HalfModifiers{.relu = true}, Bits...>();
    }
    if (op.has(flag::sat)) {
        return ftz ? computed<T, pair, F, HalfModifiers{.ftz = true, .sat = true}, Bits...>()
                   : computed<T, pair, F, HalfModifiers{.sat = true}, Bits...>();
    }
    return ftz ? computed<T, pair, F, HalfModifiers{.ftz = true}, Bits...>()
               : computed<T, pair, F, HalfModifiers{}, Bits...>();
}

// abs and neg change only the sign; a NaN becomes the canonical one
template <class T, bool pair, class F>
Handler sign_operation(const Operation& op, uint64_t allowed, F) {
    using Format = FloatFormat<T>;
    if (!op.only_flags(allowed) || op.rounding != Rounding::none) return nullptr;
    if (op.has(flag::ftz)) {
        return for_halves<pair, uint16_t>(
            [](uint16_t a) { return Format::is_nan(a) ? Format::canonical_nan : F{}(Format::flush(a)); });
    }
    return for_halves<pair, uint16_t>([](uint16_t a) { return Format::is_nan(a) ? Format::canonical_nan : F{}(a); });
}

template <class T, bool pair>
Handler select_for(const Operation& op) {
    using Format = FloatFormat<T>;
    using B = uint16_t;
    constexpr bool f16 = std::is_same_v<T, F16>;
    constexpr uint64_t ftz = f16 ? uint64_t{flag::ftz} : 0;
    constexpr uint64_t sat = f16 ? uint64_t{flag::sat} : 0;
    switch (op.opcode) {
        case Opcode::add:
            return arithmetic<T, pair, Add, B, B>(op, ftz | sat);
        case Opcode::sub:
            return arithmetic<T, pair, Subtract, B, B>(op, ftz | sat);
        case Opcode::mul:
            return arithmetic<T, pair, Multiply, B, B>(op, ftz | sat);
        case Opcode::fma:
            if (op.rounding != Rounding::rn) return nullptr;
            return arithmetic<T, pair, FusedMultiplyAdd, B, B, B>(op, ftz | sat | flag::relu);
        case Opcode::abs:
            return sign_operation<T, pair>(op, ftz, [](B a) { return Format::magnitude(a); });
        case Opcode::neg:
            return sign_operation<T, pair>(op, ftz, [](B a) { return static_cast<B>(a ^ Format::sign); });
        case Opcode::min:
        case Opcode::max:
            if (op.has(flag::ftz) && !f16) return nullptr;
            return op.rounding == Rounding::none ? select_minimum<T, pair>(op) : nullptr;
        case Opcode::ex2:  // f16 keeps subnormals, bf16 flushes them: PTX has no other forms
            if (op.flags != (f16 ? uint64_t{flag::approx} : uint64_t{flag::approx | flag::ftz})) return nullptr;
            return computed<T, pair, Exp2, HalfModifiers{.ftz = !f16}, B>();
        case Opcode::tanh:
            if (op.flags != flag::approx) return nullptr;
            return computed<T, pair, Tanh, HalfModifiers{}, B>();
        default:
            return nullptr;
    }
}

}  // namespace

Handler select_half(const Operation& op) {
    if (op.type2 != Type::none) return nullptr;
    switch (op.type) {
        case Type::f16:
            return select_for<F16, false>(op);
        case Type::bf16:
            return select_for<BF16, false>(op);
        case Type::f16x2:
            return select_for<F16, true>(op);
        case Type::bf16x2:
            return select_for<BF16, true>(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
