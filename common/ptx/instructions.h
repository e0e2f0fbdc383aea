/// \file
/// Instructions and their operands.
///
///     TokenStream tokens(".global.v2.f32 {%f1, %f2}, [%rd1+8];");
///     Instruction load = parse_instruction(tokens, "ld", {});   // what follows the opcode
#pragma once

#include <string_view>

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

/// `@p` or `@!p`; the '@' is next.
Guard parse_guard(TokenStream& tokens);

/// What follows the opcode, including the semicolon.
Instruction parse_instruction(TokenStream& tokens, std::string_view opcode, const Location& location);

}  // namespace lanescope::ptx
