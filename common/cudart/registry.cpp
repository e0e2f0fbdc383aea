#include "cudart/registry.h"

#include <algorithm>

#include "cudart/context.h"
#include "cudart/runtime.h"
#include "fatbin/fatbin.h"

namespace lanescope::cudart {

namespace {

// The PTX texts that make up the program, for a GPU of compute capability `sm`. With -rdc=true there is
// one for each object file, and containers without PTX (device libraries) are left out.
Result<std::vector<std::string>> ptx_of(const void* wrapper, int sm) {
    const auto containers = fatbin::containers_of(wrapper);
    if (!containers) return containers.error();
    std::vector<std::string> texts;
    Diagnostic none{.what = "the program brought no device code", .where = "", .next = "compile it with nvcc"};
    for (const auto& bytes : *containers) {
        const auto contents = fatbin::read(bytes);
        if (!contents) return contents.error();
        auto text = fatbin::select_ptx(*contents, sm);
        if (text) {
            texts.push_back(std::move(*text));
        } else {
            none = text.error();
        }
    }
    if (texts.empty()) return none;
    return texts;
}

}  // namespace

FatBinary::Loaded FatBinary::load(Context& context) {
    const auto report = [&](const Diagnostic& diagnostic) {
        if (!reported_) say(diagnostic.text());
        reported_ = true;
    };
    const auto texts = ptx_of(wrapper_, context.gpu().sm());
    if (!texts) {
        report(texts.error());
        return {.module = nullptr, .error = cudaErrorNoKernelImageForDevice};
    }
    const auto module = context.device.load(*texts, managed_storage_);
    if (!module) {
        report(module.error());
        return {.module = nullptr, .error = cudaErrorInvalidPtx};
    }
    for (const RegisteredVariable& variable : variables) {
        if (!variable.managed_pointer) continue;
        const machine::Allocation* allocation = (*module)->variable(variable.name);
        if (allocation) *variable.managed_pointer = reinterpret_cast<void*>(allocation->address);
        if (!managed_storage_) managed_storage_ = *module;
    }
    return {.module = *module, .error = cudaSuccess};
}

cudaError_t FatBinary::module(Context& context, machine::Module*& module) {
    auto position = loaded_.find(&context);
    if (position == loaded_.end()) position = loaded_.emplace(&context, load(context)).first;
    module = position->second.module;
    return position->second.error;
}

void FatBinary::unload(Context& context) {
    const auto position = loaded_.find(&context);
    if (position == loaded_.end()) return;
    machine::Module* const module = position->second.module;
    if (module && module != managed_storage_) context.device.unload(module);
    loaded_.erase(position);
    for (RegisteredKernel& kernel : kernels) kernel.devices.erase(&context);
}

FatBinary* Registry::add(const void* wrapper) { return &binaries_.emplace_back(wrapper); }

// The names go; the code stays, because queued work may still need it.
void Registry::remove(FatBinary* binary) {
    std::erase_if(kernels_, [&](const auto& entry) { return entry.second->binary == binary; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second->binary == binary; });
}

void Registry::add_kernel(FatBinary& binary, const void* host, std::string name) {
    RegisteredKernel& kernel = binary.kernels.emplace_back();
    kernel.binary = &binary;
    kernel.host = host;
    kernel.name = std::move(name);
    kernels_[host] = &kernel;
    kernels_[&kernel] = &kernel;
}

void Registry::add_variable(FatBinary& binary, const void* host, std::string name, size_t bytes) {
    RegisteredVariable& variable = binary.variables.emplace_back();
    variable = {.binary = &binary, .name = std::move(name), .bytes = bytes, .managed_pointer = nullptr};
    variables_[host] = &variable;
}

void Registry::add_managed(FatBinary& binary, void** pointer, std::string name, size_t bytes) {
    RegisteredVariable& variable = binary.variables.emplace_back();
    variable = {.binary = &binary, .name = std::move(name), .bytes = bytes, .managed_pointer = pointer};
    variables_[pointer] = &variable;
}

RegisteredKernel* Registry::handle_of(const void* function) const {
    const auto position = kernels_.find(function);
    return position == kernels_.end() ? nullptr : position->second;
}

cudaError_t Registry::kernel(Context& context, const void* function, KernelOnDevice& found) {
    RegisteredKernel* const kernel = handle_of(function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    machine::Module* module = nullptr;
    if (const cudaError_t error = kernel->binary->module(context, module)) return error;
    RegisteredKernel::OnDevice& here = kernel->devices[&context];
    if (!here.code && !here.error) {
        const auto code = module->kernel(kernel->name);
        if (code) {
            here.code = *code;
        } else {
            say(code.error().text());
            here.error = cudaErrorNotSupported;
        }
    }
    found = {.kernel = kernel, .code = here.code, .settings = &here.settings};
    return here.error;
}

cudaError_t Registry::variable(Context& context, const void* symbol, const machine::Allocation*& found) {
    if (!symbol) return cudaErrorInvalidSymbol;
    auto position = variables_.find(symbol);
    if (position == variables_.end()) {
        // The host name of a managed variable is its address.
        position = std::find_if(variables_.begin(), variables_.end(), [&](const auto& entry) {
            return entry.second->managed_pointer && *entry.second->managed_pointer == symbol;
        });
    }
    if (position == variables_.end()) return cudaErrorInvalidSymbol;
    const RegisteredVariable& variable = *position->second;
    machine::Module* module = nullptr;
    if (const cudaError_t error = variable.binary->module(context, module)) return error;
    found = module->variable(variable.name);
    return found ? cudaSuccess : cudaErrorInvalidSymbol;  // nvcc drops a variable that no kernel uses
}

void Registry::unload(Context& context) {
    for (FatBinary& binary : binaries_) binary.unload(context);
}

}  // namespace lanescope::cudart
