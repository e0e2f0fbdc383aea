/// \file
/// The syntax tree of a PTX module: what the text says, before anything is resolved or checked.
///
/// Names, modifiers and operands are views into Module::text, so a Module is moved, never copied.
/// The tree knows the grammar, not the instruction set: `opcode` and `modifiers` are words, and the
/// program layer gives them meaning. Host side only. Reference: PTX ISA, chapters 4, 5 and 11.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::ptx {

/// Where a statement came from: the line of the PTX text (1-based) and, from `.loc`, the source line.
/// `file` indexes Module::files (0: no source line known). For code inlined into a function,
/// `inlined_file`/`inlined_line` name the line of the outermost caller (`inlined_at`), else 0.
struct Location {
    int ptx_line = 0;
    int file = 0;
    int line = 0;
    int inlined_file = 0;
    int inlined_line = 0;
};

/// A literal. `bits` holds a 64-bit two's complement integer, or IEEE bits.
struct Immediate {
    enum class Kind : uint8_t { integer, unsigned_integer, f32, f64 };  ///< f32: 0f…; f64: 0d… or decimal
    Kind kind = Kind::integer;
    uint64_t bits = 0;
};

struct Operand {
    enum class Kind : uint8_t {
        name,       ///< register, special register, variable, label or function: `name` (+ `offset` for sym+4)
        immediate,  ///< `immediate`
        address,    ///< [name+offset], [immediate] (name empty: `offset` is the address)
        vector,     ///< {a, b, ...}: `elements`
        list,       ///< (a, b, ...) of a call: `elements`
        pair,       ///< d|p: `elements` holds two
        sink,       ///< _
        texture,    ///< [name, {…}] and other bracketed lists: `elements`; always refused later, by name
    };
    Kind kind = Kind::name;
    bool negated = false;         ///< !p
    std::string_view name;
    int64_t offset = 0;
    Immediate immediate;
    std::vector<Operand> elements;
};

/// `@p` or `@!p` before an instruction.
struct Guard {
    std::string_view name;
    bool negated = false;
};

struct Instruction {
    Location location;
    std::optional<Guard> guard;
    std::string_view opcode;                  ///< "ld"
    std::vector<std::string_view> modifiers;  ///< "global", "v4", "f32": the words between dots, `::` kept inside a word
    std::vector<Operand> operands;            ///< in the order written
};

/// One element of an initializer.
struct InitialValue {
    enum class Kind : uint8_t { number, symbol };
    Kind kind = Kind::number;
    Immediate number;
    std::string_view symbol;   ///< address of a variable or function
    int64_t offset = 0;        ///< symbol + offset
    bool generic = false;      ///< generic(symbol)
    uint64_t mask = 0;         ///< 0xFF00(symbol): which byte of the address; 0: the whole address
};

enum class Linkage : uint8_t { internal, visible, external, weak, common };

/// A declared variable: .global, .const, .shared, .local, .param, or .reg.
struct Variable {
    Location location;
    Linkage linkage = Linkage::internal;
    std::string_view space;         ///< "reg", "param", "global", "const", "shared", "local"
    std::string_view type;          ///< "b8", "u64", "pred", "texref", ...
    std::string_view name;
    int vector_width = 1;           ///< .v2, .v4
    int alignment_bytes = 0;        ///< .align N; 0: natural
    bool is_array = false;
    bool unsized = false;           ///< name[]: extern shared memory
    uint64_t element_count = 1;     ///< product of the dimensions; 1 for a scalar, 0 if unsized
    int register_count = 0;         ///< `.reg .b32 %r<11>`: 11; 0: a single name
    bool managed = false;           ///< .attribute(.managed)
    std::vector<InitialValue> initial;  ///< flattened in memory order, rows padded with zeros
};

struct Label { Location location; std::string_view name; };
struct ScopeBegin {};
struct ScopeEnd {};
/// `name: .branchtargets L1, L2;` and `name: .calltargets f, g;`
struct Targets { Location location; std::string_view name; std::vector<std::string_view> targets; };
/// `name: .callprototype (.param .b32 _) _ (.param .b64 _);`
struct CallPrototype { Location location; std::string_view name; std::vector<Variable> returns, parameters; };

using Statement = std::variant<Instruction, Label, Variable, ScopeBegin, ScopeEnd, Targets, CallPrototype>;

struct Function {
    Location location;
    bool is_entry = false;              ///< .entry: a kernel
    bool is_declaration = false;        ///< no body
    Linkage linkage = Linkage::internal;
    std::string_view name;
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    std::vector<Statement> body;        ///< nested scopes between ScopeBegin and ScopeEnd
    int max_threads[3] = {0, 0, 0};     ///< .maxntid (from `__launch_bounds__`), y and z at least 1; 0: not given
    int required_threads[3] = {0, 0, 0};  ///< .reqntid
    int required_cluster[3] = {0, 0, 0};  ///< .reqnctapercluster (from `__cluster_dims__`): blocks; 0: not given
    int min_blocks_per_sm = 0;          ///< .minnctapersm
    int max_registers = 0;              ///< .maxnreg
    bool no_return = false;             ///< .noreturn
};

struct Alias { std::string_view name; std::string_view target; };

struct Module {
    std::unique_ptr<std::string> text;  ///< what every string_view of the tree points into
    int version_major = 0, version_minor = 0;  ///< .version 9.0
    std::string_view target;            ///< "sm_75", "sm_90a"
    int address_bits = 64;
    std::vector<std::string> files;     ///< .file N "path": files[N]; files[0] is empty
    std::vector<Variable> variables;
    std::vector<Function> functions;    ///< declarations too
    std::vector<Alias> aliases;
};

}  // namespace lanescope::ptx
