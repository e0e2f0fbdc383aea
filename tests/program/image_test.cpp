#include "program/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "program/parse.h"

namespace lanescope::program {
namespace {

using testing::HasSubstr;

template <class... T>
Result<Image> link(T... texts) {
    std::vector<ptx::Module> modules;
    (modules.push_back(test::parse_module(texts)), ...);
    return Image::link(std::move(modules));
}
template <class... T>
Image linked(T... texts) {
    auto image = link(texts...);
    if (!image) throw std::runtime_error(image.error().text());
    return std::move(*image);
}

constexpr const char* function_f = ".visible .func f() { ret; }\n";

TEST(Image, OneModule) {
    const Image image =
        linked(".visible .global .u32 x;\n.func g();\n" + std::string(function_f) + test::entry("ret;"));
    ASSERT_EQ(image.functions().size(), 2u);  // the declaration of g has no body
    EXPECT_EQ(image.function("f")->index, 0);
    EXPECT_EQ(image.function("kernel")->index, 1);
    EXPECT_EQ(image.function("g"), nullptr);
    EXPECT_EQ(image.function("x"), nullptr);
    EXPECT_EQ(image.variable("x")->index, 0);
    EXPECT_EQ(image.variable("f"), nullptr);
}

// An extern name means the definition in another module, whichever comes first.
TEST(Image, ExternNames) {
    const char* user = ".extern .global .u32 x;\n.extern .func f();\n";
    const char* definer = ".visible .global .u32 x = 7;\n.visible .func f() { ret; }\n";
    for (const bool user_first : {true, false}) {
        const Image image = user_first ? linked(user, definer) : linked(definer, user);
        EXPECT_EQ(image.variables().size(), 1u);
        for (const int from : {-1, 0, 1}) {
            ASSERT_NE(image.variable("x", from), nullptr);
            EXPECT_EQ(image.variable("x", from)->module, user_first ? 1 : 0);
            ASSERT_NE(image.function("f", from), nullptr);
            EXPECT_EQ(image.function("f", from)->module, user_first ? 1 : 0);
        }
    }
}

// Names without linkage repeat freely: each module means its own. The host finds the first.
TEST(Image, InternalNamesRepeat) {
    const char* text = ".global .u32 counter;\n.func helper() { ret; }\n";
    const Image image = linked(text, text);
    EXPECT_EQ(image.variables().size(), 2u);
    for (const int module : {0, 1}) {
        EXPECT_EQ(image.variable("counter", module)->module, module);
        EXPECT_EQ(image.function("helper", module)->module, module);
    }
    EXPECT_EQ(image.variable("counter")->module, 0);
    EXPECT_EQ(image.function("helper")->module, 0);
}

// A static variable and an exported one of the same name are two variables; others mean the exported one.
TEST(Image, InternalNameNextToAnExportedOne) {
    const char* internal = ".global .u32 x = 1;\n";
    const char* exported = ".visible .global .u32 x = 2;\n";
    const char* user = ".extern .global .u32 x;\n";
    for (const bool internal_first : {true, false}) {
        const Image image = internal_first ? linked(internal, exported, user) : linked(exported, internal, user);
        const int internal_module = internal_first ? 0 : 1;
        EXPECT_EQ(image.variable("x", internal_module)->module, internal_module);
        EXPECT_EQ(image.variable("x", 2)->module, 1 - internal_module);
        EXPECT_EQ(image.variable("x")->module, 1 - internal_module);
    }
}

// What is static in one module does not define an extern name of another.
TEST(Image, ExternNameThatIsOnlyInternalElsewhere) {
    const auto image = link(".global .u32 x;\n", ".extern .global .u32 x;\n");
    ASSERT_FALSE(image);
    EXPECT_THAT(image.error().what, HasSubstr("x is declared extern but defined nowhere"));
    EXPECT_THAT(image.error().next, HasSubstr("-rdc=true"));
}

TEST(Image, TwoStrongDefinitions) {
    const auto variables = link(".visible .global .u32 x;\n", ".visible .global .u32 x;\n");
    ASSERT_FALSE(variables);
    EXPECT_THAT(variables.error().what, HasSubstr("x is defined twice"));
    EXPECT_NE(variables.error().next, "");
    const auto functions = link(function_f, function_f);
    ASSERT_FALSE(functions);
    EXPECT_THAT(functions.error().what, HasSubstr("f is defined twice"));
}

// Weak and common definitions are one variable, the first; a strong one replaces them, also for their own module.
TEST(Image, WeakAndCommonDefinitions) {
    for (const std::string linkage : {".weak", ".common"}) {
        const std::string text = linkage + " .global .u32 x;\n";
        const Image both = linked(text, text);
        for (const int from : {-1, 0, 1}) EXPECT_EQ(both.variable("x", from)->module, 0) << linkage;
        const Image strong_last = linked(text, ".visible .global .u32 x;\n");
        for (const int from : {-1, 0, 1}) EXPECT_EQ(strong_last.variable("x", from)->module, 1) << linkage;
        const Image strong_first = linked(".visible .global .u32 x;\n", text);
        for (const int from : {-1, 0, 1}) EXPECT_EQ(strong_first.variable("x", from)->module, 0) << linkage;
    }
    // As nvcc emits it for an inline or template function in two files.
    const Image functions = linked(".weak .func f() { ret; }\n", ".weak .func f() { ret; }\n");
    for (const int from : {-1, 0, 1}) EXPECT_EQ(functions.function("f", from)->module, 0);
}

// A kernel without .visible can still be launched; extern __shared__ arrays of one name do not clash.
TEST(Image, KernelsAndSharedArrays) {
    const std::string text = ".extern .shared .align 16 .b8 buffer[];\n";
    const Image image = linked(text + ".entry first() { ret; }\n", text + ".visible .entry second() { ret; }\n");
    EXPECT_NE(image.function("first"), nullptr);
    EXPECT_EQ(image.function("first", 1), nullptr);
    for (const int module : {0, 1}) EXPECT_EQ(image.variable("buffer", module)->module, module);
}

TEST(Image, Aliases) {
    const Image image = linked(".visible .func original() { ret; }\n.visible .func copy();\n.alias copy, original;\n");
    ASSERT_NE(image.function("copy"), nullptr);
    EXPECT_EQ(image.function("copy"), image.function("original"));
}

// Only functions whose name is used as a value can be the target of an indirect call.
TEST(Image, AddressTaken) {
    const Image image = linked(
        ".func moved() { ret; }\n.func stored() { ret; }\n.func called() { ret; }\n.func renamed();\n"
        ".visible .func aliased() { ret; }\n.alias renamed, aliased;\n"
        ".global .u64 table[2] = {stored, 0};\n" +
        test::entry("mov.u64 %rd0, moved; mov.u64 %rd1, renamed; call called; ret;"));
    EXPECT_TRUE(image.function("moved")->address_taken);
    EXPECT_TRUE(image.function("stored")->address_taken);
    EXPECT_FALSE(image.function("called")->address_taken);
    EXPECT_TRUE(image.function("aliased")->address_taken);
    EXPECT_FALSE(image.function("kernel")->address_taken);
}

TEST(Image, Builtins) {
    EXPECT_TRUE(is_builtin_function("vprintf"));
    EXPECT_TRUE(is_builtin_function("malloc"));
    EXPECT_FALSE(is_builtin_function("printf"));
}

// ---- Variables ----

TEST(Variables, SizeAndAlignment) {
    const Image image = linked(
        ".global .u8 a;\n.global .f64 b;\n.global .u16 c[3][5];\n.global .v4 .f32 d[2];\n.global .align 64 .b8 e[10];\n"
        ".extern .shared .align 8 .b8 f[];\n");
    const auto size = [&](const char* name) { return bytes_of(*image.variable(name)->syntax); };
    const auto alignment = [&](const char* name) { return alignment_of(*image.variable(name)->syntax); };
    EXPECT_EQ(size("a"), 1u);
    EXPECT_EQ(size("b"), 8u);
    EXPECT_EQ(size("c"), 30u);
    EXPECT_EQ(size("d"), 32u);
    EXPECT_EQ(size("e"), 10u);
    EXPECT_EQ(size("f"), 0u);
    EXPECT_EQ(alignment("a"), 1u);
    EXPECT_EQ(alignment("b"), 8u);
    EXPECT_EQ(alignment("c"), 2u);
    EXPECT_EQ(alignment("d"), 16u);
    EXPECT_EQ(alignment("e"), 64u);
}

template <class T>
std::vector<T> initial(const Image& image, std::string_view name) {
    const auto bytes =
        image.initial_bytes(*image.variable(name), [](std::string_view symbol) -> std::optional<uint64_t> {
            if (symbol == "target") return 0x7F0011223344ull;
            return std::nullopt;
        });
    if (!bytes) throw std::runtime_error(bytes.error().text());
    std::vector<T> values(bytes->size() / sizeof(T));
    std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
    return values;
}

TEST(InitialBytes, Numbers) {
    const Image image = linked(
        ".global .u32 one = 7;\n.global .s16 some[4] = {-1, 2};\n.global .f32 real[2] = {0f3FC00000, 2.5};\n"
        ".global .f64 wide = 0d3FF8000000000000;\n.global .u64 zero[2];\n.global .b8 text[4] = {72, 105, 0, 255};\n"
        ".global .u16 rows[2][2] = {{1}, {3, 4}};\n");
    EXPECT_EQ(initial<uint32_t>(image, "one"), std::vector<uint32_t>{7});
    EXPECT_EQ(initial<int16_t>(image, "some"), (std::vector<int16_t>{-1, 2, 0, 0}));
    EXPECT_EQ(initial<float>(image, "real"), (std::vector<float>{1.5f, 2.5f}));
    EXPECT_EQ(initial<double>(image, "wide"), std::vector<double>{1.5});
    EXPECT_EQ(initial<uint64_t>(image, "zero"), (std::vector<uint64_t>{0, 0}));
    EXPECT_EQ(initial<uint8_t>(image, "text"), (std::vector<uint8_t>{72, 105, 0, 255}));
    EXPECT_EQ(initial<uint16_t>(image, "rows"), (std::vector<uint16_t>{1, 0, 3, 4}));
}

// Addresses: plain, with an offset, generic, and byte by byte as nvcc writes a struct that holds a pointer.
TEST(InitialBytes, Addresses) {
    const Image image = linked(
        ".global .u32 target[4];\n.global .u64 plain = target;\n.global .u64 behind = target+8;\n"
        ".global .u64 generic_one = generic(target);\n"
        ".global .b8 bytes[8] = {0xFF(target), 0xFF00(target), 0xFF0000(target), 0xFF000000(target), "
        "0xFF00000000(target), 0xFF0000000000(target), 0, 9};\n");
    EXPECT_EQ(initial<uint64_t>(image, "plain"), std::vector<uint64_t>{0x7F0011223344});
    EXPECT_EQ(initial<uint64_t>(image, "behind"), std::vector<uint64_t>{0x7F001122334C});
    EXPECT_EQ(initial<uint64_t>(image, "generic_one"), std::vector<uint64_t>{0x7F0011223344});
    EXPECT_EQ(initial<uint8_t>(image, "bytes"), (std::vector<uint8_t>{0x44, 0x33, 0x22, 0x11, 0x00, 0x7F, 0, 9}));
}

TEST(InitialBytes, UnknownAddress) {
    const Image image = linked(".global .u64 p = nowhere;\n");
    const auto bytes = image.initial_bytes(*image.variable("p"), [](std::string_view) { return std::nullopt; });
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().text(), testing::AllOf(HasSubstr("variable p"), HasSubstr("nowhere")));
}

}  // namespace
}  // namespace lanescope::program
