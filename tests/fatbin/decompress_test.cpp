#include "fatbin/decompress.h"

#include <gtest/gtest.h>

#include "container_builder.h"

namespace lanescope::fatbin {
namespace {

const std::string text = "add.s32 add.s32 add.s32 add.s32 add.s32 add.s32 add.s32 add.s32";

std::string error_of(Compression compression, const std::string& payload, uint64_t bytes) {
    const Result<std::string> result = decompress(compression, span_of(payload), bytes);
    return result ? "" : result.error().what;
}

TEST(Decompress, Plain) { EXPECT_EQ(*decompress(Compression::none, span_of(text), text.size()), text); }

TEST(Decompress, Lz4) { EXPECT_EQ(*decompress(Compression::lz4, span_of(with_lz4(text)), text.size()), text); }

TEST(Decompress, Zstd) { EXPECT_EQ(*decompress(Compression::zstd, span_of(with_zstd(text)), text.size()), text); }

TEST(Decompress, EmptyText) { EXPECT_EQ(*decompress(Compression::zstd, span_of(with_zstd("")), 0), ""); }

TEST(Decompress, WrongSize) {
    const uint64_t less = text.size() - 1, more = text.size() + 1;
    EXPECT_EQ(error_of(Compression::lz4, with_lz4(text), less),
              "the LZ4 payload is damaged: it does not decompress to 62 bytes");
    EXPECT_EQ(error_of(Compression::lz4, with_lz4(text), more),
              "the LZ4 payload is damaged: it does not decompress to 64 bytes");
    EXPECT_EQ(error_of(Compression::zstd, with_zstd(text), less),
              "the zstd payload is damaged: it does not decompress to 62 bytes");
    EXPECT_EQ(error_of(Compression::zstd, with_zstd(text), more),
              "the zstd payload is damaged: it does not decompress to 64 bytes");
}

TEST(Decompress, Damage) {
    for (const size_t length : {0u, 1u, 4u, 10u}) {
        EXPECT_NE(error_of(Compression::lz4, with_lz4(text).substr(0, length), text.size()), "") << length;
        EXPECT_NE(error_of(Compression::zstd, with_zstd(text).substr(0, length), text.size()), "") << length;
    }
    std::string garbled = with_zstd(text);
    garbled.back() = static_cast<char>(garbled.back() ^ 0x55);
    garbled[garbled.size() / 2] = static_cast<char>(garbled[garbled.size() / 2] ^ 0x55);
    EXPECT_NE(error_of(Compression::zstd, garbled, text.size()), "");
}

// A header that announces far more than the payload can hold must not cost that memory.
TEST(Decompress, HugeSizesAreRefusedBeforeAllocating) {
    EXPECT_NE(error_of(Compression::lz4, with_lz4(text), 1ull << 62), "");
    EXPECT_NE(error_of(Compression::zstd, with_zstd(text), 1ull << 62), "");
}

}  // namespace
}  // namespace lanescope::fatbin
