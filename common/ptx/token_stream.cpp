#include "ptx/token_stream.h"

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr int max_depth = 256;

std::string description_of(const Token& token) {
    constexpr size_t longest = 40;
    const std::string_view text = token.text.substr(0, longest);
    const std::string_view rest = token.text.size() > longest ? "..." : "";
    switch (token.kind) {
        case Token::Kind::end:
            return "the end of the text";
        case Token::Kind::word:
            return fmt::format("'.{}{}'", text, rest);
        case Token::Kind::string:
            return fmt::format("\"{}{}\"", text, rest);
        default:
            return fmt::format("'{}{}'", text, rest);
    }
}

}  // namespace

Token TokenStream::take() {
    const Token taken = current_;
    current_ = lexer_.next();
    return taken;
}

bool TokenStream::accept(std::string_view symbol) {
    if (!at(symbol)) return false;
    current_ = lexer_.next();
    return true;
}

bool TokenStream::accept_word(std::string_view word) {
    if (!at_word(word)) return false;
    current_ = lexer_.next();
    return true;
}

void TokenStream::expect(std::string_view symbol) {
    if (!accept(symbol)) fail_expecting(fmt::format("'{}'", symbol));
}

Token TokenStream::expect(Token::Kind kind, std::string_view description) {
    if (!at(kind)) fail_expecting(description);
    return take();
}

void TokenStream::split_percent() { put_back({Token::Kind::symbol, current_.text.substr(0, 1), current_.line}); }

void TokenStream::put_back(const Token& symbol) {
    current_ = symbol;
    lexer_.continue_after(symbol);
}

void TokenStream::skip_braces() {
    const int first_line = current_.line;
    expect("{");
    for (int open = 1; open > 0;) {
        if (at(Token::Kind::end)) fail_at_line(first_line, "the section that starts with '{' has no '}'");
        const Token token = take();
        if (token.kind != Token::Kind::symbol) continue;
        if (token.text == "{") ++open;
        if (token.text == "}") --open;
    }
}

void TokenStream::spend_padding(uint64_t values) {
    if (values > padding_left_) fail("the initializers of this module leave out more than 2^20 values");
    padding_left_ -= values;
}

void TokenStream::fail_expecting(std::string_view description) const {
    fail(fmt::format("expected {} but found {}", description, description_of(current_)));
}

Nesting::Nesting(TokenStream& tokens) : tokens_(tokens) {
    if (tokens_.depth_ == max_depth) tokens_.fail(fmt::format("nesting deeper than {} levels", max_depth));
    ++tokens_.depth_;
}

}  // namespace lanescope::ptx
