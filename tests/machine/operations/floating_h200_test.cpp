// Every form of the floating-point operations and conversions against the results of an H200 (floating_h200.txt, whose
// head describes it). Exact operations must give the same bits. Approximations must lie as close to the GPU's results
// as PTX lets two implementations differ.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "machine/operations/half_float.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

struct Form {
    std::string instruction;  // "add.rn.f32"
    Signature signature;
    std::vector<uint64_t> sources;  // row by row
    std::vector<uint64_t> results;
};

std::vector<uint64_t> hexadecimal_words(const std::string& line) {
    std::istringstream in(line);
    in >> std::hex;
    std::vector<uint64_t> words;
    for (uint64_t word; in >> word;) words.push_back(word);
    return words;
}

// The forms of the table by mnemonic.
std::map<std::string, std::vector<Form>> read_table() {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "floating_h200.txt");
    std::map<std::string, std::vector<Form>> forms;
    std::vector<int> source_bits;
    std::vector<uint64_t> sources;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string first;
        if (line.starts_with("#")) continue;
        if (line.starts_with("operands")) {
            words >> first;
            source_bits.clear();
            sources.clear();
            for (int bits; words >> bits;) source_bits.push_back(bits);
        } else if (line.starts_with("form")) {
            Form form;
            int result_bits;
            words >> first >> form.instruction >> result_bits;
            form.signature = {{result_bits}, source_bits};
            form.sources = sources;
            std::getline(file, line);
            form.results = hexadecimal_words(line);
            forms[form.instruction.substr(0, form.instruction.find('.'))].push_back(form);
        } else {
            for (uint64_t word : hexadecimal_words(line)) sources.push_back(word);
        }
    }
    return forms;
}

const std::map<std::string, std::vector<Form>>& table() {
    static const auto forms = read_table();
    return forms;
}

bool has_word(const std::string& instruction, std::string_view word) {
    std::istringstream words(instruction);
    for (std::string w; std::getline(words, w, '.');)
        if (w == word) return true;
    return false;
}
std::string last_word(const std::string& instruction) { return instruction.substr(instruction.rfind('.') + 1); }

double number(std::string_view type, uint64_t bits) {
    if (type == "f64") return std::bit_cast<double>(bits);
    if (type == "f32") return std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (type == "f16") return from_f16(static_cast<uint16_t>(bits));
    return from_bf16(static_cast<uint16_t>(bits));
}

// How far two implementations of an approximation may be apart: twice PTX's bound, as both may use it up.
struct Tolerance {
    double relative, absolute;
};
Tolerance tolerance(const std::string& instruction, std::string_view type) {
    const std::string opcode = instruction.substr(0, instruction.find('.'));
    const double unit = type == "f64" ? 0x1p-1074 : type == "f32" ? 0x1p-149 : type == "f16" ? 0x1p-24 : 0x1p-133;
    if (type == "f16" || type == "bf16") {
        const double rounding = type == "f16" ? 0x1p-10 : 0x1p-7;  // a unit in the last place
        if (opcode == "tanh") return {2 * rounding, 2 * rounding};
        return {2 * rounding, unit};  // ex2
    }
    if (type == "f64") return {has_word(instruction, "ftz") ? 0x1p-19 : 0x1p-51, unit};
    if (opcode == "sin" || opcode == "cos") return {0, 0x1p-19};
    if (opcode == "lg2") return {0x1p-21, 0x1p-21};
    if (opcode == "tanh") return {0x1p-10, 0};
    if (opcode == "div") return {0x1p-21, 2 * unit};
    return {0x1p-21, 2 * unit};  // rcp, sqrt, rsqrt, ex2
}

bool close(const std::string& instruction, std::string_view type, uint64_t expected, uint64_t actual, uint64_t source) {
    const double e = number(type, expected), a = number(type, actual);
    if (e != e) return a != a;
    if (std::isinf(e)) return a == e;
    const bool periodic = has_word(instruction, "sin") || has_word(instruction, "cos");
    if (periodic && std::fabs(number(type, source)) > 6.3) return std::fabs(a) <= 1;  // PTX promises less out there
    const Tolerance t = tolerance(instruction, type);
    return std::fabs(a - e) <= std::max(t.absolute, t.relative * std::fabs(e));
}

// Whether the simulator may give `actual` where the GPU gave `expected`.
bool agrees(const std::string& instruction, uint64_t expected, uint64_t actual, uint64_t source) {
    if (expected == actual) return true;
    const std::string type = last_word(instruction);
    const bool approximate = has_word(instruction, "approx") || has_word(instruction, "full");
    if (approximate && type.ends_with("x2")) {
        const std::string element = type.substr(0, type.size() - 2);
        return close(instruction, element, expected & 0xFFFF, actual & 0xFFFF, source) &&
               close(instruction, element, expected >> 16, actual >> 16, source);
    }
    if (approximate) return close(instruction, type, expected, actual, source);
    // What these conversions make of a NaN is not documented.
    const auto is_nan = [](uint64_t f32_bits) { return (f32_bits & 0x7FFFFFFF) > 0x7F800000; };
    if (has_word(instruction, "tf32")) return is_nan(source) && is_nan(actual);
    if (instruction == "cvt.ftz.f64.f32")
        return std::isnan(number("f64", expected)) && std::isnan(number("f64", actual));
    return false;
}

class FloatingOnH200 : public testing::TestWithParam<std::string> {};

TEST_P(FloatingOnH200, GivesTheGpusResults) {
    ASSERT_TRUE(table().contains(GetParam()));
    for (const Form& form : table().at(GetParam())) {
        const size_t sources = form.signature.source_bits.size(), rows = form.results.size();
        ASSERT_EQ(form.sources.size(), rows * sources) << form.instruction;
        std::string ptx = form.instruction + " %0";
        for (size_t i = 1; i <= sources; ++i) ptx += ", %" + std::to_string(i);
        const auto outputs = run_bench(ptx + ";", form.signature, form.sources, rows, 0xFFFFFFFF);
        if (!outputs) {
            ADD_FAILURE() << form.instruction << "\n  " << outputs.error().text();
            continue;
        }
        int failures = 0;
        for (size_t row = 0; row < rows && failures < 3; ++row) {
            const uint64_t* source = &form.sources[row * sources];
            if (agrees(form.instruction, form.results[row], (*outputs)[row], source[0])) continue;
            ++failures;
            std::ostringstream text;
            text << form.instruction << std::hex;
            for (size_t i = 0; i < sources; ++i) text << (i == 0 ? " of " : ", ") << "0x" << source[i];
            ADD_FAILURE() << text.str() << " gives " << show((*outputs)[row]) << " instead of "
                          << show(form.results[row]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Opcodes, FloatingOnH200,
                         testing::Values("add", "sub", "mul", "fma", "mad", "div", "abs", "neg", "min", "max", "rcp",
                                         "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "testp", "copysign",
                                         "cvt"),
                         [](const auto& opcode) { return opcode.param; });

TEST(FloatingOnH200Table, HasNoOpcodeThatIsNotTested) { EXPECT_EQ(table().size(), 21u); }

}  // namespace
}  // namespace lanescope::machine::test
