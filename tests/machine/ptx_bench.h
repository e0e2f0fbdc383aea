// Runs one PTX instruction on the simulated GPU for a table of inputs, and compares every lane with C++.
//
//   TEST(Integer, AddSaturates) {
//       expect_ptx("add.sat.s32 %0, %1, %2;", [](int32_t a, int32_t b) -> int32_t {
//           return std::clamp<int64_t>(int64_t{a} + b, INT32_MIN, INT32_MAX);
//       });
//   }
//
// %0 is the result, %1, %2, ... are the sources; a reference that returns a std::tuple of n results has
// them in %0 to %(n-1). The reference's signature declares the registers: a bool is a predicate, every
// other type of 1, 2, 4 or 8 bytes a .b16, .b16, .b32 or .b64 register, which suits every PTX type of
// that size. The text may hold several instructions and declare registers of its own between braces.
//
// Without a table, the inputs are all combinations of edge_values<S>() of each source. Each row runs in
// its own thread, once with all lanes of the warp and once with some of them branched around the
// instruction; there the results must keep the value that they had before.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "support/result.h"

namespace lanescope::machine::test {

// ---- The untyped part (ptx_bench.cpp) ----

// Register widths of an instruction: 1 (predicate), 8, 16, 32 or 64 bits. 8 bits are a .b16 register.
struct Signature {
    std::vector<int> result_bits, source_bits;
};

// What a result register holds before the instruction.
inline constexpr uint64_t untouched = 0x5A5A'5A5A'A5A5'A5A4;

// The kernel that runs `ptx` for one row per thread, as PTX text.
std::string bench_kernel(std::string_view ptx, const Signature& signature);

// Runs it for lanes of `lane_mask`. `inputs` holds the sources row by row, one 64-bit cell each; so does what is
// returned.
Result<std::vector<uint64_t>> run_bench(std::string_view ptx, const Signature& signature,
                                        const std::vector<uint64_t>& inputs, size_t rows, uint32_t lane_mask);

// ---- Values ----

template <class T>
uint64_t to_cell(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    uint64_t cell = 0;
    std::memcpy(&cell, &value, sizeof(T));
    return cell;
}
template <class T>
T from_cell(uint64_t cell) {
    if constexpr (std::is_same_v<T, bool>) return cell != 0;
    T value;
    std::memcpy(&value, &cell, sizeof(T));
    return value;
}
template <class T>
constexpr int register_bits = std::is_same_v<T, bool> ? 1 : int{sizeof(T)} * 8;

// Edge values of a type. Other types (halves, pairs) specialise it or give a table.
template <class T>
std::vector<T> edge_values() {
    if constexpr (std::is_same_v<T, bool>) {
        return {false, true};
    } else if constexpr (std::is_floating_point_v<T>) {
        using Limits = std::numeric_limits<T>;
        std::vector<T> values{T(0),
                              T(1),
                              T(1.5),
                              T(0.1),
                              T(2),
                              T(3),
                              T(1e10),
                              Limits::max(),
                              Limits::min(),
                              Limits::min() / 2,
                              Limits::denorm_min(),
                              Limits::epsilon(),
                              T(1) + Limits::epsilon(),
                              Limits::infinity()};
        for (size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
        values.push_back(Limits::quiet_NaN());
        return values;
    } else {
        using U = std::make_unsigned_t<T>;
        constexpr int bits = sizeof(T) * 8;
        constexpr U top = U(1) << (bits - 1);
        return {T(0),
                T(1),
                T(2),
                T(5),
                T(bits - 1),
                T(bits),
                T(bits + 1),
                T(U(top - 1)),
                T(top),
                T(U(top + 1)),
                T(U(-1)),
                T(U(-2)),
                T(U(0x8000'7FFF'FFFF'8001)),
                T(U(0x0123'4567'89AB'CDEF)),
                T(U(0xFEDC'BA98'7654'3210)),
                T(U(0x9E37'79B9'7F4A'7C15))};
    }
}

// All combinations of one value from each list, as the rows of a table.
template <class... S>
std::vector<std::tuple<S...>> combinations(const std::vector<S>&... lists) {
    std::vector<std::tuple<S...>> rows;
    const size_t sizes[] = {lists.size()..., 1};
    size_t count = 1;
    for (size_t size : sizes) count *= size;
    for (size_t row = 0; row < count; ++row) {
        size_t rest = row;
        const auto pick = [&rest](const auto& list) {
            const auto value = list[rest % list.size()];
            rest /= list.size();
            return value;
        };
        rows.push_back(std::tuple<S...>{pick(lists)...});  // braces: evaluated left to right
    }
    return rows;
}

// Whether a result is the expected one: the same bits, or both NaN. Types of a test's own may overload it.
template <class T>
bool same(T expected, T actual) {
    if constexpr (std::is_floating_point_v<T>) {
        if (expected != expected) return actual != actual;
    }
    return to_cell(expected) == to_cell(actual);
}

template <class T>
std::string show(T value) {
    char text[64];
    if constexpr (std::is_floating_point_v<T>)
        std::snprintf(text, sizeof text, "%.17g (0x%llx)", double(value), (unsigned long long)to_cell(value));
    else
        std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)to_cell(value));
    return text;
}

// ---- The typed part ----

template <class R>
struct Results {
    using Tuple = std::tuple<R>;
    static Tuple tuple(R r) { return {r}; }
};
template <class... R>
struct Results<std::tuple<R...>> {
    using Tuple = std::tuple<R...>;
    static Tuple tuple(Tuple r) { return r; }
};

template <class... R>
std::string show(const std::tuple<R...>& values) {
    std::string text;
    std::apply([&](auto... v) { ((text += (text.empty() ? "" : ", ") + show(v)), ...); }, values);
    return text;
}

// Returns false for a result that is wrong; default of expect_ptx's `accept`.
struct SameBits {
    template <class... T, class... S>
    bool operator()(const std::tuple<T...>& expected, const std::tuple<T...>& actual, const S&...) const {
        return [&]<size_t... I>(std::index_sequence<I...>) {
            return (same(std::get<I>(expected), std::get<I>(actual)) && ...);
        }
        (std::index_sequence_for<T...>{});
    }
};

template <class R, class... S, class Accept>
void expect_rows(std::string_view ptx, const std::function<R(S...)>& reference,
                 const std::vector<std::tuple<S...>>& table, Accept accept) {
    using Tuple = typename Results<R>::Tuple;
    Signature signature;
    [&]<class... T>(std::type_identity<std::tuple<T...>>) {
        signature.result_bits = {register_bits<T>...};
    }(std::type_identity<Tuple>{});
    signature.source_bits = {register_bits<S>...};
    std::vector<uint64_t> inputs;
    for (const auto& row : table) std::apply([&](auto... s) { (inputs.push_back(to_cell(s)), ...); }, row);

    for (const uint32_t lane_mask : {0xFFFFFFFFu, 0xA5C3'0F01u}) {
        const auto outputs = run_bench(ptx, signature, inputs, table.size(), lane_mask);
        if (!outputs) {
            ADD_FAILURE() << ptx << "\n  " << outputs.error().text();
            return;
        }
        const size_t width = signature.result_bits.size();
        int failures = 0;
        for (size_t row = 0; row < table.size() && failures < 5; ++row) {
            const Tuple actual = [&]<size_t... I>(std::index_sequence<I...>) {
                return Tuple{from_cell<std::tuple_element_t<I, Tuple>>((*outputs)[row * width + I])...};
            }
            (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
            if (lane_mask >> (row % 32) & 1) {
                const Tuple expected = Results<R>::tuple(std::apply(reference, table[row]));
                if (std::apply([&](const S&... s) { return accept(expected, actual, s...); }, table[row])) continue;
                ADD_FAILURE() << ptx << "\n  sources " << show(table[row]) << "\n  gives " << show(actual)
                              << "\n  instead of " << show(expected);
                ++failures;
            } else {
                const bool kept = [&]<size_t... I>(std::index_sequence<I...>) {
                    return ((to_cell(std::get<I>(actual)) ==
                             to_cell(from_cell<std::tuple_element_t<I, Tuple>>(
                                 std::is_same_v<std::tuple_element_t<I, Tuple>, bool> ? 0 : untouched))) &&
                            ...);
                }
                (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
                if (kept) continue;
                ADD_FAILURE() << ptx << "\n  lane " << row % 32 << " was not active, yet its result became "
                              << show(actual);
                ++failures;
            }
        }
    }
}

// The instruction on every row of `table`. `accept(expected, actual, sources...)` takes tuples of results.
template <class F, class Table, class Accept = SameBits>
void expect_ptx(std::string_view ptx, F reference, const Table& table, Accept accept = {}) {
    expect_rows(ptx, std::function(reference), table, accept);
}
// The instruction on all combinations of edge values.
template <class F>
void expect_ptx(std::string_view ptx, F reference) {
    [&]<class R, class... S>(const std::function<R(S...)>& f) {
        expect_rows(ptx, f, combinations(edge_values<S>()...), SameBits{});
    }(std::function(reference));
}

// The instruction must be refused when its kernel is loaded, by an error that names `named`.
//   expect_refused<uint32_t(uint32_t)>("add.sat.u32 %0, %1, %1;", "add");
template <class F>
void expect_refused(std::string_view ptx, std::string_view named) {
    [&]<class R, class... S>(std::type_identity<R(S...)>) {
        const Signature signature{{register_bits<R>}, {register_bits<S>...}};
        const auto outputs = run_bench(ptx, signature, std::vector<uint64_t>(sizeof...(S)), 1, 0xFFFFFFFFu);
        ASSERT_FALSE(outputs) << ptx << " was not refused";
        EXPECT_NE(outputs.error().text().find(named), std::string::npos) << ptx << "\n  " << outputs.error().text();
    }(std::type_identity<F>{});
}

}  // namespace lanescope::machine::test
