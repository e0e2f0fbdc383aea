#include "ptx/literals.h"

#include <bit>
#include <charconv>

namespace lanescope::ptx {
namespace {

Literal checked(std::from_chars_result read, std::string_view text, Immediate value) {
    if (read.ec == std::errc::result_out_of_range) return {Literal::Status::out_of_range, {}};
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return {Literal::Status::malformed, {}};
    return {Literal::Status::valid, value};
}

Literal read_integer(std::string_view digits, int base) {
    const bool has_suffix = !digits.empty() && digits.back() == 'U';
    if (has_suffix) digits.remove_suffix(1);
    uint64_t bits = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits, base);
    const bool is_unsigned = has_suffix || bits > INT64_MAX;
    return checked(read, digits, {is_unsigned ? Immediate::Kind::unsigned_integer : Immediate::Kind::integer, bits});
}

// 0f and 0d: exactly the hexadecimal digits of the IEEE representation.
Literal read_ieee_bits(std::string_view digits, size_t digit_count, Immediate::Kind kind) {
    if (digits.size() != digit_count) return {Literal::Status::malformed, {}};
    uint64_t bits = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    return checked(read, digits, {kind, bits});
}

Literal read_decimal_real(std::string_view text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return checked(read, text, {Immediate::Kind::f64, std::bit_cast<uint64_t>(value)});
}

}  // namespace

Literal read_literal(std::string_view text) {
    if (text.size() > 1 && text[0] == '0') {
        const std::string_view digits = text.substr(2);
        switch (text[1]) {
            case 'x':
            case 'X':
                return read_integer(digits, 16);
            case 'b':
            case 'B':
                return read_integer(digits, 2);
            case 'f':
            case 'F':
                return read_ieee_bits(digits, 8, Immediate::Kind::f32);
            case 'd':
            case 'D':
                return read_ieee_bits(digits, 16, Immediate::Kind::f64);
            default:
                break;
        }
    }
    if (text.find_first_of(".eE") != std::string_view::npos) return read_decimal_real(text);
    const bool is_octal = text.size() > 1 && text[0] == '0' && text != "0U";
    return is_octal ? read_integer(text.substr(1), 8) : read_integer(text, 10);
}

}  // namespace lanescope::ptx
