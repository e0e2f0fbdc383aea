#include "ptx/instructions.h"

#include <fmt/format.h>

#include "ptx/constants.h"

namespace lanescope::ptx {
namespace {

Operand parse_operand(TokenStream& tokens);

// Elements up to the closing symbol; the opening one was taken. The list may be empty.
void parse_elements(TokenStream& tokens, std::string_view closing, std::vector<Operand>& elements) {
    const Nesting nesting(tokens);
    if (tokens.accept(closing)) return;
    do elements.push_back(parse_operand(tokens));
    while (tokens.accept(","));
    tokens.expect(closing);
}

Operand parse_enclosed(TokenStream& tokens, Operand::Kind kind, std::string_view closing) {
    Operand operand;
    operand.kind = kind;
    parse_elements(tokens, closing, operand.elements);
    return operand;
}

int64_t integer_bits(const TokenStream& tokens, const Immediate& value) {
    if (value.kind == Immediate::Kind::f32 || value.kind == Immediate::Kind::f64)
        tokens.fail("an address must be an integer");
    return static_cast<int64_t>(value.bits);
}

// What stands between brackets. Anything but one name or constant belongs to a texture, surface,
// tensor or similar instruction.
Operand parse_bracketed(TokenStream& tokens) {
    Operand operand = parse_enclosed(tokens, Operand::Kind::texture, "]");
    if (operand.elements.size() != 1) return operand;
    Operand& only = operand.elements.front();
    if (only.negated) return operand;
    if (only.kind == Operand::Kind::immediate) {
        only.offset = integer_bits(tokens, only.immediate);
        only.immediate = {};
    } else if (only.kind != Operand::Kind::name) {
        return operand;
    }
    only.kind = Operand::Kind::address;
    return std::move(only);
}

// A component of a vector register or special register belongs to the name: %tid.x
std::string_view extend_by_component(TokenStream& tokens, std::string_view name) {
    if (!tokens.at(Token::Kind::word)) return name;
    const std::string_view component = tokens.peek().text;
    const bool adjacent = name.data() + name.size() + 1 == component.data();
    if (!adjacent) return name;
    tokens.take();
    return {name.data(), name.size() + 1 + component.size()};
}

Operand parse_name(TokenStream& tokens) {
    Operand operand;
    operand.name = tokens.expect_identifier("an operand").text;
    if (operand.name == "_") {
        operand.kind = Operand::Kind::sink;
        operand.name = {};
        return operand;
    }
    operand.name = extend_by_component(tokens, operand.name);
    if (tokens.at("["))
        tokens.fail(fmt::format("the indexed variable '{0}[...]' is not supported; write its address as [{0}+bytes]",
                                operand.name));
    operand.offset = parse_offset(tokens);
    return operand;
}

// d|p: two results of one instruction
Operand parse_name_or_pair(TokenStream& tokens) {
    Operand first = parse_name(tokens);
    if (!tokens.accept("|")) return first;
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.elements.push_back(std::move(first));
    pair.elements.push_back(parse_name(tokens));
    return pair;
}

Operand parse_operand(TokenStream& tokens) {
    if (tokens.accept("[")) return parse_bracketed(tokens);
    if (tokens.accept("{")) return parse_enclosed(tokens, Operand::Kind::vector, "}");
    if (!at_constant(tokens)) return parse_name_or_pair(tokens);

    // `!` negates a predicate as well as a constant
    if (tokens.at("!")) {
        const Token exclamation = tokens.take();
        if (!at_constant(tokens)) {
            Operand operand = parse_name(tokens);
            operand.negated = true;
            return operand;
        }
        tokens.put_back(exclamation);
    }
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    operand.immediate = parse_constant(tokens);
    return operand;
}

// The operands of a call are lists in parentheses: call (result), function, (arguments), prototype;
Operand parse_call_operand(TokenStream& tokens) {
    if (tokens.accept("(")) return parse_enclosed(tokens, Operand::Kind::list, ")");
    return parse_operand(tokens);
}

}  // namespace

Guard parse_guard(TokenStream& tokens) {
    tokens.expect("@");
    Guard guard;
    guard.negated = tokens.accept("!");
    guard.name = tokens.expect_identifier("a predicate").text;
    return guard;
}

Instruction parse_instruction(TokenStream& tokens, std::string_view opcode, const Location& location) {
    Instruction instruction;
    instruction.location = location;
    instruction.opcode = opcode;
    while (tokens.at(Token::Kind::word)) instruction.modifiers.push_back(tokens.take().text);
    if (tokens.accept(";")) return instruction;
    const auto parse_one = opcode == "call" ? parse_call_operand : parse_operand;
    do instruction.operands.push_back(parse_one(tokens));
    while (tokens.accept(","));
    tokens.expect(";");
    return instruction;
}

}  // namespace lanescope::ptx
