/// \file
/// C++ names as the programmer wrote them.
///
///     demangled("_Z3addPii")   // "add(int*, int)"
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <string>

namespace lanescope {

/// A name that is not mangled stays as it is.
inline std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z")) return name;   // "i" would become "int": the demangler knows types too
    int status = 0;
    char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 ? text : name;
    std::free(text);
    return result;
}

}  // namespace lanescope
