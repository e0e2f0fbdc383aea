/// \file
/// Which handler executes an operation. Each family answers for its own opcodes and types and returns
/// nullptr for a form that it does not implement; handler_for() asks the family that opcodes.def names.
/// An operation without a handler is refused by name when its kernel is loaded, never skipped.
#pragma once

#include "machine/lanes.h"
#include "program/operation.h"

namespace lanescope::machine {

Handler select_integer(const program::Operation&);     ///< add … madc on integer types
Handler select_video(const program::Operation&);       ///< vadd … vset4
Handler select_floating(const program::Operation&);    ///< f32, f64, f32x2: add … copysign, testp
Handler select_half(const program::Operation&);        ///< f16, bf16 and pairs: add, sub, mul, fma, min, max, abs, neg, ex2, tanh; also integer u16x2/s16x2 add, min, max
Handler select_compare(const program::Operation&);     ///< set, setp, selp, slct on all types
Handler select_logic(const program::Operation&);       ///< and … prmt (also on predicates)
Handler select_convert(const program::Operation&);     ///< cvt
Handler select_move(const program::Operation&);        ///< mov, pack, unpack, cvta, isspacep, read_special
Handler select_memory(const program::Operation&);      ///< ld, st, prefetch, fences, cp.async
Handler select_atomic(const program::Operation&);      ///< atom, red
Handler select_bulk_copy(const program::Operation&);   ///< cp.async.bulk
Handler select_mbarrier(const program::Operation&);    ///< mbarrier: barrier objects in shared memory

Handler handler_for(const program::Operation&);        ///< nullptr: not supported, or control and collectives, which warp.cpp executes

}  // namespace lanescope::machine
