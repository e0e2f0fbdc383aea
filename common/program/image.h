/// \file
/// The PTX modules of one program, linked: which definition each name means.
///
///     Result<Image> image = Image::link(std::move(modules));
///     const ImageFunction* f = image->function("_Z3addPiS_");
///
/// Several modules come from `nvcc -rdc=true` (one for each translation unit). A name is first looked up
/// in its own module, then among the visible, weak and common definitions of the others. Host side only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/syntax.h"
#include "support/result.h"

namespace lanescope::program {

struct ImageFunction {
    int module = 0;
    const ptx::Function* syntax = nullptr;
    int index = 0;               ///< in Image::functions(); fixes its address
    bool address_taken = false;  ///< may be the target of an indirect call
};

struct ImageVariable {
    int module = 0;
    const ptx::Variable* syntax = nullptr;
    int index = 0;               ///< in Image::variables()
};

uint64_t bytes_of(const ptx::Variable&);       ///< size of the whole variable; 0 if unsized
uint64_t alignment_of(const ptx::Variable&);   ///< declared, else natural

class Image {
public:
    /// Diagnostic: two strong definitions of one name, or an extern variable that nobody defines.
    /// A missing function is an error of the call (Opcode::unsupported): the kernel may never reach it.
    static Result<Image> link(std::vector<ptx::Module> modules);

    const std::vector<ptx::Module>& modules() const { return modules_; }
    const std::vector<ImageFunction>& functions() const { return functions_; }     ///< with a body
    const std::vector<ImageVariable>& variables() const { return variables_; }     ///< .global, .const and .shared definitions

    /// The definition that `name` means in module `from` (-1: as seen from the host). nullptr: none.
    const ImageFunction* function(std::string_view name, int from = -1) const;
    const ImageVariable* variable(std::string_view name, int from = -1) const;

    /// The bytes that a .global or .const variable starts with. `address_of` gives the address of a
    /// variable or function seen from that module.
    Result<std::string> initial_bytes(const ImageVariable& variable,
                                      const std::function<std::optional<uint64_t>(std::string_view)>& address_of) const;

private:
    using Names = std::unordered_map<std::string_view, int>;
    std::vector<ptx::Module> modules_;
    std::vector<ImageFunction> functions_;
    std::vector<ImageVariable> variables_;
    std::vector<Names> local_functions_, local_variables_;   ///< by module
    Names global_functions_, global_variables_;              ///< exported: any module may name them
    Names host_functions_, host_variables_;                  ///< not exported, yet host code knows them by name
};

/// Functions that a kernel may call without any module defining them.
bool is_builtin_function(std::string_view name);

}  // namespace lanescope::program
