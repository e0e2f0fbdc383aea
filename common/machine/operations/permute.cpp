// shf: a word out of the 64 bits b:a, shifted. prmt: a word of any four of their eight bytes.
#include "machine/operations/permute.h"

#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Operation;
using program::Type;
namespace flag = program::flag;

uint64_t joined(uint32_t low, uint32_t high) { return static_cast<uint64_t>(high) << 32 | low; }

uint32_t wrapped(uint32_t amount) { return amount & 31; }
uint32_t clamped(uint32_t amount) { return amount < 32 ? amount : 32; }

// The upper word of b:a << amount; the lower word of b:a >> amount. amount is 0 to 32.
uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t amount) {
    return static_cast<uint32_t>(joined(a, b) << amount >> 32);
}
uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t amount) { return static_cast<uint32_t>(joined(a, b) >> amount); }

template <class F>
Handler three_words(F f) {
    return handler<uint32_t, uint32_t, uint32_t, uint32_t>(f);
}

uint32_t byte_of(uint64_t bytes, uint32_t index) { return static_cast<uint32_t>(bytes >> (8 * index)) & 0xFF; }

// Default mode: each of the four low nibbles of the selector names a byte; its top bit asks for that byte's sign.
uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = joined(a, b);
    uint32_t d = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t nibble = selector >> (4 * i);
        uint32_t byte = byte_of(bytes, nibble & 7);
        if (nibble & 8) byte = byte & 0x80 ? 0xFF : 0;
        d |= byte << (8 * i);
    }
    return d;
}

// The other modes take bytes by a rule: index(i, n) is the byte for position i when the selector's low bits are n.
template <class F>
uint32_t permute_by(uint32_t a, uint32_t b, uint32_t selector, F index) {
    const uint64_t bytes = joined(a, b);
    uint32_t d = 0;
    for (uint32_t i = 0; i < 4; ++i) d |= byte_of(bytes, index(i, selector & 3)) << (8 * i);
    return d;
}
template <class F>
Handler permutation(F) {
    return three_words([](uint32_t a, uint32_t b, uint32_t c) { return permute_by(a, b, c, F{}); });
}

}  // namespace

Handler select_funnel_shift(const Operation& op) {
    if (op.type != Type::b32) return nullptr;
    switch (op.flags) {
        case flag::left | flag::wrap:
            return three_words([](uint32_t a, uint32_t b, uint32_t c) { return funnel_left(a, b, wrapped(c)); });
        case flag::left | flag::clamp:
            return three_words([](uint32_t a, uint32_t b, uint32_t c) { return funnel_left(a, b, clamped(c)); });
        case flag::right | flag::wrap:
            return three_words([](uint32_t a, uint32_t b, uint32_t c) { return funnel_right(a, b, wrapped(c)); });
        case flag::right | flag::clamp:
            return three_words([](uint32_t a, uint32_t b, uint32_t c) { return funnel_right(a, b, clamped(c)); });
        default:
            return nullptr;
    }
}

Handler select_byte_permute(const Operation& op) {
    if (op.type != Type::b32) return nullptr;
    switch (op.flags) {
        case 0:
            return three_words([](uint32_t a, uint32_t b, uint32_t c) { return permute(a, b, c); });
        // Four bytes from byte n on: forward, and backward (around the eight).
        case flag::f4e:
            return permutation([](uint32_t i, uint32_t n) { return n + i; });
        case flag::b4e:
            return permutation([](uint32_t i, uint32_t n) { return (n - i) & 7; });
        // Byte n four times; half n & 1 twice.
        case flag::rc8:
            return permutation([](uint32_t, uint32_t n) { return n; });
        case flag::rc16:
            return permutation([](uint32_t i, uint32_t n) { return 2 * (n & 1) + (i & 1); });
        // Edge clamp: the bytes of a, those left (below) or right (above) of byte n replaced by it.
        case flag::ecl:
            return permutation([](uint32_t i, uint32_t n) { return i < n ? n : i; });
        case flag::ecr:
            return permutation([](uint32_t i, uint32_t n) { return i > n ? n : i; });
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
