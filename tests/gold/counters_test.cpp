// Every counter of every launch against the H200's, exactly. What cannot be exact is named with its reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gold/counters_file.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::test {
namespace {

using nlohmann::json;

// Nsight Compute's counters (columns of the CSV) and ours.
const std::vector<std::pair<std::string, std::string>> counters = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_load_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "global_load_l1_hit_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_store_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global_atomic_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global_atomic_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global_reduction_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global_reduction_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "local_load_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local_load_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "local_store_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local_store_sectors"},
    {"smsp__inst_executed_op_shared_ld.sum", "shared_load_requests"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared_load_conflicts"},
    {"smsp__inst_executed_op_shared_st.sum", "shared_store_requests"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared_store_conflicts"},
    {"lts__t_sectors_srcunit_tex_op_read.sum", "l2_read_sectors"},
};

// Several multiprocessors read the same sectors at once, and an H200 merges some of these reads before its L2 cache; how
// many depends on timing, which is not modelled. So it reads fewer sectors than the L1 caches missed, never more.
const std::vector<std::string> reads_merged_before_l2 = {
    "soa_add 16384",    // all blocks read the two pointers
    "broadcast",        // blocks share the sectors of their 32 ints
    "scatter_gather",   // each sector is read by lanes all over the grid
};

bool is_merged(const std::string& label, const std::string& counter) {
    return counter == "l2_read_sectors" && std::ranges::find(reads_merged_before_l2, label) != reads_merged_before_l2.end();
}

std::vector<json> counted_launches() {
    const TemporaryFolder folder("gold counters");
    const std::string file = folder.path() / "counters.json";
    const Finished program = run_program({GOLD_PROGRAM}, {{"LD_LIBRARY_PATH", DROP_IN_FOLDER}, {"LANESCOPE_COUNTERS", file}, {"LANESCOPE_GPU", "h200"}});
    EXPECT_EQ(program.exit_status, 0) << program.err;
    std::vector<json> launches;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) launches.push_back(json::parse(line));
    return launches;
}

TEST(GoldCounters, EveryLaunchCountsWhatTheH200Counted) {
    const std::vector<CsvRow> rows = read_csv(GOLD_COUNTERS);
    const std::vector<json> launches = counted_launches();
    ASSERT_EQ(rows.size(), 84u);
    ASSERT_EQ(launches.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        const std::string& label = rows[i].at("label");
        for (const auto& [column, name] : counters) {
            const auto expected = std::stoull(rows[i].at(column));
            const auto counted = launches[i].at("counters").at(name).get<uint64_t>();
            const std::string where = "launch " + rows[i].at("id") + " (" + label + "), " + name;
            if (is_merged(label, name)) {
                EXPECT_GT(counted, expected) << where << ": exact by now; it needs no exception";
            } else {
                EXPECT_EQ(counted, expected) << where;
            }
        }
    }
}

// Nsight Compute prints two decimals.
TEST(GoldCounters, EveryLaunchIsAsEfficientAsOnTheH200) {
    const std::vector<CsvRow> rows = read_csv(GOLD_COUNTERS);
    const std::vector<json> launches = counted_launches();
    ASSERT_EQ(launches.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        for (const std::string direction : {"load", "store"}) {
            const double expected = std::stod(rows[i].at("smsp__sass_average_data_bytes_per_sector_mem_global_op_" + std::string(direction == "load" ? "ld" : "st") + ".pct"));
            const json& own = launches[i].at("counters");
            const double requested = own.at("global_" + direction + "_requested_bytes"), moved = own.at("global_" + direction + "_moved_bytes");
            EXPECT_NEAR(moved == 0 ? 0 : 100 * requested / moved, expected, 0.005 + 1e-9)
                << "launch " << rows[i].at("id") << " (" << rows[i].at("label") << "), efficiency of global " << direction << "s";
        }
    }
}

}  // namespace
}  // namespace lanescope::test
