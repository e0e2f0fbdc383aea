// From the names that a person types to rows of the table.
#include <algorithm>
#include <numeric>
#include <regex>

#include "counters/metrics.h"

namespace lanescope::counters {
namespace {

// Metrics of nvprof and Nsight Compute that cannot be given, and why. The first that matches counts.
struct Refusal {
    const char* pattern;
    const char* reason;
    const char* next;
};
constexpr Refusal refusals[] = {
    {"dram_.*|dram__.*|gpu__dram.*|fb_.*", "this of DRAM is not modelled", "--metrics dram_read_throughput,dram_write_throughput"},
    {".*_throughput|.*throughput.*|.*_utilization|.*pct_of_peak_sustained.*", "the shares of a unit's peak are not modelled",
     "--metrics time: durations and throughputs"},
    {".*per_second|.*per_cycle.*", "this rate is not modelled", "--metrics time: durations and throughputs"},
    {".*_cycles?(_.*|\\..*|$)|ipc|issued_ipc|ipc_instance|stall_.*|.*stalled.*|sm_efficiency|sm_activity|achieved_occupancy|"
     "eligible_warps_per_cycle|.*warps_active.*|gpu__time.*",
     "what warps do in each cycle is not modelled", "--metrics time: durations and throughputs"},
    {"atomic_transactions|atomic_transactions_per_request|l1tex__t_set_accesses.*", "passes over the tags of L1 are not counted",
     "--metrics atomic: requests and sectors of atomics"},
    {"lts__t_sectors.*op_write.*|l2_(tex_)?write_transactions|l2_write_.*", "what L2 writes depends on when, which is not modelled",
     "--metrics gst_transactions: what stores send to L2"},
    {"(l2|lts__|tex|l1tex__m|ecc|sysmem|nvlink|pcie)_?.*|l1tex__t_sector_hit_rate.*", "this traffic is not modelled",
     "--metrics cache: hits in L1 and reads from L2 by loads"},
    {"flop_.*|inst_(fp|integer|bit|control|compute|misc|inter|per|replay|issued).*|smsp?__sass_thread_inst.*|sm__inst.*|smsp__inst_issued.*",
     "instructions are not counted by kind", "--metrics inst_executed: all PTX instructions"},
    {"branch_efficiency|warp_(nonpred_)?execution_efficiency|smsp__sass_average_branch.*|smsp__thread_inst.*", "divergence is not counted",
     "--metrics memory: what divergence does to requests"},
};

const Metric* find(std::string_view name, bool& by_ncu_name) {
    if (name.empty()) return nullptr;
    for (const Metric& metric : metrics()) {
        by_ncu_name = metric.ncu == name;
        if (by_ncu_name || metric.nvprof == name || metric.names.also == name) return &metric;
    }
    return nullptr;
}

// The counter of Nsight Compute's name and ".per_second".
const Metric* counter_per_second(std::string_view name) {
    constexpr std::string_view suffix = ".per_second";
    if (!name.ends_with(suffix)) return nullptr;
    name.remove_suffix(suffix.size());
    for (const Metric& metric : metrics()) {
        if (metric.ncu == name && name.ends_with(".sum") && metric.ncu != "gpu__time_duration.sum") return &metric;
    }
    return nullptr;
}

// Levenshtein's: insertions, deletions and substitutions from one word to the other.
size_t edits(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t substituted = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

struct Near {
    size_t distance;     // of the nearest; 0 if a name contains it
    std::string names;   // the three nearest
};

Near near(std::string_view name) {
    std::vector<std::pair<size_t, std::string_view>> candidates;
    const auto add = [&](std::string_view candidate) {
        if (candidate.empty()) return;
        const bool part = name.size() >= 3 && candidate.find(name) != std::string_view::npos;
        candidates.emplace_back(part ? 0 : edits(name, candidate), candidate);
    };
    for (const Metric& metric : metrics()) {
        add(metric.nvprof);
        add(metric.ncu);
        add(metric.names.also);
    }
    std::ranges::stable_sort(candidates, {}, &std::pair<size_t, std::string_view>::first);
    std::string list;
    for (size_t i = 0; i < 3; ++i) list += std::string(i == 0 ? "" : ", ") + std::string(candidates[i].second);
    return {candidates.front().first, list};
}

Result<void> add(std::string_view name, int cc_major, Selection& selection) {
    const auto once = [&](const Wanted& wanted) {
        const auto same = [&](const Wanted& other) { return other.metric == wanted.metric && other.by_ncu_name == wanted.by_ncu_name && other.per_second == wanted.per_second; };
        if (std::ranges::none_of(selection, same)) selection.push_back(wanted);
    };
    bool is_group = false;
    for (const Wanted& wanted : everything(cc_major)) {
        if (name != "all" && name != group_name(wanted.metric->group)) continue;
        is_group = true;
        if (wanted.metric->from_cc_major <= cc_major) once(wanted);
    }
    if (is_group) return {};
    bool by_ncu_name = false;
    if (const Metric* metric = find(name, by_ncu_name)) {
        if (metric->from_cc_major > cc_major) {
            return Diagnostic{"how a GPU of this generation counts it is not known", std::string(name), "--gpu h200, or --metrics shared"};
        }
        const bool has_it = by_ncu_name || (name == metric->names.also ? metric->has_also(cc_major) : metric->has_nvprof_name(cc_major));
        if (!has_it) {
            const std::string_view other = metric->has_nvprof_name(cc_major) ? metric->nvprof : metric->has_also(cc_major) ? metric->names.also : metric->ncu;
            return Diagnostic{"nvprof never had it for a GPU of this generation", std::string(name), "--metrics " + std::string(other)};
        }
        once({metric, std::string(name), by_ncu_name});
        return {};
    }
    if (const Metric* counter = counter_per_second(name)) {
        once({counter, std::string(name), true, true});
        return {};
    }
    if (name.empty()) return Diagnostic{"a name is missing", "", "--metrics gld_transactions,shared"};
    const Near nearest = near(name);
    const bool mistyped = nearest.distance <= 2;
    for (const Refusal& refusal : refusals) {
        if (!mistyped && std::regex_match(name.begin(), name.end(), std::regex(refusal.pattern))) return Diagnostic{refusal.reason, std::string(name), refusal.next};
    }
    const std::string groups = "a group: memory, cache, local, shared, atomic, instructions, time, all; or see lanescope profile --query-metrics";
    const bool is_near = nearest.distance <= name.size() / 2;
    return Diagnostic{"there is no such metric", std::string(name), is_near ? "near it: " + nearest.names + "; or " + groups : groups};
}

}  // namespace

Result<Selection> select(std::string_view names, int cc_major) {
    Selection selection;
    for (size_t begin = 0; begin <= names.size();) {
        const size_t end = std::min(names.find(',', begin), names.size());
        if (const Result<void> added = add(names.substr(begin, end - begin), cc_major, selection); !added) return added.error();
        begin = end + 1;
    }
    return selection;
}

}  // namespace lanescope::counters
