// The claim: a transpose must load or store down columns, or so it seems: one side is slow. By way of shared memory
// neither is, and what is left are bank conflicts, too few bytes on their way, and the order of blocks. With all of
// them gone it takes as long as a copy.
//
// The ladder (transposes.cuh):
//   copy_row, copy_col     no transposes: the upper and the lower bound for kernels with one element for each thread
//   naive_row, naive_col   loads along rows and stores down columns, or the other way
//   tiled, tiled_padded    by way of a tile in shared memory, with bank conflicts and without
//   tiled_elements         16 loads in flight for each thread
//   vectorised             loads and stores of 16 bytes
//   fastest                the same with blocks in the order that memory likes; and aligned stores whatever the size
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/05_transpose/transpose.cu -o transpose
//   build/bin/lanescope run ./transpose --help
#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "cublas.cuh"
#include "ladder.cuh"
#include "matrix.cuh"
#include "measure.cuh"
#include "tutorial/options.h"

using namespace transpose;
using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;
using lanescope::SharedTraffic;

struct Settings {
    long long rows = 4096, columns = 4096;
    long long element = 2;               // index of element_words
    long long block_x = 0, block_y = 0;  // 0: the kernel's default
    long long kernel = ladder_size;      // all
    long long repeats = 20;
    bool csv = false, cublas = false;

    template <class T>
    dim3 block_of(const Step<T>& step) const {
        dim3 block = step.block;
        if (block_x > 0) block.x = unsigned(block_x);
        if (block_y > 0) block.y = unsigned(block_y);
        return block;
    }
    bool wants(int index) const { return kernel == ladder_size || kernel == index; }
};

[[noreturn]] void refuse(const std::string& problem) {
    std::fprintf(stderr, "transpose: %s\n  next: transpose --help\n", problem.c_str());
    std::exit(2);
}

// Nothing runs before everything can.
template <class T>
void refuse_what_cannot_run(const Settings& settings) {
    if (settings.cublas && sizeof(T) < 4) refuse("--cublas: cuBLAS transposes elements of 4 and 8 bytes");
    for (int i = 0; i < ladder_size; ++i) {
        const Step<T>& step = ladder<T>[i];
        if (!settings.wants(i)) continue;
        if (step.rule == BlockRule::fixed && settings.kernel == i && (settings.block_x > 0 || settings.block_y > 0))
            refuse(std::string(step.name) + " has a block of its own: leave out --block-x and --block-y");
        const std::string problem = problem_of_block(step, settings.rows, settings.columns, settings.block_of(step));
        if (!problem.empty()) refuse(problem);
    }
    char text[200];
    if (settings.rows * settings.columns > std::numeric_limits<int>::max()) {
        std::snprintf(text, sizeof text, "--rows %lld --columns %lld: the matrix has more than %d elements",
                      settings.rows, settings.columns, std::numeric_limits<int>::max());
        refuse(text);
    }
    const double gigabytes = 2.0 * sizeof(T) * settings.rows * settings.columns / 1e9;
    std::size_t free_bytes = 0, all_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    if (gigabytes * 1e9 > free_bytes) {
        std::snprintf(text, sizeof text,
                      "--rows %lld --columns %lld: two matrices need %.1f GB, and the GPU has %.1f GB free",
                      settings.rows, settings.columns, gigabytes, free_bytes / 1e9);
        refuse(text);
    }
}

// A line of the table.
struct Result {
    const char* name;
    dim3 block;
    Measured measured = {};
    double bandwidth = 0, share = 0;  // GB/s, and of the device copy's
};

std::string block_text(dim3 block) {
    if (block.x == 0) return "-";
    return block.y == 1 ? std::to_string(block.x) : std::to_string(block.x) + " x " + std::to_string(block.y);
}

void print_head(const Settings& settings) {
    if (settings.csv) {
        std::printf(
            "kernel,rows,columns,element_bytes,block_x,block_y,"
            "milliseconds,gigabytes_per_second,share_of_device_copy,"
            "load_requests,load_sectors,load_moved_bytes,load_efficiency,"
            "store_requests,store_sectors,store_moved_bytes,store_efficiency,"
            "shared_load_requests,shared_load_conflicts,shared_store_requests,shared_store_conflicts,"
            "limit,source\n");
        return;
    }
    const char* const source = source_of_times();
    std::printf("%-15s%9s%11s%10s%10s%17s%17s%17s  %s\n", "", "", "", "", "of the", "sectors/request", "efficiency, %",
                "extra passes*", "limited");
    std::printf("%-15s%9s%11s%10s%10s%9s%8s%9s%8s%9s%8s  %s\n", "kernel", "block", "ms", "GB/s", "copy", "loads",
                "stores", "loads", "stores", "loads", "stores", "by");
    std::printf("%-15s%9s%11s%10s%10s%51s  %s\n", "", "", source, source, source, "",
                on_simulated_gpu() ? "(modelled)" : "");
}

std::string per_request(std::uint64_t count, std::uint64_t requests) {
    if (requests == 0) return "-";  // cannot happen, or nothing counts
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", double(count) / double(requests));
    return text;
}

std::string percent(const MemoryTraffic& traffic) {
    if (traffic.requests == 0) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", traffic.efficiency_percent());
    return text;
}

void print_result(const Settings& settings, std::size_t element_bytes, const Result& it) {
    const lanescope::Counts& c = it.measured.counts;
    const MemoryTraffic &load = c.global_load, &store = c.global_store;
    const SharedTraffic &shared_load = c.shared_load, &shared_store = c.shared_store;
    if (settings.csv) {
        std::printf("%s,%lld,%lld,%zu,%u,%u,%.6f,%.3f,%.4f,", it.name, settings.rows, settings.columns, element_bytes,
                    it.block.x, it.block.y, it.measured.ms, it.bandwidth, it.share);
        if (!lanescope::can_count()) {
            std::printf(",,,,,,,,,,,,,%s\n", source_of_times());
            return;
        }
        for (const MemoryTraffic* t : {&load, &store})
            std::printf("%llu,%llu,%llu,%.2f,", 0ull + t->requests, 0ull + t->sectors, 0ull + t->moved_bytes,
                        t->efficiency_percent());
        for (const SharedTraffic* t : {&shared_load, &shared_store})
            std::printf("%llu,%llu,", 0ull + t->requests, 0ull + t->conflicts);
        std::printf("%s,%s\n", it.measured.limit.c_str(), source_of_times());
        return;
    }
    std::printf("%-15s%9s%11.4f%10.1f%8.1f %%%9s%8s%9s%8s%9s%8s  %s\n", it.name, block_text(it.block).c_str(),
                it.measured.ms, it.bandwidth, 100 * it.share, per_request(load.sectors, load.requests).c_str(),
                per_request(store.sectors, store.requests).c_str(), percent(load).c_str(), percent(store).c_str(),
                per_request(shared_load.conflicts, shared_load.requests).c_str(),
                per_request(shared_store.conflicts, shared_store.requests).c_str(), it.measured.limit.c_str());
}

void print_notes(const MemoryLimits& limits, double bytes, double fastest, const Settings& settings, char** argv,
                 int argc) {
    std::printf(
        "\nEvery result was right. GB/s: 1e9 bytes a second, of 2 x %.0f bytes, each element read once and written "
        "once.\n",
        bytes);
    print_cautions(limits, 2 * bytes, fastest, int(settings.repeats));
    if (lanescope::can_count()) {
        std::printf("* Of a request to shared memory, beyond those that its width needs: bank conflicts.\n");
        return;
    }
    std::printf(
        "* Counters of this GPU are not read here. This shows them, and bank conflicts:\n  ncu --metrics "
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio,"
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio,"
        "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct,"
        "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct,"
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,"
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
    for (int i = 0; i < argc; ++i) std::printf(" %s", argv[i]);
    std::printf("\n");
}

template <class T>
int run(const Settings& settings, int argc, char** argv) {
    refuse_what_cannot_run<T>(settings);
    std::optional<Cublas> cublas;
    if (settings.cublas) {
        cublas.emplace();
        if (!cublas->problem().empty()) refuse("--cublas: " + cublas->problem());
    }
    const int rows = int(settings.rows), columns = int(settings.columns);
    Matrix<T> matrix(rows, columns);
    const MemoryLimits limits = limits_of_this_gpu();
    const double bytes = double(matrix.bytes()), moved = 2 * bytes;

    matrix.poison();
    const Measured copy = measure(
        int(settings.repeats),
        [&] { CUDA_CHECK(cudaMemcpyAsync(matrix.out(), matrix.in(), matrix.bytes(), cudaMemcpyDeviceToDevice)); },
        [&] { return matrix.check(false, "transpose", "device copy"); });
    if (!copy.right) return 1;
    const double copy_bandwidth = gigabytes_per_second(moved, copy.ms);
    if (!settings.csv) {
        std::printf("%d rows of %d elements of %zu byte%s.\n", rows, columns, sizeof(T), sizeof(T) == 1 ? "" : "s");
        std::printf("Device copy (cudaMemcpy): %.4f ms, %.1f GB/s, %s. Peak of the memory: %.1f GB/s.\n", copy.ms,
                    copy_bandwidth, source_of_times(), limits.peak_gigabytes_per_second());
        if (settings.wants(7) && !can_vectorise(matrix.out(), matrix.in(), rows, columns))
            std::printf("Not all rows start at a multiple of 16 bytes: vectorised is tiled_elements here.\n");
        std::printf("\n");
    }
    print_head(settings);
    double fastest = copy_bandwidth;
    // `launch` returns its block. False: the result is wrong.
    const auto show = [&](const char* name, bool transposes, auto&& launch) {
        Result result{name, dim3()};
        matrix.poison();
        result.measured = measure(
            int(settings.repeats), [&] { result.block = launch(); },
            [&] { return matrix.check(transposes, "transpose", name); });
        if (!result.measured.right) return false;
        result.bandwidth = gigabytes_per_second(moved, result.measured.ms);
        result.share = copy.ms / result.measured.ms;
        fastest = std::max(fastest, result.bandwidth);
        print_result(settings, sizeof(T), result);
        return true;
    };
    for (int i = 0; i < ladder_size; ++i) {
        if (!settings.wants(i)) continue;
        const Step<T>& step = ladder<T>[i];
        const auto launch = [&] {
            return step.launch(matrix.out(), matrix.in(), rows, columns, settings.block_of(step));
        };
        if (!show(step.name, step.transposes, launch)) return 1;
    }
    if constexpr (sizeof(T) >= 4) {
        const auto launch = [&] {
            cublas->transpose(matrix.out(), matrix.in(), rows, columns);
            return dim3(0);  // its own
        };
        if (settings.cublas && !show("cublas", true, launch)) return 1;
    }
    if (!settings.csv) print_notes(limits, bytes, fastest, settings, argv, argc);
    return 0;
}

int main(int argc, char** argv) {
    Settings it;
    const char* const element_words[] = {"1", "2", "4", "8"};
    const char* kernel_words[ladder_size + 1];
    std::copy(std::begin(ladder_names), std::end(ladder_names), kernel_words);
    kernel_words[ladder_size] = "all";
    read_options(argc, argv, "Copies and transposes a matrix, from the plainest kernel to the fastest.",
                 {{"--rows", "of the matrix", &it.rows, 1, 1000000},
                  {"--columns", "of the matrix", &it.columns, 1, 1000000},
                  {"--element", "bytes of an element", &it.element, 0, 3, element_words},
                  {"--block-x", "threads of a block along x", &it.block_x, 1, 1024, nullptr, "32"},
                  {"--block-y", "threads of a block along y", &it.block_y, 1, 1024, nullptr,
                   "16, and for tiled and tiled_padded 8"},
                  {"--kernel", "which", &it.kernel, 0, ladder_size, kernel_words},
                  {"--repeats", "measured launches of each on a real GPU; 0: only the one that is checked", &it.repeats,
                   0, 1000}},
                 {{"--csv", "comma-separated values only", &it.csv},
                  {"--cublas", "NVIDIA's library too, on a real GPU", &it.cublas}});
    switch (it.element) {
        case 0:
            return run<std::uint8_t>(it, argc, argv);
        case 1:
            return run<std::uint16_t>(it, argc, argv);
        case 2:
            return run<std::uint32_t>(it, argc, argv);
        default:
            return run<std::uint64_t>(it, argc, argv);
    }
}
