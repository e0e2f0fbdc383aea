// Pictures of requests written down: what must be in them, not where.
#include <gmock/gmock.h>

#include <regex>

#include "report/report.h"

namespace lanescope::report {
namespace {

using counters::FirstRequest;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

FirstRequest request(const char* action, const char* space, uint32_t bytes, int64_t first, int64_t stride_bytes) {
    FirstRequest request{action, space, "sum.cu", 6, bytes, 0xFFFFFFFF, {}, {}, {}};
    for (int lane = 0; lane < 32; ++lane) request.offset_bytes[lane] = first + lane * stride_bytes;
    return request;
}

Launch launch_with(std::vector<FirstRequest> requests, const char* gpu = "h200") {
    Launch launch;
    launch.kernel = "sum<int>(int const*, int*)";
    launch.gpu = gpu;
    launch.first_requests = std::move(requests);
    return launch;
}

std::string draw(const Launch& launch) {
    return picture({&launch, 1}, [](const std::string& file, int line) { return file == "sum.cu" && line == 6 ? "  c[i] = a[i] < b[i] && 1;" : ""; });
}

int count(const std::string& svg, const std::string& pattern) {
    const std::regex expression(pattern);
    return static_cast<int>(std::distance(std::sregex_iterator(svg.begin(), svg.end(), expression), std::sregex_iterator()));
}

// Bytes 4 to 131: 5 sectors in 2 lines of 4.
TEST(Picture, LanesOverSectors) {
    FirstRequest load = request("load", "global", 4, 4, 4);
    load.memory = {1, 5, 5, 0, 128, 160};
    const std::string svg = draw(launch_with({load}));
    EXPECT_THAT(svg, AllOf(StartsWith("<svg "), HasSubstr("sum&lt;int&gt;: load of 4 bytes by each of 32 lanes, global memory"),
                           HasSubstr(">c[i] = a[i] &lt; b[i] &amp;&amp; 1;<"), HasSubstr("1 request, 5 sectors: 160 bytes moved, 128 asked for, 80.0 %")));
    EXPECT_EQ(count(svg, "<path "), 32);
    EXPECT_EQ(count(svg, "class=\"used\""), 5);
    EXPECT_EQ(count(svg, "class=\"line\""), 2);
    EXPECT_THAT(svg, AllOf(HasSubstr("byte 0"), HasSubstr("byte 128")));
}

TEST(Picture, LanesThatTakeNoPart) {
    FirstRequest store = request("store", "global", 4, 0, 4);
    store.mask = 0xFF;   // one sector
    store.memory = {1, 1, 1, 0, 32, 32};
    const std::string svg = draw(launch_with({store}));
    EXPECT_THAT(svg, HasSubstr("store of 4 bytes by each of 8 lanes"));
    EXPECT_EQ(count(svg, "<path "), 8);
    EXPECT_EQ(count(svg, "class=\"off\""), 24);
    EXPECT_EQ(count(svg, "class=\"used\""), 1);
}

TEST(Picture, OnAKeplerTransactionsAreLines) {
    FirstRequest load = request("load", "global", 4, 4, 4);
    load.memory = {1, 2, 5, 0, 128, 160};
    EXPECT_THAT(draw(launch_with({load}, "k80")), HasSubstr("1 request, 2 transactions, 5 sectors: "));
}

// Every lane in bank 3, each another word.
TEST(Picture, LanesOverBanks) {
    FirstRequest load = request("load", "shared", 4, 12, 128);
    load.shared = {1, 32, 31, 128};
    const std::string svg = draw(launch_with({load}));
    EXPECT_THAT(svg, HasSubstr("1 request, 32 wavefronts, 31 bank conflicts."));
    EXPECT_EQ(count(svg, "class=\"used\""), 1);
}

// 8-byte lanes take two banks each: 64 words, two of each bank.
TEST(Picture, WideLanesTakeSeveralBanks) {
    FirstRequest load = request("load", "shared", 8, 0, 8);
    load.shared = {1, 2, 0, 256};
    const std::string svg = draw(launch_with({load}));
    EXPECT_THAT(svg, HasSubstr("1 request, 2 wavefronts, no conflicts."));
    EXPECT_EQ(count(svg, "class=\"used\""), 32);
    EXPECT_EQ(count(svg, "class=\"used\"[^\n]*\n[^\n]*>2<"), 32);
}

TEST(Picture, InstructionsThatLookAlikeAreDrawnOnce) {
    const FirstRequest a = request("load", "global", 4, 4, 4), b = request("load", "global", 4, 4 + 1280, 4), shifted = request("load", "global", 4, 8, 4);
    EXPECT_EQ(count(draw(launch_with({a, b})), "load of"), 2);   // once in the label of the whole
    EXPECT_EQ(count(draw(launch_with({a, b, shifted})), "load of"), 3);
}

TEST(Picture, LinesFarApartAndBelowTheAllocation) {
    FirstRequest load = request("load", "global", 4, -128, 1 << 20);
    load.memory = {1, 32, 32, 0, 128, 1024};
    const std::string svg = draw(launch_with({load}));
    EXPECT_EQ(count(svg, "class=\"used\""), 32);
    EXPECT_THAT(svg, AllOf(HasSubstr("byte -128"), Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
}

TEST(Picture, NamesOfTemplates) {
    Launch launch = launch_with({request("load", "global", 4, 0, 4)});
    launch.kernel = "void load_as<(Pattern)0, int (*)(int)>(int const*, int (*)(int))";
    EXPECT_THAT(draw(launch), HasSubstr(">load_as&lt;(Pattern)0, int (*)(int)&gt;: load of 4 bytes"));
    launch.kernel = "plain";
    EXPECT_THAT(draw(launch), HasSubstr(">plain: load of 4 bytes"));
}

TEST(Picture, NothingToDraw) { EXPECT_THAT(draw(launch_with({})), AllOf(StartsWith("<svg "), HasSubstr("No kernel touched memory"))); }

}  // namespace
}  // namespace lanescope::report
