/// \file
/// A simulated GPU as the runtime layer sees it: load modules, run kernels.
///
///     AddressSpace space(gpu.memory_bytes);
///     Device device(gpu, space, 0, {});
///     auto module = device.load({ptx_text});
///     auto kernel = (*module)->kernel("_Z3addPiS_");
///     std::optional<Fault> fault = device.run({.kernel = *kernel, .grid = {32, 1, 1}, .block = {512, 1, 1},
///                                              .parameters = bytes});
///
/// run() executes the whole grid before it returns; queues, streams and errors are the runtime's.
/// Host side only; one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "access/rules.h"
#include "counters/counts.h"
#include "counters/first_request.h"
#include "timing/kernel_time.h"
#include "gpus/gpu.h"
#include "machine/address_space.h"
#include "support/result.h"

namespace lanescope::machine {

struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;
    uint64_t count() const { return uint64_t{x} * y * z; }
};

/// What a kernel is, as cudaFuncGetAttributes asks.
struct KernelAttributes {
    uint64_t static_shared_bytes = 0;
    uint64_t constant_bytes = 0;        ///< `__constant__` variables of the module
    uint64_t local_bytes = 0;           ///< per thread, of declared arrays
    int registers = 0;                  ///< modelled: the most 32-bit values live at once (ptxas decides the real number)
    int max_threads_per_block = 1024;   ///< `__launch_bounds__` or the GPU's limit
    int required_threads[3] = {0, 0, 0};
    int ptx_version = 0;                ///< 75 for compute_75
    struct Parameter { uint64_t offset, bytes; };
    std::vector<Parameter> parameters;
    uint64_t parameter_bytes = 0;
};

class Kernel {
public:
    virtual ~Kernel() = default;
    virtual std::string_view name() const = 0;      ///< mangled
    virtual const KernelAttributes& attributes() const = 0;
};

class Module {
public:
    virtual ~Module() = default;
    /// Decodes the kernel on first use. Diagnostic: no such kernel, or an instruction that the
    /// simulated GPU does not support (names opcode, PTX line, source line).
    virtual Result<const Kernel*> kernel(std::string_view name) = 0;
    /// A `__device__`, `__constant__` or `__managed__` variable. nullptr: none of that name.
    virtual const Allocation* variable(std::string_view name) const = 0;
};

enum class FaultKind : uint8_t {
    illegal_address,     ///< -> cudaErrorIllegalAddress
    misaligned_address,  ///< -> cudaErrorMisalignedAddress
    invalid_address_space, ///< -> cudaErrorInvalidAddressSpace
    illegal_instruction, ///< -> cudaErrorIllegalInstruction
    invalid_pc,          ///< -> cudaErrorInvalidPc: call through a pointer that is no function
    assertion,           ///< -> cudaErrorAssert: the message is on stderr already
    trap,                ///< -> cudaErrorLaunchFailure (__trap())
    stack_overflow,      ///< -> cudaErrorLaunchFailure
    unsupported,         ///< -> cudaErrorNotSupported: an instruction that the simulated GPU does not know
    timeout,             ///< -> cudaErrorLaunchTimeout: all threads wait for ever, or the instruction limit was reached
};

struct Fault {
    FaultKind kind{};
    std::string report;   ///< for a person: what, kernel, source line, block and thread, address, nearest allocation
};

/// Counted while a kernel ran.
struct LaunchCounters : MemoryCounts {
    struct Line : MemoryCounts {
        std::string file;
        uint32_t number = 0;
    };
    uint64_t warp_instructions = 0;         ///< PTX instructions issued by a warp
    uint64_t busiest_warp_instructions = 0; ///< of the warp that issued most
    std::vector<Line> lines;                ///< of the source, those with memory requests; needs nvcc -lineinfo
    std::vector<counters::FirstRequest> first_requests;   ///< of each memory instruction, in program order
};

struct Launch {
    const Kernel* kernel = nullptr;
    Dim3 grid, block;
    uint64_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;      ///< laid out as attributes().parameters say
    bool cooperative = false;               ///< all blocks must be resident at once
    int carve_out_percent = -1;             ///< the share of shared memory that the program prefers; negative: none
    LaunchCounters* counters = nullptr;     ///< filled in if given
    timing::KernelTime* time = nullptr;     ///< likewise: then the modelled clock runs
};

struct DeviceOptions {
    access::L1 l1 = access::L1::standard;   ///< as nvcc's -dlcm: whether global loads are cached in L1
    uint64_t schedule_seed = 0;             ///< 0: the default order; another seed interleaves warps differently
    bool clock = true;                      ///< kernels that read a clock read the modelled one; otherwise it counts warp instructions
    uint64_t instruction_limit = 4'000'000'000;  ///< warp instructions since the last block ended, before a launch is stopped
};

class DeviceState;   // device.cpp

class Device {
public:
    Device(const gpus::Gpu& gpu, AddressSpace& space, int index, const DeviceOptions& options);
    ~Device();

    const gpus::Gpu& gpu() const;
    int index() const;
    const DeviceOptions& options() const;
    const timing::Costs& costs() const;   ///< of the modelled clock

    /// Links the PTX texts of one program (several for -rdc=true), allocates and initialises its
    /// variables. The texts are parsed now, kernels decoded when asked for. Module lives as long as the Device.
    /// `managed_from` is the same program's module on another device: its managed variables are used
    /// here too and must outlive this module.
    Result<Module*> load(const std::vector<std::string>& ptx_texts, const Module* managed_from = nullptr);
    void unload(Module*);

    /// Checks nothing that cudaLaunchKernel documents (the runtime did) and runs the grid.
    std::optional<Fault> run(const Launch& launch);

    /// Output of printf in kernels since the last call, in order; what did not fit the buffer is gone
    /// (the oldest first), as documented.
    /// Time that copies take, on the clock that kernels read.
    void pass_time(double seconds);
    std::string take_printf_output();

    void set_stack_bytes(uint64_t bytes);           ///< cudaLimitStackSize
    void set_printf_buffer_bytes(uint64_t bytes);   ///< cudaLimitPrintfFifoSize
    void set_heap_bytes(uint64_t bytes);            ///< cudaLimitMallocHeapSize
    uint64_t stack_bytes() const;
    uint64_t printf_buffer_bytes() const;
    uint64_t heap_bytes() const;

private:
    std::unique_ptr<DeviceState> state_;
};

}  // namespace lanescope::machine
