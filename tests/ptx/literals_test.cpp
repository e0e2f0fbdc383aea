#include "ptx/literals.h"

#include <gtest/gtest.h>

#include <bit>

namespace lanescope::ptx {
namespace {

using Kind = Immediate::Kind;
using Status = Literal::Status;

void expect_literal(std::string_view text, Kind kind, uint64_t bits) {
    const Literal literal = read_literal(text);
    EXPECT_EQ(literal.status, Status::valid) << text;
    EXPECT_EQ(literal.value.kind, kind) << text;
    EXPECT_EQ(literal.value.bits, bits) << text;
}

TEST(Literal, Integers) {
    expect_literal("0", Kind::integer, 0);
    expect_literal("42", Kind::integer, 42);
    expect_literal("0x2A", Kind::integer, 42);
    expect_literal("0X2a", Kind::integer, 42);
    expect_literal("052", Kind::integer, 42);
    expect_literal("0b101010", Kind::integer, 42);
    expect_literal("0B11", Kind::integer, 3);
}

TEST(Literal, SuffixMakesUnsigned) {
    expect_literal("0U", Kind::unsigned_integer, 0);
    expect_literal("42U", Kind::unsigned_integer, 42);
    expect_literal("0x10U", Kind::unsigned_integer, 16);
    expect_literal("017U", Kind::unsigned_integer, 15);
    expect_literal("0b1U", Kind::unsigned_integer, 1);
}

TEST(Literal, WhatDoesNotFitInSignedIsUnsigned) {
    expect_literal("9223372036854775807", Kind::integer, INT64_MAX);
    expect_literal("9223372036854775808", Kind::unsigned_integer, 1ull << 63);
    expect_literal("0xFFFFFFFFFFFFFFFF", Kind::unsigned_integer, UINT64_MAX);
}

TEST(Literal, FloatingPointBits) {
    expect_literal("0f3F800000", Kind::f32, 0x3F800000);
    expect_literal("0F7fffffff", Kind::f32, 0x7FFFFFFF);
    expect_literal("0d3FF0000000000000", Kind::f64, 0x3FF0000000000000);
    expect_literal("0DFFFFFFFFFFFFFFFF", Kind::f64, UINT64_MAX);
}

TEST(Literal, DecimalFloatingPointIsDouble) {
    expect_literal("1.5", Kind::f64, std::bit_cast<uint64_t>(1.5));
    expect_literal("1.", Kind::f64, std::bit_cast<uint64_t>(1.0));
    expect_literal("2e5", Kind::f64, std::bit_cast<uint64_t>(2e5));
    expect_literal("0.1", Kind::f64, std::bit_cast<uint64_t>(0.1));
    expect_literal("2.5e-3", Kind::f64, std::bit_cast<uint64_t>(2.5e-3));
}

TEST(Literal, Malformed) {
    for (const char* text : {"",     "12ab", "0x",        "0xG",         "0b2", "0b",         "08",
                             "1U2",  "U",    "0f3F80000", "0f3F8000000", "0d0", "0fGGGGGGGG", "0d-00000000000000",
                             "0x-1", "1.5f", "1e",        "0U1",         "0q1", "00x1"})
        EXPECT_EQ(read_literal(text).status, Status::malformed) << text;
}

TEST(Literal, OutOfRange) {
    for (const char* text : {"18446744073709551616", "0x10000000000000000", "02000000000000000000000", "1e400"})
        EXPECT_EQ(read_literal(text).status, Status::out_of_range) << text;
}

}  // namespace
}  // namespace lanescope::ptx
