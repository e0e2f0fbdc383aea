#include "gpus/gpu.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "gpus/profile.h"

namespace lanescope::gpus {
namespace {

using testing::HasSubstr;

TEST(Gpus, EveryEmbeddedProfileIsWellFormedAndNamedAsItsFile) {
    for (const EmbeddedProfile& profile : embedded_profiles()) {
        const Result<Gpu> gpu = parse_profile(profile.json);
        ASSERT_TRUE(gpu) << gpu.error().text();
        EXPECT_EQ(gpu->name, profile.name);
    }
    EXPECT_EQ(all().size(), 9u);
}

TEST(Gpus, ValuesAreConsistentWithEachOther) {
    for (const Gpu& gpu : all()) {
        SCOPED_TRACE(gpu.name);
        EXPECT_GT(gpu.sm_count, 0);
        EXPECT_EQ(gpu.max_threads_per_sm % 32, 0);
        EXPECT_GE(gpu.max_threads_per_sm, gpu.max_threads_per_block);
        EXPECT_GE(gpu.registers_per_sm, gpu.registers_per_block);
        EXPECT_GE(gpu.shared_bytes_per_block_optin, gpu.shared_bytes_per_block);
        // A block that opts in to the most shared memory has an SM to itself.
        EXPECT_LE(gpu.shared_bytes_per_block_optin + gpu.reserved_shared_bytes_per_block, gpu.shared_bytes_per_sm);
        // All of an SM's shared memory is the largest carve-out.
        EXPECT_EQ(gpu.carve_out_bytes.back(), gpu.shared_bytes_per_sm);
        EXPECT_LE(gpu.persisting_l2_max_bytes, gpu.l2_bytes);
        EXPECT_GT(gpu.memory_bytes, 1'000'000'000);
        EXPECT_EQ(gpu.cluster_launch, gpu.cc_major >= 9);
    }
}

// Bus width in bytes x clock x 2 transfers a cycle is the bandwidth of the data sheet, within the
// rounding of the data sheet (1 %). Independent of the profile's own "peak_memory_bandwidth" entry.
TEST(Gpus, MemoryClockAndBusWidthGiveThePublishedBandwidth) {
    const auto bandwidth = [](const char* name) {
        const Gpu& gpu = **find(name);
        return gpu.memory_bus_bits / 8.0 * gpu.memory_clock_khz * 2 / 1e6;   // GB/s
    };
    EXPECT_NEAR(bandwidth("k80"), 240.48, 2.4);
    EXPECT_NEAR(bandwidth("p100"), 732, 7.3);
    EXPECT_NEAR(bandwidth("v100"), 898, 9);
    EXPECT_NEAR(bandwidth("t4"), 320, 3.2);
    EXPECT_NEAR(bandwidth("a100"), 1555, 15.6);
    EXPECT_NEAR(bandwidth("h100"), 3350, 33.5);
    EXPECT_NEAR(bandwidth("h200"), 4800, 48);
    EXPECT_NEAR(bandwidth("rtx4090"), 1008, 10.1);
    EXPECT_NEAR(bandwidth("rtx5080"), 960, 9.6);
}

// Attributes read on the hardware (facts of an H200, driver 580).
TEST(Gpus, H200) {
    const Gpu& gpu = **find("h200");
    EXPECT_EQ(gpu.product_name, "NVIDIA H200");
    EXPECT_EQ(gpu.sm(), 90);
    EXPECT_EQ(gpu.sm_count, 132);
    EXPECT_EQ(gpu.l2_bytes, 62'914'560);
    EXPECT_EQ(gpu.shared_bytes_per_sm, 233'472);
    EXPECT_EQ(gpu.memory_bus_bits, 6016);
    EXPECT_EQ(gpu.memory_clock_khz, 3'201'000);
    EXPECT_FALSE(gpu.pageable_memory_access);
}

TEST(Gpus, OldestFirst) {
    std::vector<int> capabilities;
    for (const Gpu& gpu : all()) {
        if (gpu.name != "rtx4090") capabilities.push_back(gpu.sm());   // Ada (8.9) came out weeks after Hopper (9.0)
    }
    EXPECT_TRUE(std::is_sorted(capabilities.begin(), capabilities.end()));
}

TEST(Gpus, FindIgnoresCase) { EXPECT_EQ(*find("RTX4090"), *find("rtx4090")); }

TEST(Gpus, AnUnknownNameListsTheOnesThereAre) {
    const auto gpu = find("h2000");
    ASSERT_FALSE(gpu);
    EXPECT_THAT(gpu.error().what, HasSubstr("\"h2000\""));
    for (const Gpu& known : all()) EXPECT_THAT(gpu.error().next, HasSubstr(known.name));
}

TEST(Gpus, TheEnvironmentSelects) {
    ::unsetenv("LANESCOPE_GPU");
    EXPECT_EQ(selected()->front()->name, "h200");
    ::setenv("LANESCOPE_GPU", "", 1);
    EXPECT_EQ(selected()->front()->name, "h200");
    ::setenv("LANESCOPE_GPU", "k80", 1);
    EXPECT_EQ(selected()->front()->name, "k80");
    ::setenv("LANESCOPE_GPU", "k80,H200", 1);
    ASSERT_EQ(selected()->size(), 2u);
    EXPECT_EQ(selected()->back()->name, "h200");
    ::setenv("LANESCOPE_GPU", "k80,", 1);
    EXPECT_FALSE(selected()) << "a name is missing";
    ::setenv("LANESCOPE_GPU", "voodoo", 1);
    ASSERT_FALSE(selected());
    EXPECT_EQ(selected().error().where, "LANESCOPE_GPU");
    ::unsetenv("LANESCOPE_GPU");
}

TEST(Gpus, EveryValueOfEveryProfileHasASource) {
    for (const Gpu& gpu : all()) {
        std::set<std::string> keys;
        for (const SourcedValue& value : gpu.sources) {
            EXPECT_FALSE(value.source.empty()) << gpu.name << " " << value.key;
            EXPECT_FALSE(value.value.empty()) << gpu.name << " " << value.key;
            EXPECT_TRUE(keys.insert(value.key).second) << gpu.name << " names " << value.key << " twice";
            // What is assumed says so in its explanation, and nothing else does.
            const bool says_assumed = value.source.find("assumed") != std::string::npos;
            EXPECT_EQ(says_assumed, value.status == Status::assumed) << gpu.name << " " << value.key;
        }
    }
}

}  // namespace
}  // namespace lanescope::gpus
