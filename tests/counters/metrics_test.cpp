// The table of metrics, and how a person asks for them.
#include "counters/metrics.h"

#include <gmock/gmock.h>

#include <set>

namespace lanescope::counters {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

LaunchCounts sample() {
    LaunchCounts c;
    // Two loads of 16384 ints by 512 warps, one int past a boundary, on a Kepler: 2 lines and 5 sectors for each request.
    c.global_load = {1024, 2048, 5120, 960, 1024 * 128, 1024 * 160};
    // Every eighth int: 32 sectors for 128 bytes.
    c.global_store = {16, 128, 512, 0, 16 * 128, 16 * 1024};
    c.global_atomic = {2, 8, 8, 0, 0, 0};
    c.global_reduction = {3, 12, 12, 0, 0, 0};
    c.local_load = {4, 4, 16, 0, 512, 512};
    c.local_store = {5, 10, 160, 0, 640, 5120};
    c.shared_load = {10, 320, 310, 1280};   // 32 words of one bank
    c.shared_store = {10, 10, 0, 1280};
    c.shared_atomic = {1, 32, 31, 4};
    c.l2_read_sectors = 4160;
    c.warp_instructions = 11264;
    c.time = {.seconds = 2e-6, .cycles = 3960, .limit = "DRAM", .dram_read_bytes = 131'072, .dram_write_bytes = 640, .dram_peak_percent = 1.5};
    return c;
}

double value(const char* name) {
    const Result<Selection> selection = select(name, 9);
    EXPECT_TRUE(selection && selection->size() == 1) << name;
    return selection && selection->size() == 1 ? selection->front().value(sample()) : -1;
}

std::vector<std::string> names(const char* list, int cc_major = 9) {
    const Result<Selection> selection = select(list, cc_major);
    std::vector<std::string> result;
    if (!selection) return {selection.error().text()};
    for (const Wanted& wanted : *selection) result.emplace_back(wanted.name);
    return result;
}

std::string error(const char* list, int cc_major = 9) {
    const Result<Selection> selection = select(list, cc_major);
    return selection ? "no error" : selection.error().text();
}

TEST(Metrics, FormulasOfGlobalMemory) {
    EXPECT_EQ(value("global_load_requests"), 1024);
    EXPECT_EQ(value("gld_transactions_per_request"), 2);
    EXPECT_EQ(value("gld_efficiency"), 80);
    EXPECT_EQ(value("global_store_requests"), 16);
    EXPECT_EQ(value("gst_transactions"), 128);
    EXPECT_EQ(value("gst_transactions_per_request"), 8);
    EXPECT_EQ(value("gst_efficiency"), 12.5);
}

TEST(Metrics, NsightComputesNameMeansSectorsWhereNvprofsMeansLines) {
    EXPECT_EQ(value("gld_transactions"), 2048);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 5120);
    EXPECT_EQ(value("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"), 5);
    EXPECT_EQ(value("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"), 32);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 512);
}

TEST(Metrics, FormulasOfTheRest) {
    EXPECT_EQ(value("global_hit_rate"), 18.75);   // 960 of 5120
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"), 4160);
    EXPECT_EQ(value("l2_tex_read_transactions"), 4160);
    EXPECT_EQ(value("local_load_transactions"), 4);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"), 160);
    EXPECT_EQ(value("local_store_transactions_per_request"), 2);
    EXPECT_EQ(value("shared_load_transactions"), 320);
    EXPECT_EQ(value("shared_load_transactions_per_request"), 32);
    EXPECT_EQ(value("shared_ld_bank_conflict"), 310);
    EXPECT_EQ(value("shared_st_bank_conflict"), 0);
    EXPECT_EQ(value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"), 31);
    EXPECT_DOUBLE_EQ(value("shared_efficiency"), 100.0 * (1280 + 1280 + 4) / (128 * (320 + 10 + 32)));
    EXPECT_EQ(value("global_reduction_requests"), 3);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"), 8);
    EXPECT_EQ(value("inst_executed"), 11264);
}

// 5120 sectors are 160 KB, on a Kepler moved in lines or not as moved_bytes says; in 2 us.
TEST(Metrics, TimesAndRates) {
    EXPECT_EQ(value("gpu__time_duration.sum"), 2000);
    EXPECT_EQ(value("sm__cycles_elapsed.max"), 3960);
    EXPECT_DOUBLE_EQ(value("gld_throughput"), 1024 * 160 / 2e-6);
    EXPECT_DOUBLE_EQ(value("gld_requested_throughput"), 1024 * 128 / 2e-6);
    EXPECT_DOUBLE_EQ(value("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"), 5120 * 32 / 2e-6);
    EXPECT_DOUBLE_EQ(value("gst_throughput"), 16 * 1024 / 2e-6);
    EXPECT_DOUBLE_EQ(value("shared_load_throughput"), 320 * 128 / 2e-6);
    EXPECT_DOUBLE_EQ(value("l2_tex_read_throughput"), 4160 * 32 / 2e-6);
    EXPECT_EQ(value("dram__bytes_read.sum"), 131'072);
    EXPECT_EQ(value("dram_read_transactions"), 4096);
    EXPECT_EQ(value("dram_write_transactions"), 20);
    EXPECT_DOUBLE_EQ(value("dram_read_throughput"), 131'072 / 2e-6);
    EXPECT_EQ(value("dram__throughput.avg.pct_of_peak_sustained_elapsed"), 1.5);
}

TEST(Metrics, EveryCounterOfNsightComputeAlsoComesPerSecond) {
    EXPECT_DOUBLE_EQ(value("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.per_second"), 1024 / 2e-6);
    EXPECT_DOUBLE_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum.per_second"), 5120 / 2e-6);   // not nvprof's lines
    const Selection rates = *select("smsp__inst_executed.sum.per_second,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.per_second", 9);
    EXPECT_EQ(rates[0].unit(), "inst/s");
    EXPECT_EQ(rates[1].unit(), "1/s");
    EXPECT_TRUE(rates[0].modelled() && rates[0].needs_time());
    EXPECT_EQ(rates[0].value({}), 0);   // no clock
    EXPECT_THAT(error("gpu__time_duration.sum.per_second"), HasSubstr("not modelled"));
    EXPECT_THAT(error("gld_efficiency.per_second"), HasSubstr("not modelled"));
}

TEST(Metrics, NothingCountedIsZeroAndNotANumberLikeNan) {
    for (const Metric& metric : metrics()) {
        EXPECT_EQ(metric.value({}), 0) << metric.nvprof_or_ncu();
        EXPECT_EQ(metric.ncu_or_own_value({}), 0) << metric.nvprof_or_ncu();
    }
}

TEST(Metrics, NamesAreUniqueAndEveryRowIsComplete) {
    std::set<std::string_view> seen;
    for (const Metric& metric : metrics()) {
        EXPECT_FALSE(metric.nvprof.empty() && metric.ncu.empty());
        for (const std::string_view name : {metric.nvprof, metric.ncu, metric.names.also}) {
            EXPECT_TRUE(name.empty() || seen.insert(name).second) << name;
        }
        EXPECT_FALSE(metric.title.empty());
        EXPECT_TRUE(metric.meaning.ends_with(".")) << metric.title;
        EXPECT_EQ(metric.modelled, metric.meaning.find("modelled") != std::string_view::npos) << metric.title;
    }
}

TEST(Select, NamesOfBothToolsAndGroupsInTheOrderAskedForEachOnce) {
    EXPECT_THAT(names("gst_efficiency,gld_efficiency,gst_efficiency"), ElementsAre("gst_efficiency", "gld_efficiency"));
    EXPECT_THAT(names("smsp__inst_executed.sum,atomic"),
                ElementsAre("smsp__inst_executed.sum", "global_atomic_requests", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                            "global_reduction_requests", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"));
    EXPECT_EQ(names("all").size(), metrics().size());
    EXPECT_EQ(names("memory").size(), 8u);
}

TEST(Select, AnUnknownNameListsTheNearOnes) {
    EXPECT_THAT(error("gld_eficiency"), AllOf(HasSubstr("gld_eficiency: there is no such metric"), HasSubstr("near it: gld_efficiency, ")));
    EXPECT_THAT(error("bank_conflict"), HasSubstr("shared_ld_bank_conflict"));
    EXPECT_THAT(error("memory,l2_tex_read_transaction"), HasSubstr("near it: l2_tex_read_transactions"));   // and is not taken for an unmodelled one
    EXPECT_THAT(error("voodoo"), AllOf(HasSubstr("no such metric"), HasSubstr("a group: memory"), testing::Not(HasSubstr("near it"))));
    EXPECT_THAT(error("gld_efficiency,"), HasSubstr("a name is missing"));
}

TEST(Select, WhatCannotBeGivenIsRefusedWithTheReason) {
    for (const char* name : {"ipc", "stall_sync", "achieved_occupancy", "sm__cycles_active.avg", "gpu__time_active.avg"}) {
        EXPECT_THAT(error(name), AllOf(HasSubstr("in each cycle is not modelled"), HasSubstr("next: "))) << name;
    }
    EXPECT_THAT(error("sm__throughput.avg.pct_of_peak_sustained_elapsed"), HasSubstr("shares of a unit's peak are not modelled"));
    EXPECT_THAT(error("lts__t_bytes.sum.per_second"), HasSubstr("this rate is not modelled"));
    EXPECT_THAT(error("dram_utilization"), HasSubstr("this of DRAM is not modelled"));
    EXPECT_THAT(error("atomic_transactions"), HasSubstr("--metrics atomic"));
    EXPECT_THAT(error("lts__t_sectors_srcunit_tex_op_write.sum"), HasSubstr("what L2 writes depends on when"));
    EXPECT_THAT(error("branch_efficiency"), HasSubstr("divergence is not counted"));
    EXPECT_THAT(error("flop_count_sp"), HasSubstr("not counted by kind"));
}

TEST(Select, AMetricWhoseMeaningOnKeplerIsNotKnownIsLeftOutThere) {
    EXPECT_THAT(error("shared_efficiency", 3), HasSubstr("not known"));
    EXPECT_THAT(names("shared", 3), testing::Not(testing::Contains("shared_efficiency")));
    EXPECT_THAT(names("shared", 9), testing::Contains("shared_efficiency"));
}

// nvprof named its metrics by generation. A name that it never had for the GPU at hand leads to the one that it had, or to Nsight Compute's.
TEST(Select, NamesOfOtherGenerations) {
    EXPECT_THAT(names("l1_cache_global_hit_rate,l2_l1_read_transactions", 3), ElementsAre("l1_cache_global_hit_rate", "l2_l1_read_transactions"));
    EXPECT_THAT(names("inst_executed_global_loads,global_hit_rate", 6), ElementsAre("inst_executed_global_loads", "global_hit_rate"));
    EXPECT_THAT(names("global_load_requests,inst_executed_global_loads", 7), ElementsAre("global_load_requests"));
    EXPECT_THAT(error("global_hit_rate", 3), AllOf(HasSubstr("never had it for a GPU of this generation"), HasSubstr("--metrics l1_cache_global_hit_rate")));
    EXPECT_THAT(error("l1_cache_global_hit_rate", 9), HasSubstr("--metrics global_hit_rate"));
    EXPECT_THAT(error("global_load_requests", 6), HasSubstr("--metrics inst_executed_global_loads"));
    EXPECT_THAT(error("global_load_requests", 3), HasSubstr("--metrics l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
    EXPECT_THAT(error("shared_ld_bank_conflict", 3), HasSubstr("--metrics l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
}

// A group has everything on every GPU, each by a name that there is.
TEST(Select, GroupsOnAKepler) {
    EXPECT_THAT(names("memory", 3), ElementsAre("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "gld_transactions", "gld_transactions_per_request", "gld_efficiency",
                                                "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "gst_transactions", "gst_transactions_per_request", "gst_efficiency"));
}

}  // namespace
}  // namespace lanescope::counters
