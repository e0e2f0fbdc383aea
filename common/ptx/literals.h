/// \file
/// One number as PTX writes it: 42, 0x2A, 052, 0b101010, 42U, 0f3F800000, 0d3FF0000000000000, 1.5e3.
#pragma once

#include <string_view>

#include "ptx/syntax.h"

namespace lanescope::ptx {

struct Literal {
    enum class Status { valid, malformed, out_of_range };
    Status status = Status::malformed;
    Immediate value;
};

/// Integers without a U suffix are signed if they fit in 63 bits, else unsigned.
Literal read_literal(std::string_view text);

}  // namespace lanescope::ptx
