/// \file
/// An executable kernel: decoded operations of the kernel and of every function it can reach.
///
///     Result<Program> program = build(image, *image.function("_Z3addPiS_"), address_of);
///
/// The steps, one file each: decode.cpp (words and operands to operations), control_flow.cpp (where
/// diverged lanes meet again), uniform.cpp (values that are the same for the whole launch),
/// registers.cpp (virtual registers to slots). Host side only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/image.h"
#include "program/operation.h"
#include "support/result.h"

namespace lanescope::program {

/// A .param variable in a frame: lane l's copy is at frame_offset + l * lane_stride_bytes.
struct FrameVariable {
    uint32_t frame_offset = 0;
    uint32_t lane_stride_bytes = 0;
};

struct FunctionCode {
    std::string name;                 ///< mangled
    uint32_t entry = 0;               ///< index of the first operation
    uint32_t frame_bytes = 0;         ///< parameters and slots of one warp
    uint32_t local_bytes = 0;         ///< .local variables of one thread
    std::vector<FrameVariable> parameters, returns;
    int registers = 0;                ///< modelled: the most 32-bit values live at once
};

struct Call {
    enum class Kind : uint8_t { direct, indirect, builtin };
    Kind kind = Kind::direct;
    uint32_t function = 0;            ///< direct: index in Program::functions; indirect: the address is Operation::s[0]
    std::string builtin;              ///< "vprintf"
    std::vector<FrameVariable> arguments, returns;   ///< in the caller's frame
};

struct KernelParameter {
    uint64_t offset = 0, bytes = 0;   ///< in the parameter buffer
};

struct Program {
    std::string name;                              ///< mangled name of the kernel
    std::vector<Operation> operations;
    std::vector<Value> lists;                      ///< registers of vector operations
    std::vector<std::byte> constants;              ///< what base 1 starts as: each value repeated for 32 lanes
    std::vector<Operation> prologue;               ///< run once per launch, with base 0 = base 1 = the constants
    std::vector<FunctionCode> functions;           ///< [0] is the kernel
    std::vector<Call> calls;
    std::vector<std::vector<uint32_t>> branch_tables;
    std::vector<std::string> messages;             ///< of refused instructions
    std::unordered_map<uint64_t, uint32_t> function_at;  ///< address -> index in functions, for indirect calls
    std::vector<std::string> files;                ///< source files of Operation::source_file
    std::vector<KernelParameter> parameters;
    uint64_t parameter_bytes = 0;
    uint64_t static_shared_bytes = 0;
    uint64_t dynamic_shared_offset = 0;            ///< where extern `__shared__` memory starts
    uint64_t reserved_shared_bytes = 0;            ///< for system software, behind the kernel's own; 0: the kernel uses none
    int max_threads[3] = {0, 0, 0};                ///< .maxntid; 0: not given
    int required_threads[3] = {0, 0, 0};           ///< .reqntid
    int ptx_target = 0;                            ///< 75 for sm_75

    const FunctionCode& function_of(uint32_t pc) const;   ///< the function that contains an operation
};

/// Address of a global or constant variable, or of a function, by its definition in the image.
struct Addresses {
    std::function<uint64_t(const ImageVariable&)> variable;
    std::function<uint64_t(const ImageFunction&)> function;
};

/// Builds the program of one kernel. An instruction that is not supported becomes an operation that
/// refuses to run (Program::messages), so a kernel may contain one in a branch it never takes.
/// Diagnostic: malformed functions (unknown registers or labels, wrong operand counts).
Result<Program> build(const Image& image, const ImageFunction& kernel, const Addresses& addresses);

}  // namespace lanescope::program
