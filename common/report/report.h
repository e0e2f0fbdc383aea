/// \file
/// From counted launches to text: for people, and in the layouts of nvprof and Nsight Compute.
///
///     std::cout << report::table(launches);
///
/// Nothing here runs or reads anything: launches in, text out. Modelled figures say so, but for the CSV's columns, which
/// are fixed: there a line before the header does. Host side only.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "counters/launch.h"

namespace lanescope::report {

using counters::Launch;
using counters::Selection;

/// The program that made the launches.
struct Process {
    int id = 0;
    std::string name;      ///< "a.out"
    std::string command;   ///< "./a.out 1024"
};

/// For each launch its requests, transactions and efficiency, and what they mean. Equal launches in a row are one table.
std::string table(std::span<const Launch> launches);

/// For each launch the metrics that were asked for, one a line.
std::string metric_list(std::span<const Launch> launches, const Selection& metrics);

/// nvprof's "Metric result": for each kernel the least, the greatest and the mean of its launches.
std::string nvprof(const Process& process, std::span<const Launch> launches, const Selection& metrics);

/// What `ncu --csv --print-units base` prints: a row for each launch and metric, metrics by name. The context and the stream are those that
/// Nsight Compute gives a program that makes none: launches on other streams are not told apart.
std::string ncu_csv(const Process& process, std::span<const Launch> launches, const Selection& metrics);

/// An array of launches with their metrics, and for each source line those that are not 0.
std::string json(std::span<const Launch> launches, const Selection& metrics);

/// The text of a source line, without its end; "" if it cannot be read.
using SourceLine = std::function<std::string(const std::string& file, int line)>;

/// For each kernel its source lines, those that waste most first. `metrics` may be empty: the columns of table().
std::string by_line(std::span<const Launch> launches, const Selection& metrics, const SourceLine& source);

/// An SVG picture of the first request of each memory instruction: its lanes over the sectors, or in shared memory the banks, that
/// they touch. Instructions whose lanes lie alike are drawn once.
std::string picture(std::span<const Launch> launches, const SourceLine& source);

/// Every metric by group: its names and what it means.
std::string metric_names();

/// One sentence on what a launch did to memory. It holds for any launch with these counts.
std::string meaning(const counters::LaunchCounts& counts);

}  // namespace lanescope::report
