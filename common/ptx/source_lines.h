/// \file
/// `.loc` directives: which source line the instructions that follow came from.
///
///     .loc 1 17 5                                                     line 17 of file 1
///     .loc 2 40 9, function_name $L__info_string0, inlined_at 1 17 5  line 40 of file 2, inlined into line 17 of file 1
///
/// An inlined location names only its direct caller; that caller, when it was inlined itself, has an
/// earlier .loc of its own. Following these gives the outermost caller. One object for each function.
#pragma once

#include <map>

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

class SourceLines {
public:
    /// What follows `.loc`. There is no semicolon.
    void parse_loc(TokenStream& tokens);

    /// The location of a statement that starts at this line of PTX.
    Location at(int ptx_line) const;

private:
    struct Position {
        int file = 0, line = 0, column = 0;
        auto operator<=>(const Position&) const = default;
    };
    static Position parse_position(TokenStream& tokens);

    Position current_;
    Position outermost_caller_;             ///< file 0: not inlined
    std::map<Position, Position> callers_;  ///< inlined position -> outermost caller
};

}  // namespace lanescope::ptx
