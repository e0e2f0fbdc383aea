// The order of what the chapter's ways cost, on the simulated GPU, where a time is modelled and the same in every run.
// No time is compared with a number: only with another time of the same run, or their ratio with one that was measured.
#include <map>

#include "program_output.h"

namespace {

using namespace lanescope::test;

class CostOrder : public testing::TestWithParam<const char*> {
protected:
    using ByPlacement = std::map<std::string, double>;
    using ByWayAndSize = std::map<std::string, std::map<long, double>>;

    // Milliseconds by placement, for the largest n. One run on each GPU is enough for all tests: its times never differ.
    ByPlacement zero_copy() {
        static std::map<std::string, ByPlacement> runs;
        ByPlacement& ms = runs[GetParam()];
        if (!ms.empty()) return ms;
        const std::string n = "1048576";
        const Finished run =
            run_well({PROGRAM_zero_copy, "--csv", "--n", n, "--repeats", "1"}, {{"LANESCOPE_GPU", GetParam()}});
        for (const auto& row : csv_rows(run.out)) {
            if (row[0] == n) ms[row[1]] = std::stod(row[2]);
        }
        EXPECT_EQ(ms.size(), 3u) << run.out;
        return ms;
    }

    // Milliseconds by direction, kind of memory and size. One run on each GPU, as above.
    ByWayAndSize transfers() {
        static std::map<std::string, ByWayAndSize> runs;
        ByWayAndSize& ms = runs[GetParam()];
        if (!ms.empty()) return ms;
        const Finished run =
            run_well({PROGRAM_pinned_transfer, "--csv", "--repeats", "1"}, {{"LANESCOPE_GPU", GetParam()}});
        for (const auto& row : csv_rows(run.out)) {
            if (row[0] != "bytes") ms[row[1] + " " + row[2]][std::stol(row[0])] = std::stod(row[3]);
        }
        EXPECT_EQ(ms.size(), 4u) << run.out;
        return ms;
    }
};

constexpr long mib = 1l << 20;

// 4 MB arrays: A and B over the bus cost more than a kernel on device memory, and C over the bus adds to it.
TEST_P(CostOrder, ZeroCopy) {
    auto ms = zero_copy();
    EXPECT_GT(ms["device"], 0);
    EXPECT_LT(ms["device"], ms["ab_mapped"]);
    EXPECT_LT(ms["ab_mapped"], ms["abc_mapped"]);
}

// The driver's buffer costs a copy more.
TEST_P(CostOrder, LargeCopiesFromPinnedMemoryAreNotSlower) {
    auto ms = transfers();
    for (const long bytes : {mib, 4 * mib, 16 * mib, 64 * mib}) {
        SCOPED_TRACE(bytes);
        ASSERT_GT(ms["to_device pinned"][bytes], 0);
        EXPECT_LE(ms["to_device pinned"][bytes], ms["to_device pageable"][bytes]);
        EXPECT_LE(ms["from_device pinned"][bytes], ms["from_device pageable"][bytes]);
    }
}

// Four times the bytes take more time, but for small sizes not four times as much: setting up a copy has a price.
TEST_P(CostOrder, SettingUpACopyHasAPrice) {
    for (const auto& [way, by_size] : transfers()) {
        SCOPED_TRACE(way);
        double last = 0;
        for (const auto& [bytes, ms] : by_size) {
            EXPECT_GT(ms, last) << bytes;
            last = ms;
        }
        EXPECT_LT(by_size.at(16384), 2 * by_size.at(4096));
    }
}

INSTANTIATE_TEST_SUITE_P(Profiles, CostOrder, testing::Values("h200", "k80"),
                         [](const auto& info) { return std::string(info.param); });

class K80 : public CostOrder {};

// The notes' K80, 4 GiB: from the device 3211 ms pageable, 575 ms pinned, a factor of 5.6; to the device 587 and
// 570, 1.03.
TEST_P(K80, CopiesAsInTheNotes) {
    auto ms = transfers();
    EXPECT_GT(ms["from_device pageable"][64 * mib], 3 * ms["from_device pinned"][64 * mib]);
    EXPECT_LT(ms["to_device pageable"][64 * mib], 1.5 * ms["to_device pinned"][64 * mib]);
}

// 11.93 ms with A and B mapped, 25.33 ms with C mapped too: the writes do not hide behind the reads.
TEST_P(K80, WritesOverTheBusAddToTheReads) {
    auto ms = zero_copy();
    EXPECT_GT(ms["abc_mapped"], 1.4 * ms["ab_mapped"]);
}

INSTANTIATE_TEST_SUITE_P(Profile, K80, testing::Values("k80"));

// An H200, 16 to 256 MB: 10.3 to 7.4 GB/s to the device from pageable memory, 52.9 to 55.0 from pinned, a factor of 5
// to 7.
class H200 : public CostOrder {};

TEST_P(H200, PinningPaysInBothDirections) {
    auto ms = transfers();
    EXPECT_GT(ms["to_device pageable"][64 * mib], 4 * ms["to_device pinned"][64 * mib]);
    EXPECT_GT(ms["from_device pageable"][64 * mib], 3 * ms["from_device pinned"][64 * mib]);
}

// 0.066 ms, 2.62 ms with A and B mapped, 2.73 ms with C mapped too: the bus carries both directions at once.
TEST_P(H200, WritesOverTheBusHideBehindTheReads) {
    auto ms = zero_copy();
    EXPECT_GT(ms["ab_mapped"], 10 * ms["device"]);
    EXPECT_LT(ms["abc_mapped"], 1.3 * ms["ab_mapped"]);
}

INSTANTIATE_TEST_SUITE_P(Profile, H200, testing::Values("h200"));

}   // namespace
