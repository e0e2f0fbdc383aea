// Every counter of every launch against the H200's, exactly. What cannot be exact is named with its reason.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

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

// Counters that do not agree: of the launches whose label matches. `differing` is how many there are, exactly: the pattern
// may also match launches that agree, and those must go on to agree.
struct Exception {
    std::regex label;
    std::set<std::string> counters;
    int differing;
    const char* reason;
};

const std::set<std::string> caches = {"global_load_l1_hit_sectors", "l2_read_sectors"};
const std::set<std::string> l2_reads = {"l2_read_sectors"};

// Several multiprocessors read the same sectors at once, and an H200 merges some of these reads before its L2 cache; how
// many depends on timing, which is not modelled.
const std::vector<Exception> public_exceptions = {
    {std::regex("soa_add 16384"), l2_reads, 1, "all blocks read the two pointers"},
    {std::regex("broadcast"), l2_reads, 1, "blocks share the sectors of their 32 ints"},
    {std::regex("scatter_gather"), l2_reads, 1, "each sector is read by lanes all over the grid"},
};

const std::vector<Exception> more_exceptions = {
    {std::regex("sweep .*"), caches, 56,
     "near and beyond the cache's size hits depend on its replacement, which is modelled but not known and differed between two readings; "
     "blocks that share an array read it from L2 together, and those of one multiprocessor push out each other's lines"},
    {std::regex("(matrix|volume|load int by 5000 blocks) ?.*"), caches, 15, "multiprocessors that share sectors, as above"},
    {std::regex("ld: store of odd lanes then of even lanes then load"), caches, 2, "an H200 joins what two requests store of a sector; ours does not"},
    {std::regex("ld\\.[a-z.]+: load then barrier then load by the other warp"), l2_reads, 3, "in flight across a barrier, which is timing"},
    {std::regex("atomic .*known to be uniform.*"), {"global_reduction_sectors", "global_atomic_sectors"}, 12,
     "the address depends on blockIdx, and that it is the same for all lanes of a warp is not recognised yet"},
    {std::regex("shared atomic add (float|u64).*"), {"shared_load_requests", "shared_load_wavefronts", "shared_load_conflicts"}, 4,
     "one instruction of PTX, a loop with loads in machine code"},
    {std::regex("shared atomic .*known to be uniform.*"), {"shared_store_requests"}, 4, "machine code has a store more than PTX"},
    {std::regex("local (char|short).*"), l2_reads, 4, "narrow stores to local memory do not fill L1 on an H200; ours do"},
    {std::regex("parameter copied to local memory.*"), {"local_load_requests", "local_load_sectors", "local_store_requests", "local_store_sectors"}, 12,
     "the compiler of machine code does without the copy that PTX has"},
};

std::vector<json> counted_launches(const char* gold_program) {
    const TemporaryFolder folder("gold counters");
    const std::string file = folder.path() / "counters.json";
    const Finished program = run_program({gold_program}, {{"LD_LIBRARY_PATH", DROP_IN_FOLDER}, {"LANESCOPE_COUNTERS", file}, {"LANESCOPE_GPU", "h200"}});
    EXPECT_EQ(program.exit_status, 0) << program.err;
    std::vector<json> launches;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) launches.push_back(json::parse(line));
    return launches;
}

void compare(const char* csv, const char* program, const std::vector<Exception>& exceptions) {
    const std::vector<CsvRow> rows = read_csv(csv);
    const std::vector<json> launches = counted_launches(program);
    ASSERT_FALSE(rows.empty());
    ASSERT_EQ(launches.size(), rows.size());
    std::vector<int> needed(exceptions.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        const std::string& label = rows[i].at("label");
        for (const auto& [column, name] : counters) {
            const auto expected = std::stoull(rows[i].at(column));
            const auto counted = launches[i].at("counters").at(name).get<uint64_t>();
            if (counted == expected) continue;
            bool excepted = false;
            for (size_t e = 0; e < exceptions.size(); ++e) {
                if (!exceptions[e].counters.contains(name) || !std::regex_match(label, exceptions[e].label)) continue;
                excepted = true;
                ++needed[e];
            }
            EXPECT_TRUE(excepted) << "launch " << rows[i].at("id") << " (" << label << "), " << name << ": the H200 counted " << expected
                                  << ", this " << counted;
        }
    }
    for (size_t e = 0; e < exceptions.size(); ++e) EXPECT_EQ(needed[e], exceptions[e].differing) << "another number of counters differs than this exception is for: " << exceptions[e].reason;
}

TEST(GoldCounters, EveryLaunchCountsWhatTheH200Counted) { compare(GOLD_COUNTERS, GOLD_PROGRAM, public_exceptions); }

TEST(GoldCounters, MoreLaunchesToo) { compare(MORE_COUNTERS, MORE_PROGRAM, more_exceptions); }

TEST(GoldCounters, EveryLaunchIsAsEfficientAsOnTheH200) {
    const std::vector<CsvRow> rows = read_csv(GOLD_COUNTERS);
    const std::vector<json> launches = counted_launches(GOLD_PROGRAM);
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
