#include "ptx/lexer.h"

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool starts_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
constexpr bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

const char* end_of_name(const char* from, const char* end) {
    while (from != end && continues_name(*from)) ++from;
    return from;
}

}  // namespace

void fail_at_line(int line, std::string what) {
    throw SyntaxError{{std::move(what), fmt::format("PTX line {}", line),
                       "see the text with `nvcc -ptx` and check the asm() statement near that line"}};
}

Token Lexer::next() {
    skip_blanks_and_comments();
    if (position_ == end_) return {Token::Kind::end, {}, line_};
    const char c = *position_;
    // A % followed by no name is the remainder operator.
    if (starts_name(c) && (c != '%' || continues_name(peek(1))))
        return token_to(end_of_name(position_ + 1, end_), Token::Kind::identifier);
    if (c == '.' && continues_name(peek(1))) return read_word();
    if (is_digit(c)) return read_number();
    if (c == '"') return read_string();
    return read_symbol();
}

void Lexer::skip_blanks_and_comments() {
    while (position_ != end_) {
        const char c = *position_;
        if (c == '\n') {
            ++line_;
            ++position_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++position_;
        } else if (c == '/' && peek(1) == '/') {
            while (position_ != end_ && *position_ != '\n') ++position_;
        } else if (c == '/' && peek(1) == '*') {
            const int first_line = line_;
            position_ += 2;
            while (!(peek(0) == '*' && peek(1) == '/')) {
                if (position_ == end_) fail_at_line(first_line, "the comment that starts with '/*' has no '*/'");
                if (*position_++ == '\n') ++line_;
            }
            position_ += 2;
        } else {
            return;
        }
    }
}

Token Lexer::token_to(const char* end, Token::Kind kind) {
    const Token token{kind, {position_, static_cast<size_t>(end - position_)}, line_};
    position_ = end;
    return token;
}

Token Lexer::read_word() {
    ++position_;  // the dot
    const char* end = end_of_name(position_, end_);
    while (end_ - end > 2 && end[0] == ':' && end[1] == ':' && continues_name(end[2])) end = end_of_name(end + 2, end_);
    return token_to(end, Token::Kind::word);
}

// Everything that could belong to a number, so that "12ab" is one malformed number and not two tokens.
Token Lexer::read_number() {
    const char* end = position_;
    const char prefix = peek(1);
    const bool has_prefix = *position_ == '0' && is_letter(prefix) && prefix != 'e' && prefix != 'E';  // 0x 0b 0f 0d
    if (!has_prefix) {
        while (end != end_ && is_digit(*end)) ++end;
        if (end != end_ && *end == '.') ++end;
        while (end != end_ && is_digit(*end)) ++end;
        const bool signed_exponent = end_ - end > 1 && (*end == 'e' || *end == 'E') && (end[1] == '+' || end[1] == '-');
        if (signed_exponent) end += 2;
    }
    return token_to(end_of_name(end, end_), Token::Kind::number);
}

Token Lexer::read_string() {
    const char* end = ++position_;
    while (end != end_ && *end != '"' && *end != '\n') ++end;
    if (end == end_ || *end == '\n') fail_at_line(line_, "the string that starts here has no closing '\"'");
    const Token token = token_to(end, Token::Kind::string);
    ++position_;  // the closing quote
    return token;
}

Token Lexer::read_symbol() {
    const char c = *position_, following = peek(1);
    const bool doubled = (c == '<' || c == '>' || c == '=' || c == '&' || c == '|') && following == c;
    const bool compared = (c == '<' || c == '>' || c == '!') && following == '=';
    if (doubled || compared) return token_to(position_ + 2, Token::Kind::symbol);
    if (std::string_view("()[]{}<>,;:?=+-*/%&|^~!@").find(c) == std::string_view::npos) {
        const auto code = static_cast<unsigned char>(c);
        fail_at_line(line_, code > ' ' && code < 127 ? fmt::format("unexpected character '{}'", c)
                                                     : fmt::format("unexpected byte 0x{:02X}", code));
    }
    return token_to(position_ + 1, Token::Kind::symbol);
}

}  // namespace lanescope::ptx
