#include "program/image.h"

#include <array>
#include <bit>
#include <cstring>

#include "program/words.h"
#include "support/demangle.h"

namespace lanescope::program {
namespace {

bool is_exported(ptx::Linkage linkage) { return linkage != ptx::Linkage::internal; }
bool may_be_replaced(ptx::Linkage linkage) { return linkage == ptx::Linkage::weak || linkage == ptx::Linkage::common; }

// Every name that is used as a value: moved to a register or stored in a variable's initial value.
void collect_values(const ptx::Module& module, std::unordered_set<std::string_view>& names) {
    for (const ptx::Variable& variable : module.variables)
        for (const ptx::InitialValue& value : variable.initial)
            if (value.kind == ptx::InitialValue::Kind::symbol) names.insert(value.symbol);
    for (const ptx::Function& function : module.functions)
        for (const ptx::Statement& statement : function.body) {
            const auto* instruction = std::get_if<ptx::Instruction>(&statement);
            if (instruction && instruction->opcode == "mov" && instruction->operands.size() == 2)
                names.insert(instruction->operands[1].name);
        }
}

}  // namespace

bool is_builtin_function(std::string_view name) {
    static const std::unordered_set<std::string_view> names = {
        "vprintf", "malloc", "free", "__assertfail", "cudaCGGetIntrinsicHandle", "cudaCGSynchronizeGrid",
        "cudaCGSynchronize", "cudaCGGetSize", "cudaCGGetRank"};
    return names.contains(name);
}

uint64_t bytes_of(const ptx::Variable& variable) {
    if (variable.unsized) return 0;
    const uint64_t element = static_cast<uint64_t>(bits_of(type_word(variable.type))) / 8 * variable.vector_width;
    return element * variable.element_count;
}

uint64_t alignment_of(const ptx::Variable& variable) {
    if (variable.alignment_bytes > 0) return variable.alignment_bytes;
    const uint64_t natural = static_cast<uint64_t>(bits_of(type_word(variable.type))) / 8 * variable.vector_width;
    return natural == 0 ? 1 : std::bit_ceil(natural);
}

Result<Image> Image::link(std::vector<ptx::Module> modules) {
    Image image;
    image.modules_ = std::move(modules);
    const int count = static_cast<int>(image.modules_.size());
    image.local_functions_.resize(count);
    image.local_variables_.resize(count);
    std::unordered_set<std::string_view> values;

    // Weak and common definitions may be replaced by a strong one of the same name; two strong ones are an error.
    auto define = [&](Names& local, Names& global, Names& host, std::string_view name, ptx::Linkage linkage, int index,
                      auto linkage_of) -> bool {
        local.emplace(name, index);
        if (!is_exported(linkage)) return host.emplace(name, index), true;
        const auto [there, added] = global.emplace(name, index);
        if (added) return true;
        if (may_be_replaced(linkage)) return true;
        const bool replace = may_be_replaced(linkage_of(there->second));
        if (replace) there->second = index;
        return replace;
    };
    auto defined_twice = [](std::string_view name) {
        return Diagnostic{"the name " + demangled(std::string(name)) + " is defined twice", "linking device code",
                          "rename one of the two, or declare it static or extern"};
    };

    for (int m = 0; m < count; ++m) {
        const ptx::Module& module = image.modules_[m];
        collect_values(module, values);
        for (const ptx::Function& function : module.functions) {
            if (function.is_declaration) continue;
            const int index = static_cast<int>(image.functions_.size());
            image.functions_.push_back({m, &function, index});
            if (!define(image.local_functions_[m], image.global_functions_, image.host_functions_, function.name,
                        function.linkage, index, [&](int i) { return image.functions_[i].syntax->linkage; }))
                return defined_twice(function.name);
        }
        for (const ptx::Variable& variable : module.variables) {
            if (variable.linkage == ptx::Linkage::external && !variable.unsized) continue;
            const int index = static_cast<int>(image.variables_.size());
            image.variables_.push_back({m, &variable, index});
            // Modules that declare the same extern __shared__ array each have it to themselves.
            const auto linkage = variable.unsized ? ptx::Linkage::internal : variable.linkage;
            if (!define(image.local_variables_[m], image.global_variables_, image.host_variables_, variable.name, linkage,
                        index, [&](int i) { return image.variables_[i].syntax->linkage; }))
                return defined_twice(variable.name);
        }
    }
    for (int m = 0; m < count; ++m)
        for (const ptx::Alias& alias : image.modules_[m].aliases)
            if (const ImageFunction* target = image.function(alias.target, m)) {
                image.local_functions_[m].emplace(alias.name, target->index);
                image.global_functions_.emplace(alias.name, target->index);
                if (values.contains(alias.name)) values.insert(target->syntax->name);
            }
    for (ImageFunction& function : image.functions_)
        function.address_taken = !function.syntax->is_entry && values.contains(function.syntax->name);

    for (int m = 0; m < count; ++m)
        for (const ptx::Variable& variable : image.modules_[m].variables)
            if (variable.linkage == ptx::Linkage::external && !variable.unsized && !image.variable(variable.name, m))
                return Diagnostic{"the variable " + demangled(std::string(variable.name)) + " is declared extern but defined nowhere",
                                  "linking device code", "link the file that defines it, built with -rdc=true"};
    return image;
}

const ImageFunction* Image::function(std::string_view name, int from) const {
    if (from >= 0)
        if (const auto found = local_functions_[from].find(name); found != local_functions_[from].end()) {
            // A weak definition gives way to a strong one elsewhere.
            const ImageFunction& local = functions_[found->second];
            if (!may_be_replaced(local.syntax->linkage)) return &local;
        }
    if (const auto found = global_functions_.find(name); found != global_functions_.end()) return &functions_[found->second];
    if (const auto found = host_functions_.find(name); from < 0 && found != host_functions_.end()) return &functions_[found->second];
    return nullptr;
}

const ImageVariable* Image::variable(std::string_view name, int from) const {
    if (from >= 0)
        if (const auto found = local_variables_[from].find(name); found != local_variables_[from].end()) {
            const ImageVariable& local = variables_[found->second];
            if (!may_be_replaced(local.syntax->linkage)) return &local;
        }
    if (const auto found = global_variables_.find(name); found != global_variables_.end()) return &variables_[found->second];
    if (const auto found = host_variables_.find(name); from < 0 && found != host_variables_.end()) return &variables_[found->second];
    return nullptr;
}

Result<std::string> Image::initial_bytes(
    const ImageVariable& variable,
    const std::function<std::optional<uint64_t>(std::string_view)>& address_of) const {
    const ptx::Variable& syntax = *variable.syntax;
    std::string bytes(bytes_of(syntax), '\0');
    const Type type = type_word(syntax.type);
    const size_t element = static_cast<size_t>(bits_of(type)) / 8;
    for (size_t i = 0; i < syntax.initial.size() && (i + 1) * element <= bytes.size(); ++i) {
        const ptx::InitialValue& value = syntax.initial[i];
        uint64_t bits = 0;
        if (value.kind == ptx::InitialValue::Kind::symbol) {
            const auto address = address_of(value.symbol);
            if (!address)
                return Diagnostic{"its initial value names " + std::string(value.symbol) + ", which is not defined",
                                  "variable " + std::string(syntax.name), "define it in one of the program's device files"};
            bits = *address + value.offset;
            if (value.mask != 0) bits = (bits & value.mask) >> std::countr_zero(value.mask);
        } else {
            bits = literal_bits(value.number, type);
        }
        std::memcpy(&bytes[i * element], &bits, std::min<size_t>(element, 8));
    }
    return bytes;
}

}  // namespace lanescope::program
