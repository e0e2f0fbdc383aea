/// \file
/// min and max with PTX's modifiers, on the bit patterns of one format.
///
///     MinimumModifiers nan{.nan = true};
///     extremum<float, Extremum::min, nan>(a, b);     // min.NaN.f32: NaN if either operand is NaN
///
/// .xorsign.abs compares magnitudes and gives the result the product of the operands' signs.
#pragma once

#include "machine/lanes.h"
#include "machine/operations/float_format.h"

namespace lanescope::machine {

enum class Extremum { min, max };
struct MinimumModifiers {
    bool ftz = false, nan = false, xorsign = false;
};

template <class T, Extremum which, MinimumModifiers modifiers>
BitsOf<T> extremum(BitsOf<T> a, BitsOf<T> b) {
    using F = FloatFormat<T>;
    using Bits = BitsOf<T>;
    if constexpr (modifiers.ftz) {
        a = F::flush(a);
        b = F::flush(b);
    }
    const Bits sign = modifiers.xorsign ? Bits((a ^ b) & F::sign) : Bits{0};
    const bool poisoned = modifiers.nan && (F::is_nan(a) || F::is_nan(b));
    if constexpr (modifiers.xorsign) {
        a = F::magnitude(a);
        b = F::magnitude(b);
    }
    const Bits result = which == Extremum::min ? F::minimum(a, b) : F::maximum(a, b);
    return poisoned || F::is_nan(result) ? F::canonical_nan : Bits(result | sign);
}

/// The handler of min or max for lanes of T, or of pairs of T (of 32 bits together).
template <class T, bool pair, Extremum which, MinimumModifiers modifiers>
void run_extremum(LaneState& lanes, const program::Operation& op) {
    using Bits = BitsOf<T>;
    if constexpr (pair) {
        map<uint32_t, uint32_t, uint32_t>(lanes, op, [](uint32_t a, uint32_t b) {
            const uint32_t low = extremum<T, which, modifiers>(Bits(a), Bits(b));
            const uint32_t high = extremum<T, which, modifiers>(Bits(a >> 16), Bits(b >> 16));
            return low | high << 16;
        });
    } else {
        map<Bits, Bits, Bits>(lanes, op, [](Bits a, Bits b) { return extremum<T, which, modifiers>(a, b); });
    }
}

template <class T, bool pair = false>
Handler select_minimum(const program::Operation& op) {
    namespace flag = program::flag;
    const bool xorsign = op.has(flag::xorsign), with_abs = op.has(flag::abs);
    if (!op.only_flags(flag::ftz | flag::nan | flag::xorsign | flag::abs) || xorsign != with_abs) return nullptr;
    const auto pick = [&]<Extremum which>() -> Handler {
        constexpr auto modifiers = [](int i) { return MinimumModifiers{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0}; };
        static constexpr Handler handlers[] = {
            run_extremum<T, pair, which, modifiers(0)>, run_extremum<T, pair, which, modifiers(1)>,
            run_extremum<T, pair, which, modifiers(2)>, run_extremum<T, pair, which, modifiers(3)>,
            run_extremum<T, pair, which, modifiers(4)>, run_extremum<T, pair, which, modifiers(5)>,
            run_extremum<T, pair, which, modifiers(6)>, run_extremum<T, pair, which, modifiers(7)>,
        };
        return handlers[int{op.has(flag::ftz)} | int{op.has(flag::nan)} << 1 | int{xorsign} << 2];
    };
    return op.opcode == program::Opcode::min ? pick.template operator()<Extremum::min>()
                                             : pick.template operator()<Extremum::max>();
}

}  // namespace lanescope::machine
