/// \file
/// The 32 lanes of a warp as the handlers of arithmetic operations see them.
///
///     // d = a + b on the active lanes
///     void add_u32(LaneState& lanes, const Operation& op) {
///         map<uint32_t, uint32_t, uint32_t>(lanes, op, [](uint32_t a, uint32_t b) { return a + b; });
///     }
///
/// A handler runs one operation for the lanes in LaneState::mask and writes no other lane. When all 32
/// lanes are active the loop has no branch, so the compiler vectorises it. Files that include this
/// header are compiled with -fno-strict-aliasing: a slot is written as one type and read as another.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "program/operation.h"

namespace lanescope::machine {

inline constexpr int warp_size = 32;
inline constexpr uint32_t full_mask = 0xFFFFFFFFu;

/// The part of a warp that arithmetic needs. Warp (warp.h) derives from it; handlers of memory operations cast to it.
struct LaneState {
    std::byte* base[2];     ///< [0]: registers of the current frame; [1]: constants of the program
    uint32_t mask = 0;      ///< lanes that execute the current operation (active and not guarded off); never 0 in a handler
    uint32_t carry = 0;     ///< CC.CF, bit l = lane l
};

using Handler = void (*)(LaneState&, const program::Operation&);

/// The memory type of a lane: types narrower than 32 bits are kept extended to 32 bits.
template <class T>
using Stored = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
T load_lane(const Stored<T>* slot, int lane) {
    if constexpr (sizeof(T) == sizeof(Stored<T>)) return std::bit_cast<T>(slot[lane]);
    else if constexpr (sizeof(T) == 2) return std::bit_cast<T>(static_cast<uint16_t>(slot[lane]));
    else return std::bit_cast<T>(static_cast<uint8_t>(slot[lane]));
}
template <class T>
void store_lane(Stored<T>* slot, int lane, T value) {
    if constexpr (sizeof(T) == sizeof(Stored<T>)) slot[lane] = std::bit_cast<Stored<T>>(value);
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) slot[lane] = static_cast<uint32_t>(static_cast<int32_t>(value));
    else if constexpr (sizeof(T) == 2) slot[lane] = std::bit_cast<uint16_t>(value);
    else slot[lane] = std::bit_cast<uint8_t>(value);
}

/// The lanes of an operand or result.
template <class T>
const Stored<T>* source(const LaneState& lanes, program::Value v) {
    return reinterpret_cast<const Stored<T>*>(lanes.base[v.base] + v.offset);
}
template <class T>
Stored<T>* result(LaneState& lanes, program::Value v) {
    return reinterpret_cast<Stored<T>*>(lanes.base[0] + v.offset);
}
/// A predicate as a mask of lanes; `negated` for !p.
inline uint32_t predicate(const LaneState& lanes, program::Value v, bool negated = false) {
    const uint32_t bits = *reinterpret_cast<const uint32_t*>(lanes.base[v.base] + v.offset);
    return negated ? ~bits : bits;
}
inline void set_predicate(LaneState& lanes, program::Value v, uint32_t bits) {
    auto* slot = reinterpret_cast<uint32_t*>(lanes.base[0] + v.offset);
    *slot = (*slot & ~lanes.mask) | (bits & lanes.mask);
}

/// Calls f(lane) for every active lane.
template <class F>
inline void for_active_lanes(const LaneState& lanes, F f) {
    if (lanes.mask == full_mask) {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) f(lane);
    } else {
        for (uint32_t rest = lanes.mask; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
    }
}

/// The same for an f that only computes: written so that a partial mask too becomes (masked) vector code.
template <class F>
inline void for_each_lane(const LaneState& lanes, F f) {
    const uint32_t mask = lanes.mask;
    if (mask == full_mask) {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) f(lane);
    } else {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) {
            if (mask >> lane & 1) f(lane);
        }
    }
}

/// d = f(s0, ...): D and the argument types S... say how the slots are read.
template <class D, class... S, class F>
inline void map(LaneState& lanes, const program::Operation& op, F f) {
    Stored<D>* d = result<D>(lanes, op.d[0]);
    [&]<size_t... I>(std::index_sequence<I...>) {
        const std::tuple<const Stored<S>*...> s{source<S>(lanes, op.s[I])...};
        for_each_lane(lanes, [&](int lane) { store_lane<D>(d, lane, f(load_lane<S>(std::get<I>(s), lane)...)); });
    }(std::index_sequence_for<S...>{});
}

/// The signs of 32 lanes, as a mask of lanes.
template <class T>
inline uint32_t negative_lanes(const T (&values)[warp_size]) {
    uint32_t bits = 0;
#ifdef __AVX2__
    constexpr int step = 32 / sizeof(T);
    for (int lane = 0; lane < warp_size; lane += step) {
        const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + lane));
        const int signs = sizeof(T) == 8 ? _mm256_movemask_pd(_mm256_castsi256_pd(part))
                                         : _mm256_movemask_ps(_mm256_castsi256_ps(part));
        bits |= static_cast<uint32_t>(signs) << lane;
    }
#else
    for (int lane = 0; lane < warp_size; ++lane) bits |= static_cast<uint32_t>(values[lane] < 0) << lane;
#endif
    return bits;
}

/// The lanes for which f(s0, ...) is true, as a mask. All 32 lanes are evaluated: bits of inactive
/// lanes are 0 or 1, and ignored.
template <class... S, class F>
inline uint32_t map_predicate(const LaneState& lanes, const program::Operation& op, F f) {
    using Truth = std::conditional_t<(sizeof(Stored<S>) & ...) == 8, int64_t, int32_t>;  // as wide as the operands
    Truth truth[warp_size];
    [&]<size_t... I>(std::index_sequence<I...>) {
        const std::tuple<const Stored<S>*...> s{source<S>(lanes, op.s[I])...};
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) truth[lane] = f(load_lane<S>(std::get<I>(s), lane)...) ? -1 : 0;
    }(std::index_sequence_for<S...>{});
    return negative_lanes(truth);
}

}  // namespace lanescope::machine
