#include "machine/device_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace lanescope::machine {
namespace {

// Device memory: the format at 0x1000, strings from 0x3000 on, and arguments at 0x8000, laid out as nvcc does.
class Call {
public:
    explicit Call(std::string format) : format_(std::move(format)) {}
    template <class T>
    Call& add(T value) {
        const size_t size = sizeof(T) < 4 ? 4 : sizeof(T);
        bytes_.resize((bytes_.size() + size - 1) / size * size + size);
        std::memcpy(bytes_.data() + bytes_.size() - size, &value, sizeof value);
        return *this;
    }
    Call& add_text(const std::string& text) {
        add(uint64_t{0x3000} + strings_.size());
        strings_ += text + '\0';
        return *this;
    }
    Formatted format() const {
        const DeviceMemoryReader reader{[this](uint64_t a) -> std::optional<char> {
            if (a >= 0x1000 && a <= 0x1000 + format_.size()) return format_.c_str()[a - 0x1000];
            if (a >= 0x3000 && a < 0x3000 + strings_.size()) return strings_[a - 0x3000];
            if (a >= 0x8000 && a < 0x8000 + bytes_.size()) return bytes_[a - 0x8000];
            return std::nullopt;
        }};
        return format_like_printf(reader, 0x1000, 0x8000);
    }
    std::string text() const {
        const Formatted result = format();
        EXPECT_EQ(result.error, "") << format_;
        return result.text;
    }

private:
    std::string format_, strings_;
    std::vector<char> bytes_;
};

template <class... T>
std::string by_host(const char* format, T... values) {
    char text[4096];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

const char* const shapes[] = {"",      "5",  "-5", "05",    "+",     " ", "#", "12.4",
                              "-12.4", ".0", ".",  "+08.3", "-+ #0", "1", "40"};

TEST(DeviceFormat, Integers) {
    for (const std::string shape : shapes) {
        for (const int value : {0, 1, -1, 123456, INT32_MAX, INT32_MIN}) {
            for (const char c : {'d', 'i', 'u', 'x', 'X', 'o'})
                for (const std::string length : {"", "h", "hh"}) {
                    const std::string format = "<%" + shape + length + c + ">";
                    EXPECT_EQ(Call(format).add(value).text(), by_host(format.c_str(), value)) << format;
                }
        }
        for (const long long value : {0ll, 1ll, -1ll, 1234567890123ll, std::numeric_limits<long long>::min()}) {
            for (const char c : {'d', 'i', 'u', 'x', 'X', 'o'})
                for (const std::string length : {"l", "ll", "z", "j", "t"}) {
                    const std::string format = "<%" + shape + length + c + ">";
                    EXPECT_EQ(Call(format).add(value).text(), by_host(format.c_str(), value)) << format;
                }
        }
    }
}

TEST(DeviceFormat, FloatingPoint) {
    for (const std::string shape : shapes)
        for (const char c : {'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A'})
            for (const double value :
                 {0.0, -0.0, 1.5, -2.25, 1e300, 1e-310, 0.1, std::nan(""), double{INFINITY}, double{-INFINITY}}) {
                const std::string format = "<%" + shape + c + ">";
                EXPECT_EQ(Call(format).add(value).text(), by_host(format.c_str(), value)) << format;
            }
}

TEST(DeviceFormat, CharactersStringsAndPointers) {
    EXPECT_EQ(Call("%c%c").add(int{'o'}).add(int{'k'}).text(), "ok");
    EXPECT_EQ(Call("%3c|%-3c|").add(int{'a'}).add(int{'b'}).text(), "  a|b  |");
    for (const std::string shape : {"", "10", "-10", ".3", "10.3", ".0"}) {
        const std::string format = "<%" + shape + "s>";
        EXPECT_EQ(Call(format).add_text("hello").text(), by_host(format.c_str(), "hello")) << format;
    }
    EXPECT_EQ(Call("%p").add(uint64_t{0x7F00ABCD}).text(), "0x7f00abcd");
    EXPECT_EQ(Call("%s %s").add_text("a").add_text("").text(), "a ");
}

TEST(DeviceFormat, PointersToNoString) {
    EXPECT_EQ(Call("<%s>").add(uint64_t{0}).text(), "<(null)>");
    EXPECT_EQ(Call("<%s>").add(uint64_t{0x999999}).text(), "<(unreadable)>");
}

// int 4 bytes, others 8, each aligned to its size.
TEST(DeviceFormat, LayoutOfTheArguments) {
    const Formatted result = Call("%d %f %d %d %lld").add(1).add(2.0).add(3).add(4).add(5ll).format();
    EXPECT_EQ(result.text, "1 2.000000 3 4 5");
    EXPECT_EQ(result.arguments, 5u);
}

TEST(DeviceFormat, StarsTakeArguments) {
    EXPECT_EQ(Call("<%*d>").add(6).add(42).text(), "<    42>");
    EXPECT_EQ(Call("<%*d>").add(-6).add(42).text(), "<42    >") << "negative: left-aligned";
    EXPECT_EQ(Call("<%.*f>").add(2).add(3.14159).text(), "<3.14>");
    EXPECT_EQ(Call("<%.*f>").add(-2).add(3.5).text(), "<3.500000>") << "negative: as without a precision";
    EXPECT_EQ(Call("<%*.*f>").add(8).add(1).add(2.55).text(), by_host("<%*.*f>", 8, 1, 2.55));
    EXPECT_EQ(Call("<%0*d>").add(5).add(7).text(), "<00007>");
    EXPECT_EQ(Call("<%-*d>").add(-4).add(7).text(), "<7   >");
}

TEST(DeviceFormat, Percent) {
    EXPECT_EQ(Call("100%%").text(), "100%");
    EXPECT_EQ(Call("100%").text(), "100%") << "alone at the end";
    EXPECT_EQ(Call("%5").text(), "%5");
    EXPECT_EQ(Call("%y %d").add(1).text(), "%y 1") << "no conversion: as it stands, and it takes no argument";
    EXPECT_EQ(Call("a%nb%d").add(uint64_t{0}).add(3).text(), "ab3") << "%n writes nothing";
    EXPECT_EQ(Call("").text(), "");
}

// Widths that would fill the memory, and nonsense lengths, end in text.
TEST(DeviceFormat, HostileFormats) {
    EXPECT_LE(Call("%2000000000d").add(1).text().size(), size_t{1} << 20);
    EXPECT_LE(Call("%99999999999999999999d").add(1).text().size(), size_t{1} << 20);
    EXPECT_LE(Call("%.2000000000f").add(1.0).text().size(), size_t{2} << 20);
    EXPECT_LE(Call("%*d").add(INT32_MIN).add(1).text().size(), size_t{1} << 20);
    EXPECT_EQ(Call("%hLhd").add(5).text(), "5");
    EXPECT_EQ(Call("%Lf").add(1.5).text(), "1.500000");
    std::string all;
    for (int c = 1; c < 256; ++c) all += std::string("%") + static_cast<char>(c);
    Call everything(all);
    for (int i = 0; i < 64; ++i) everything.add(uint64_t{0});
    everything.format();
}

TEST(DeviceFormat, ArgumentsThatAreNoMemory) {
    const Formatted result = Call("%d %d").add(1).format();
    EXPECT_NE(result.error.find("0x8004"), std::string::npos) << result.error;
}

}  // namespace
}  // namespace lanescope::machine
