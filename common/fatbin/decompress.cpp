#include "fatbin/decompress.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

namespace lanescope::fatbin {
namespace {

// A byte of an LZ4 block stands for at most 255 bytes of output.
constexpr uint64_t largest_lz4_ratio = 255;

Diagnostic damaged(std::string_view format, uint64_t bytes) {
    return {fmt::format("the {} payload is damaged: it does not decompress to {} bytes", format, bytes), "",
            "build the program again"};
}

Result<std::string> decompress_lz4(std::span<const std::byte> payload, uint64_t bytes) {
    if (bytes > LZ4_MAX_INPUT_SIZE || payload.size() > LZ4_MAX_INPUT_SIZE || bytes / largest_lz4_ratio > payload.size())
        return damaged("LZ4", bytes);
    std::string output(bytes, '\0');
    const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(payload.data()), output.data(),
                                            static_cast<int>(payload.size()), static_cast<int>(bytes));
    if (written < 0 || static_cast<uint64_t>(written) != bytes) return damaged("LZ4", bytes);
    return output;
}

Result<std::string> decompress_zstd(std::span<const std::byte> payload, uint64_t bytes) {
    // The frame states its own size, so a wrong header costs no memory.
    if (ZSTD_getFrameContentSize(payload.data(), payload.size()) != bytes) return damaged("zstd", bytes);
    std::string output(bytes, '\0');
    const size_t written = ZSTD_decompress(output.data(), output.size(), payload.data(), payload.size());
    if (ZSTD_isError(written) || written != bytes) return damaged("zstd", bytes);
    return output;
}

}  // namespace

Result<std::string> decompress(Compression compression, std::span<const std::byte> payload, uint64_t bytes) {
    switch (compression) {
        case Compression::lz4:
            return decompress_lz4(payload, bytes);
        case Compression::zstd:
            return decompress_zstd(payload, bytes);
        case Compression::none:
            break;
    }
    return std::string(reinterpret_cast<const char*>(payload.data()), payload.size());
}

}  // namespace lanescope::fatbin
