/// \file
/// PTX text to syntax tree.
///
///     auto module = lanescope::ptx::parse(text);
///     if (!module) std::cerr << module.error().text();
#pragma once

#include <string>

#include "ptx/syntax.h"
#include "support/result.h"

namespace lanescope::ptx {

/// Parses one module. Any text is safe: malformed input gives a Diagnostic whose `where` is
/// "PTX line N" and whose `what` names the offending token. Debug sections are skipped.
/// Errors: unterminated comments/strings/scopes, unknown directives, numbers out of range, nesting
/// deeper than 256. Host side.
Result<Module> parse(std::string text);

}  // namespace lanescope::ptx
