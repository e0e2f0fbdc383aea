/// \file
/// The one table of metrics: what a counter is called by nvprof and by Nsight Compute, and how it follows from what was counted.
///
///     const Result<Selection> wanted = counters::select("gld_efficiency,shared");
///     for (const Wanted& w : *wanted) fmt::print("{} {}\n", w.name, w.value(counts));
///
/// Reports, `lanescope profile --metrics` and the documentation read this table. To add a metric, add a row in metrics.cpp.
/// Host side only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counts.h"
#include "support/result.h"

namespace lanescope::counters {

/// How long a launch took, by the modelled clock; all 0 and "" of a source line, and with LANESCOPE_CLOCK=off.
struct LaunchTime {
    double seconds = 0;            ///< from the kernel's start to its end
    double cycles = 0;             ///< of the SM clock, likewise
    std::string limit;             ///< the unit that is asked for most: "DRAM", "L1", "latency", ...
    double dram_read_bytes = 0, dram_write_bytes = 0;
    double dram_peak_percent = 0;  ///< both, of what DRAM moves at its peak in that time
};

/// What was counted of one launch.
struct LaunchCounts : MemoryCounts {
    std::uint64_t warp_instructions = 0;   ///< PTX instructions issued by warps
    LaunchTime time;
};

enum class Kind : std::uint8_t { count, ratio, percent, bytes_per_second };
enum class Group : std::uint8_t { memory, cache, local, shared, atomic, instructions, time };
using Formula = double (*)(const LaunchCounts&);

/// On which generations (major number of the compute capability) nvprof has which name. GPUs after nvprof's time take its newest names.
struct NvprofNames {
    std::string_view also = "";   ///< another name
    int also_from = 0, also_to = 99;
    int from = 0;                 ///< the oldest generation that has Metric::nvprof
};

struct Metric {
    std::string_view nvprof;    ///< "" if nvprof has none
    std::string_view ncu;       ///< "" if Nsight Compute has none
    std::string_view title;     ///< nvprof's "Metric Description" where it has one
    std::string_view unit;      ///< as Nsight Compute writes it
    Kind kind;
    Group group;
    Formula value;
    std::string_view meaning;   ///< one sentence
    /// What Nsight Compute's name means where that is not the same: nvprof's transactions are lines on a Kepler, while
    /// a sector is always a sector. Null: the same.
    Formula ncu_value = nullptr;
    NvprofNames names = {};
    int from_cc_major = 0;        ///< the oldest generation for which the formula is known to hold
    bool modelled = false;        ///< follows from the model of a cache, or stands for something that PTX does not show

    /// The name it goes by in reports with nvprof's names.
    bool has_nvprof_name(int cc_major) const { return !nvprof.empty() && cc_major >= names.from; }
    bool has_also(int cc_major) const { return !names.also.empty() && cc_major >= names.also_from && cc_major <= names.also_to; }
    std::string_view nvprof_or_ncu() const { return nvprof.empty() ? ncu : nvprof; }
    std::string_view ncu_or_nvprof() const { return ncu.empty() ? nvprof : ncu; }
    double ncu_or_own_value(const LaunchCounts& counts) const { return (ncu_value ? ncu_value : value)(counts); }
};

/// All of them: loads before stores, groups together.
std::span<const Metric> metrics();

std::string_view group_name(Group group);

/// A metric, by the name by which it was asked for.
struct Wanted {
    const Metric* metric;
    std::string name;
    bool by_ncu_name = false;
    bool per_second = false;   ///< Nsight Compute's name and ".per_second": the metric over the launch's time

    double value(const LaunchCounts& counts) const;
    Kind kind() const { return per_second ? Kind::ratio : metric->kind; }
    std::string unit() const;   ///< as Nsight Compute writes it
    bool needs_time() const { return per_second || metric->group == Group::time; }
    bool modelled() const { return per_second || metric->modelled; }
    std::string ncu_name() const;   ///< nvprof's if Nsight Compute has none
};
using Selection = std::vector<Wanted>;

/// Everything, by nvprof's names where it has one for GPUs of that generation.
Selection everything(int cc_major);

/// `names`: names of nvprof, names of Nsight Compute (its counters also with .per_second) and groups, separated by commas; each metric once, in that order.
/// `cc_major` is of the GPU that counts. Errors: a name that is not known (the near ones are listed), or that is known
/// but cannot be given (the reason is).
Result<Selection> select(std::string_view names, int cc_major);

}  // namespace lanescope::counters
