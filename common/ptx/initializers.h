/// \file
/// The value after `=` in a declaration: numbers, addresses and nested braces, in memory order.
///
///     .global .u64 pointers[2] = {generic(table)+8, 0};
///     .global .b8 packed[2] = {0xFF(table), 0xFF00(table)};    // two bytes of an address
///     .global .u32 matrix[2][3] = {{1}, {4, 5, 6}};            // 1 0 0 4 5 6
#pragma once

#include <cstdint>
#include <span>

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

/// Fills variable.initial; for an array without a first size also element_count.
void parse_initializer(TokenStream& tokens, std::span<const uint64_t> dimensions, Variable& variable);

}  // namespace lanescope::ptx
