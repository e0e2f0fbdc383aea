#include "program/operation.h"

#include <array>

namespace lanescope::program {
namespace {

struct TypeFacts {
    std::string_view name;
    int bits;
    bool is_signed, floating, integer;
};

// In the order of enum Type.
constexpr std::array<TypeFacts, 29> type_facts = {{
    {"none", 0, false, false, false},    {"pred", 1, false, false, false},   {"b8", 8, false, false, true},
    {"u8", 8, false, false, true},       {"s8", 8, true, false, true},       {"b16", 16, false, false, true},
    {"u16", 16, false, false, true},     {"s16", 16, true, false, true},     {"b32", 32, false, false, true},
    {"u32", 32, false, false, true},     {"s32", 32, true, false, true},     {"b64", 64, false, false, true},
    {"u64", 64, false, false, true},     {"s64", 64, true, false, true},     {"b128", 128, false, false, true},
    {"f16", 16, false, true, false},     {"f16x2", 32, false, true, false},  {"bf16", 16, false, true, false},
    {"bf16x2", 32, false, true, false},  {"f32", 32, false, true, false},    {"f32x2", 64, false, true, false},
    {"f64", 64, false, true, false},     {"tf32", 32, false, true, false},   {"u16x2", 32, false, false, true},
    {"s16x2", 32, true, false, true},    {"e4m3", 8, false, true, false},    {"e5m2", 8, false, true, false},
    {"e4m3x2", 16, false, true, false},  {"e5m2x2", 16, false, true, false},
}};

constexpr std::array opcode_names = {
#define OPCODE(name, family) std::string_view(#name),
#include "program/opcodes.def"
#undef OPCODE
};

const TypeFacts& facts(Type type) { return type_facts[static_cast<size_t>(type)]; }

}  // namespace

int bits_of(Type type) { return facts(type).bits; }
bool is_signed(Type type) { return facts(type).is_signed; }
bool is_floating(Type type) { return facts(type).floating; }
bool is_integer(Type type) { return facts(type).integer; }
std::string_view name_of(Type type) { return facts(type).name; }

std::string_view name_of(Opcode opcode) {
    std::string_view name = opcode_names[static_cast<size_t>(opcode)];
    if (name.ends_with('_')) name.remove_suffix(1);   // and_, or_, ...: C++ keywords
    return name;
}

}  // namespace lanescope::program
