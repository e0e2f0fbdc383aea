// Operations that IEEE 754 defines exactly and rounds once: add, sub, mul, fma, mad, div, rcp and sqrt on f32, f64
// and f32x2, with .rn .rz .rm .rp. The host computes the same results; directed modes are set around the loop.
#include <cmath>

#include "machine/operations/floating.h"
#include "machine/operations/host_rounding.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Rounding;
using program::Type;
namespace flag = program::flag;

struct Add {
    template <class T>
    T operator()(T a, T b) const {
        return a + b;
    }
};
struct Subtract {
    template <class T>
    T operator()(T a, T b) const {
        return a - b;
    }
};
struct Multiply {
    template <class T>
    T operator()(T a, T b) const {
        return a * b;
    }
};
struct FusedMultiplyAdd {
    template <class T>
    T operator()(T a, T b, T c) const {
        return std::fma(a, b, c);
    }
};
struct Divide {
    template <class T>
    T operator()(T a, T b) const {
        return a / b;
    }
};
struct Reciprocal {
    template <class T>
    T operator()(T a) const {
        return T{1} / a;
    }
};
struct SquareRoot {
    template <class T>
    T operator()(T a) const {
        return std::sqrt(a);
    }
};

// Two floats in the 64 bits of a lane.
struct FloatPair {
    float low, high;
};

// One lane: widens narrow operands (add.f32.f16), applies the modifiers, computes.
template <class F, FloatModifiers modifiers, class... S>
auto compute(S... operands) {
    return finish<modifiers>(F{}(prepare<modifiers>(widen(operands))...));
}
template <class F, FloatModifiers modifiers, class... S>
requires(std::is_same_v<S, FloatPair>&&...) FloatPair compute(S... operands) {
    return {compute<F, modifiers>(operands.low...), compute<F, modifiers>(operands.high...)};
}

template <class F, FloatModifiers modifiers, bool directed, class D, class... S>
void run(LaneState& lanes, const Operation& op) {
    const auto lane = [](S... operands) -> D { return compute<F, modifiers>(operands...); };
    if constexpr (directed) {
        const HostRounding mode(op.rounding);
        map<D, S...>(lanes, op, lane);
    } else {
        map<D, S...>(lanes, op, lane);
    }
}

template <class F, FloatModifiers modifiers, class D, class... S>
Handler with_rounding(const Operation& op) {
    switch (op.rounding) {
        case Rounding::none:
        case Rounding::rn:
            return run<F, modifiers, false, D, S...>;
        case Rounding::rz:
        case Rounding::rm:
        case Rounding::rp:
            return run<F, modifiers, true, D, S...>;
        default:
            return nullptr;
    }
}

template <class F, class D, class... S>
Handler with_modifiers(const Operation& op, uint64_t allowed) {
    if (!op.only_flags(allowed)) return nullptr;
    const bool ftz = op.has(flag::ftz), sat = op.has(flag::sat);
    if constexpr (std::is_same_v<D, double>) {
        return with_rounding<F, FloatModifiers{}, D, S...>(op);
    } else {
        if (ftz && sat) return with_rounding<F, FloatModifiers{.ftz = true, .sat = true}, D, S...>(op);
        if (ftz) return with_rounding<F, FloatModifiers{.ftz = true}, D, S...>(op);
        if (sat) return with_rounding<F, FloatModifiers{.sat = true}, D, S...>(op);
        return with_rounding<F, FloatModifiers{}, D, S...>(op);
    }
}

// d = F(a, b)
template <class F>
Handler binary(const Operation& op) {
    switch (op.type) {
        case Type::f32:
            return with_modifiers<F, float, float, float>(op, flag::ftz | flag::sat);
        case Type::f64:
            return with_modifiers<F, double, double, double>(op, 0);
        case Type::f32x2:
            return with_modifiers<F, FloatPair, FloatPair, FloatPair>(op, flag::ftz);
        default:
            return nullptr;
    }
}

// add.f32.f16, sub.f32.bf16: the first operand is converted, the second is f32
template <class F>
Handler mixed_binary(const Operation& op) {
    if (op.type != Type::f32) return nullptr;
    switch (op.type2) {
        case Type::f16:
            return with_modifiers<F, float, F16, float>(op, flag::sat);
        case Type::bf16:
            return with_modifiers<F, float, BF16, float>(op, flag::sat);
        default:
            return nullptr;
    }
}

Handler fused(const Operation& op) {
    using F = FusedMultiplyAdd;
    if (op.rounding == Rounding::none) return nullptr;
    if (op.type2 != Type::none) {
        if (op.type != Type::f32 || op.opcode != Opcode::fma) return nullptr;
        if (op.type2 == Type::f16) return with_modifiers<F, float, F16, F16, float>(op, flag::sat);
        if (op.type2 == Type::bf16) return with_modifiers<F, float, BF16, BF16, float>(op, flag::sat);
        return nullptr;
    }
    switch (op.type) {
        case Type::f32:
            return with_modifiers<F, float, float, float, float>(op, flag::ftz | flag::sat);
        case Type::f64:
            return with_modifiers<F, double, double, double, double>(op, 0);
        case Type::f32x2:
            return with_modifiers<F, FloatPair, FloatPair, FloatPair, FloatPair>(op, flag::ftz);
        default:
            return nullptr;
    }
}

// div, rcp and sqrt without a rounding mode are .approx or .full
template <class F, int operands>
Handler ieee(const Operation& op) {
    if (op.rounding == Rounding::none || op.type2 != Type::none) return nullptr;
    return for_type<Type::f32, Type::f64>(op.type, [&]<class T>() {
        const uint64_t allowed = op.type == Type::f32 ? uint64_t{flag::ftz} : 0;
        if constexpr (operands == 1)
            return with_modifiers<F, T, T>(op, allowed);
        else
            return with_modifiers<F, T, T, T>(op, allowed);
    });
}

}  // namespace

Handler select_rounded(const Operation& op) {
    const bool mixed = op.type2 != Type::none;
    switch (op.opcode) {
        case Opcode::add:
            return mixed ? mixed_binary<Add>(op) : binary<Add>(op);
        case Opcode::sub:
            return mixed ? mixed_binary<Subtract>(op) : binary<Subtract>(op);
        case Opcode::mul:
            return mixed ? nullptr : binary<Multiply>(op);
        case Opcode::fma:
        case Opcode::mad:
            return fused(op);
        case Opcode::div:
            return ieee<Divide, 2>(op);
        case Opcode::rcp:
            return ieee<Reciprocal, 1>(op);
        case Opcode::sqrt:
            return ieee<SquareRoot, 1>(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
