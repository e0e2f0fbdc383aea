/// \file
/// The modifiers of the video instructions (vadd ... vset4), which select parts of registers.
///
///     vadd.s32.u32.s32.sat.add d, a.b1, b.h0, c;     scalar: one part of a and of b
///     vadd4.u32.u32.s32.sat d.b210, a.b7531, b, c;   SIMD: four bytes out of the eight of b:a; d's byte 3 is c's
///
/// They are packed into Operation::immediate. Operation::type is the destination's type, type2 is a's.
/// .sat, .clamp and .wrap are flags; the comparison of vset is Operation::compare. The sources s[] are
/// a, b and, if written, c.
#pragma once

#include <bit>
#include <string>
#include <string_view>

#include "program/operation.h"
#include "ptx/syntax.h"

namespace lanescope::program {

enum class Part : uint8_t { word, b0, b1, b2, b3, h0, h1 };

struct VideoModifiers {
    enum class Secondary : uint8_t { none, add, min, max, merge };  ///< what is done with c

    Type b_type = Type::none;
    Secondary secondary = Secondary::none;
    uint8_t destination = 0;     ///< scalar: the Part of d that is written; SIMD: bit i = element i
    uint8_t scale_bits : 7 = 0;  ///< vmad.shr7, .shr15
    uint8_t plus_one : 1 = 0;    ///< vmad.po
    uint16_t a_select = 0;       ///< scalar: the Part that is read; SIMD: nibble i = element for position i
    uint16_t b_select = 0;
};
static_assert(sizeof(VideoModifiers) == sizeof(Operation::immediate));

inline VideoModifiers video_modifiers(const Operation& op) { return std::bit_cast<VideoModifiers>(op.immediate); }

bool is_video(Opcode opcode);
int video_elements(Opcode opcode);  ///< 2 for vadd2, 4 for vadd4, 1 for vadd

/// Fills in the modifier fields from the words and from the selectors of the operands. Returns the word
/// that is not understood, or an empty string. The opcode is set already.
std::string decode_video_words(const ptx::Instruction& instruction, Operation& op);

/// The operand without its selector: `%r1` for `%r1.b0`
ptx::Operand without_selector(const ptx::Operand& operand);

}  // namespace lanescope::program
