#include "cudart/runtime.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cudart/exit_report.h"
#include "cudart/thread_state.h"
#include "gpus/gpu.h"
#include "machine/host_guard.h"

namespace lanescope::cudart {

void say(std::string_view text) {
    std::fprintf(stderr, "lanescope: %.*s\n", static_cast<int>(text.size()), text.data());
}

namespace {

std::vector<std::string> split_at_commas(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const size_t comma = list.find(',');
        words.emplace_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
    return words;
}

template <class Number>
bool parse(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

// The GPUs of this machine, in LANESCOPE_GPU's order. Empty, and said on stderr, if a name is unknown.
std::vector<const gpus::Gpu*> installed_gpus() {
    const Result<std::vector<const gpus::Gpu*>> installed = gpus::selected();
    if (installed) return *installed;
    say(installed.error().text());
    return {};
}

// As CUDA reads CUDA_VISIBLE_DEVICES: the numbers before the first that names no device.
std::vector<const gpus::Gpu*> visible(const std::vector<const gpus::Gpu*>& installed) {
    const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!list) return installed;
    std::vector<const gpus::Gpu*> result;
    for (const std::string& word : split_at_commas(list)) {
        size_t number = 0;
        if (!parse(word, number) || number >= installed.size()) break;
        result.push_back(installed[number]);
    }
    return result;
}

// The number in an environment variable; `standard`, and said on stderr, if it is none.
uint64_t number_in(const char* variable, uint64_t standard, const char* meaning) {
    const char* text = std::getenv(variable);
    uint64_t number = standard;
    if (text && *text && !parse(std::string_view(text), number)) {
        say(std::string(variable) + "=" + text + " is not a number; the default " + meaning + " is used" +
            "\n  next: set it to 0, 1, 2, ...");
        return standard;
    }
    return number;
}

machine::DeviceOptions device_options() {
    machine::DeviceOptions options;
    options.schedule_seed = number_in("LANESCOPE_SCHEDULE", options.schedule_seed, "schedule");
    options.instruction_limit = number_in("LANESCOPE_INSTRUCTION_LIMIT", options.instruction_limit, "limit");
    if (const char* l1 = std::getenv("LANESCOPE_L1"); l1 && *l1) {
        if (std::string_view(l1) == "on") options.l1 = access::L1::on;
        else if (std::string_view(l1) == "off") options.l1 = access::L1::off;
        else say(std::string("LANESCOPE_L1=") + l1 + " is neither on nor off; the GPU's default is used\n  next: set it to on or off");
    }
    if (const char* clock = std::getenv("LANESCOPE_CLOCK"); clock && *clock) {
        if (std::string_view(clock) == "off") options.clock = false;
        else if (std::string_view(clock) != "on") say(std::string("LANESCOPE_CLOCK=") + clock + " is neither on nor off; it is on\n  next: set it to on or off");
    }
    return options;
}

}  // namespace

Runtime& Runtime::instance() {
    static Runtime* const runtime = new Runtime;
    return *runtime;
}

Runtime::Runtime() {
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    if (const char* file = std::getenv("LANESCOPE_COUNTERS")) counting.file = file;
    launch_blocking = blocking && std::string_view(blocking) == "1";
}

cudaError_t Runtime::initialize() {
    if (!initialized_) {
        initialized_ = true;
        const std::vector<const gpus::Gpu*> gpus = visible(installed_gpus());
        uint64_t device_bytes = 0;
        for (const gpus::Gpu* gpu : gpus) device_bytes += static_cast<uint64_t>(gpu->memory_bytes);
        if (!gpus.empty()) {
            space = std::make_unique<machine::AddressSpace>(device_bytes);
            machine::install_host_guard(*space);
            const machine::DeviceOptions options = device_options();
            for (const gpus::Gpu* gpu : gpus) {
                contexts.push_back(std::make_unique<Context>(*this, *gpu, static_cast<int>(contexts.size()), options));
            }
            report_forgotten_work_at_exit();
        }
    }
    return contexts.empty() ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t Runtime::current(Context*& context) {
    if (this_thread().in_host_function) return cudaErrorNotPermitted;
    if (const cudaError_t error = initialize()) return error;
    context = contexts[this_thread().device].get();
    return context->error;
}

cudaError_t Runtime::context_of(int device, Context*& context) {
    if (const cudaError_t error = initialize()) return error;
    if (device < 0 || static_cast<size_t>(device) >= contexts.size()) return cudaErrorInvalidDevice;
    context = contexts[device].get();
    return cudaSuccess;
}

Stream* Runtime::stream(cudaStream_t handle, Context& current) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &current.legacy_stream;
    if (handle == cudaStreamPerThread) return &current.per_thread_stream();
    for (const auto& context : contexts) {
        if (context->owns(handle)) return handle;
    }
    return nullptr;
}

Event* Runtime::event(cudaEvent_t handle) {
    for (const auto& context : contexts) {
        if (context->events.contains(handle)) return handle;
    }
    return nullptr;
}

MemoryPool* Runtime::pool(cudaMemPool_t handle) {
    for (const auto& context : contexts) {
        if (handle == &context->default_pool) return handle;
        for (const auto& pool : context->pools) {
            if (pool.get() == handle) return handle;
        }
    }
    return nullptr;
}

}  // namespace lanescope::cudart
