/// \file
/// Functions: signature, launch limits and body.
///
///     TokenStream tokens(".entry k(.param .u64 p) .maxntid 256 { ret; }");
///     Function kernel = parse_function(tokens, Linkage::visible);
#pragma once

#include "ptx/syntax.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {

/// From `.entry` or `.func` to the end of the body or the semicolon of a declaration.
Function parse_function(TokenStream& tokens, Linkage linkage);

/// .pragma "...", ...; The tree does not keep them: they advise ptxas.
void skip_pragma(TokenStream& tokens);

}  // namespace lanescope::ptx
