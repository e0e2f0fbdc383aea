// PTX snippets for the tests of this layer.
//
//   const ptx::Module module = parse_body("add.u32 %r0, %r1, 5; ret;");   // of `.visible .entry kernel`
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "program/program.h"
#include "ptx/parser.h"

namespace lanescope::program::test {

inline ptx::Module parse_module(std::string_view declarations) {
    auto module = ptx::parse(".version 8.6\n.target sm_90\n.address_size 64\n" + std::string(declarations));
    if (!module) throw std::runtime_error(module.error().text());
    return std::move(*module);
}

// Registers that every snippet may use.
inline constexpr std::string_view registers =
    ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<8>;\n.reg .f64 %fd<8>;\n"
    ".reg .b128 %q<4>;\n";

inline std::string entry(std::string_view body, std::string_view parameters = ".param .u64 out, .param .u32 n") {
    return ".visible .entry kernel(" + std::string(parameters) + ")\n{\n" + std::string(registers) + std::string(body) +
           "\n}\n";
}

// An image and what is built from it. Variables lie at 0x1000, 0x2000, ...; functions at 0x100000, 0x100010, ...
struct Built {
    Image image;
    Program program;
};
inline Built build_modules(std::vector<ptx::Module> modules, std::string_view kernel = "kernel") {
    auto image = Image::link(std::move(modules));
    if (!image) throw std::runtime_error(image.error().text());
    Built built{std::move(*image), {}};
    auto program = build(built.image, *built.image.function(kernel),
                         {.variable = [](const ImageVariable& v) { return 0x1000ull * (v.index + 1); },
                          .function = [](const ImageFunction& f) { return 0x100000ull + 16ull * f.index; }});
    if (!program) throw std::runtime_error(program.error().text());
    built.program = std::move(*program);
    return built;
}
inline Built build_text(std::string_view text, std::string_view kernel = "kernel") {
    std::vector<ptx::Module> modules;
    modules.push_back(parse_module(text));
    return build_modules(std::move(modules), kernel);
}
// A kernel with this body; `declarations` precede it.
inline Built build_body(std::string_view body, std::string_view declarations = "") {
    return build_text(std::string(declarations) + entry(body));
}

// The first operation with that opcode; fails the test and gives an empty one if there is none.
inline Operation find_operation(const Program& program, Opcode opcode, int skip = 0) {
    for (const Operation& op : program.operations)
        if (op.opcode == opcode && skip-- == 0) return op;
    ADD_FAILURE() << "no operation " << name_of(opcode);
    return {};
}

// The messages of the operations that refuse to run, in the order of the code.
inline std::vector<std::string> refusals(const Program& program) {
    std::vector<std::string> messages;
    for (const Operation& op : program.operations)
        if (op.opcode == Opcode::unsupported) messages.push_back(program.messages[op.target]);
    return messages;
}

}  // namespace lanescope::program::test
