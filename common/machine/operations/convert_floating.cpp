// cvt between floating-point formats: f16, bf16, f32 and f64.
//
// Narrowing rounds once, in the mode that the operation names; widening is exact. .rni .rzi .rmi .rpi round to an
// integer within one format. A NaN becomes the canonical one, except that f64 and the plain moves keep its payload.
#include "machine/operations/convert.h"
#include "machine/operations/rounding.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

// What follows the rounding.
template <class T>
T apply_modifiers(T x, uint64_t flags) {
    using F = FloatFormat<T>;
    auto bits = to_bits(x);
    if ((flags & flag::ftz) != 0 && std::is_same_v<T, float>) bits = F::flush(bits);
    if ((flags & flag::sat) != 0) bits = F::saturate(bits);
    if ((flags & flag::relu) != 0) bits = F::relu(bits);
    return from_bits<T>(bits);
}

// .ftz flushes an f32 operand, but not on the way to f16 (measured on an H200: cvt.rp.ftz.f16.f32 of 2^-149 is 2^-24).
template <class D, class S>
S flush_source(S x, uint64_t flags) {
    const bool ftz = (flags & flag::ftz) != 0 && std::is_same_v<S, float> && !std::is_same_v<D, F16>;
    return ftz ? from_bits<S>(FloatFormat<S>::flush(to_bits(x))) : x;
}

// An f64 NaN in a narrower format: its sign, the top of its payload, and quiet.
template <class D>
BitsOf<D> narrow_nan(double nan) {
    using F = FloatFormat<D>;
    using Source = FloatFormat<double>;
    const uint64_t bits = to_bits(nan);
    const auto payload =
        static_cast<BitsOf<D>>((bits & (Source::smallest_normal - 1)) >> (Source::mantissa_bits - F::mantissa_bits));
    const auto sign = static_cast<BitsOf<D>>((bits & Source::sign) != 0 ? F::sign : 0);
    return static_cast<BitsOf<D>>(sign | F::infinity | F::quiet_bit | payload);
}

template <class D, class S>
void narrow_lanes(LaneState& lanes, const Operation& op) {
    using F = FloatFormat<D>;
    const Rounding mode = op.rounding == Rounding::none ? Rounding::rn : op.rounding;
    const uint64_t flags = op.flags;
    const bool finite = op.has(flag::satfinite);
    map<D, S>(lanes, op, [=](S source) {
        const auto x = widen(flush_source<D>(source, flags));
        BitsOf<D> bits = finite ? narrow_finite<F>(x, mode) : narrow<F>(x, mode);
        if constexpr (std::is_same_v<S, double>) bits = x != x ? narrow_nan<D>(x) : bits;
        return apply_modifiers(from_bits<D>(bits), flags);
    });
}

template <class D, class S>
void widen_lanes(LaneState& lanes, const Operation& op) {
    const uint64_t flags = op.flags;
    map<D, S>(lanes, op, [=](S source) {
        D x = widen(flush_source<D>(source, flags));
        if constexpr (std::is_same_v<D, float>) {
            const bool canonical = std::is_same_v<S, F16> || (flags & flag::ftz) != 0;
            if (canonical) x = x != x ? from_bits<D>(FloatFormat<D>::canonical_nan) : x;
        }
        return apply_modifiers(x, flags);
    });
}

template <class T>
void move_lanes(LaneState& lanes, const Operation& op) {
    const uint64_t flags = op.flags;
    const bool canonical = sizeof(T) == 2 || (sizeof(T) == 4 && flags != 0);
    map<T, T>(lanes, op, [=](T x) {
        x = apply_modifiers(x, flags);
        return canonical && FloatFormat<T>::is_nan(to_bits(x)) ? from_bits<T>(FloatFormat<T>::canonical_nan) : x;
    });
}

template <class T, Rounding mode>
void round_lanes(LaneState& lanes, const Operation& op) {
    using F = FloatFormat<T>;
    const uint64_t flags = op.flags;
    map<T, T>(lanes, op, [=](T source) {
        const auto rounded = round_to_integral<mode>(widen(flush_source<T>(source, flags)));
        T x;
        if constexpr (sizeof(T) == 2)
            x = from_bits<T>(narrow<F>(rounded, Rounding::rn));  // exact
        else
            x = rounded;
        if constexpr (sizeof(T) == 4) x = x != x ? from_bits<T>(F::canonical_nan) : x;
        if constexpr (sizeof(T) == 8) x = x != x ? from_bits<T>(to_bits(x) | F::quiet_bit) : x;
        return apply_modifiers(x, flags);
    });
}

template <class T>
Handler select_same(const Operation& op) {
    if (op.rounding == Rounding::none) return move_lanes<T>;
    return for_integral_rounding(op.rounding, []<Rounding mode>() -> Handler { return round_lanes<T, mode>; });
}

// Round to nearest without further modifiers: what the host or half_float.h does in vector code.
template <class D, class S>
Handler select_nearest() {
    if constexpr (std::is_same_v<D, float> && std::is_same_v<S, double>) {
        return handler<D, S>([](S x) { return static_cast<D>(x); });
    } else if constexpr (std::is_same_v<D, F16> && std::is_same_v<S, float>) {
        return handler<uint16_t, S>([](S x) { return to_f16_rn(x); });
    } else if constexpr (std::is_same_v<D, BF16> && std::is_same_v<S, float>) {
        return handler<uint16_t, S>([](S x) { return to_bf16_rn(x); });
    } else {
        return narrow_lanes<D, S>;
    }
}

template <class D, class S>
Handler select_narrowing(const Operation& op) {
    constexpr bool both_16 = sizeof(D) == 2 && sizeof(S) == 2;  // f16 to bf16 and back: .rn may be left out
    if (!is_plain_rounding(op.rounding) && !(both_16 && op.rounding == Rounding::none)) return nullptr;
    // .relu and .satfinite: from f32, .rn and .rz only
    const bool finite_or_relu = op.has(flag::relu | flag::satfinite);
    const bool directed = op.rounding == Rounding::rm || op.rounding == Rounding::rp;
    if (finite_or_relu && (directed || !std::is_same_v<S, float> || op.has(flag::ftz | flag::sat))) return nullptr;
    const bool nearest = op.rounding == Rounding::rn && op.only_flags(0);
    return nearest ? select_nearest<D, S>() : Handler{narrow_lanes<D, S>};
}

template <class D, class S>
Handler select_pair(const Operation& op) {
    constexpr bool any_f32 = std::is_same_v<D, float> || std::is_same_v<S, float>;
    constexpr bool any_bf16 = std::is_same_v<D, BF16> || std::is_same_v<S, BF16>;
    if (op.has(flag::ftz) && !any_f32) return nullptr;
    if (op.has(flag::sat) && any_bf16) return nullptr;
    if (op.has(flag::relu | flag::satfinite) && sizeof(D) != 2) return nullptr;
    if constexpr (std::is_same_v<D, S>) {
        return op.has(flag::relu | flag::satfinite) ? nullptr : select_same<D>(op);
    } else if constexpr (sizeof(D) > sizeof(S)) {
        const bool harmless = std::is_same_v<S, BF16> && is_plain_rounding(op.rounding);  // exact in any mode
        return op.rounding == Rounding::none || harmless ? Handler{widen_lanes<D, S>} : nullptr;
    } else {
        return select_narrowing<D, S>(op);
    }
}

}  // namespace

Handler select_floating_conversion(const Operation& op) {
    if (op.source_count > 1 || !op.only_flags(flag::ftz | flag::sat | flag::relu | flag::satfinite)) return nullptr;
    return for_floating(
        op.type, [&]<class D>() { return for_floating(op.type2, [&]<class S>() { return select_pair<D, S>(op); }); });
}

}  // namespace lanescope::machine
