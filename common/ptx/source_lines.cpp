#include "ptx/source_lines.h"

#include <limits>

#include "ptx/constants.h"

namespace lanescope::ptx {

SourceLines::Position SourceLines::parse_position(TokenStream& tokens) {
    constexpr uint64_t largest = std::numeric_limits<int>::max();
    Position position;
    position.file = static_cast<int>(parse_literal_count(tokens, largest, "a file number"));
    position.line = static_cast<int>(parse_literal_count(tokens, largest, "a line number"));
    position.column = static_cast<int>(parse_literal_count(tokens, largest, "a column number"));
    return position;
}

void SourceLines::parse_loc(TokenStream& tokens) {
    current_ = parse_position(tokens);
    outermost_caller_ = {};
    while (tokens.accept(",")) {
        const Token attribute = tokens.expect_identifier("'function_name' or 'inlined_at'");
        if (attribute.text == "function_name") {
            tokens.expect_identifier("a label");
            parse_offset(tokens);
        } else if (attribute.text == "inlined_at") {
            outermost_caller_ = parse_position(tokens);
            const auto inlined_itself = callers_.find(outermost_caller_);
            if (inlined_itself != callers_.end()) outermost_caller_ = inlined_itself->second;
        } else {
            fail_at_line(attribute.line, "expected 'function_name' or 'inlined_at' in a .loc directive");
        }
    }
    if (outermost_caller_.file != 0)
        callers_[current_] = outermost_caller_;
    else
        callers_.erase(current_);
}

Location SourceLines::at(int ptx_line) const {
    return {ptx_line, current_.file, current_.line, outermost_caller_.file, outermost_caller_.line};
}

}  // namespace lanescope::ptx
