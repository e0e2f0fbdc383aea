// Extended precision: add.cc, addc, sub.cc, subc, mad.cc and madc chain 32- or 64-bit words through the
// carry flag CC.CF of each lane. Hardware subtracts by adding the complement, so after a subtraction CC.CF is set when
// nothing was borrowed. Only code that reads it with addc can tell, as nvcc's division of 128-bit integers does.
#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

// A word and the carry out of it.
template <class T>
struct Carried {
    T word;
    bool carry;
};
template <class T>
Carried<T> add_words(T a, T b, bool carry) {
    const T sum = a + b;
    const T total = sum + carry;
    return {total, sum < a || total < sum};
}
// a - b when the carry is set, a - b - 1 when it is not.
template <class T>
Carried<T> subtract_words(T a, T b, bool carry) {
    return add_words(a, static_cast<T>(~b), carry);
}

// Runs step(operands..., carry in) -> Carried in every active lane.
template <bool reads_carry, bool writes_carry, class T, class... S, class F>
void chain(LaneState& lanes, const Operation& op, F step) {
    Stored<T>* d = result<T>(lanes, op.d[0]);
    [&]<size_t... I>(std::index_sequence<I...>) {
        const Stored<T>* const s[] = {source<S>(lanes, op.s[I])...};
        uint32_t carry = lanes.carry;
        for_active_lanes(lanes, [&](int lane) {
            const Carried<T> r = step(load_lane<T>(s[I], lane)..., reads_carry && (carry >> lane & 1));
            store_lane<T>(d, lane, r.word);
            if (writes_carry) carry = (carry & ~(1u << lane)) | static_cast<uint32_t>(r.carry) << lane;
        });
        lanes.carry = carry;
    }
    (std::index_sequence_for<S...>{});
}

template <bool reads_carry, class T, class... S, class F>
Handler chained(const Operation& op, F) {
    if (op.has(flag::cc)) {
        return [](LaneState& lanes, const Operation& o) { chain<reads_carry, true, T, S...>(lanes, o, F{}); };
    }
    return [](LaneState& lanes, const Operation& o) { chain<reads_carry, false, T, S...>(lanes, o, F{}); };
}

template <bool reads_carry>
Handler select_mad(const Operation& op) {
    switch (op.flags & ~flag::cc) {
        case flag::lo:
            return for_type<Type::u32, Type::u64, Type::s32, Type::s64>(op.type, [&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<reads_carry, T, T, T, T>(
                    op, [](T a, T b, T c, bool carry) { return add_words<T>(low_product(a, b), c, carry); });
            });
        case flag::hi:
            return for_type<Type::u32, Type::u64, Type::s32, Type::s64>(op.type, [&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<reads_carry, T, T, T, T>(op, [](T a, T b, T c, bool carry) {
                    return add_words<T>(static_cast<T>(high_product(static_cast<S>(a), static_cast<S>(b))), c, carry);
                });
            });
        default:
            return nullptr;
    }
}

}  // namespace

Handler select_extended_precision(const Operation& op) {
    const auto words = [&](auto f) { return for_type<Type::u32, Type::u64, Type::s32, Type::s64>(op.type, f); };
    switch (op.opcode) {
        case Opcode::mad:
            return select_mad<false>(op);
        case Opcode::madc:
            return select_mad<true>(op);
        default:
            break;
    }
    if (!op.only_flags(flag::cc)) return nullptr;
    switch (op.opcode) {
        case Opcode::add:
            return words([&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<false, T, T, T>(op, [](T a, T b, bool c) { return add_words(a, b, c); });
            });
        case Opcode::addc:
            return words([&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<true, T, T, T>(op, [](T a, T b, bool c) { return add_words(a, b, c); });
            });
        case Opcode::sub:
            return words([&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<false, T, T, T>(op, [](T a, T b, bool) { return subtract_words(a, b, true); });
            });
        case Opcode::subc:
            return words([&]<class S>() {
                using T = std::make_unsigned_t<S>;
                return chained<true, T, T, T>(op, [](T a, T b, bool c) { return subtract_words(a, b, c); });
            });
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
