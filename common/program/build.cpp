#include <algorithm>

#include "program/control_flow.h"
#include "program/decoder.h"
#include "program/program.h"
#include "program/load_groups.h"
#include "program/registers.h"
#include "program/uniform.h"
#include "support/demangle.h"

namespace lanescope::program {

const FunctionCode& Program::function_of(uint32_t pc) const {
    const auto after = std::upper_bound(functions.begin(), functions.end(), pc,
                                        [](uint32_t p, const FunctionCode& f) { return p < f.entry; });
    return *(after - 1);
}

namespace {

// Appends a function's operations to the program; its branch targets become indices into the program.
void append(Program& program, Draft& draft, FunctionCode& code, size_t first_table) {
    code.entry = static_cast<uint32_t>(program.operations.size());
    for (Operation& op : draft.operations) {
        if (op.opcode == Opcode::bra) op.target += code.entry;
        if (op.reconverge != no_reconvergence) op.reconverge += code.entry;
        program.operations.push_back(op);
    }
    for (size_t t = first_table; t < program.branch_tables.size(); ++t)
        for (uint32_t& target : program.branch_tables[t]) target += code.entry;
}

void copy_limits(Program& program, const ptx::Function& kernel) {
    std::copy(kernel.max_threads, kernel.max_threads + 3, program.max_threads);
    std::copy(kernel.required_threads, kernel.required_threads + 3, program.required_threads);
}

// Cooperative groups of several warps keep their state in shared memory that is reserved for system software.
uint64_t reserved_shared_bytes(const Program& program) {
    const bool used = std::any_of(program.operations.begin(), program.operations.end(), [](const Operation& op) {
        return op.opcode == Opcode::read_special && op.special == Special::reserved_smem;
    });
    return used ? 1024 : 0;   // as on cc 8.0 and later, the first that have any
}

int target_number(std::string_view target) {   // "sm_90a" -> 90
    int number = 0;
    for (const char c : target)
        if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
    return number;
}

}  // namespace

Result<Program> build(const Image& image, const ImageFunction& kernel, const Addresses& addresses) {
    // Blocks of a cluster may use each other's shared memory; running them one by one would give wrong results.
    const int* cluster = kernel.syntax->required_cluster;
    if (cluster[0] > 0 && int64_t{cluster[0]} * cluster[1] * cluster[2] > 1)
        return Diagnostic{"thread block clusters (__cluster_dims__) are not supported", "kernel " + demangled(std::string(kernel.syntax->name)),
                          "build it without __cluster_dims__"};
    Program program;
    program.name = kernel.syntax->name;
    program.files.emplace_back();   // index 0: no source line known
    program.ptx_target = target_number(image.modules()[kernel.module].target);
    copy_limits(program, *kernel.syntax);

    Building building{.image = image, .addresses = addresses, .program = program, .constants = ConstantPool(program.constants),
                      .functions = {}, .shared_offsets = {}, .dynamic_shared_uses = {}, .files = {}};
    building.functions.push_back(&kernel);
    bool address_taken_added = false;
    for (size_t f = 0; f < building.functions.size(); ++f) {
        program.functions.emplace_back();
        const size_t first_table = program.branch_tables.size();
        Draft draft = Decoder(building, *building.functions[f], static_cast<uint32_t>(f)).decode();
        place_reconvergence(draft, program.branch_tables);
        if (f == 0) hoist_launch_values(draft, program.branch_tables, program.lists, building.constants, program.prologue);
        mark_load_groups(draft, program.branch_tables, program.lists);
        const FrameLayout layout = assign_slots(draft, program.branch_tables, program.lists);
        FunctionCode& code = program.functions[f];
        code.frame_bytes = layout.frame_bytes;
        code.registers = layout.registers;
        append(program, draft, code, first_table);
        // A call through a pointer may reach every function whose address is taken anywhere.
        if (building.calls_indirectly && !address_taken_added) {
            address_taken_added = true;
            for (const ImageFunction& function : image.functions())
                if (function.address_taken) building.function_index(function);
        }
    }
    for (size_t f = 0; f < building.functions.size(); ++f)
        program.function_at.emplace(addresses.function(*building.functions[f]), static_cast<uint32_t>(f));

    program.reserved_shared_bytes = reserved_shared_bytes(program);
    program.static_shared_bytes = building.static_shared_bytes;
    program.dynamic_shared_offset = (building.static_shared_bytes + building.dynamic_shared_alignment - 1) /
                                    building.dynamic_shared_alignment * building.dynamic_shared_alignment;
    for (const auto& use : building.dynamic_shared_uses)
        building.constants.patch(use.value, program.dynamic_shared_offset + use.offset, use.width);
    return program;
}

}  // namespace lanescope::program
