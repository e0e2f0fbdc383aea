// Video instructions: arithmetic on bytes and half-words of registers, with a second operation on c.
//
// Intermediate results are exact (64 bits); .sat clamps them to the destination's range, the rest keeps
// the low bits, as the PTX ISA has it (GPUs since Volta run replacement code that departs from it in corners of the
// scalar forms). Negated operands of vmad are not supported.
#include "program/video.h"

#include <algorithm>
#include <cstdlib>

#include "machine/operations/operations.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Compare;
using program::Opcode;
using program::Operation;
using program::Part;
using program::Type;
using program::VideoModifiers;
using Secondary = VideoModifiers::Secondary;
namespace flag = program::flag;

// ---- Parts of registers ----

struct Field {
    int first_bit, bits;
};
constexpr Field field_of(Part part) {
    switch (part) {
        case Part::b0:
            return {0, 8};
        case Part::b1:
            return {8, 8};
        case Part::b2:
            return {16, 8};
        case Part::b3:
            return {24, 8};
        case Part::h0:
            return {0, 16};
        case Part::h1:
            return {16, 16};
        default:
            return {0, 32};
    }
}

constexpr int64_t largest(int bits, bool is_signed) { return (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1; }
constexpr int64_t smallest(int bits, bool is_signed) { return is_signed ? -(int64_t{1} << (bits - 1)) : 0; }

// A field of a register (or of two, b:a), sign- or zero-extended.
int64_t extract(uint64_t word, Field field, bool is_signed) {
    const auto bits = static_cast<int64_t>(word >> field.first_bit) & largest(field.bits, false);
    return is_signed && bits > largest(field.bits, true) ? bits - (int64_t{1} << field.bits) : bits;
}
// `word` with a field replaced by the low bits of `value`.
uint32_t insert(uint32_t word, Field field, int64_t value) {
    const auto mask = static_cast<uint32_t>(largest(field.bits, false) << field.first_bit);
    return (word & ~mask) | (static_cast<uint32_t>(value) << field.first_bit & mask);
}
int64_t saturate(int64_t value, int bits, bool is_signed) {
    return std::clamp(value, smallest(bits, is_signed), largest(bits, is_signed));
}

// ---- The first operation ----

bool compared(Compare compare, int64_t a, int64_t b) {
    switch (compare) {
        case Compare::eq:
            return a == b;
        case Compare::ne:
            return a != b;
        case Compare::lt:
            return a < b;
        case Compare::le:
            return a <= b;
        case Compare::gt:
            return a > b;
        default:
            return a >= b;
    }
}

int64_t shift_amount(const Operation& op, int64_t b) { return op.has(flag::wrap) ? b & 31 : std::min<int64_t>(b, 32); }

// A shift by 32 of 32 bits may need more than 64: all that counts then is that the low word is 0 and the rest is not.
int64_t shift_left(int64_t a, int64_t amount) {
    constexpr int64_t beyond_any_word = int64_t{1} << 62;
    if (amount == 32) return a == 0 ? 0 : a < 0 ? -beyond_any_word : beyond_any_word;
    return static_cast<int64_t>(static_cast<uint64_t>(a) << amount);
}

int64_t compute(const Operation& op, int64_t a, int64_t b) {
    switch (op.opcode) {
        case Opcode::vadd:
        case Opcode::vadd2:
        case Opcode::vadd4:
            return a + b;
        case Opcode::vsub:
        case Opcode::vsub2:
        case Opcode::vsub4:
            return a - b;
        case Opcode::vabsdiff:
        case Opcode::vabsdiff2:
        case Opcode::vabsdiff4:
            return std::abs(a - b);
        case Opcode::vmin:
        case Opcode::vmin2:
        case Opcode::vmin4:
            return std::min(a, b);
        case Opcode::vmax:
        case Opcode::vmax2:
        case Opcode::vmax4:
            return std::max(a, b);
        case Opcode::vavrg2:
        case Opcode::vavrg4:
            return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
        case Opcode::vset:
        case Opcode::vset2:
        case Opcode::vset4:
            return compared(op.compare, a, b);
        case Opcode::vshl:
            return shift_left(a, shift_amount(op, b));
        default:
            return a >> shift_amount(op, b);  // vshr
    }
}

// ---- Scalar ----

// The last step: c added, compared or merged.
uint32_t finish(const Operation& op, const VideoModifiers& video, int64_t value, uint32_t c) {
    const bool is_signed = program::is_signed(op.type);
    const auto word = static_cast<uint32_t>(value);
    const auto of_type = [=](uint32_t x) { return extract(x, {0, 32}, is_signed); };
    switch (video.secondary) {
        case Secondary::add:
            return word + c;
        case Secondary::min:
            return static_cast<uint32_t>(std::min(of_type(word), of_type(c)));
        case Secondary::max:
            return static_cast<uint32_t>(std::max(of_type(word), of_type(c)));
        case Secondary::merge:
            return insert(c, field_of(static_cast<Part>(video.destination)), value);
        default:
            return word;
    }
}

void scalar(LaneState& lanes, const Operation& op) {
    const VideoModifiers video = program::video_modifiers(op);
    const Field destination = field_of(static_cast<Part>(video.destination));
    const Field a_field = field_of(static_cast<Part>(video.a_select));
    const Field b_field = field_of(static_cast<Part>(video.b_select));
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    const uint32_t* a = source<uint32_t>(lanes, op.s[0]);
    const uint32_t* b = source<uint32_t>(lanes, op.s[1]);
    const uint32_t* c = source<uint32_t>(lanes, op.s[op.source_count > 2 ? 2 : 0]);
    for_active_lanes(lanes, [&](int lane) {
        int64_t value = compute(op, extract(a[lane], a_field, is_signed(op.type2)),
                                extract(b[lane], b_field, is_signed(video.b_type)));
        if (op.has(flag::sat)) value = saturate(value, destination.bits, is_signed(op.type));
        d[lane] = finish(op, video, value, c[lane]);
    });
}

// d = a * b + c (+ 1), shifted right
void multiply_add(LaneState& lanes, const Operation& op) {
    const VideoModifiers video = program::video_modifiers(op);
    const Field a_field = field_of(static_cast<Part>(video.a_select));
    const Field b_field = field_of(static_cast<Part>(video.b_select));
    const bool a_signed = is_signed(op.type2), b_signed = is_signed(video.b_type), any_signed = a_signed || b_signed;
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    const uint32_t* a = source<uint32_t>(lanes, op.s[0]);
    const uint32_t* b = source<uint32_t>(lanes, op.s[1]);
    const uint32_t* c = source<uint32_t>(lanes, op.s[2]);
    for_active_lanes(lanes, [&](int lane) {
        __int128 sum = static_cast<__int128>(extract(a[lane], a_field, a_signed)) * extract(b[lane], b_field, b_signed);
        sum += extract(c[lane], {0, 32}, any_signed) + video.plus_one;
        sum >>= video.scale_bits;
        if (op.has(flag::sat)) {
            sum = std::clamp<__int128>(sum, smallest(32, any_signed), largest(32, any_signed));
        }
        d[lane] = static_cast<uint32_t>(sum);
    });
}

// ---- SIMD ----

template <int elements>
void simd(LaneState& lanes, const Operation& op) {
    constexpr int bits = 32 / elements;
    const VideoModifiers video = program::video_modifiers(op);
    const bool a_signed = is_signed(op.type2), b_signed = is_signed(video.b_type), d_signed = is_signed(op.type);
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    const uint32_t* a = source<uint32_t>(lanes, op.s[0]);
    const uint32_t* b = source<uint32_t>(lanes, op.s[1]);
    const uint32_t* c = source<uint32_t>(lanes, op.s[2]);
    for_active_lanes(lanes, [&](int lane) {
        const uint64_t both = static_cast<uint64_t>(b[lane]) << 32 | a[lane];
        uint32_t word = c[lane];
        for (int i = 0; i < elements; ++i) {
            if (!(video.destination >> i & 1)) continue;
            const auto element = [&](uint16_t select, bool is_signed) {
                return extract(both, {(select >> (4 * i) & 0xF) * bits, bits}, is_signed);
            };
            int64_t value = compute(op, element(video.a_select, a_signed), element(video.b_select, b_signed));
            if (op.has(flag::sat)) value = saturate(value, bits, d_signed);
            if (video.secondary == Secondary::add)
                word += static_cast<uint32_t>(value);
            else
                word = insert(word, {i * bits, bits}, value);
        }
        d[lane] = word;
    });
}

bool is_word(Type type) { return type == Type::u32 || type == Type::s32; }
bool compares(Opcode opcode) { return opcode == Opcode::vset || opcode == Opcode::vset2 || opcode == Opcode::vset4; }

Handler select_scalar(const Operation& op, const VideoModifiers& video) {
    const bool needs_c = video.secondary != Secondary::none || op.opcode == Opcode::vmad;
    if (op.source_count != (needs_c ? 3 : 2)) return nullptr;
    const bool is_shift = op.opcode == Opcode::vshl || op.opcode == Opcode::vshr;
    if (is_shift) {
        if (op.has(flag::wrap) == op.has(flag::clamp) || video.b_type != Type::u32) return nullptr;
    } else if (!op.only_flags(flag::sat)) {
        return nullptr;
    }
    if (op.opcode == Opcode::vmad) return video.secondary == Secondary::none ? multiply_add : nullptr;
    return video.scale_bits == 0 && !video.plus_one ? scalar : nullptr;
}

Handler select_simd(const Operation& op, const VideoModifiers& video) {
    if (op.source_count != 3 || !op.only_flags(flag::sat) || video.scale_bits != 0 || video.plus_one) return nullptr;
    if (video.secondary != Secondary::add && video.secondary != Secondary::merge) return nullptr;
    if (video.secondary == Secondary::add && op.has(flag::sat)) return nullptr;
    return program::video_elements(op.opcode) == 2 ? simd<2> : simd<4>;
}

}  // namespace

Handler select_video(const Operation& op) {
    const VideoModifiers video = program::video_modifiers(op);
    if (!is_word(op.type) || !is_word(op.type2) || !is_word(video.b_type)) return nullptr;
    if (compares(op.opcode) && (op.compare == Compare::none || op.has(flag::sat))) return nullptr;
    return program::video_elements(op.opcode) == 1 ? select_scalar(op, video) : select_simd(op, video);
}

}  // namespace lanescope::machine
