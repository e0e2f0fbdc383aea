/// \file
/// Turns the body of one function into a Draft.
///
/// A form that is not understood becomes an `unsupported` operation with a message; the rest of the
/// function is decoded all the same. Split by what is decoded: decoder.cpp (statements, names, operands),
/// decode_values.cpp (arithmetic, by a table of operand roles), decode_memory.cpp, decode_control.cpp.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/draft.h"
#include "program/scope.h"
#include "program/words.h"

namespace lanescope::program {

/// What the functions of one program share while it is built.
struct Building {
    const Image& image;
    const Addresses& addresses;
    Program& program;
    ConstantPool constants;

    std::vector<const ImageFunction*> functions;   ///< by index in Program::functions; grows as calls are found
    bool calls_indirectly = false;

    uint64_t static_shared_bytes = 0;
    uint64_t dynamic_shared_alignment = 16;
    std::unordered_map<const ptx::Variable*, uint64_t> shared_offsets;
    /// Constants that hold an address of extern `__shared__` memory, known once all static ones are placed.
    struct DynamicSharedUse { Value value; uint64_t offset; SlotClass width; };
    std::vector<DynamicSharedUse> dynamic_shared_uses;
    std::map<std::pair<int, int>, uint32_t> files;   ///< (module, file) -> index in Program::files

    uint32_t function_index(const ImageFunction& function);
    uint32_t file_index(int module, int file);
};

class Decoder {
public:
    Decoder(Building& building, const ImageFunction& function, uint32_t function_index);

    /// Fills in the draft and the function's FunctionCode (parameters, returns, local_bytes).
    /// Branch tables are appended to Program::branch_tables with indices into this draft.
    Draft decode();

private:
    /// Statements and names (decoder.cpp)
    void declare_parameters();
    void declare(const ptx::Variable& variable);
    void decode(const ptx::Instruction& instruction);
    void resolve_labels();
    FrameVariable new_frame_variable(uint64_t bytes);
    Value new_register(SlotClass c);
    void emit(Operation& op);
    void refuse(const ptx::Instruction& instruction, const std::string& why);
    void refuse_declaration(const ptx::Variable& variable);        ///< because of problem_
    void emit_refusal(std::string message);

    /// Operands (decoder.cpp). A failed look-up records why in problem_ and returns a harmless value.
    void fail(std::string why) { if (problem_.empty()) problem_ = std::move(why); }
    std::optional<uint32_t> find_register(std::string_view name);
    Value use(const ptx::Operand& operand, Type type);             ///< a source
    Value use_predicate(const ptx::Operand& operand, Operation& op, int index);
    Value define(const ptx::Operand& operand, Type type);          ///< a result; `_` gives a scratch register
    void define_pair(const ptx::Operand& operand, Operation& op, Type first);   ///< d or d|p
    std::optional<Value> use_symbol(std::string_view name, int64_t offset, Type type);  ///< an address as a value
    Value address(const ptx::Operand& operand, Operation& op);     ///< fills in immediate, address_bits
    Value literal(uint64_t bits, Type type) { return building_.constants.literal(bits, slot_class(type)); }
    Value shared_address(const ptx::Variable& variable, int64_t offset, Type type);
    Value frame_local_address(int64_t offset, Type type);
    Value convert(Value from, Type from_type, Type to_type);       ///< emits an uncounted cvt
    Value whole_address(const ptx::Operand& operand);              ///< emits an uncounted add of its offset
    bool expect(bool condition, const char* why) { if (!condition) fail(why); return condition; }

    /// Families
    bool decode_values(const ptx::Instruction&, Operation&);       ///< false: not of this family
    void decode_mov(const ptx::Instruction&, Operation&);
    void decode_load(const ptx::Instruction&, Operation&);
    void decode_store(const ptx::Instruction&, Operation&);
    void decode_atomic(const ptx::Instruction&, Operation&);
    void decode_cache_policy(const ptx::Instruction&, Operation&);
    void decode_cp_async(const ptx::Instruction&, Operation&);
    void decode_bulk_copy(const ptx::Instruction&, Operation&);
    void decode_mbarrier(const ptx::Instruction&, Operation&);
    bool decode_memory(const ptx::Instruction&, Operation&);
    bool decode_control(const ptx::Instruction&, Operation&);
    void decode_barrier(const ptx::Instruction&, Operation&);
    void decode_stack(const ptx::Instruction&, Operation&);
    void decode_call(const ptx::Instruction&, Operation&);
    void decode_branch_table(const ptx::Instruction&, Operation&);
    std::vector<FrameVariable> argument_variables(const ptx::Operand& list);

    Building& building_;
    const ImageFunction& function_;
    uint32_t function_index_;
    Draft draft_;
    Scopes scopes_;
    Labels labels_;
    uint32_t scope_ = 0, scopes_opened_ = 0;
    std::vector<uint32_t> label_positions_;        ///< by label number: index of the next operation
    std::vector<uint32_t> label_tables_;           ///< indices of branch tables that still hold label numbers
    uint64_t local_bytes_ = 0;
    Operation prototype_;                          ///< guard and provenance of the current instruction
    std::vector<Operation> after_;                 ///< emitted behind the current operation (widening of results)
    std::string problem_;
};

}  // namespace lanescope::program
