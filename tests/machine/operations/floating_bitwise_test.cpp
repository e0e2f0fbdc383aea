// abs, neg, min, max, copysign and testp on f32 and f64, against definitions on values.
#include <cmath>

#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

// Of a number and a NaN the number; -0 is less than +0.
template <class T>
T smaller(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}
template <class T>
T larger(T a, T b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : -smaller(-a, -b);
}
// .xorsign.abs: by magnitude, with the product of the signs
template <class T>
T with_product_sign(T magnitude, T a, T b) {
    return std::isnan(magnitude) ? magnitude
                                 : std::copysign(magnitude, std::signbit(a) != std::signbit(b) ? T(-1) : T(1));
}

// A NaN result must have exactly these bits.
struct CanonicalNan {
    template <class... S>
    bool operator()(const std::tuple<float>& expected, const std::tuple<float>& actual, S...) const {
        const float e = std::get<0>(expected);
        const uint32_t bits = std::bit_cast<uint32_t>(std::get<0>(actual));
        return bits == (std::isnan(e) ? 0x7FFFFFFF : std::bit_cast<uint32_t>(e));
    }
};

const auto one = combinations(edge_values<float>());
const auto two = combinations(edge_values<float>(), edge_values<float>());

TEST(FloatingSign, AbsAndNeg) {
    expect_ptx(
        "abs.f32 %0, %1;", [](float a) { return std::fabs(a); }, one, CanonicalNan{});
    expect_ptx(
        "abs.ftz.f32 %0, %1;", [](float a) { return std::fabs(flush(a)); }, one, CanonicalNan{});
    expect_ptx(
        "neg.f32 %0, %1;", [](float a) { return -a; }, one, CanonicalNan{});
    expect_ptx(
        "neg.ftz.f32 %0, %1;", [](float a) { return -flush(a); }, one, CanonicalNan{});
    expect_ptx("abs.f64 %0, %1;", [](double a) { return std::fabs(a); });
    expect_ptx("neg.f64 %0, %1;", [](double a) { return -a; });
}

TEST(FloatingSign, CopysignTakesTheSignOfItsFirstSource) {
    expect_ptx("copysign.f32 %0, %1, %2;", [](float a, float b) { return std::copysign(b, a); });
    expect_ptx("copysign.f64 %0, %1, %2;", [](double a, double b) { return std::copysign(b, a); });
}

TEST(FloatingMinimum, PrefersNumbers) {
    expect_ptx(
        "min.f32 %0, %1, %2;", [](float a, float b) { return smaller(a, b); }, two, CanonicalNan{});
    expect_ptx(
        "max.f32 %0, %1, %2;", [](float a, float b) { return larger(a, b); }, two, CanonicalNan{});
    expect_ptx(
        "min.ftz.f32 %0, %1, %2;", [](float a, float b) { return smaller(flush(a), flush(b)); }, two, CanonicalNan{});
    expect_ptx(
        "max.ftz.f32 %0, %1, %2;", [](float a, float b) { return larger(flush(a), flush(b)); }, two, CanonicalNan{});
    expect_ptx("min.f64 %0, %1, %2;", [](double a, double b) { return smaller(a, b); });
    expect_ptx("max.f64 %0, %1, %2;", [](double a, double b) { return larger(a, b); });
}

TEST(FloatingMinimum, DotNanPropagates) {
    const auto poison = [](float a, float b, float result) { return std::isnan(a) || std::isnan(b) ? NAN : result; };
    expect_ptx(
        "min.NaN.f32 %0, %1, %2;", [=](float a, float b) { return poison(a, b, smaller(a, b)); }, two, CanonicalNan{});
    expect_ptx(
        "max.NaN.f32 %0, %1, %2;", [=](float a, float b) { return poison(a, b, larger(a, b)); }, two, CanonicalNan{});
}

TEST(FloatingMinimum, XorsignAbsComparesMagnitudes) {
    expect_ptx(
        "min.xorsign.abs.f32 %0, %1, %2;",
        [](float a, float b) { return with_product_sign(smaller(std::fabs(a), std::fabs(b)), a, b); }, two,
        CanonicalNan{});
    expect_ptx(
        "max.ftz.xorsign.abs.f32 %0, %1, %2;",
        [](float a, float b) { return with_product_sign(larger(std::fabs(flush(a)), std::fabs(flush(b))), a, b); }, two,
        CanonicalNan{});
}

template <class T>
void expect_testp(const std::string& type) {
    const auto is = [&](const std::string& property, auto reference) {
        expect_ptx("testp." + property + "." + type + " %0, %1;", [=](T a) -> bool { return reference(a); });
    };
    is("finite", [](T a) { return std::isfinite(a); });
    is("infinite", [](T a) { return std::isinf(a); });
    is("number", [](T a) { return !std::isnan(a); });
    is("notanumber", [](T a) { return std::isnan(a); });
    is("normal", [](T a) { return std::isnormal(a) || a == 0; });  // PTX counts zeros as normal
    is("subnormal", [](T a) { return std::fpclassify(a) == FP_SUBNORMAL; });
}
TEST(FloatingClass, Testp) {
    expect_testp<float>("f32");
    expect_testp<double>("f64");
}

TEST(FloatingBitwiseRefused, FormsThatPtxDoesNotHave) {
    expect_refused<double(double)>("abs.ftz.f64 %0, %1;", "abs");
    expect_refused<double(double, double)>("min.NaN.f64 %0, %1, %2;", "min");
    expect_refused<float(float, float)>("min.abs.f32 %0, %1, %2;", "min");
    expect_refused<float(float, float)>("copysign.ftz.f32 %0, %1, %2;", "copysign");
    expect_refused<float(float, float)>("max.rn.f32 %0, %1, %2;", "max");
}

}  // namespace
}  // namespace lanescope::machine::test
