#include "ptx/parser.h"

#include <fmt/format.h>

#include <charconv>

#include "ptx/constants.h"
#include "ptx/declarations.h"
#include "ptx/functions.h"
#include "ptx/token_stream.h"

namespace lanescope::ptx {
namespace {

constexpr uint64_t most_files = 100'000;

class ModuleParser {
public:
    ModuleParser(TokenStream& tokens, Module& module) : tokens_(tokens), module_(module) {}

    void parse_module() {
        module_.files.resize(1);
        while (!tokens_.at(Token::Kind::end)) parse_directive();
    }

private:
    void parse_directive() {
        if (!tokens_.at(Token::Kind::word)) tokens_.fail_expecting("a directive such as .entry or .global");
        if (tokens_.accept_word("version")) return parse_version();
        if (tokens_.accept_word("target")) return parse_target();
        if (tokens_.accept_word("address_size")) return parse_address_size();
        if (tokens_.accept_word("file")) return parse_file();
        if (tokens_.accept_word("section")) return skip_section();
        if (tokens_.accept_word("alias")) return parse_alias();
        if (tokens_.at_word("pragma")) return skip_pragma(tokens_);

        const Location location{tokens_.peek().line};
        const Linkage linkage = parse_linkage(tokens_);
        if (tokens_.at_word("entry") || tokens_.at_word("func"))
            module_.functions.push_back(parse_function(tokens_, linkage));
        else if (at_state_space(tokens_))
            parse_variables(tokens_, location, linkage, module_.variables);
        else if (tokens_.at(Token::Kind::word))
            tokens_.fail(fmt::format("unknown directive '.{}'", tokens_.peek().text));
        else
            tokens_.fail_expecting("a declaration");
    }

    // .version 9.0
    void parse_version() {
        const Token version = tokens_.expect(Token::Kind::number, "a version such as 9.0");
        const char* end = version.text.data() + version.text.size();
        const auto major = std::from_chars(version.text.data(), end, module_.version_major);
        const bool has_minor = major.ec == std::errc{} && major.ptr != end && *major.ptr == '.';
        if (!has_minor || std::from_chars(major.ptr + 1, end, module_.version_minor).ptr != end)
            fail_at_line(version.line, fmt::format("'{}' is no PTX version", version.text));
    }

    // .target sm_90a, debug
    void parse_target() {
        module_.target = tokens_.expect_identifier("a target such as sm_75").text;
        while (tokens_.accept(",")) tokens_.expect_identifier("a target option");
    }

    void parse_address_size() {
        const int line = tokens_.peek().line;
        const uint64_t bits = parse_literal_count(tokens_, 64, "an address size");
        if (bits != 32 && bits != 64) fail_at_line(line, fmt::format("address size {} is neither 32 nor 64", bits));
        module_.address_bits = static_cast<int>(bits);
    }

    // .file 1 "path", modification time, size
    void parse_file() {
        const uint64_t index = parse_literal_count(tokens_, most_files, "a file number");
        const Token path = tokens_.expect(Token::Kind::string, "a path");
        while (tokens_.accept(",")) parse_literal_count(tokens_, UINT64_MAX, "a time or size");
        if (index >= module_.files.size()) module_.files.resize(index + 1);
        if (index != 0) module_.files[index] = path.text;
    }

    // .section .debug_info { ... }: DWARF for a debugger
    void skip_section() {
        tokens_.expect(Token::Kind::word, "a section's name");
        tokens_.skip_braces();
    }

    void parse_alias() {
        const std::string_view name = tokens_.expect_identifier("a function's name").text;
        tokens_.expect(",");
        module_.aliases.push_back({name, tokens_.expect_identifier("a function's name").text});
        tokens_.expect(";");
    }

    TokenStream& tokens_;
    Module& module_;
};

}  // namespace

Result<Module> parse(std::string text) {
    Module module;
    module.text = std::make_unique<std::string>(std::move(text));
    try {
        TokenStream tokens(*module.text);
        ModuleParser(tokens, module).parse_module();
    } catch (const SyntaxError& error) {
        return error.diagnostic;
    }
    return module;
}

}  // namespace lanescope::ptx
