// Runs a test for each integer type of PTX, as its C++ type.
//
//   for_integer_types([]<class T>() { expect_ptx("add." + type_name<T>() + " %0, %1, %2;", ...); });
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace lanescope::machine::test {

// "s32" for int32_t
template <class T>
std::string type_name() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
// "b32" for uint32_t
template <class T>
std::string bits_name() {
    return "b" + std::to_string(8 * sizeof(T));
}

template <class F>
void for_unsigned_types(F f) {
    f.template operator()<uint16_t>();
    f.template operator()<uint32_t>();
    f.template operator()<uint64_t>();
}
template <class F>
void for_signed_types(F f) {
    f.template operator()<int16_t>();
    f.template operator()<int32_t>();
    f.template operator()<int64_t>();
}
template <class F>
void for_integer_types(F f) {
    for_unsigned_types(f);
    for_signed_types(f);
}
// Those of 32 and 64 bits.
template <class F>
void for_word_types(F f) {
    f.template operator()<uint32_t>();
    f.template operator()<int32_t>();
    f.template operator()<uint64_t>();
    f.template operator()<int64_t>();
}
template <class F>
void for_unsigned_words(F f) {
    f.template operator()<uint32_t>();
    f.template operator()<uint64_t>();
}

}  // namespace lanescope::machine::test
