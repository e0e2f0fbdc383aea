#include "counters/launch.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace lanescope::counters {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* record =
    R"({"kernel":"_Z3addPi","device":1,"gpu":"k80","grid":[32,2,1],"block":[512,1,1],"time":{"kernel_seconds":2e-06,"cycles":891.5,"limit":"L1","dram_read_bytes":64,)"
    R"("dram_write_bytes":32,"dram_peak_percent":0.5},"counters":{"warp_instructions":7,"global_load_sectors":5,)"
    R"("l2_read_sectors":3},"lines":[{"file":"add.cu","line":3,"counters":{"shared_load_conflicts":31}},{"file":"add.cu","line":4,"counters":null}],)"
    R"("first_requests":[{"action":"store","space":"global","file":"add.cu","line":3,"bytes":4,"mask":3,"offset_bytes":[0,-4,0,0,0,0,0,0,0,0,0,0,0,0,)"
    R"(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"cost":{"requests":1,"sectors":2}}]})";

TEST(Launch, IsReadFromWhatTheRuntimeWrote) {
    const Result<Launch> launch = parse_launch(record);
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->kernel, "add(int*)");
    EXPECT_EQ(launch->device, 1);
    EXPECT_EQ(launch->gpu, "k80");
    EXPECT_THAT(launch->grid, ElementsAre(32, 2, 1));
    EXPECT_THAT(launch->block, ElementsAre(512, 1, 1));
    EXPECT_EQ(launch->counts.warp_instructions, 7u);
    EXPECT_EQ(launch->counts.global_load.sectors, 5u);
    EXPECT_EQ(launch->counts.l2_read_sectors, 3u);
    EXPECT_EQ(launch->counts.time.seconds, 2e-6);
    EXPECT_EQ(launch->counts.time.limit, "L1");
    EXPECT_EQ(launch->counts.time.dram_write_bytes, 32);
    ASSERT_EQ(launch->lines.size(), 2u);
    EXPECT_EQ(launch->lines[0].file, "add.cu");
    EXPECT_EQ(launch->lines[0].line, 3);
    EXPECT_EQ(launch->lines[0].shared_load.conflicts, 31u);
    EXPECT_EQ(launch->lines[1].shared_load.conflicts, 0u);
    ASSERT_EQ(launch->first_requests.size(), 1u);
    EXPECT_EQ(launch->first_requests[0].action, "store");
    EXPECT_EQ(launch->first_requests[0].mask, 3u);
    EXPECT_EQ(launch->first_requests[0].offset_bytes[1], -4);
    EXPECT_EQ(launch->first_requests[0].memory.requests, 1u);
    EXPECT_EQ(launch->first_requests[0].memory.sectors, 2u);
    EXPECT_EQ(launch->first_requests[0].shared.requests, 0u);
}

TEST(Launch, AFileThatIsNotOneIsRefusedWithItsLine) {
    const test::TemporaryFolder folder("launches");
    const std::string file = folder.path() / "counters.json";
    std::ofstream(file) << record << "\n" << record << "\n";
    const Result<std::vector<Launch>> two = read_launches(file);
    ASSERT_TRUE(two);
    EXPECT_EQ(two->size(), 2u);
    std::ofstream(file, std::ios::app) << "{\"kernel\":\n";
    const Result<std::vector<Launch>> broken = read_launches(file);
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().where, HasSubstr("counters.json:3"));
    const Result<std::vector<Launch>> none = read_launches(folder.path() / "absent");
    EXPECT_TRUE(none && none->empty());
    for (const char* wrong : {"", "[]", "{}", R"({"kernel":"k","device":0,"gpu":"k80","grid":[1],"block":[1,1,1],"counters":{},"lines":[]})",
                              R"({"kernel":"k","device":0,"gpu":"k80","grid":[1,1,1],"block":[1,1,1],"counters":[],"lines":[]})"}) {
        EXPECT_FALSE(parse_launch(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace lanescope::counters
