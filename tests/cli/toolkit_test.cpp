#include "cli/toolkit.h"

#include <gmock/gmock.h>

namespace lanescope::cli {
namespace {

using testing::ElementsAre;

TEST(Toolkit, VersionFromNvccsOutput) {
    EXPECT_EQ(parse_nvcc_version("Cuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0.r13.0/compiler.1_0\n"), "13.0.88");
    EXPECT_EQ(parse_nvcc_version("bash: nvcc: command not found"), "");
}

TEST(Toolkit, ArchitecturesFromNvccsOutput) {
    EXPECT_THAT(parse_architectures("compute_75\ncompute_120\ncompute_90\n"), ElementsAre(75, 90, 120));
    EXPECT_THAT(parse_architectures("compute_90a\ncompute_90\n"), ElementsAre(90));
    EXPECT_THAT(parse_architectures("nvcc fatal"), ElementsAre());
}

TEST(Toolkit, ArchitectureIsTheNearestThatNvccKnows) {
    const Toolkit toolkit{.nvcc = "nvcc", .version = "13.0.88", .architectures = {75, 80, 86, 89, 90, 100, 120}};
    EXPECT_EQ(toolkit.architecture_for(90), 90);
    EXPECT_EQ(toolkit.architecture_for(37), 75);    // a K80 gets the lowest there is
    EXPECT_EQ(toolkit.architecture_for(87), 86);
    EXPECT_EQ(toolkit.architecture_for(130), 120);  // a GPU newer than the toolkit gets the highest
}

TEST(Toolkit, IsFoundHere) {
    const Result<Toolkit> toolkit = find_toolkit();
    ASSERT_TRUE(toolkit) << toolkit.error().text();
    EXPECT_THAT(toolkit->architectures, testing::Contains(75));
}

}  // namespace
}  // namespace lanescope::cli
