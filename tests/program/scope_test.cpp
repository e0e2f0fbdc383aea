#include "program/scope.h"

#include <gtest/gtest.h>

#include "program/parse.h"

namespace lanescope::program {
namespace {

Symbol reg(uint32_t number) {
    Symbol symbol;
    symbol.reg = number;
    return symbol;
}
int found(const Scopes& scopes, std::string_view name) {
    const auto symbol = scopes.find(name);
    return symbol ? static_cast<int>(symbol->reg) : -1;
}

// `.reg .b32 %r<11>` after 5 other registers: %r0 is number 5, %r10 is 15; there is no %r11.
TEST(Scopes, Ranges) {
    Scopes scopes;
    scopes.enter();
    scopes.declare_range("%r", 5, 11);
    scopes.declare_range("%rd", 100, 2);
    EXPECT_EQ(found(scopes, "%r0"), 5);
    EXPECT_EQ(found(scopes, "%r10"), 15);
    EXPECT_EQ(found(scopes, "%r11"), -1);
    EXPECT_EQ(found(scopes, "%rd1"), 101);
    EXPECT_EQ(found(scopes, "%rd2"), -1);
    EXPECT_EQ(found(scopes, "%r"), -1);
    EXPECT_EQ(found(scopes, ""), -1);
    EXPECT_EQ(found(scopes, "7"), -1);
    EXPECT_EQ(found(scopes, "%r99999999999999999999"), -1);  // no number of 64 bits
}

TEST(Scopes, InnerNamesHideOuterOnes) {
    Scopes scopes;
    scopes.enter();
    EXPECT_TRUE(scopes.only_one());
    scopes.declare("temp", reg(1));
    scopes.declare_range("%r", 10, 4);
    scopes.enter();
    scopes.declare("temp", reg(2));
    scopes.declare("%r3", reg(3));
    EXPECT_EQ(found(scopes, "temp"), 2);
    EXPECT_EQ(found(scopes, "%r3"), 3);
    EXPECT_EQ(found(scopes, "%r2"), 12);  // from the outer scope
    scopes.leave();
    EXPECT_EQ(found(scopes, "temp"), 1);
    EXPECT_EQ(found(scopes, "%r3"), 13);
}

// Two expansions of the same inline PTX have labels of the same name, each in its scope.
constexpr std::string_view repeated_labels =
    "DONE:\n"                                        // label 0 in scope 0
    "{ AGAIN: bra AGAIN; { INNER: bra AGAIN; } }\n"  // 1 in scope 1, 2 in scope 2
    "{ AGAIN: bra DONE; }\n"                         // 3 in scope 3
    "table: .branchtargets DONE;\n";

TEST(Labels, AreLookedUpFromTheBranchOutwards) {
    const ptx::Module module = test::parse_module(test::entry(repeated_labels));
    const Labels labels(module.functions[0].body);
    EXPECT_EQ(labels.count(), 4u);
    EXPECT_EQ(labels.find("DONE", 0), 0u);
    EXPECT_EQ(labels.find("AGAIN", 1), 1u);
    EXPECT_EQ(labels.find("AGAIN", 2), 1u);  // from the scope around
    EXPECT_EQ(labels.find("INNER", 2), 2u);
    EXPECT_EQ(labels.find("AGAIN", 3), 3u);
    EXPECT_EQ(labels.find("DONE", 2), 0u);
    EXPECT_EQ(labels.find("AGAIN", 0), std::nullopt);  // not from outside
    EXPECT_EQ(labels.find("INNER", 1), std::nullopt);
    EXPECT_EQ(labels.parent(2), 1u);
    EXPECT_EQ(labels.parent(3), 0u);
}

TEST(Labels, Tables) {
    const ptx::Module module = test::parse_module(test::entry(repeated_labels));
    const Labels labels(module.functions[0].body);
    const ptx::Targets* table = labels.targets("table", 2);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->targets, std::vector<std::string_view>{"DONE"});
    EXPECT_EQ(labels.targets("DONE", 0), nullptr);
}

}  // namespace
}  // namespace lanescope::program
