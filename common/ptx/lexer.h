/// \file
/// PTX text to tokens, one at a time.
///
///     Lexer lexer("ld.global.f32 %f1, [%rd1+4];");
///     lexer.next();   // identifier "ld"
///     lexer.next();   // word "global": a dot and the word after it
///
/// Tokens are views into the text. Whitespace and comments separate tokens and are dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace lanescope::ptx {

struct Token {
    enum class Kind : uint8_t {
        end,         ///< end of the text
        identifier,  ///< names and opcodes; may hold $ % _
        word,        ///< ".global": the text is "global"; `::` and what follows it belongs to the word
        number,      ///< starts with a digit; not checked further
        string,      ///< "...": the text is what stands between the quotes
        symbol,      ///< punctuation and operators: one character, or one of << >> <= >= == != && ||
    };
    Kind kind = Kind::end;
    std::string_view text;
    int line = 1;  ///< 1-based
};

/// How every syntax error leaves the parser: thrown by the lexer and the parse_… functions, caught in
/// parse(), which returns it as a Result.
struct SyntaxError {
    Diagnostic diagnostic;
};
[[noreturn]] void fail_at_line(int line, std::string what);

class Lexer {
public:
    /// The text must outlive the lexer and its tokens.
    explicit Lexer(std::string_view text) : position_(text.data()), end_(text.data() + text.size()) {}

    /// The next token; Kind::end at the end of the text, for ever. Throws SyntaxError for an unterminated
    /// comment or string and for a character that PTX does not use.
    Token next();

    /// Makes next() return what follows this token, which it returned before.
    void continue_after(const Token& token) {
        position_ = token.text.data() + token.text.size();
        line_ = token.line;
    }

private:
    void skip_blanks_and_comments();
    char peek(int ahead) const { return end_ - position_ > ahead ? position_[ahead] : '\0'; }
    Token token_to(const char* end, Token::Kind kind);
    Token read_word();
    Token read_number();
    Token read_string();
    Token read_symbol();

    const char* position_;
    const char* end_;
    int line_ = 1;
};

}  // namespace lanescope::ptx
