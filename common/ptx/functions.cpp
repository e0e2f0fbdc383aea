#include "ptx/functions.h"

#include <fmt/format.h>

#include <limits>

#include "ptx/constants.h"
#include "ptx/declarations.h"
#include "ptx/instructions.h"
#include "ptx/source_lines.h"

namespace lanescope::ptx {
namespace {

constexpr uint64_t largest_int = std::numeric_limits<int>::max();

int parse_int(TokenStream& tokens, std::string_view description) {
    return static_cast<int>(parse_count(tokens, largest_int, description));
}

// nx, ny, nz: sizes that are left out are 1.
void parse_extents(TokenStream& tokens, int (&extents)[3]) {
    for (int& extent : extents) extent = 1;
    int count = 0;
    do {
        if (count == 3) tokens.fail("more than three sizes");
        extents[count++] = parse_int(tokens, "a number of threads or blocks");
    } while (tokens.accept(","));
}

// One directive between the signature and the body.
void parse_function_directive(TokenStream& tokens, Function& function) {
    if (tokens.at_word("pragma"))
        skip_pragma(tokens);
    else if (tokens.accept_word("maxntid"))
        parse_extents(tokens, function.max_threads);
    else if (tokens.accept_word("reqntid"))
        parse_extents(tokens, function.required_threads);
    else if (tokens.accept_word("reqnctapercluster"))
        parse_extents(tokens, function.required_cluster);
    else if (tokens.accept_word("minnctapersm"))
        function.min_blocks_per_sm = parse_int(tokens, "a number of blocks");
    else if (tokens.accept_word("maxnreg"))
        function.max_registers = parse_int(tokens, "a number of registers");
    else if (tokens.accept_word("maxnctapersm"))
        parse_int(tokens, "a number of blocks");
    else if (tokens.accept_word("maxclusterrank"))
        parse_int(tokens, "a number of blocks");
    else if (tokens.accept_word("abi_preserve"))
        parse_int(tokens, "a number of registers");
    else if (tokens.accept_word("abi_preserve_control"))
        parse_int(tokens, "a number of registers");
    else if (tokens.accept_word("noreturn"))
        function.no_return = true;
    else if (tokens.accept_word("explicitcluster") || tokens.accept_word("blocksareclusters"))
        return;
    else
        tokens.fail_expecting("a function's body");
}

// `name: .branchtargets a, b;` or `.calltargets`: what follows the directive
Targets parse_targets(TokenStream& tokens, const Location& location, std::string_view name) {
    Targets targets{location, name, {}};
    do targets.targets.push_back(tokens.expect_identifier("a label or function").text);
    while (tokens.accept(","));
    tokens.expect(";");
    return targets;
}

// `name: .callprototype (results) _ (parameters) .noreturn;`: what follows the directive
CallPrototype parse_call_prototype(TokenStream& tokens, const Location& location, std::string_view name) {
    CallPrototype prototype{location, name, {}, {}};
    if (tokens.at("(")) prototype.returns = parse_parameters(tokens, location);
    tokens.expect_identifier("'_'");
    if (tokens.at("(")) prototype.parameters = parse_parameters(tokens, location);
    Function ignored;
    while (!tokens.accept(";")) parse_function_directive(tokens, ignored);
    return prototype;
}

class BodyParser {
public:
    BodyParser(TokenStream& tokens, std::vector<Statement>& body) : tokens_(tokens), body_(body) {}

    // Statements up to the brace that closes the scope; the opening one was taken.
    void parse_scope() {
        const Nesting nesting(tokens_);
        while (!tokens_.accept("}")) parse_statement();
    }

private:
    void parse_statement() {
        switch (tokens_.peek().kind) {
            case Token::Kind::identifier:
                return parse_label_or_instruction();
            case Token::Kind::word:
                return parse_directive();
            default:
                break;
        }
        if (tokens_.at("@")) {
            const Location location = here();
            const Guard guard = parse_guard(tokens_);
            const Token opcode = tokens_.expect_identifier("an instruction");
            add_instruction(opcode.text, location).guard = guard;
        } else if (tokens_.accept("{")) {
            body_.emplace_back(ScopeBegin{});
            parse_scope();
            body_.emplace_back(ScopeEnd{});
        } else {
            tokens_.fail_expecting("an instruction, a declaration or '}'");
        }
    }

    void parse_label_or_instruction() {
        const Location location = here();
        const std::string_view name = tokens_.take().text;
        if (!tokens_.accept(":"))
            add_instruction(name, location);
        else if (tokens_.accept_word("branchtargets"))
            body_.emplace_back(parse_targets(tokens_, location, name));
        else if (tokens_.accept_word("calltargets"))
            body_.emplace_back(parse_targets(tokens_, location, name));
        else if (tokens_.accept_word("callprototype"))
            body_.emplace_back(parse_call_prototype(tokens_, location, name));
        else
            body_.emplace_back(Label{location, name});
    }

    Instruction& add_instruction(std::string_view opcode, const Location& location) {
        return std::get<Instruction>(body_.emplace_back(parse_instruction(tokens_, opcode, location)));
    }

    void parse_directive() {
        if (tokens_.accept_word("loc")) return source_lines_.parse_loc(tokens_);
        if (tokens_.at_word("pragma")) return skip_pragma(tokens_);
        const Location location = here();
        const Linkage linkage = parse_linkage(tokens_);
        if (!at_state_space(tokens_)) tokens_.fail(fmt::format("unknown directive '.{}'", tokens_.peek().text));
        std::vector<Variable> variables;
        parse_variables(tokens_, location, linkage, variables);
        for (Variable& variable : variables) body_.emplace_back(std::move(variable));
    }

    Location here() const { return source_lines_.at(tokens_.peek().line); }

    TokenStream& tokens_;
    std::vector<Statement>& body_;
    SourceLines source_lines_;
};

}  // namespace

Function parse_function(TokenStream& tokens, Linkage linkage) {
    Function function;
    function.location.ptx_line = tokens.peek().line;
    function.linkage = linkage;
    function.is_entry = tokens.take().text == "entry";
    parse_attribute(tokens);
    if (tokens.at("(")) function.returns = parse_parameters(tokens, function.location);
    function.name = tokens.expect_identifier("a function's name").text;
    if (tokens.at("(")) function.parameters = parse_parameters(tokens, function.location);
    while (!tokens.at("{") && !tokens.at(";")) parse_function_directive(tokens, function);
    function.is_declaration = tokens.accept(";");
    if (function.is_declaration) return function;
    tokens.expect("{");
    BodyParser(tokens, function.body).parse_scope();
    return function;
}

void skip_pragma(TokenStream& tokens) {
    tokens.take();  // .pragma
    do tokens.expect(Token::Kind::string, "a string");
    while (tokens.accept(","));
    tokens.expect(";");
}

}  // namespace lanescope::ptx
