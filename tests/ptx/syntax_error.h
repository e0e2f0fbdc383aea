// What a parse_… function says about malformed text.
#pragma once

#include <string>

#include "ptx/lexer.h"

namespace lanescope::ptx {

// "PTX line N: what", or "" if `parse` accepted the text.
template <class Parse>
std::string error_of(Parse parse) {
    try {
        parse();
    } catch (const SyntaxError& error) {
        return error.diagnostic.where + ": " + error.diagnostic.what;
    }
    return "";
}

}  // namespace lanescope::ptx
