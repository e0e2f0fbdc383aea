// Copies from and to pageable and pinned memory: what arrives, and what the program prints of it. No test looks at how
// long they take.
#include "guarded.cuh"
#include "program_output.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::ElementsAre;
using testing::HasSubstr;

class HostMemory : public testing::TestWithParam<Kind> {};

TEST_P(HostMemory, EveryByteArrivesAndNoOther) {
    for (const std::size_t bytes : sizes_of_copies) {
        SCOPED_TRACE(bytes);
        const auto sent = pattern(bytes, 1);
        Guarded from(GetParam(), bytes), to(GetParam(), bytes), device(Kind::device, bytes);
        from.set(sent);
        ASSERT_EQ(cudaMemcpy(device.data(), from.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
        EXPECT_EQ(device.contents(), sent);
        ASSERT_EQ(cudaMemcpy(to.data(), device.data(), bytes, cudaMemcpyDeviceToHost), cudaSuccess);
        EXPECT_EQ(to.contents(), sent);
        EXPECT_TRUE(from.guards_are_untouched() && device.guards_are_untouched() && to.guards_are_untouched());
    }
}

TEST_P(HostMemory, AsynchronousCopiesArriveOnceTheHostHasWaited) {
    cudaStream_t stream;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    for (const std::size_t bytes : sizes_of_copies) {
        SCOPED_TRACE(bytes);
        const auto sent = pattern(bytes, 2);
        Guarded from(GetParam(), bytes), to(GetParam(), bytes), device(Kind::device, bytes);
        from.set(sent);
        ASSERT_EQ(cudaMemcpyAsync(device.data(), from.data(), bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
        ASSERT_EQ(cudaMemcpyAsync(to.data(), device.data(), bytes, cudaMemcpyDeviceToHost, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        EXPECT_EQ(to.contents(), sent);
        EXPECT_TRUE(from.guards_are_untouched() && device.guards_are_untouched() && to.guards_are_untouched());
    }
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostMemory,
                         testing::Values(Kind::pageable, Kind::pinned, Kind::mapped, Kind::registered),
                         [](const auto& info) { return name_of(info.param); });

// A copy from pinned memory is not done when the call returns. The simulated GPU does it when somebody waits.
TEST(PinnedMemory, ACopyFromTheDeviceIsNotDoneBeforeTheWait) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "on a real GPU the copy may be faster than the look";
    Guarded to(Kind::pinned, 1000), device(Kind::device, 1000);
    const auto sent = pattern(1000, 3), before = to.contents();
    device.set(sent);
    ASSERT_EQ(cudaMemcpyAsync(to.data(), device.data(), 1000, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
    EXPECT_EQ(std::memcmp(to.data(), before.data(), 1000), 0);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(std::memcmp(to.data(), sent.data(), 1000), 0);
}

Finished transfer(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_pinned_transfer);
    arguments.insert(arguments.end(), {"--repeats", "1"});
    return run_well(arguments);
}

// Sizes go up in steps of 4 and end with the largest, whatever it is.
TEST(PinnedTransfer, Table) {
    const Finished run = transfer({"--max-bytes", "300001"});
    std::vector<std::string> sizes;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string number, unit;
        double pageable_to = -1, pinned_to = -1, pageable_from = -1, pinned_from = -1;
        if (line[0] == ' ' && cells >> number >> unit >> pageable_to >> pinned_to >> pageable_from >> pinned_from) {
            sizes.push_back(number + " " + unit);
            EXPECT_GE(std::min({pageable_to, pinned_to, pageable_from, pinned_from}), 0);
        }
    }
    EXPECT_THAT(sizes, ElementsAre("4 KiB", "16 KiB", "64 KiB", "256 KiB", "300001 B"));
    EXPECT_THAT(run.out, HasSubstr(source_of_times()));
    EXPECT_THAT(run.out, HasSubstr("arrived complete"));
}

TEST(PinnedTransfer, Csv) {
    const auto rows = csv_rows(transfer({"--csv", "--min-bytes", "1", "--max-bytes", "5"}).out);
    ASSERT_EQ(rows.size(), 1u + 3 * 4);   // 1, 4 and 5 bytes
    EXPECT_THAT(rows[0], ElementsAre("bytes", "direction", "memory", "milliseconds", "gb_per_second", "source"));
    const std::vector<std::string> ways{"to_device,pageable", "to_device,pinned", "from_device,pageable",
                                        "from_device,pinned"};
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 6u);
        EXPECT_EQ(rows[i][0], i <= 4 ? "1" : i <= 8 ? "4" : "5");
        EXPECT_EQ(rows[i][1] + "," + rows[i][2], ways[(i - 1) % 4]);
        EXPECT_EQ(rows[i][5], source_of_times());
    }
}

// 1e9 bytes are a GB: bytes / ms / 1e6. Both are rounded, to 1e-6 ms and 1e-4 GB/s.
TEST(PinnedTransfer, BandwidthIsBytesByTime) {
    for (const auto& row : csv_rows(transfer({"--csv", "--min-bytes", "1048576", "--max-bytes", "4194304"}).out)) {
        if (row[0] == "bytes") continue;
        const double ms = std::stod(row[3]);
        if (ms > 0) EXPECT_NEAR(std::stod(row[4]), std::stod(row[0]) / ms / 1e6, 0.01 * std::stod(row[4])) << row[2];
    }
}

TEST(PinnedTransfer, SmallestSizes) {
    EXPECT_THAT(transfer({"--max-bytes", "1"}).out, HasSubstr(" 1 B "));
    EXPECT_THAT(transfer({"--max-bytes", "4097"}).out, HasSubstr(" 4097 B "));
}

// A T4 has 16 GB.
TEST(PinnedTransfer, SaysWhatDoesNotFit) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "a real GPU may have the memory";
    const Finished run =
        run_program({PROGRAM_pinned_transfer, "--min-bytes", "34359738368", "--max-bytes", "34359738368"},
                    {{"LANESCOPE_GPU", "t4"}});
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("pinned_transfer: left out: 32 GiB and more. That needs 96.00 GiB of host memory"));
}

TEST(PinnedTransfer, HelpAndRefusals) {
    expect_help(PROGRAM_pinned_transfer, {"--csv", "--min-bytes", "--max-bytes", "--repeats"});
    expect_refused(PROGRAM_pinned_transfer, {"--max-bytes", "0"}, "--max-bytes must be a whole number from 1");
    expect_refused(PROGRAM_pinned_transfer, {"--max-bytes"}, "--max-bytes needs a number");
    expect_refused(PROGRAM_pinned_transfer, {"--max-bytes", "--csv"}, "--max-bytes must be a whole number from 1");
    expect_refused(PROGRAM_pinned_transfer, {"--repeats", "many"}, "--repeats must be a whole number");
    expect_refused(PROGRAM_pinned_transfer, {"--pinned"}, "--pinned is not an option");
    expect_refused(PROGRAM_pinned_transfer, {"--min-bytes", "9", "--max-bytes", "8"},
                   "--min-bytes 9 is more than --max-bytes 8");
}

}   // namespace
