// Launches with counts written down, for the tests of reports.
#pragma once

#include "counters/launch.h"

namespace lanescope::report {

// The sum of two arrays of 16384 ints, one int past a boundary: two loads of 512 warps.
inline counters::Launch sum_offset(const char* gpu = "h200") {
    counters::Launch launch;
    launch.kernel = "sumOff(int*, int*, int*, int, int)";
    launch.gpu = gpu;
    launch.grid = {32, 1, 1};
    launch.block = {512, 1, 1};
    launch.counts.warp_instructions = 11264;
    launch.counts.global_load = {1024, 5120, 5120, 960, 1024 * 128, 1024 * 160};
    launch.counts.global_store = {512, 2048, 2048, 0, 512 * 128, 512 * 128};
    launch.counts.l2_read_sectors = 4160;
    counters::LineCounts line;
    line.file = "sum.cu";
    line.line = 6;
    line.global_load = launch.counts.global_load;
    line.global_store = launch.counts.global_store;
    launch.lines = {line};
    return launch;
}

// The same from a boundary on.
inline counters::Launch sum_aligned(const char* gpu = "h200") {
    counters::Launch launch = sum_offset(gpu);
    launch.counts.global_load = {1024, 4096, 4096, 0, 1024 * 128, 1024 * 128};
    launch.counts.l2_read_sectors = 4096;
    launch.lines[0].global_load = launch.counts.global_load;
    return launch;
}

// A warp that stores to one bank (line 11), then loads it and stores every eighth int (line 12).
inline counters::Launch column() {
    counters::Launch launch;
    launch.kernel = "column(int*)";
    launch.gpu = "h200";
    launch.block = {32, 1, 1};
    launch.counts.global_store = {1, 32, 32, 0, 128, 1024};
    launch.counts.shared_store = {1, 32, 31, 128};
    counters::LineCounts store, load;
    load.file = store.file = "sum.cu";
    store.line = 11;
    store.shared_store = launch.counts.shared_store;
    load.line = 12;
    load.global_store = launch.counts.global_store;
    launch.lines = {load, store};
    return launch;
}

}  // namespace lanescope::report
