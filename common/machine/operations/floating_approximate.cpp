// Operations with .approx and .full on f32 and f64. PTX bounds their error (a few units in the last place; 2^-20.5 for
// sin and cos, 2^-11 for tanh, 2^-20 for the f64 forms with .ftz); these results are closer than that, so they differ
// from a GPU's in the last bits. Zeros, infinities, NaN and out-of-range operands give what PTX documents.
#include <cmath>

#include "machine/operations/floating.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

// d = F(s0, ...) on f32, with .ftz if the operation has it.
template <class... S, class F>
Handler with_ftz(const Operation& op, F) {
    if (op.has(flag::ftz)) {
        return handler<float, S...>([](S... s) {
            return finish<FloatModifiers{.ftz = true}>(F{}(prepare<FloatModifiers{.ftz = true}>(s)...));
        });
    }
    return handler<float, S...>([](S... s) { return finish<FloatModifiers{}>(F{}(s...)); });
}

// div.approx multiplies by the reciprocal, which underflows to 0 for divisors beyond 2^126.
float divide_approximately(float a, float b) {
    constexpr float largest_divisor = 0x1p126f;
    return std::fabs(b) > largest_divisor ? a * std::copysign(0.0f, b) : a / b;
}

// The f64 approximations with .ftz read and write only the upper 32 bits.
double upper_half(double x) { return from_bits<double>(to_bits(x) & 0xFFFFFFFF00000000); }

template <class F>
double approximate_upper_half(double x, F f) {
    constexpr uint64_t nan = 0x7FFFFFFF00000000;
    const double y = f(prepare<FloatModifiers{.ftz = true}>(upper_half(x)));
    return y != y ? from_bits<double>(nan) : upper_half(prepare<FloatModifiers{.ftz = true}>(y));
}

Handler select_f32(const Operation& op) {
    switch (op.opcode) {
        case Opcode::div:
            return with_ftz<float, float>(op, [](float a, float b) { return divide_approximately(a, b); });
        case Opcode::rcp:
            return with_ftz<float>(op, [](float a) { return 1.0f / a; });
        case Opcode::sqrt:
            return with_ftz<float>(op, [](float a) { return std::sqrt(a); });
        case Opcode::rsqrt:
            return with_ftz<float>(op,
                                   [](float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); });
        case Opcode::sin:
            return with_ftz<float>(op, [](float a) { return std::sin(a); });
        case Opcode::cos:
            return with_ftz<float>(op, [](float a) { return std::cos(a); });
        case Opcode::lg2:
            return with_ftz<float>(op, [](float a) { return std::log2(a); });
        case Opcode::ex2:
            return with_ftz<float>(op, [](float a) { return std::exp2(a); });
        case Opcode::tanh:
            if (op.has(flag::ftz)) return nullptr;
            return with_ftz<float>(op, [](float a) { return std::tanh(a); });
        default:
            return nullptr;
    }
}

Handler select_f64(const Operation& op) {
    const bool ftz = op.has(flag::ftz);
    if (op.opcode == Opcode::rcp && ftz) {
        return handler<double, double>(
            [](double a) { return approximate_upper_half(a, [](double x) { return 1 / x; }); });
    }
    if (op.opcode == Opcode::rsqrt && ftz) {
        return handler<double, double>(
            [](double a) { return approximate_upper_half(a, [](double x) { return 1 / std::sqrt(x); }); });
    }
    if (op.opcode == Opcode::rsqrt) return handler<double, double>([](double a) { return 1 / std::sqrt(a); });
    return nullptr;
}

}  // namespace

Handler select_approximate(const Operation& op) {
    if (op.rounding != Rounding::none || op.type2 != Type::none) return nullptr;
    const bool full_division = op.opcode == Opcode::div && op.has(flag::full);
    if (full_division) {
        if (op.type != Type::f32 || !op.only_flags(flag::full | flag::ftz)) return nullptr;
        return with_ftz<float, float>(op, [](float a, float b) { return a / b; });
    }
    if (!op.has(flag::approx) || !op.only_flags(flag::approx | flag::ftz)) return nullptr;
    if (op.type == Type::f32) return select_f32(op);
    if (op.type == Type::f64) return select_f64(op);
    return nullptr;
}

}  // namespace lanescope::machine
