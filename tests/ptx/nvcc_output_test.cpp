// What nvcc makes of data/sample.cu in its different modes (data/regenerate.sh).
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "ptx/parser.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kernel_name = "_Z10everythingPi5Namedi";

std::string text_of(const std::string& file) {
    std::ifstream stream(std::string(DATA_FOLDER) + "/" + file);
    EXPECT_TRUE(stream) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
}

class NvccOutput : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        Result<Module> result = parse(text_of(GetParam() + std::string(".ptx")));
        ASSERT_TRUE(result) << result.error().text();
        module = std::move(*result);
    }

    const Variable& variable(std::string_view name) const {
        return *std::find_if(module.variables.begin(), module.variables.end() - 1,
                             [&](const Variable& candidate) { return candidate.name == name; });
    }
    const Function& definition(std::string_view name) const {
        return *std::find_if(module.functions.begin(), module.functions.end() - 1, [&](const Function& candidate) {
            return candidate.name == name && !candidate.is_declaration;
        });
    }

    Module module;
};

INSTANTIATE_TEST_SUITE_P(Modes, NvccOutput,
                         testing::Values("optimized", "unoptimized", "debug", "lineinfo", "relocatable"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(NvccOutput, Header) {
    EXPECT_EQ(module.version_major, 9);
    EXPECT_EQ(module.version_minor, 0);
    EXPECT_EQ(module.target, "sm_75");
    EXPECT_EQ(module.address_bits, 64);
}

TEST_P(NvccOutput, Kernel) {
    const Function& kernel = definition(kernel_name);
    ASSERT_EQ(kernel.name, kernel_name);
    EXPECT_TRUE(kernel.is_entry);
    EXPECT_EQ(kernel.linkage, Linkage::visible);
    EXPECT_THAT(kernel.max_threads, ElementsAre(256, 1, 1));  // __launch_bounds__(256, 2)
    EXPECT_EQ(kernel.min_blocks_per_sm, 2);
    ASSERT_THAT(kernel.parameters, SizeIs(3));
    EXPECT_EQ(kernel.parameters[1].element_count, 24u);  // struct Named
    EXPECT_EQ(kernel.parameters[1].alignment_bytes, 8);
}

// Every scope that begins also ends, and the kernel calls fibonacci, vprintf and a function pointer.
TEST_P(NvccOutput, Body) {
    int depth = 0, calls = 0, prototypes = 0, scopes = 0;
    for (const Statement& statement : definition(kernel_name).body) {
        if (std::holds_alternative<ScopeBegin>(statement)) ++depth, ++scopes;
        if (std::holds_alternative<ScopeEnd>(statement)) --depth;
        EXPECT_GE(depth, 0);
        prototypes += std::holds_alternative<CallPrototype>(statement);
        const auto* instruction = std::get_if<Instruction>(&statement);
        calls += instruction && instruction->opcode == "call";
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(prototypes, 1);
    EXPECT_GE(calls, 3);
    EXPECT_GE(scopes, calls + 1);  // one for each call, one of the inline PTX
}

TEST_P(NvccOutput, Variables) {
    const Variable& scale = variable("scale");
    ASSERT_THAT(scale.initial, SizeIs(1));
    EXPECT_EQ(scale.initial[0].number.bits, 0x4048F5C3u);  // 3.14f

    const Variable& coefficients = variable("coefficients");
    EXPECT_EQ(coefficients.space, "const");
    EXPECT_EQ(coefficients.element_count, 24u);  // bytes of int[2][3]

    EXPECT_TRUE(variable("shared_counter").managed);
    EXPECT_TRUE(variable("dynamic").unsized);
    EXPECT_EQ(variable("dynamic").space, "shared");

    const Variable& named = variable("named");
    ASSERT_THAT(named.initial, SizeIs(3));
    EXPECT_EQ(named.initial[0].number.bits, 5u);
    EXPECT_TRUE(named.initial[1].generic);
    EXPECT_EQ(named.initial[2].symbol, "cells");
    EXPECT_EQ(named.initial[2].offset, 12);  // &cells[3]

    const Variable& table = variable("table");
    ASSERT_THAT(table.initial, SizeIs(2));
    EXPECT_EQ(table.initial[0].symbol, "_Z5twicei");
    EXPECT_EQ(table.initial[1].symbol, "_Z6squarei");
}

// Line numbers of sample.cu: the loop of warp_sum is line 26, inlined into the kernel's line 45.
TEST(NvccLineInfo, NamesSourceLinesAndCallers) {
    const Result<Module> module = parse(text_of("lineinfo.ptx"));
    ASSERT_TRUE(module) << module.error().text();
    ASSERT_THAT(module->files, SizeIs(testing::Ge(2u)));
    EXPECT_THAT(module->files[1], EndsWith("/sample.cu"));

    int shuffles = 0;
    for (const Function& function : module->functions)
        for (const Statement& statement : function.body) {
            const auto* instruction = std::get_if<Instruction>(&statement);
            if (!instruction || instruction->opcode != "shfl") continue;
            ++shuffles;
            EXPECT_EQ(instruction->location.inlined_file, 1);
            EXPECT_EQ(instruction->location.inlined_line, 45);
        }
    EXPECT_EQ(shuffles, 5);  // offsets 16, 8, 4, 2, 1
}

TEST(NvccLineInfo, IsAbsentWithoutTheFlag) {
    const Result<Module> module = parse(text_of("optimized.ptx"));
    ASSERT_TRUE(module) << module.error().text();
    EXPECT_THAT(module->files, SizeIs(1));
    for (const Function& function : module->functions)
        for (const Statement& statement : function.body)
            if (const auto* instruction = std::get_if<Instruction>(&statement)) {
                EXPECT_EQ(instruction->location.file, 0);
            }
}

// No cut of the text crashes the parser, and every cut inside a function is an error.
TEST(NvccOutputCutShort, GivesAnErrorOrAModule) {
    const std::string text = text_of("optimized.ptx");
    const size_t body = text.find(".visible .entry");
    ASSERT_NE(body, std::string::npos);
    const size_t end = text.rfind('}');
    for (size_t length = 0; length <= end; length += 7) {
        const Result<Module> module = parse(text.substr(0, length));
        EXPECT_TRUE(!module || length <= body + 8) << length;
    }
}

}  // namespace
}  // namespace lanescope::ptx
