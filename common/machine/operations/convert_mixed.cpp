// cvt between integers and floating-point numbers.
//
// To an integer: rounded by .rni .rzi .rmi .rpi, and then the nearest value of the destination, with or without .sat.
// NaN gives 0, or the pattern with only the highest bit set if the source is f64 or the destination has 64 bits.
// To a floating-point number: rounded once by .rn .rz .rm .rp.
#include <limits>

#include "machine/operations/convert.h"
#include "machine/operations/rounding.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

template <class D, class S>
constexpr D integer_for_nan() {
    constexpr bool zero = sizeof(D) < 8 && !std::is_same_v<S, double>;
    return zero ? D{0} : static_cast<D>(std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1));
}

// The integer nearest to x, which is integral, infinite or NaN.
template <class D, class S>
D clamp_to_integer(double x) {
    using Limits = std::numeric_limits<D>;
    constexpr double lowest = static_cast<double>(Limits::min());
    const bool nan = x != x;
    if constexpr (sizeof(D) < 8) {
        constexpr double largest = static_cast<double>(Limits::max());
        const double clamped = nan ? 0.0 : x < lowest ? lowest : x > largest ? largest : x;
        // A cast to int32_t is vectorised, so u32 is moved into its range and back.
        constexpr bool moved = std::is_same_v<D, uint32_t>;
        const auto inside = static_cast<uint32_t>(static_cast<int32_t>(moved ? clamped - 0x1p31 : clamped));
        return nan ? integer_for_nan<D, S>() : static_cast<D>(moved ? inside ^ 0x80000000 : inside);
    } else {
        constexpr double beyond = 2.0 * (Limits::max() / 2 + 1);  // largest + 1; largest itself is no double
        const bool low = x <= lowest, high = x >= beyond;
        const D inside = static_cast<D>(low || high || nan ? 0.0 : x);
        return nan ? integer_for_nan<D, S>() : low ? Limits::min() : high ? Limits::max() : inside;
    }
}

template <class D, class S, Rounding mode, bool ftz>
D to_integer(S x) {
    if constexpr (ftz) x = from_bits<S>(FloatFormat<S>::flush(to_bits(x)));
    return clamp_to_integer<D, S>(round_to_integral<mode>(static_cast<double>(widen(x))));
}

template <class D, class S>
Handler select_to_integer(const Operation& op) {
    constexpr bool is_f32 = std::is_same_v<S, float>, is_bf16 = std::is_same_v<S, BF16>;
    constexpr uint64_t allowed = is_bf16 ? 0 : is_f32 ? uint64_t{flag::sat | flag::ftz} : uint64_t{flag::sat};
    if (!op.only_flags(allowed) || (is_bf16 && sizeof(D) == 1)) return nullptr;
    return for_integral_rounding(op.rounding, [&]<Rounding mode>() {
        if constexpr (is_f32) {
            if (op.has(flag::ftz)) return handler<D, S>([](S x) { return to_integer<D, S, mode, true>(x); });
        }
        return handler<D, S>([](S x) { return to_integer<D, S, mode, false>(x); });
    });
}

template <class D, class S>
D from_integer(S x, Rounding mode) {
    const bool negative = x < 0;
    const auto magnitude = static_cast<uint64_t>(x);
    return from_bits<D>(round_integer<FloatFormat<D>>(negative, negative ? 0 - magnitude : magnitude, mode));
}

template <class D, class S>
void run_from_integer(LaneState& lanes, const Operation& op) {
    const Rounding mode = op.rounding;
    const bool sat = op.has(flag::sat);
    map<D, S>(lanes, op, [=](S x) {
        const D y = from_integer<D, S>(x, mode);
        return sat ? from_bits<D>(FloatFormat<D>::saturate(to_bits(y))) : y;
    });
}

template <class D, class S>
Handler select_from_integer(const Operation& op) {
    constexpr bool host_type = std::is_same_v<D, float> || std::is_same_v<D, double>;
    if (!is_plain_rounding(op.rounding) || (std::is_same_v<D, BF16> && sizeof(S) == 1)) return nullptr;
    if (!op.only_flags(std::is_same_v<D, BF16> ? 0 : uint64_t{flag::sat})) return nullptr;
    if constexpr (host_type) {
        // The host rounds to nearest too, and vectorises it.
        if (op.rounding == Rounding::rn && !op.has(flag::sat)) {
            return handler<D, S>([](S x) { return static_cast<D>(x); });
        }
    }
    return run_from_integer<D, S>;
}

}  // namespace

Handler select_mixed_conversion(const Operation& op) {
    if (op.source_count > 1) return nullptr;
    const auto to_integer = [&]<class D>() {
        return for_floating(op.type2, [&]<class S>() { return select_to_integer<D, S>(op); });
    };
    const auto from_integer = [&]<class D>() {
        return for_integer(op.type2, [&]<class S>() { return select_from_integer<D, S>(op); });
    };
    if (Handler handler = for_integer(op.type, to_integer)) return handler;
    return for_floating(op.type, from_integer);
}

}  // namespace lanescope::machine
