// Any text gives a module or an error: parse() neither crashes nor hangs, and every name of the tree
// is readable.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ptx/parser.h"

namespace {

using namespace lanescope::ptx;

// Reads every name's last byte, so that the sanitizer sees views outside the text.
class NameReader {
public:
    void read(std::string_view name) {
        if (!name.empty()) sum_ = sum_ + static_cast<unsigned char>(name.back());
    }
    void read(const Variable& variable) {
        read(variable.name);
        read(variable.type);
        for (const InitialValue& value : variable.initial) read(value.symbol);
    }
    void read(const Operand& operand) {
        read(operand.name);
        for (const Operand& element : operand.elements) read(element);
    }
    void read(const Statement& statement) {
        if (const auto* instruction = std::get_if<Instruction>(&statement)) {
            read(instruction->opcode);
            for (const std::string_view modifier : instruction->modifiers) read(modifier);
            for (const Operand& operand : instruction->operands) read(operand);
        } else if (const auto* variable = std::get_if<Variable>(&statement)) {
            read(*variable);
        } else if (const auto* label = std::get_if<Label>(&statement)) {
            read(label->name);
        }
    }
    void read(const Module& module) {
        for (const Variable& variable : module.variables) read(variable);
        for (const Function& function : module.functions) {
            read(function.name);
            for (const Statement& statement : function.body) read(statement);
        }
    }

private:
    volatile unsigned sum_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
    const auto module = parse(std::string(reinterpret_cast<const char*>(data), bytes));
    if (module) {
        NameReader().read(*module);
    } else if (module.error().what.empty() || !module.error().where.starts_with("PTX line ")) {
        std::abort();   // an error that helps nobody
    }
    return 0;
}
