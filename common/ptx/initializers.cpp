#include "ptx/initializers.h"

#include <fmt/format.h>

#include <vector>

#include "ptx/constants.h"

namespace lanescope::ptx {
namespace {

// name+off, generic(name)+off, generic(name+off)
InitialValue parse_symbol(TokenStream& tokens) {
    InitialValue value;
    value.kind = InitialValue::Kind::symbol;
    value.symbol = tokens.expect_identifier("a number or a name").text;
    if (value.symbol == "generic" && tokens.accept("(")) {
        value.generic = true;
        value.symbol = tokens.expect_identifier("a name").text;
        value.offset = parse_offset(tokens);
        tokens.expect(")");
    }
    value.offset =
        static_cast<int64_t>(static_cast<uint64_t>(value.offset) + static_cast<uint64_t>(parse_offset(tokens)));
    return value;
}

InitialValue parse_value(TokenStream& tokens) {
    if (!at_constant(tokens)) return parse_symbol(tokens);
    InitialValue value;
    value.number = parse_constant(tokens);
    if (!tokens.accept("(")) return value;

    // A mask: one byte of an address
    const uint64_t mask = value.number.bits;
    const bool is_integer = value.number.kind <= Immediate::Kind::unsigned_integer;
    if (!is_integer || mask == 0) tokens.fail("a mask must be an integer that selects a byte of the address");
    value = parse_symbol(tokens);
    value.mask = mask;
    tokens.expect(")");
    return value;
}

class InitializerParser {
public:
    InitializerParser(TokenStream& tokens, std::vector<uint64_t> dimensions, bool unsized, Variable& variable)
        : tokens_(tokens), dimensions_(std::move(dimensions)), unsized_(unsized), variable_(variable) {}

    // One row of the dimension `level`: braces around rows of the next one, or around values.
    void parse_row(size_t level) {
        if (level == dimensions_.size()) {
            variable_.initial.push_back(parse_value(tokens_));
            return;
        }
        const Nesting nesting(tokens_);
        tokens_.expect("{");
        const size_t first = variable_.initial.size();
        uint64_t count = 0;
        if (!tokens_.at("}")) {
            do {
                const bool any_number_fits = level == 0 && unsized_;
                if (count == dimensions_[level] && !any_number_fits)
                    tokens_.fail(fmt::format("'{}' has more than {} initial values in a row", variable_.name, count));
                pad_to(first + count * values_in_row_below(level));
                parse_row(level + 1);
                ++count;
            } while (tokens_.accept(","));
        }
        tokens_.expect("}");
        if (level == 0 && unsized_) variable_.element_count = count * elements_in_row_below();
    }

private:
    uint64_t values_in_row_below(size_t level) const {
        uint64_t product = 1;
        for (size_t i = level + 1; i < dimensions_.size(); ++i) product *= dimensions_[i];
        return product;
    }
    uint64_t elements_in_row_below() const {
        return values_in_row_below(0) / static_cast<uint64_t>(variable_.vector_width);
    }

    void pad_to(uint64_t size) {
        tokens_.spend_padding(size - variable_.initial.size());
        variable_.initial.resize(size);
    }

    TokenStream& tokens_;
    std::vector<uint64_t> dimensions_;  // the components of a vector are the innermost one
    bool unsized_;
    Variable& variable_;
};

}  // namespace

void parse_initializer(TokenStream& tokens, std::span<const uint64_t> dimensions, Variable& variable) {
    const bool opaque = variable.type == "texref" || variable.type == "samplerref" || variable.type == "surfref";
    if (opaque && tokens.at("{")) {  // fields by name; instructions that use them are refused later
        tokens.skip_braces();
        return;
    }
    std::vector<uint64_t> all(dimensions.begin(), dimensions.end());
    if (variable.vector_width > 1) all.push_back(static_cast<uint64_t>(variable.vector_width));
    InitializerParser(tokens, std::move(all), variable.unsized, variable).parse_row(0);
    variable.unsized = false;
}

}  // namespace lanescope::ptx
