#include "ptx/constants.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "ptx/literals.h"

namespace lanescope::ptx {
namespace {

constexpr std::string_view warp_size_name = "WARP_SZ";

bool is_float(const Immediate& value) {
    return value.kind == Immediate::Kind::f32 || value.kind == Immediate::Kind::f64;
}
bool is_unsigned(const Immediate& value) { return value.kind == Immediate::Kind::unsigned_integer; }

Immediate integer(int64_t value) { return {Immediate::Kind::integer, static_cast<uint64_t>(value)}; }
Immediate real(double value) { return {Immediate::Kind::f64, std::bit_cast<uint64_t>(value)}; }

double as_double(const Immediate& value) {
    switch (value.kind) {
        case Immediate::Kind::integer:
            return static_cast<double>(static_cast<int64_t>(value.bits));
        case Immediate::Kind::unsigned_integer:
            return static_cast<double>(value.bits);
        case Immediate::Kind::f32:
            return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
        case Immediate::Kind::f64:
            return std::bit_cast<double>(value.bits);
    }
    return 0;
}

bool is_true(const Immediate& value) { return is_float(value) ? as_double(value) != 0 : value.bits != 0; }

// Binary operators as in C: a higher number binds tighter.
constexpr int multiplicative = 10;

int precedence_of(std::string_view op) {
    if (op == "*" || op == "/" || op == "%") return multiplicative;
    if (op == "+" || op == "-") return 9;
    if (op == "<<" || op == ">>") return 8;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
    if (op == "==" || op == "!=") return 6;
    if (op == "&") return 5;
    if (op == "^") return 4;
    if (op == "|") return 3;
    if (op == "&&") return 2;
    if (op == "||") return 1;
    return 0;  // not a binary operator
}

template <class T>
std::optional<bool> compare(std::string_view op, T a, T b) {
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    return std::nullopt;
}

Immediate apply_to_reals(const TokenStream& tokens, std::string_view op, double a, double b) {
    if (const auto truth = compare(op, a, b)) return integer(*truth);
    if (op == "+") return real(a + b);
    if (op == "-") return real(a - b);
    if (op == "*") return real(a * b);
    if (op == "/") return real(a / b);
    tokens.fail(fmt::format("operator '{}' takes integers only", op));
}

// Two's complement: sums and products are the same bits for signed and unsigned. A shift by 64 or
// more moves every bit out.
Immediate apply_to_integers(const TokenStream& tokens, std::string_view op, const Immediate& a, const Immediate& b) {
    const bool is_shift = op == "<<" || op == ">>";
    const bool signed_result = !is_unsigned(a) && (is_shift || !is_unsigned(b));
    const auto signed_a = static_cast<int64_t>(a.bits), signed_b = static_cast<int64_t>(b.bits);
    if (const auto truth = signed_result ? compare(op, signed_a, signed_b) : compare(op, a.bits, b.bits))
        return integer(*truth);

    const auto result = [&](uint64_t bits) {
        return Immediate{signed_result ? Immediate::Kind::integer : Immediate::Kind::unsigned_integer, bits};
    };
    if (op == "+") return result(a.bits + b.bits);
    if (op == "-") return result(a.bits - b.bits);
    if (op == "*") return result(a.bits * b.bits);
    if (op == "&") return result(a.bits & b.bits);
    if (op == "^") return result(a.bits ^ b.bits);
    if (op == "|") return result(a.bits | b.bits);
    if (op == "<<") return result(b.bits < 64 ? a.bits << b.bits : 0);
    if (op == ">>") {
        const uint64_t amount = b.bits < 64 ? b.bits : 63;
        if (signed_result) return result(static_cast<uint64_t>(signed_a >> amount));
        return result(b.bits < 64 ? a.bits >> b.bits : 0);
    }
    // Division and remainder
    if (b.bits == 0) tokens.fail("division by zero in a constant expression");
    const bool quotient = op == "/";
    if (!signed_result) return result(quotient ? a.bits / b.bits : a.bits % b.bits);
    if (signed_b == -1) return result(quotient ? 0 - a.bits : 0);  // the one quotient that could overflow
    return result(static_cast<uint64_t>(quotient ? signed_a / signed_b : signed_a % signed_b));
}

Immediate apply(const TokenStream& tokens, std::string_view op, const Immediate& a, const Immediate& b) {
    if (op == "&&") return integer(is_true(a) && is_true(b));
    if (op == "||") return integer(is_true(a) || is_true(b));
    if (is_float(a) || is_float(b)) return apply_to_reals(tokens, op, as_double(a), as_double(b));
    return apply_to_integers(tokens, op, a, b);
}

Immediate negate(Immediate value) {
    switch (value.kind) {
        case Immediate::Kind::f32:
            value.bits ^= 1ull << 31;
            break;
        case Immediate::Kind::f64:
            value.bits ^= 1ull << 63;
            break;
        default:
            value.bits = 0 - value.bits;
            break;
    }
    return value;
}

Immediate parse_number(TokenStream& tokens) {
    const Literal literal = read_literal(tokens.peek().text);
    if (literal.status == Literal::Status::malformed)
        tokens.fail(fmt::format("malformed number '{}'", tokens.peek().text));
    if (literal.status == Literal::Status::out_of_range)
        tokens.fail(fmt::format("the number '{}' does not fit in 64 bits", tokens.peek().text));
    tokens.take();
    return literal.value;
}

// (.s64) x and (.u64) x
Immediate parse_cast(TokenStream& tokens, Immediate (*parse_operand)(TokenStream&)) {
    const bool to_signed = tokens.at_word("s64");
    if (!to_signed && !tokens.at_word("u64")) tokens.fail_expecting("'.s64' or '.u64'");
    tokens.take();
    tokens.expect(")");
    const Immediate value = parse_operand(tokens);
    if (is_float(value)) tokens.fail("a cast takes an integer");
    return {to_signed ? Immediate::Kind::integer : Immediate::Kind::unsigned_integer, value.bits};
}

Immediate parse_unary(TokenStream& tokens) {
    const Nesting nesting(tokens);
    if (tokens.at(Token::Kind::number)) return parse_number(tokens);
    if (tokens.at(Token::Kind::identifier) && tokens.peek().text == warp_size_name) {
        tokens.take();
        return integer(32);
    }
    if (tokens.accept("(")) {
        if (tokens.at(Token::Kind::word)) return parse_cast(tokens, parse_unary);
        const Immediate value = parse_constant(tokens);
        tokens.expect(")");
        return value;
    }
    if (tokens.accept("+")) return parse_unary(tokens);
    if (tokens.accept("-")) return negate(parse_unary(tokens));
    if (tokens.accept("!")) return integer(!is_true(parse_unary(tokens)));
    if (tokens.accept("~")) {
        Immediate value = parse_unary(tokens);
        if (is_float(value)) tokens.fail("operator '~' takes integers only");
        value.bits = ~value.bits;
        return value;
    }
    tokens.fail_expecting("a constant");
}

// Operators that bind at least as tightly as `lowest`, from left to right.
Immediate parse_binary(TokenStream& tokens, int lowest) {
    Immediate left = parse_unary(tokens);
    for (;;) {
        const bool glued_percent = tokens.at(Token::Kind::identifier) && tokens.peek().text.front() == '%';
        if (glued_percent) tokens.split_percent();
        const std::string_view op = tokens.at(Token::Kind::symbol) ? tokens.peek().text : std::string_view{};
        const int precedence = precedence_of(op);
        if (precedence == 0 || precedence < lowest) return left;
        tokens.take();
        const Immediate right = parse_binary(tokens, precedence + 1);
        left = apply(tokens, op, left, right);
    }
}

uint64_t checked_count(int line, const Immediate& value, uint64_t maximum, std::string_view description) {
    if (is_float(value)) fail_at_line(line, fmt::format("{} must be an integer", description));
    const bool negative = !is_unsigned(value) && static_cast<int64_t>(value.bits) < 0;
    if (negative || value.bits > maximum) {
        const std::string shown =
            negative ? std::to_string(static_cast<int64_t>(value.bits)) : std::to_string(value.bits);
        fail_at_line(line, fmt::format("{} must be from 0 to {}, not {}", description, maximum, shown));
    }
    return value.bits;
}

}  // namespace

bool at_constant(const TokenStream& tokens) {
    const Token& token = tokens.peek();
    switch (token.kind) {
        case Token::Kind::number:
            return true;
        case Token::Kind::identifier:
            return token.text == warp_size_name;
        case Token::Kind::symbol:
            return token.text == "-" || token.text == "+" || token.text == "~" || token.text == "!" ||
                   token.text == "(";
        default:
            return false;
    }
}

Immediate parse_constant(TokenStream& tokens) {
    const Nesting nesting(tokens);
    const Immediate condition = parse_binary(tokens, 1);
    if (!tokens.accept("?")) return condition;
    const Immediate if_true = parse_constant(tokens);
    tokens.expect(":");
    const Immediate if_false = parse_constant(tokens);
    return is_true(condition) ? if_true : if_false;
}

uint64_t parse_count(TokenStream& tokens, uint64_t maximum, std::string_view description) {
    const int line = tokens.peek().line;
    return checked_count(line, parse_constant(tokens), maximum, description);
}

uint64_t parse_literal_count(TokenStream& tokens, uint64_t maximum, std::string_view description) {
    const int line = tokens.peek().line;
    if (!tokens.at(Token::Kind::number)) tokens.fail_expecting(description);
    return checked_count(line, parse_number(tokens), maximum, description);
}

int64_t parse_offset(TokenStream& tokens) {
    uint64_t offset = 0;
    while (tokens.at("+") || tokens.at("-")) {
        const bool subtracts = tokens.take().text == "-";
        const Immediate term = parse_binary(tokens, multiplicative);
        if (is_float(term)) tokens.fail("an address offset must be an integer");
        offset = subtracts ? offset - term.bits : offset + term.bits;
    }
    return static_cast<int64_t>(offset);
}

}  // namespace lanescope::ptx
