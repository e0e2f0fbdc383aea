#include "machine/device_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::machine {
namespace {

constexpr int64_t longest_string = 1 << 20;   // the size of the whole printf buffer

// snprintf for one conversion, of any length.
template <class T>
std::string format_one(const std::string& conversion, T value) {
    const int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
    if (length < 0) return conversion;
    std::string text(static_cast<size_t>(length), '\0');
    std::snprintf(text.data(), text.size() + 1, conversion.c_str(), value);
    return text;
}

}  // namespace

std::string DeviceMemoryReader::text(uint64_t address) const {
    std::string result;
    while (result.size() < static_cast<size_t>(longest_string)) {
        const auto c = byte(address + result.size());
        if (!c) return result + "(unreadable)";
        if (*c == '\0') break;
        result += *c;
    }
    return result;
}

std::optional<uint64_t> DeviceMemoryReader::word(uint64_t address, int bytes) const {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        const auto c = byte(address + i);
        if (!c) return std::nullopt;
        value |= static_cast<uint64_t>(static_cast<uint8_t>(*c)) << (8 * i);
    }
    return value;
}

Formatted format_like_printf(const DeviceMemoryReader& memory, uint64_t format, uint64_t arguments) {
    Formatted result;
    const std::string text = memory.text(format);
    uint64_t next = arguments;
    auto take = [&](int bytes) -> uint64_t {
        next = (next + bytes - 1) / bytes * bytes;
        const auto value = memory.word(next, bytes);
        if (!value && result.error.empty()) result.error = fmt::format("printf reads its arguments at {:#x}, which is no memory", next);
        next += bytes;
        ++result.arguments;
        return value.value_or(0);
    };
    for (size_t i = 0; i < text.size() && result.error.empty(); ++i) {
        if (text[i] != '%') {
            result.text += text[i];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '%') {
            result.text += '%';
            ++i;
            continue;
        }
        // %[flags][width][.precision][length]conversion; a `*` takes an int argument.
        std::string conversion = "%";
        size_t k = i + 1;
        auto copy_while = [&](std::string_view set) {
            while (k < text.size() && set.find(text[k]) != std::string_view::npos) conversion += text[k++];
        };
        auto number = [&]() -> int64_t {
            int64_t n = 0;
            if (k < text.size() && text[k] == '*') {
                ++k;
                n = static_cast<int32_t>(take(4));
            } else {
                for (; k < text.size() && text[k] >= '0' && text[k] <= '9'; ++k) n = std::min(10 * n + (text[k] - '0'), longest_string);
            }
            return std::clamp(n, -longest_string, longest_string);
        };
        copy_while("-+ #0");
        if (const int64_t width = number(); width != 0) conversion += std::to_string(width);   // a negative one reads as the flag -
        if (k < text.size() && text[k] == '.') {
            ++k;
            if (const int64_t precision = number(); precision >= 0) conversion.append(".").append(std::to_string(precision));   // negative: none
        }
        const size_t length_start = k;
        while (k < text.size() && std::string_view("hlLqjzt").find(text[k]) != std::string_view::npos) ++k;
        std::string length = text.substr(length_start, k - length_start);
        if (k >= text.size()) {
            result.text += text.substr(i);
            break;
        }
        const bool is_64_bits = length == "l" || length == "ll" || length == "q" || length == "j" || length == "z" || length == "t";
        if (length != "h" && length != "hh") length.clear();
        const char c = text[k];
        switch (c) {
            case 'd': case 'i':
                if (is_64_bits) result.text += format_one(conversion + "ll" + c, static_cast<long long>(take(8)));
                else result.text += format_one(conversion + length + c, static_cast<int>(take(4)));
                break;
            case 'u': case 'x': case 'X': case 'o':
                if (is_64_bits) result.text += format_one(conversion + "ll" + c, static_cast<unsigned long long>(take(8)));
                else result.text += format_one(conversion + length + c, static_cast<unsigned>(take(4)));
                break;
            case 'c': result.text += format_one(conversion + c, static_cast<int>(take(4))); break;
            case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
                result.text += format_one(conversion + c, std::bit_cast<double>(take(8)));
                break;
            case 'p': result.text += format_one(conversion + c, reinterpret_cast<const void*>(take(8))); break;
            case 's': {
                const uint64_t address = take(8);
                result.text += format_one(conversion + c, (address == 0 ? std::string("(null)") : memory.text(address)).c_str());
                break;
            }
            case 'n': take(8); break;
            default: result.text += text.substr(i, k - i + 1);   // not a conversion: as it stands
        }
        i = k;
    }
    return result;
}

}  // namespace lanescope::machine
