/// \file
/// Declarations of variables, registers and parameters.
///
///     TokenStream tokens(".global .align 4 .b8 table[2][3] = {{1, 2, 3}, {4}};");
///     parse_variables(tokens, location, Linkage::internal, variables);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

/// True if a state space (.reg, .global, ...) is next.
bool at_state_space(const TokenStream& tokens);

/// .visible, .extern, .weak, .common, or nothing.
Linkage parse_linkage(TokenStream& tokens);

/// .attribute(...), of a variable or a function, if it is next. True if it says `.managed`.
bool parse_attribute(TokenStream& tokens);

/// A declaration of one or several variables, from the state space to the semicolon.
void parse_variables(TokenStream& tokens, const Location& location, Linkage linkage, std::vector<Variable>& variables);

/// The parameters of a function, or its results: from the opening parenthesis to the closing one.
std::vector<Variable> parse_parameters(TokenStream& tokens, const Location& location);

}  // namespace lanescope::ptx
