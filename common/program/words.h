/// \file
/// What the words of an instruction mean: `add.sat.s32` is Opcode::add with flag::sat on Type::s32.
#pragma once

#include <optional>
#include <string>

#include "program/operation.h"
#include "ptx/syntax.h"

namespace lanescope::program {

/// "u32" -> Type::u32; Type::none if the word is no type.
Type type_word(std::string_view word);

/// `"%tid.x"` gives Special::tid_x, `%envregN` Special::envreg; its number goes to *number.
std::optional<Special> special_word(std::string_view name, int* number);
Type type_of(Special special);      ///< u32, or u64 for clock64, globaltimer, gridid, ...

/// A literal as the bits of a value of that type (a decimal 1.5 in an f32 operand becomes f32 bits).
uint64_t literal_bits(const ptx::Immediate& literal, Type type);

/// Fills in opcode, types, flags and the other modifier fields. Returns the word that is not understood,
/// or an empty string.
std::string decode_words(const ptx::Instruction& instruction, Operation& operation);

}  // namespace lanescope::program
