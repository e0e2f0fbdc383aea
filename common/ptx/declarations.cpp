#include "ptx/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "ptx/constants.h"
#include "ptx/initializers.h"

namespace lanescope::ptx {
namespace {

constexpr std::string_view state_spaces[] = {"reg", "param", "global", "const", "shared", "local"};
constexpr std::string_view types[] = {"pred", "b8",  "b16",  "b32",  "b64",    "b128",       "u8",     "u16",  "u32",
                                      "u64",  "s8",  "s16",  "s32",  "s64",    "f16",        "f16x2",  "bf16", "bf16x2",
                                      "f32",  "f64", "e4m3", "e5m2", "texref", "samplerref", "surfref"};

constexpr uint64_t largest_int = std::numeric_limits<int>::max();
constexpr uint64_t largest_array = 1ull << 48;  // elements: more than any GPU's memory

bool contains(std::span<const std::string_view> words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

int parse_alignment(TokenStream& tokens) {
    const int line = tokens.peek().line;
    const auto bytes = static_cast<int>(parse_count(tokens, largest_int, "an alignment"));
    if (bytes == 0 || (bytes & (bytes - 1)) != 0)
        fail_at_line(line, fmt::format("alignment {} is not a power of two", bytes));
    return bytes;
}

// .ptr .global .align 16: what a parameter points to. The tree does not keep it.
void skip_pointee(TokenStream& tokens) {
    if (at_state_space(tokens)) tokens.take();
    if (tokens.accept_word("align")) parse_alignment(tokens);
}

// Everything between the state space and the name, in any order.
void parse_properties(TokenStream& tokens, Variable& variable) {
    while (tokens.at(Token::Kind::word)) {
        if (tokens.at_word("attribute")) {
            variable.managed |= parse_attribute(tokens);
        } else if (tokens.accept_word("align")) {
            variable.alignment_bytes = parse_alignment(tokens);
        } else if (tokens.accept_word("ptr")) {
            skip_pointee(tokens);
        } else if (tokens.at_word("v2") || tokens.at_word("v4") || tokens.at_word("v8")) {
            variable.vector_width = tokens.take().text[1] - '0';
        } else if (variable.type.empty() && contains(types, tokens.peek().text)) {
            variable.type = tokens.take().text;
        } else {
            tokens.fail(fmt::format("unknown word '.{}' in a declaration", tokens.peek().text));
        }
    }
    if (variable.type.empty()) tokens.fail_expecting("a type");
}

// [2][3]. The first size may be missing: it follows from the initializer, or is unknown.
std::vector<uint64_t> parse_dimensions(TokenStream& tokens, Variable& variable) {
    std::vector<uint64_t> dimensions;
    while (tokens.accept("[")) {
        variable.is_array = true;
        if (dimensions.empty() && tokens.at("]")) {
            variable.unsized = true;
            dimensions.push_back(0);
        } else {
            dimensions.push_back(parse_count(tokens, largest_array, "an array size"));
        }
        tokens.expect("]");
    }
    uint64_t product = 1;
    for (const uint64_t size : dimensions) {
        if (product > largest_array / std::max<uint64_t>(size, 1))
            tokens.fail(fmt::format("'{}' has more than 2^48 elements", variable.name));
        product *= std::max<uint64_t>(size, 1);
    }
    const bool empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
    variable.element_count = empty ? 0 : product;
    return dimensions;
}

// The name and what follows it, up to the comma or the end of the declaration.
void parse_declarator(TokenStream& tokens, Variable& variable) {
    variable.name = tokens.expect_identifier("a name").text;
    if (tokens.accept("<")) {
        variable.register_count = static_cast<int>(parse_literal_count(tokens, largest_int, "a number of registers"));
        tokens.expect(">");
    }
    const std::vector<uint64_t> dimensions = parse_dimensions(tokens, variable);
    if (tokens.accept("=")) parse_initializer(tokens, dimensions, variable);
}

}  // namespace

bool at_state_space(const TokenStream& tokens) {
    return tokens.at(Token::Kind::word) && contains(state_spaces, tokens.peek().text);
}

Linkage parse_linkage(TokenStream& tokens) {
    if (tokens.accept_word("visible")) return Linkage::visible;
    if (tokens.accept_word("extern")) return Linkage::external;
    if (tokens.accept_word("weak")) return Linkage::weak;
    if (tokens.accept_word("common")) return Linkage::common;
    return Linkage::internal;
}

bool parse_attribute(TokenStream& tokens) {
    if (!tokens.accept_word("attribute")) return false;
    bool managed = false;
    tokens.expect("(");
    do {
        if (tokens.accept_word("managed")) {
            managed = true;
        } else if (tokens.accept_word("unified")) {  // the two halves of a UUID
            tokens.expect("(");
            parse_constant(tokens);
            tokens.expect(",");
            parse_constant(tokens);
            tokens.expect(")");
        } else {
            tokens.fail_expecting("an attribute (.managed or .unified)");
        }
    } while (tokens.accept(","));
    tokens.expect(")");
    return managed;
}

void parse_variables(TokenStream& tokens, const Location& location, Linkage linkage, std::vector<Variable>& variables) {
    Variable common;
    common.location = location;
    common.linkage = linkage;
    common.space = tokens.take().text;
    parse_properties(tokens, common);
    do {
        Variable& variable = variables.emplace_back(common);
        parse_declarator(tokens, variable);
    } while (tokens.accept(","));
    tokens.expect(";");
}

std::vector<Variable> parse_parameters(TokenStream& tokens, const Location& location) {
    std::vector<Variable> parameters;
    tokens.expect("(");
    if (tokens.accept(")")) return parameters;
    do {
        if (!tokens.at_word("param") && !tokens.at_word("reg")) tokens.fail_expecting("'.param' or '.reg'");
        Variable& parameter = parameters.emplace_back();
        parameter.location = location;
        parameter.location.ptx_line = tokens.peek().line;
        parameter.space = tokens.take().text;
        parse_properties(tokens, parameter);
        parameter.name = tokens.expect_identifier("a parameter's name").text;
        parse_dimensions(tokens, parameter);
    } while (tokens.accept(","));
    tokens.expect(")");
    return parameters;
}

}  // namespace lanescope::ptx
