#include "cudart/task.h"

#include "cudart/runtime.h"
#include "timing/copy_time.h"

namespace lanescope::cudart {

namespace {

cudaError_t error_of(machine::FaultKind kind) {
    switch (kind) {
        case machine::FaultKind::illegal_address:
            return cudaErrorIllegalAddress;
        case machine::FaultKind::misaligned_address:
            return cudaErrorMisalignedAddress;
        case machine::FaultKind::invalid_address_space:
            return cudaErrorInvalidAddressSpace;
        case machine::FaultKind::illegal_instruction:
            return cudaErrorIllegalInstruction;
        case machine::FaultKind::invalid_pc:
            return cudaErrorInvalidPc;
        case machine::FaultKind::assertion:
            return cudaErrorAssert;
        case machine::FaultKind::trap:
            return cudaErrorLaunchFailure;
        case machine::FaultKind::stack_overflow:
            return cudaErrorLaunchFailure;
        case machine::FaultKind::unsupported:
            return cudaErrorNotSupported;
        case machine::FaultKind::timeout:
            return cudaErrorLaunchTimeout;
    }
    return cudaErrorLaunchFailure;
}

struct Performer {
    Context& context;

    cudaError_t operator()(const EmptyTask&) const { return cudaSuccess; }
    cudaError_t operator()(const KernelTask& task) const {
        timing::KernelTime time;
        machine::Launch launch = task.launch;
        if ((context.runtime.asks_for_time || context.runtime.counting.wanted()) && context.device.options().clock) launch.time = &time;
        const std::optional<machine::Fault> fault = context.runtime.counting.wanted() ? run_counted(task, launch) : context.device.run(launch);
        note(time.seconds, Engine::kernels);
        if (!fault) return cudaSuccess;
        if (!fault->report.empty()) say(fault->report);
        return error_of(fault->kind);
    }
    std::optional<machine::Fault> run_counted(const KernelTask& task, machine::Launch& launch) const {
        CountedLaunch counted{task.kernel->name, context.index(), context.gpu().name, task.launch.grid, task.launch.block, {}, {}};
        launch.counters = &counted.counters;
        if (std::optional<machine::Fault> fault = context.device.run(launch)) return fault;   // it has no counters: it did not end
        if (launch.time) counted.time = *launch.time;
        Counting& counting = context.runtime.counting;
        if (!counting.file.empty()) append_launch(counting.file, counted);
        if (counting.active) counting.launches.push_back(std::move(counted));
        return std::nullopt;
    }
    cudaError_t operator()(const Copy& copy) const {
        const timing::CopyShape shape = shape_of(*context.runtime.space, copy);
        const double seconds = timing::copy_seconds(shape, context.device.costs());
        if (context.device.options().clock) context.device.pass_time(seconds);
        note(seconds,
             shape.way == timing::CopyWay::to_device ? Engine::to_device : shape.way == timing::CopyWay::from_device ? Engine::from_device : Engine::kernels);
        return perform(*context.runtime.space, copy);
    }
    cudaError_t operator()(const Fill& fill) const {
        note(timing::fill_seconds(uint64_t{fill.width_bytes()} * fill.height * fill.depth, context.device.costs()), Engine::kernels);
        return perform(*context.runtime.space, fill);
    }
    // The parts of a graph add up.
    void note(double seconds, Engine engine) const { context.performed = {context.performed.seconds + seconds, engine}; }
    cudaError_t operator()(const HostTask& task) const {
        task.function(task.data);
        return cudaSuccess;
    }
};

}  // namespace

OperationKind kind_of(const Task& task) {
    constexpr OperationKind kinds[] = {OperationKind::event, OperationKind::kernel, OperationKind::copy,
                                       OperationKind::set, OperationKind::host_function};
    static_assert(std::variant_size_v<Task> == std::size(kinds));
    return kinds[task.index()];
}

std::string name_of(const Task& task) {
    if (const auto* kernel = std::get_if<KernelTask>(&task)) return kernel->kernel->name;
    if (const auto* copy = std::get_if<Copy>(&task)) return copy->call;
    if (const auto* fill = std::get_if<Fill>(&task)) return fill->call;
    return std::holds_alternative<HostTask>(task) ? "host function" : "event";
}

cudaError_t perform(Context& context, const Task& task) { return std::visit(Performer{context}, task); }

}  // namespace lanescope::cudart
