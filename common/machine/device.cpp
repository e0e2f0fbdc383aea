#include "machine/device.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "machine/grid.h"
#include "ptx/parser.h"

namespace lanescope::machine {
namespace {

constexpr uint64_t first_function_address = 1 << 20;   // of code: an address space of its own, as on a GPU
constexpr uint64_t function_address_step = 16;

class LoadedKernel : public Kernel {
public:
    LoadedKernel(program::Program program, const program::Image& image, const gpus::Gpu& gpu) : program_(std::move(program)) {
        for (const program::Operation& op : program_.prologue) {
            if (handler_for(op)) continue;
            refuse_to_start(op);
            break;
        }
        for (program::Operation& op : program_.operations) {
            const auto [handler, kind] = handler_and_kind(op);
            steps_.push_back({handler, &op, op.guard_value, op.weight, op.guard, kind});
        }
        // Loads that follow one another are issued together, as hardware does: the turn ends behind the last.
        for (size_t i = 0; i + 1 < steps_.size(); ++i)
            if (steps_[i].kind == StepKind::yielding && steps_[i + 1].kind == StepKind::yielding &&
                program_.operations[i].opcode == program::Opcode::ld && program_.operations[i + 1].opcode == program::Opcode::ld)
                steps_[i].kind = StepKind::memory;
        attributes_.static_shared_bytes = program_.static_shared_bytes;
        for (const program::ImageVariable& variable : image.variables())
            if (variable.syntax->space == "const") attributes_.constant_bytes += program::bytes_of(*variable.syntax);
        for (const program::FunctionCode& function : program_.functions) {
            attributes_.local_bytes += function.local_bytes;
            attributes_.registers = std::max(attributes_.registers, function.registers);
        }
        attributes_.registers = std::clamp(attributes_.registers + 6, 16, 255);   // addresses and indices that PTX does not show
        attributes_.max_threads_per_block = gpu.max_threads_per_block;
        const int* limit = program_.max_threads;
        if (limit[0] > 0) attributes_.max_threads_per_block = limit[0] * std::max(limit[1], 1) * std::max(limit[2], 1);
        std::copy(program_.required_threads, program_.required_threads + 3, attributes_.required_threads);
        attributes_.ptx_version = program_.ptx_target;
        for (const program::KernelParameter& parameter : program_.parameters) attributes_.parameters.push_back({parameter.offset, parameter.bytes});
        attributes_.parameter_bytes = program_.parameter_bytes;
    }

    std::string_view name() const override { return program_.name; }
    const KernelAttributes& attributes() const override { return attributes_; }
    const program::Program& program() const { return program_; }
    const std::vector<Step>& steps() const { return steps_; }
    /// As the modelled clock sees it.
    const timing::TimedProgram& timed(const timing::Costs& costs) const {
        if (!timed_) timed_ = timing::timed(program_, costs);
        return *timed_;
    }

private:
    // The index of a message that refuses the operation.
    uint32_t refusal(const program::Operation& op) {
        program_.messages.push_back(fmt::format("the instruction {}{}{} (PTX line {}) is not supported in this form", name_of(op.opcode),
                                                op.type == program::Type::none ? "" : ".", op.type == program::Type::none ? "" : name_of(op.type),
                                                op.ptx_line));
        return static_cast<uint32_t>(program_.messages.size() - 1);
    }

    // An operation of the prologue that no handler executes: the kernel ends at its first operation.
    void refuse_to_start(const program::Operation& op) {
        const uint32_t message = refusal(op);
        program::Operation& first = program_.operations[program_.functions[0].entry];
        first = op;
        first.opcode = program::Opcode::unsupported;
        first.guard = program::Guarded::no;
        first.target = message;
        program_.prologue.clear();
    }

    // An operation that no handler executes becomes one that refuses to run.
    std::pair<Handler, StepKind> handler_and_kind(program::Operation& op) {
        using program::Opcode;
        using program::Space;
        if (is_collective(op)) return {nullptr, StepKind::collective};
        switch (op.opcode) {
            case Opcode::bra: case Opcode::brx: case Opcode::call: case Opcode::ret: case Opcode::exit: case Opcode::bar:
            case Opcode::trap: case Opcode::brkpt: case Opcode::nanosleep: case Opcode::pmevent: case Opcode::griddepcontrol:
            case Opcode::setmaxnreg: case Opcode::reconverge: case Opcode::unsupported:
            case Opcode::alloca_: case Opcode::stacksave: case Opcode::stackrestore:
                return {nullptr, StepKind::control};
            default: break;
        }
        const Handler handler = handler_for(op);
        if (!handler) {
            op.target = refusal(op);
            op.opcode = Opcode::unsupported;
            return {nullptr, StepKind::control};
        }
        const bool slow_space = op.space == Space::global || op.space == Space::generic || op.space == Space::constant;
        switch (op.opcode) {
            case Opcode::ld: case Opcode::ldu: return {handler, slow_space ? StepKind::yielding : StepKind::memory};
            case Opcode::atom: return {handler, StepKind::yielding};
            case Opcode::st: case Opcode::red: case Opcode::cp_async: case Opcode::cp_async_bulk: case Opcode::mbarrier: return {handler, StepKind::memory};
            case Opcode::read_special: return {handler, StepKind::memory};   // the clock must be up to date
            default: return {handler, StepKind::plain};
        }
    }

    program::Program program_;
    std::vector<Step> steps_;
    mutable std::optional<timing::TimedProgram> timed_;   // made when it is first needed
    KernelAttributes attributes_;
};

}  // namespace

class DeviceState {
public:
    DeviceState(const gpus::Gpu& gpu, AddressSpace& space, int index, const DeviceOptions& options)
        : gpu(gpu), space(space), index(index), options(options) {}

    const gpus::Gpu& gpu;
    AddressSpace& space;
    int index;
    DeviceOptions options;
    PrintBuffer print_buffer;
    DeviceHeap heap;
    const timing::Costs costs = timing::costs_of(gpu);
    timing::L2Cache l2{space.device_range_bytes() / access::line_bytes + 1, static_cast<uint64_t>(gpu.l2_bytes), costs.l2_far_cycles > costs.l2_cycles};
    L1Caches l1{static_cast<uint32_t>(gpu.sm_count), space.device_range_bytes() / access::line_bytes + 1};
    uint64_t stack_bytes = 1024, heap_bytes = 8 << 20;
    uint64_t next_function_address = first_function_address;
    bool reads_clock = false;   ///< a kernel of some module does: the modelled clock runs for all, so that caches are warm for it
    uint64_t launches = 0;
    uint64_t clock = 0;
    std::vector<std::unique_ptr<Module>> modules;
};

namespace {

class LoadedModule : public Module {
public:
    LoadedModule(program::Image image, DeviceState& device)
        : image_(std::move(image)), device_(device), first_function_(device.next_function_address) {
        device_.next_function_address += image_.functions().size() * function_address_step;
    }
    ~LoadedModule() override {
        for (size_t i = 0; i < allocations_.size(); ++i)
            if (allocations_[i] && !borrowed_[i]) device_.space.release(allocations_[i]->address);
    }

    Result<bool> allocate_variables(const Module* managed_from) {
        allocations_.resize(image_.variables().size(), nullptr);
        borrowed_.resize(image_.variables().size(), false);
        for (const program::ImageVariable& variable : image_.variables()) {
            const ptx::Variable& syntax = *variable.syntax;
            if (syntax.space != "global" && syntax.space != "const") continue;
            // The definition that its name means, so that weak duplicates share one variable.
            if (const auto* chosen = image_.variable(syntax.name, variable.module); chosen && chosen->index != variable.index) continue;
            if (const Allocation* shared = syntax.managed && managed_from ? managed_from->variable(syntax.name) : nullptr) {
                allocations_[variable.index] = shared;
                borrowed_[variable.index] = true;
                continue;
            }
            const MemoryKind kind = syntax.managed ? MemoryKind::managed : syntax.space == "const" ? MemoryKind::constant_symbol : MemoryKind::global_symbol;
            const Allocation* a = device_.space.allocate({.kind = kind, .bytes = program::bytes_of(syntax), .alignment = program::alignment_of(syntax),
                                                          .device = device_.index, .flags = 0, .name = std::string(syntax.name)});
            if (!a) return Diagnostic{"the device has no memory left for it", "variable " + std::string(syntax.name), "make it smaller"};
            allocations_[variable.index] = a;
        }
        for (const program::ImageVariable& variable : image_.variables()) {
            const Allocation* a = allocations_[variable.index];
            if (!a || borrowed_[variable.index]) continue;
            auto bytes = image_.initial_bytes(variable, [&](std::string_view name) { return address_of(name, variable.module); });
            if (!bytes) return bytes.error();
            std::memcpy(a->host, bytes->data(), bytes->size());
        }
        return true;
    }

    Result<const Kernel*> kernel(std::string_view name) override {
        if (const auto found = kernels_.find(name); found != kernels_.end()) return static_cast<const Kernel*>(found->second.get());
        const program::ImageFunction* function = image_.function(name);
        if (!function || !function->syntax->is_entry)
            return Diagnostic{"the program's device code has no such kernel", "kernel " + std::string(name), "build the file that defines it with nvcc and link it"};
        const program::Addresses addresses{
            .variable = [this](const program::ImageVariable& variable) {
                const program::ImageVariable* chosen = image_.variable(variable.syntax->name, variable.module);
                const Allocation* a = allocations_[chosen ? chosen->index : variable.index];
                return a ? a->address : 0;
            },
            .function = [this](const program::ImageFunction& f) { return first_function_ + f.index * function_address_step; }};
        auto program = program::build(image_, *function, addresses);
        if (!program) return program.error();
        auto loaded = std::make_unique<LoadedKernel>(std::move(*program), image_, device_.gpu);
        const Kernel* result = loaded.get();
        kernels_.emplace(std::string(name), std::move(loaded));
        return result;
    }

    const Allocation* variable(std::string_view name) const override {
        const program::ImageVariable* variable = image_.variable(name);
        return variable ? allocations_[variable->index] : nullptr;
    }

private:
    std::optional<uint64_t> address_of(std::string_view name, int from) const {
        if (const auto* variable = image_.variable(name, from))
            return allocations_[variable->index] ? std::optional(allocations_[variable->index]->address) : std::nullopt;
        if (const auto* function = image_.function(name, from)) return first_function_ + function->index * function_address_step;
        return std::nullopt;
    }

    program::Image image_;
    DeviceState& device_;
    uint64_t first_function_;
    std::vector<const Allocation*> allocations_;   // by variable index
    std::vector<bool> borrowed_;                   // ... of another device's module
    std::map<std::string, std::unique_ptr<LoadedKernel>, std::less<>> kernels_;
};

}  // namespace

Device::Device(const gpus::Gpu& gpu, AddressSpace& space, int index, const DeviceOptions& options)
    : state_(std::make_unique<DeviceState>(gpu, space, index, options)) {}
Device::~Device() = default;

const gpus::Gpu& Device::gpu() const { return state_->gpu; }
int Device::index() const { return state_->index; }
const timing::Costs& Device::costs() const { return state_->costs; }
const DeviceOptions& Device::options() const { return state_->options; }

Result<Module*> Device::load(const std::vector<std::string>& ptx_texts, const Module* managed_from) {
    std::vector<ptx::Module> modules;
    for (const std::string& text : ptx_texts) {
        state_->reads_clock |= text.find("%clock") != std::string::npos || text.find("%globaltimer") != std::string::npos;
        auto module = ptx::parse(text);
        if (!module) return module.error();
        modules.push_back(std::move(*module));
    }
    auto image = program::Image::link(std::move(modules));
    if (!image) return image.error();
    auto module = std::make_unique<LoadedModule>(std::move(*image), *state_);
    if (auto allocated = module->allocate_variables(managed_from); !allocated) return allocated.error();
    state_->modules.push_back(std::move(module));
    return state_->modules.back().get();
}

void Device::unload(Module* module) {
    std::erase_if(state_->modules, [&](const auto& m) { return m.get() == module; });
}

std::optional<Fault> Device::run(const Launch& launch) {
    const auto& kernel = static_cast<const LoadedKernel&>(*launch.kernel);
    const bool timed = launch.time != nullptr || (state_->options.clock && state_->reads_clock);
    Grid grid({.program = kernel.program(), .steps = kernel.steps(), .gpu = state_->gpu, .space = state_->space,
               .print_buffer = state_->print_buffer, .heap = state_->heap, .l1 = state_->l1, .l2 = state_->l2, .costs = state_->costs, .timed_program = timed ? &kernel.timed(state_->costs) : nullptr,
               .options = state_->options, .device = state_->index,
               .stack_bytes = state_->stack_bytes, .heap_bytes = state_->heap_bytes, .launch_number = ++state_->launches, .clock = state_->clock},
              launch);
    auto fault = grid.run();
    if (timed) {
        const timing::KernelTime time = grid.time();
        pass_time(time.seconds);
        if (launch.time) *launch.time = time;
    } else {
        state_->clock += grid.executed();
    }
    if (launch.counters) grid.fill(*launch.counters);
    return fault;
}

void Device::pass_time(double seconds) { state_->clock += static_cast<uint64_t>(seconds * state_->costs.clock_hz); }

std::string Device::take_printf_output() { return state_->print_buffer.take(); }

void Device::set_stack_bytes(uint64_t bytes) { state_->stack_bytes = bytes; }
void Device::set_printf_buffer_bytes(uint64_t bytes) { state_->print_buffer.set_limit_bytes(bytes); }
void Device::set_heap_bytes(uint64_t bytes) { state_->heap_bytes = bytes; }
uint64_t Device::stack_bytes() const { return state_->stack_bytes; }
uint64_t Device::printf_buffer_bytes() const { return state_->print_buffer.limit_bytes(); }
uint64_t Device::heap_bytes() const { return state_->heap_bytes; }

}  // namespace lanescope::machine
