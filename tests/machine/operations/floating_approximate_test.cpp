// Operations with .approx and .full on f32 and f64: the error that PTX allows, over the whole range, and the special
// values that PTX lists. References are libm in double or long double.
#include <cmath>

#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

// Numbers of both signs, evenly spaced in their bits from 0 to infinity.
std::vector<float> sample_f32() {
    std::vector<float> v;
    for (uint32_t bits = 0; bits < 0x7F800000; bits += 0x0007A121) {
        v.push_back(std::bit_cast<float>(bits));
        v.push_back(-v.back());
    }
    return v;
}
std::vector<float> evenly(float from, float to, int count) {
    std::vector<float> v;
    for (int i = 0; i <= count; ++i)
        v.push_back(from + (to - from) * static_cast<float>(i) / static_cast<float>(count));
    return v;
}
std::vector<double> sample_f64() {
    std::vector<double> v;
    for (uint64_t bits = 0x0010000000000000; bits < 0x7FE0000000000000; bits += 0x000B1A2BC2EC5678)
        v.push_back(std::bit_cast<double>(bits));
    return v;
}

// Within `relative` times the value or within `absolute`; what is not finite must be the same.
struct Within {
    double relative, absolute;
    template <class R, class T, class... S>
    bool operator()(const std::tuple<R>& expected, const std::tuple<T>& actual, S...) const {
        const double e = static_cast<double>(std::get<0>(expected)), a = static_cast<double>(std::get<0>(actual));
        if (std::isnan(e)) return std::isnan(a);
        if (std::isinf(e)) return a == e;
        return std::fabs(a - e) <= std::max(absolute, relative * std::fabs(e));
    }
};
constexpr double half_subnormal = 0x1p-149;  // results below the normal range are as coarse as this

float round_f32(double x) { return static_cast<float>(x); }
float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

void expect_unary(const std::string& opcode, double (*f)(double), const std::vector<float>& inputs, Within error) {
    const auto table = combinations(inputs);
    expect_ptx(
        opcode + ".approx.f32 %0, %1;", [=](float a) { return round_f32(f(a)); }, table, error);
    expect_ptx(
        opcode + ".approx.ftz.f32 %0, %1;", [=](float a) { return flush(round_f32(f(flush(a)))); }, table, error);
}

// Input and exact result.
void expect_special(const std::string& ptx, const std::vector<std::pair<float, float>>& rows) {
    for (const auto& [input, result] : rows) {
        const std::vector<std::tuple<float>> table{{input}};
        expect_ptx(
            ptx, [&, result = result](float) { return result; }, table);
    }
}
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Approximate, Reciprocal) {
    expect_unary("rcp", [](double x) { return 1 / x; }, sample_f32(), {0x1p-23, half_subnormal});
    expect_special("rcp.approx.f32 %0, %1;",
                   {{-infinity, -0.0f}, {-0.0f, -infinity}, {0.0f, infinity}, {infinity, 0.0f}, {nan, nan}});
    expect_special("rcp.approx.ftz.f32 %0, %1;", {{-0x1p-140f, -infinity}, {0x1p-140f, infinity}, {0x1.8p127f, 0.0f}});
}
TEST(Approximate, SquareRoots) {
    expect_unary("sqrt", [](double x) { return std::sqrt(x); }, sample_f32(), {0x1p-23, half_subnormal});
    expect_unary("rsqrt", [](double x) { return 1 / std::sqrt(x); }, sample_f32(), {0x1.1p-23, half_subnormal});
    expect_special("sqrt.approx.f32 %0, %1;",
                   {{-infinity, nan}, {-1.0f, nan}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {infinity, infinity}, {nan, nan}});
    expect_special(
        "rsqrt.approx.f32 %0, %1;",
        {{-infinity, nan}, {-1.0f, nan}, {-0.0f, -infinity}, {0.0f, infinity}, {infinity, 0.0f}, {nan, nan}});
    expect_special("rsqrt.approx.ftz.f32 %0, %1;", {{-0x1p-140f, -infinity}, {0x1p-140f, infinity}});
}
TEST(Approximate, SineAndCosine) {
    const auto angles = evenly(-6.2831855f, 6.2831855f, 4000);
    expect_unary("sin", [](double x) { return std::sin(x); }, angles, {0, 0x1p-20});
    expect_unary("cos", [](double x) { return std::cos(x); }, angles, {0, 0x1p-20});
    const auto large = evenly(-314, 314, 4000);
    expect_unary("sin", [](double x) { return std::sin(x); }, large, {0, 0x1p-14});
    expect_unary("cos", [](double x) { return std::cos(x); }, large, {0, 0x1p-14});
    expect_special("sin.approx.f32 %0, %1;",
                   {{-infinity, nan}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {infinity, nan}, {nan, nan}});
    expect_special("cos.approx.f32 %0, %1;",
                   {{-infinity, nan}, {-0.0f, 1.0f}, {0.0f, 1.0f}, {infinity, nan}, {nan, nan}});
    expect_special("sin.approx.ftz.f32 %0, %1;", {{-0x1p-140f, -0.0f}, {0x1p-140f, 0.0f}});
}
TEST(Approximate, LogarithmAndExponential) {
    expect_unary("lg2", [](double x) { return std::log2(x); }, sample_f32(), {0x1p-22, 0x1p-22});
    expect_unary("lg2", [](double x) { return std::log2(x); }, evenly(0.5f, 2, 4000), {0, 0x1p-22});
    expect_unary("ex2", [](double x) { return std::exp2(x); }, evenly(-152, 130, 8000), {0x1p-22, half_subnormal});
    expect_special("lg2.approx.f32 %0, %1;", {{-infinity, nan},
                                              {-1.0f, nan},
                                              {-0.0f, -infinity},
                                              {0.0f, -infinity},
                                              {1.0f, 0.0f},
                                              {infinity, infinity},
                                              {nan, nan}});
    expect_special("lg2.approx.ftz.f32 %0, %1;", {{-0x1p-140f, -infinity}, {0x1p-140f, -infinity}});
    expect_special(
        "ex2.approx.f32 %0, %1;",
        {{-infinity, 0.0f}, {-0.0f, 1.0f}, {0.0f, 1.0f}, {infinity, infinity}, {nan, nan}, {-130.0f, 0x1p-130f}});
    expect_special("ex2.approx.ftz.f32 %0, %1;", {{-130.0f, 0.0f}, {0x1p-140f, 1.0f}});
}
TEST(Approximate, HyperbolicTangent) {
    const auto table = combinations(evenly(-12, 12, 6000));
    expect_ptx(
        "tanh.approx.f32 %0, %1;", [](float a) { return round_f32(std::tanh(static_cast<double>(a))); }, table,
        Within{0x1p-11, 0});
    expect_special("tanh.approx.f32 %0, %1;",
                   {{-infinity, -1.0f}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {infinity, 1.0f}, {nan, nan}});
}

TEST(Approximate, Division) {
    const std::vector<float> values{0.0f, -0.0f, 0x1p-149f, 0x1p-127f,       0x1p-126f, 1.0f,      -3.0f,
                                    0.1f, 1e10f, 0x1p126f,  0x1.fffffep125f, infinity,  -infinity, nan};
    const auto quotient = [](float a, float b) { return round_f32(static_cast<double>(a) / static_cast<double>(b)); };
    const auto table = combinations(values, values);
    const Within two_units{0x1p-22, 2 * half_subnormal};
    for (const std::string kind : {"approx", "full"}) {
        expect_ptx("div." + kind + ".f32 %0, %1, %2;", quotient, table, two_units);
        expect_ptx(
            "div." + kind + ".ftz.f32 %0, %1, %2;",
            [&](float a, float b) { return flush(quotient(flush(a), flush(b))); }, table, two_units);
    }
    // beyond 2^126 the reciprocal is 0: the quotient is 0, and NaN for infinity
    const std::vector<float> large{0x1.000002p126f, 0x1p127f, std::numeric_limits<float>::max()};
    const std::vector<float> dividends{1.0f, -0x1p127f, infinity, -infinity};
    expect_ptx(
        "div.approx.f32 %0, %1, %2;", [](float a, float) { return std::isinf(a) ? nan : std::copysign(0.0f, a); },
        combinations(dividends, large));
    expect_ptx("div.full.f32 %0, %1, %2;", quotient, combinations(dividends, large), two_units);
}

TEST(Approximate, F64) {
    const auto table = combinations(sample_f64());
    const double inf = std::numeric_limits<double>::infinity();
    // the .ftz forms have 32 significant bits at most: sign, exponent and 20 bits of mantissa
    const auto has_only_the_upper_half = [](const std::tuple<double>& e, const std::tuple<double>& a, double) {
        const double expected = std::get<0>(e), actual = std::get<0>(a);
        if ((to_cell(actual) & 0xFFFFFFFF) != 0) return false;
        if (std::fpclassify(expected) == FP_SUBNORMAL) return actual == 0;
        return std::fabs(actual - expected) <= 0x1p-19 * std::fabs(expected);
    };
    expect_ptx(
        "rcp.approx.ftz.f64 %0, %1;", [](double a) { return 1 / a; }, table, has_only_the_upper_half);
    expect_ptx(
        "rsqrt.approx.ftz.f64 %0, %1;", [](double a) { return 1 / std::sqrt(a); }, table, has_only_the_upper_half);
    expect_ptx(
        "rsqrt.approx.f64 %0, %1;", [](double a) { return 1 / std::sqrt(a); }, table, Within{0x1p-50, 0});
    const std::vector<std::tuple<double>> zeros{{0.0}, {0x1p-1050}};
    expect_ptx(
        "rcp.approx.ftz.f64 %0, %1;", [=](double) { return inf; }, zeros);
    expect_ptx(
        "rsqrt.approx.ftz.f64 %0, %1;", [=](double) { return inf; }, zeros);
    const std::vector<std::tuple<double>> infinite{{inf}};
    expect_ptx(
        "rcp.approx.ftz.f64 %0, %1;", [](double) { return 0.0; }, infinite);
    const std::vector<std::tuple<double>> negative{{-1.0}, {-inf}};
    expect_ptx(
        "rsqrt.approx.f64 %0, %1;", [](double) { return std::numeric_limits<double>::quiet_NaN(); }, negative);
}

TEST(ApproximateRefused, FormsThatPtxDoesNotHave) {
    expect_refused<float(float)>("sin.f32 %0, %1;", "sin");
    expect_refused<float(float)>("tanh.approx.ftz.f32 %0, %1;", "tanh");
    expect_refused<double(double)>("sin.approx.f64 %0, %1;", "sin");
    expect_refused<double(double)>("rcp.approx.f64 %0, %1;", "rcp");
    expect_refused<double(double)>("sqrt.approx.f64 %0, %1;", "sqrt");
    expect_refused<float(float)>("ex2.approx.sat.f32 %0, %1;", "ex2");
}

}  // namespace
}  // namespace lanescope::machine::test
