// Operations on f32 and f64 that do not round: abs, neg, min, max, copysign and testp, computed on the bit patterns.
#include <type_traits>

#include "machine/operations/floating.h"
#include "machine/operations/minimum.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

// An f64 NaN stays the NaN it is, made quiet; an f32 NaN becomes the canonical one.
template <class T>
BitsOf<T> quiet(BitsOf<T> nan) {
    using F = FloatFormat<T>;
    return std::is_same_v<T, double> ? nan | F::quiet_bit : F::canonical_nan;
}
template <class T>
BitsOf<T> absolute(BitsOf<T> a) {
    using F = FloatFormat<T>;
    return F::is_nan(a) ? quiet<T>(a) : F::magnitude(a);
}
template <class T>
BitsOf<T> negate(BitsOf<T> a) {
    using F = FloatFormat<T>;
    return F::is_nan(a) ? quiet<T>(a) : a ^ F::sign;
}

template <class T, class F>
Handler sign_operation(const Operation& op, F) {
    using Bits = BitsOf<T>;
    if (!op.only_flags(std::is_same_v<T, float> ? uint64_t{flag::ftz} : 0)) return nullptr;
    if (op.has(flag::ftz)) return handler<Bits, Bits>([](Bits a) { return F{}(FloatFormat<T>::flush(a)); });
    return handler<Bits, Bits>([](Bits a) { return F{}(a); });
}

Handler select_f64_minimum(const Operation& op) {
    if (!op.only_flags(0)) return nullptr;
    using F = FloatFormat<double>;
    // of two NaN the second, made quiet
    if (op.opcode == Opcode::min) {
        return handler<uint64_t, uint64_t, uint64_t>([](uint64_t a, uint64_t b) {
            const uint64_t m = F::minimum(a, b);
            return F::is_nan(m) ? m | F::quiet_bit : m;
        });
    }
    return handler<uint64_t, uint64_t, uint64_t>([](uint64_t a, uint64_t b) {
        const uint64_t m = F::maximum(a, b);
        return F::is_nan(m) ? m | F::quiet_bit : m;
    });
}

template <class T, class F>
void test_property(LaneState& lanes, const Operation& op) {
    using Bits = BitsOf<T>;
    set_predicate(lanes, op.d[0],
                  map_predicate<Bits>(lanes, op, [](Bits a) { return F{}(FloatFormat<T>::magnitude(a)); }));
}

template <class T>
Handler select_testp(const Operation& op) {
    using Bits = BitsOf<T>;
    using F = FloatFormat<T>;
    const auto property = [](auto test) { return Handler{test_property<T, decltype(test)>}; };
    switch (op.flags & ~flag::internal) {
        case flag::finite:
            return property([](Bits m) { return m < F::infinity; });
        case flag::infinite:
            return property([](Bits m) { return m == F::infinity; });
        case flag::number:
            return property([](Bits m) { return m <= F::infinity; });
        case flag::notanumber:
            return property([](Bits m) { return m > F::infinity; });
        case flag::normal:  // zeros are counted as normal
            return property([](Bits m) { return m == 0 || (m >= F::smallest_normal && m < F::infinity); });
        case flag::subnormal:
            return property([](Bits m) { return m > 0 && m < F::smallest_normal; });
        default:
            return nullptr;
    }
}

template <class T>
Handler select_for(const Operation& op) {
    using Bits = BitsOf<T>;
    using F = FloatFormat<T>;
    switch (op.opcode) {
        case Opcode::abs:
            return sign_operation<T>(op, [](Bits a) { return absolute<T>(a); });
        case Opcode::neg:
            return sign_operation<T>(op, [](Bits a) { return negate<T>(a); });
        case Opcode::min:
        case Opcode::max:
            if constexpr (std::is_same_v<T, double>)
                return select_f64_minimum(op);
            else
                return select_minimum<T>(op);
        case Opcode::copysign:  // d = the magnitude of b with the sign of a
            if (!op.only_flags(0)) return nullptr;
            return handler<Bits, Bits, Bits>([](Bits a, Bits b) { return F::magnitude(b) | (a & F::sign); });
        case Opcode::testp:
            return select_testp<T>(op);
        default:
            return nullptr;
    }
}

}  // namespace

Handler select_bitwise(const Operation& op) {
    if (op.rounding != Rounding::none || op.type2 != Type::none) return nullptr;
    return for_type<Type::f32, Type::f64>(op.type, [&]<class T>() { return select_for<T>(op); });
}

}  // namespace lanescope::machine
