/// \file
/// Literals and constant expressions, evaluated while they are parsed.
///
///     TokenStream tokens("4 * (1 << 3) + 0x10");
///     Immediate value = parse_constant(tokens);   // integer 48
///
/// PTX ISA, "Constants". Integers are 64 bits wide: signed, or unsigned with a U suffix or above 2^63-1.
/// Floating-point expressions are evaluated in double precision.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

/// True if a constant, rather than a name, starts here.
bool at_constant(const TokenStream& tokens);

Immediate parse_constant(TokenStream& tokens);

/// A constant expression that is an integer from 0 to `maximum`. `description`: "an array size".
uint64_t parse_count(TokenStream& tokens, uint64_t maximum, std::string_view description);

/// One number, no expression: for places where an operator would be ambiguous (`%r<11>`) or that PTX
/// restricts to literals (.maxntid 256).
uint64_t parse_literal_count(TokenStream& tokens, uint64_t maximum, std::string_view description);

/// What may follow a name: `+4`, `-4`, `+-4`, `+4*2+8`; 0 if nothing does.
int64_t parse_offset(TokenStream& tokens);

}  // namespace lanescope::ptx
