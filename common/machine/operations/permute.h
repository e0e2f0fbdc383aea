/// \file
/// The parts of the logic family that move bits of two words into one (permute.cpp). nullptr: an illegal form.
#pragma once

#include "machine/lanes.h"

namespace lanescope::machine {

Handler select_funnel_shift(const program::Operation&);  ///< shf
Handler select_byte_permute(const program::Operation&);  ///< prmt

}  // namespace lanescope::machine
