/// \file
/// The tokens of a module with one token of lookahead: what the parse_… functions read from.
///
///     TokenStream tokens("ret ;");
///     Token opcode = tokens.expect_identifier("an opcode");
///     tokens.expect(";");
///
/// Each expect_… names the offending token when it throws a SyntaxError.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/lexer.h"

namespace lanescope::ptx {

class TokenStream {
public:
    explicit TokenStream(std::string_view text) : lexer_(text), current_(lexer_.next()) {}

    const Token& peek() const { return current_; }
    Token take();

    bool at(Token::Kind kind) const { return current_.kind == kind; }
    bool at(std::string_view symbol) const { return at(Token::Kind::symbol) && current_.text == symbol; }
    bool at_word(std::string_view word) const { return at(Token::Kind::word) && current_.text == word; }

    /// Takes the symbol if it is next.
    bool accept(std::string_view symbol);
    bool accept_word(std::string_view word);

    void expect(std::string_view symbol);
    Token expect(Token::Kind kind, std::string_view description);
    Token expect_identifier(std::string_view description) { return expect(Token::Kind::identifier, description); }

    /// Splits an identifier such as "%3" after its first character: in 5%3 the % is an operator.
    void split_percent();

    /// Makes a symbol that was just taken the next token again.
    void put_back(const Token& symbol);

    /// Skips from an opening brace to the one that closes it.
    void skip_braces();

    /// Counts zeros that an initializer leaves out. They take memory that no text paid for, so a module
    /// may leave out 2^20 (nvcc leaves out none).
    void spend_padding(uint64_t values);

    /// "expected X but found 'Y'"
    [[noreturn]] void fail_expecting(std::string_view description) const;
    [[noreturn]] void fail(std::string what) const { fail_at_line(current_.line, std::move(what)); }

private:
    friend class Nesting;

    Lexer lexer_;
    Token current_;
    int depth_ = 0;
    uint64_t padding_left_ = 1 << 20;
};

/// One level of nesting (scopes, braces, brackets, parentheses) while it lives. Refuses to go deeper
/// than 256, so that recursion cannot exhaust the stack.
class Nesting {
public:
    explicit Nesting(TokenStream& tokens);
    ~Nesting() { --tokens_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    TokenStream& tokens_;
};

}  // namespace lanescope::ptx
