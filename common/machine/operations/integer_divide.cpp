// div and rem on integers.
//
// PTX leaves division by zero open ("machine-specific"). What an NVIDIA GPU gives: div and rem have all
// bits set. The smallest signed value divided by -1 gives itself, remainder 0.
#include <limits>

#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;

template <class T>
T divide(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
        if (b == -1) return wrapping_subtract(T{0}, a);  // the host would raise SIGFPE for the smallest a
    }
    return static_cast<T>(a / b);
}

template <class T>
T remainder(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
}

}  // namespace

Handler select_divide(const Operation& op) {
    if (!op.only_flags(0)) return nullptr;
    const bool is_div = op.opcode == Opcode::div;
    return for_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(op.type, [&]<class T>() {
        return is_div ? handler<T, T, T>([](T a, T b) { return divide(a, b); })
                      : handler<T, T, T>([](T a, T b) { return remainder(a, b); });
    });
}

}  // namespace lanescope::machine
