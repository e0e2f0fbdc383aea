// What nvcc makes of data/add.cu in its different modes (data/regenerate.sh).
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "container_builder.h"
#include "fatbin/fatbin.h"

namespace lanescope::fatbin {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Contents contents_of(const std::string& file) {
    std::ifstream stream(DATA_FOLDER "/" + file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    Result<Contents> contents = read(span_of(bytes));
    if (!contents) {
        ADD_FAILURE() << file << ": " << contents.error().text();
        return {};
    }
    return std::move(*contents);
}

class CompressMode : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, CompressMode,
                         testing::Values("plain", "speed", "size", "default", "balance", "relocatable", "lineinfo"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(CompressMode, GivesTheText) {
    const Contents contents = contents_of(GetParam() + std::string(".fatbin"));
    ASSERT_THAT(contents.entries, SizeIs(1));
    const Entry& entry = contents.entries[0];
    EXPECT_EQ(entry.kind, Kind::ptx);
    EXPECT_EQ(entry.sm, 75);
    EXPECT_EQ(entry.version_major, 9);
    EXPECT_EQ(entry.version_minor, 0);
    EXPECT_THAT(entry.payload, HasSubstr("\n.version 9.0\n.target sm_75\n.address_size 64\n"));
    EXPECT_THAT(entry.payload, HasSubstr(".visible .entry _Z3addPKiS0_Pi("));
    EXPECT_EQ(entry.payload.find('\0'), std::string::npos);
}

TEST(SeveralArchitectures, EachHasAnEntry) {
    const Contents contents = contents_of("several.fatbin");
    ASSERT_THAT(contents.entries, SizeIs(4));
    EXPECT_EQ(contents.entries[0].sm, 75);
    EXPECT_EQ(contents.entries[1].kind, Kind::elf);
    EXPECT_EQ(contents.entries[1].payload, "");
    EXPECT_EQ(contents.entries[2].sm, 90);
    EXPECT_EQ(contents.entries[3].sm, 90);  // compute_90a
    EXPECT_THAT(*select_ptx(contents, 80), HasSubstr(".target sm_75\n"));
    EXPECT_THAT(*select_ptx(contents, 90), HasSubstr(".target sm_90\n"));
    EXPECT_THAT(*select_ptx(contents, 37), HasSubstr(".target sm_75\n"));
}

TEST(MachineCodeOnly, IsNoPtx) {
    const Contents contents = contents_of("machine_code.fatbin");
    ASSERT_THAT(contents.entries, SizeIs(1));
    const Result<std::string> ptx = select_ptx(contents, 75);
    ASSERT_FALSE(ptx);
    EXPECT_THAT(ptx.error().what, HasSubstr("only machine code for sm_75"));
}

TEST(LineInfo, KeepsTheSourcesName) { EXPECT_EQ(contents_of("lineinfo.fatbin").entries.at(0).name, "add.cu"); }

}  // namespace
}  // namespace lanescope::fatbin
