// set setp selp slct on all types.
//
// A comparison gives one bit per lane, in a mask. setp combines the mask with a predicate and writes it
// and its complement (p|q); set turns it into a number in each lane. Halves are compared as floats, which
// hold each of their values; of a pair, the low halves make one mask and the high halves another.
#include <bit>
#include <cmath>

#include "machine/operations/half_float.h"
#include "machine/operations/operations.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Boolean;
using program::Compare;
using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

// ---- How operands are read ----
// A reader has: Stored, the C++ type of a lane, and read(Stored), the value that is compared.

template <class T>
struct Plain {
    using Stored = T;
    static T read(T x) { return x; }
};

// .ftz: a subnormal counts as zero.
struct Flushed {
    using Stored = float;
    static float read(float x) { return std::fabs(x) < 0x1p-126f ? 0.0f : x; }
};

enum class Half { low, high };

template <Half half>
uint16_t half_of(uint32_t x) {
    return static_cast<uint16_t>(half == Half::low ? x : x >> 16);
}
// A 16-bit float, or one half of a pair.
template <bool ftz, Half half>
struct F16 {
    using Stored = uint32_t;
    static float read(uint32_t x) {
        const float value = from_f16(half_of<half>(x));
        return ftz && std::fabs(value) < 0x1p-14f ? 0.0f : value;
    }
};
template <Half half>
struct Bf16 {
    using Stored = uint32_t;
    static float read(uint32_t x) { return from_bf16(half_of<half>(x)); }
};

// ---- Comparisons ----

struct Comparison {
    uint32_t (*mask)(const LaneState&, const Operation&) = nullptr;  // the lanes in which it holds
    Handler setp = nullptr;                                          // writes that mask to d[0] and does no more
};

template <class Reader, class F>
uint32_t comparison_mask(const LaneState& lanes, const Operation& op) {
    using T = typename Reader::Stored;
    return map_predicate<T, T>(lanes, op, [](T a, T b) { return F{}(Reader::read(a), Reader::read(b)); });
}
template <class Reader, class F>
void setp(LaneState& lanes, const Operation& op) {
    set_predicate(lanes, op.d[0], comparison_mask<Reader, F>(lanes, op));
}
// F(a, b): does it hold? Captures nothing.
template <class Reader, class F>
Comparison comparison(F) {
    return {comparison_mask<Reader, F>, setp<Reader, F>};
}

template <class Reader>
Comparison find_ordered(Compare compare) {
    switch (compare) {
        case Compare::eq:
            return comparison<Reader>([](auto a, auto b) { return a == b; });
        case Compare::ne:
            return comparison<Reader>([](auto a, auto b) { return a < b || a > b; });
        case Compare::lt:
            return comparison<Reader>([](auto a, auto b) { return a < b; });
        case Compare::le:
            return comparison<Reader>([](auto a, auto b) { return a <= b; });
        case Compare::gt:
            return comparison<Reader>([](auto a, auto b) { return a > b; });
        case Compare::ge:
            return comparison<Reader>([](auto a, auto b) { return a >= b; });
        default:
            return {};
    }
}
// Floats may also be unordered (one is NaN).
template <class Reader>
Comparison find_float(Compare compare) {
    switch (compare) {
        case Compare::equ:
            return comparison<Reader>([](auto a, auto b) { return !(a < b || a > b); });
        case Compare::neu:
            return comparison<Reader>([](auto a, auto b) { return a != b; });
        case Compare::ltu:
            return comparison<Reader>([](auto a, auto b) { return !(a >= b); });
        case Compare::leu:
            return comparison<Reader>([](auto a, auto b) { return !(a > b); });
        case Compare::gtu:
            return comparison<Reader>([](auto a, auto b) { return !(a <= b); });
        case Compare::geu:
            return comparison<Reader>([](auto a, auto b) { return !(a < b); });
        case Compare::num:
            return comparison<Reader>([](auto a, auto b) { return a == a && b == b; });
        case Compare::nan:
            return comparison<Reader>([](auto a, auto b) { return a != a || b != b; });
        default:
            return find_ordered<Reader>(compare);
    }
}
template <class T>
Comparison find_integer(Compare compare) {
    if (compare == Compare::ne) return comparison<Plain<T>>([](T a, T b) { return a != b; });
    return find_ordered<Plain<T>>(compare);
}
template <class T>
Comparison find_bits(Compare compare) {
    return compare == Compare::eq || compare == Compare::ne ? find_integer<T>(compare) : Comparison{};
}

// The comparison of values of `type`; of pairs, that of one half. Empty if it is not legal.
template <Half half>
Comparison find_comparison(Type type, Compare compare, bool ftz) {
    if (ftz) {
        switch (type) {
            case Type::f32:
                return find_float<Flushed>(compare);
            case Type::f16:
            case Type::f16x2:
                return find_float<F16<true, half>>(compare);
            default:
                return {};
        }
    }
    switch (type) {
        case Type::b16:
            return find_bits<uint16_t>(compare);
        case Type::b32:
            return find_bits<uint32_t>(compare);
        case Type::b64:
            return find_bits<uint64_t>(compare);
        case Type::u16:
            return find_integer<uint16_t>(compare);
        case Type::u32:
            return find_integer<uint32_t>(compare);
        case Type::u64:
            return find_integer<uint64_t>(compare);
        case Type::s16:
            return find_integer<int16_t>(compare);
        case Type::s32:
            return find_integer<int32_t>(compare);
        case Type::s64:
            return find_integer<int64_t>(compare);
        case Type::f32:
            return find_float<Plain<float>>(compare);
        case Type::f64:
            return find_float<Plain<double>>(compare);
        case Type::f16:
        case Type::f16x2:
            return find_float<F16<false, half>>(compare);
        case Type::bf16:
        case Type::bf16x2:
            return find_float<Bf16<half>>(compare);
        default:
            return {};
    }
}

bool is_pair(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

// `mask` combined with the predicate source s[2].
uint32_t combined(const LaneState& lanes, const Operation& op, uint32_t mask) {
    if (op.boolean == Boolean::none) return mask;
    const uint32_t c = predicate(lanes, op.s[2], op.negated & 4);
    switch (op.boolean) {
        case Boolean::and_:
            return mask & c;
        case Boolean::or_:
            return mask | c;
        default:
            return mask ^ c;
    }
}

// The forms below are rare enough to look the comparison up each time they run.
template <Half half>
uint32_t compared(const LaneState& lanes, const Operation& op, Type type) {
    return find_comparison<half>(type, op.compare, op.has(flag::ftz)).mask(lanes, op);
}

// ---- setp ----

// p|q = t BoolOp c | !t BoolOp c
void setp_combined(LaneState& lanes, const Operation& op) {
    const uint32_t mask = compared<Half::low>(lanes, op, op.type);
    const uint32_t p = combined(lanes, op, mask), q = combined(lanes, op, ~mask);
    set_predicate(lanes, op.d[0], p);
    if (op.result_count == 2) set_predicate(lanes, op.d[1], q);
}
// p for the low halves, q for the high halves
void setp_pair(LaneState& lanes, const Operation& op) {
    const uint32_t p = combined(lanes, op, compared<Half::low>(lanes, op, op.type));
    const uint32_t q = combined(lanes, op, compared<Half::high>(lanes, op, op.type));
    set_predicate(lanes, op.d[0], p);
    if (op.result_count == 2) set_predicate(lanes, op.d[1], q);
}

Handler select_setp(const Operation& op) {
    if (!op.only_flags(flag::ftz)) return nullptr;
    const Comparison comparison = find_comparison<Half::low>(op.type, op.compare, op.has(flag::ftz));
    if (!comparison.mask) return nullptr;
    if (is_pair(op.type)) return setp_pair;
    return op.boolean == Boolean::none && op.result_count == 1 ? comparison.setp : setp_combined;
}

// ---- set ----

// What `true` is in a register of the destination type.
constexpr uint32_t true_value(Type type) {
    switch (type) {
        case Type::f32:
            return std::bit_cast<uint32_t>(1.0f);
        case Type::f16:
        case Type::f16x2:
            return 0x3C00;
        case Type::bf16:
        case Type::bf16x2:
            return 0x3F80;
        case Type::u16:
            return 0xFFFF;
        default:
            return 0xFFFFFFFF;
    }
}

void set(LaneState& lanes, const Operation& op) {
    const uint32_t mask = combined(lanes, op, compared<Half::low>(lanes, op, op.type2));
    const uint32_t value = true_value(op.type);
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    for_each_lane(lanes, [=](int lane) { d[lane] = mask >> lane & 1 ? value : 0; });
}
void set_pair(LaneState& lanes, const Operation& op) {
    const uint32_t low = combined(lanes, op, compared<Half::low>(lanes, op, op.type2));
    const uint32_t high = combined(lanes, op, compared<Half::high>(lanes, op, op.type2));
    const uint32_t value = true_value(op.type) & 0xFFFF;
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    for_each_lane(lanes,
                  [=](int lane) { d[lane] = (low >> lane & 1 ? value : 0) | (high >> lane & 1 ? value << 16 : 0); });
}

bool is_legal_set(Type destination, Type source) {
    const bool is_word = destination == Type::u32 || destination == Type::s32;
    switch (source) {
        case Type::f16x2:
        case Type::bf16x2:
            return is_word || destination == source;
        case Type::f16:
        case Type::bf16:
            if (is_word || destination == Type::u16 || destination == Type::s16) return true;
            return destination == Type::bf16 || (destination == Type::f16 && source == Type::f16);
        default:
            return is_word || destination == Type::f32 || destination == Type::f16 || destination == Type::bf16;
    }
}

Handler select_set(const Operation& op) {
    if (!op.only_flags(flag::ftz) || !is_legal_set(op.type, op.type2)) return nullptr;
    if (op.type == Type::bf16 && op.has(flag::ftz)) return nullptr;
    if (!find_comparison<Half::low>(op.type2, op.compare, op.has(flag::ftz)).mask) return nullptr;
    return is_pair(op.type2) ? set_pair : set;
}

// ---- selp, slct ----

template <class F>
Handler for_selectable(Type type, F f) {
    return for_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16, Type::s32, Type::s64,
                    Type::f32, Type::f64>(type, f);
}

template <class T>
void selp(LaneState& lanes, const Operation& op) {
    using Bits = Stored<T>;
    const Bits condition = predicate(lanes, op.s[2], op.negated & 4);
    Bits* d = result<T>(lanes, op.d[0]);
    const Bits* a = source<T>(lanes, op.s[0]);
    const Bits* b = source<T>(lanes, op.s[1]);
    for_each_lane(lanes, [=](int lane) {
        const Bits choice = Bits{0} - (condition >> static_cast<Bits>(lane) & 1);  // all ones: a; arithmetic vectorises
        d[lane] = b[lane] ^ ((a[lane] ^ b[lane]) & choice);
    });
}

// d = c >= 0 ? a : b; a NaN chooses b.
Handler select_slct(const Operation& op) {
    if (op.type2 == Type::s32 && op.only_flags(0)) {
        return for_selectable(op.type, []<class T>() {
            return handler<T, T, T, int32_t>([](T a, T b, int32_t c) { return c >= 0 ? a : b; });
        });
    }
    if (op.type2 != Type::f32 || !op.only_flags(flag::ftz)) return nullptr;
    if (op.has(flag::ftz)) {
        return for_selectable(op.type, []<class T>() {
            return handler<T, T, T, float>([](T a, T b, float c) { return Flushed::read(c) >= 0 ? a : b; });
        });
    }
    return for_selectable(
        op.type, []<class T>() { return handler<T, T, T, float>([](T a, T b, float c) { return c >= 0 ? a : b; }); });
}

}  // namespace

Handler select_compare(const Operation& op) {
    switch (op.opcode) {
        case Opcode::setp:
            return select_setp(op);
        case Opcode::set:
            return select_set(op);
        case Opcode::selp:
            if (!op.only_flags(0)) return nullptr;
            return for_selectable(op.type, []<class T>() -> Handler { return selp<T>; });
        case Opcode::slct:
            return select_slct(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
