// How fast the simulated GPU is, counting on, beside the same work in plain C++ in the same run.
//
// Goals: at least 100 million warp instructions a second on one core for the vector add, at most 10 times
// the plain loop; the four transposes of 16,384 x 16,384 ints together under 20 s; under 100 MB of memory
// beside the program's own; a small program's first launch within 50 ms.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>

#include "machine/device.h"
#include "support/run_program.h"

namespace lanescope::machine {
namespace {

// Memory of this process that is in use, in bytes: code, libraries, everything.
double resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024;
        }
    return 0;
}

struct Gpu {
    const gpus::Gpu& profile = **gpus::find("h200");
    AddressSpace space{uint64_t{8} << 30};
    Device device{profile, space, 0, {}};
    Module* module = nullptr;
    double program_bytes = 0;   // what the program itself allocated

    Gpu() {
        std::ifstream file(KERNELS_PTX);
        auto loaded = device.load({std::string(std::istreambuf_iterator<char>(file), {})});
        if (!loaded) std::cerr << loaded.error().text() << '\n', std::exit(1);
        module = *loaded;
    }

    int* ints(size_t count, uint64_t& address) {
        const Allocation* a = space.allocate({.kind = MemoryKind::device, .bytes = count * sizeof(int), .name = "benchmark"});
        program_bytes += static_cast<double>(a->bytes);
        address = a->address;
        auto* p = reinterpret_cast<int*>(a->host);
        std::iota(p, p + count, 0);
        return p;
    }

    // Parameters: pointers first, then ints, as the kernels of kernels.cu take them.
    Launch launch(const char* name, std::initializer_list<uint64_t> pointers, std::initializer_list<int> numbers) {
        Launch result;
        result.kernel = *module->kernel(name);
        const KernelAttributes& attributes = result.kernel->attributes();
        result.parameters.resize(attributes.parameter_bytes);
        size_t i = 0;
        for (const uint64_t p : pointers) std::memcpy(result.parameters.data() + attributes.parameters[i++].offset, &p, sizeof p);
        for (const int n : numbers) std::memcpy(result.parameters.data() + attributes.parameters[i++].offset, &n, sizeof n);
        return result;
    }

    void run(benchmark::State& state, Launch& launch, bool counted = true, bool timed = false) {
        LaunchCounters counters;
        launch.counters = counted ? &counters : nullptr;
        timing::KernelTime time;
        launch.time = timed ? &time : nullptr;
        uint64_t instructions = 0;
        for (auto _ : state) {
            if (const auto fault = device.run(launch)) return state.SkipWithError(fault->report.c_str());
            instructions += counters.warp_instructions;
        }
        if (!counted) return;
        state.counters["warp_instructions"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
        state.counters["sectors"] = static_cast<double>(counters.global_load.sectors + counters.global_store.sectors);
        state.counters["simulator_MB"] = (resident_bytes() - program_bytes) / 1e6;
    }
};

constexpr int vector_size = 1 << 24;

void vector_add(benchmark::State& state, bool counted, bool timed = false) {
    Gpu gpu;
    uint64_t a, b, c;
    gpu.ints(vector_size, a);
    gpu.ints(vector_size, b);
    gpu.ints(vector_size, c);
    Launch launch = gpu.launch("vector_add", {a, b, c}, {vector_size});
    launch.grid = {vector_size / 512, 1, 1};
    launch.block = {512, 1, 1};
    gpu.run(state, launch, counted, timed);
}
BENCHMARK_CAPTURE(vector_add, counted, true)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(vector_add, counted_and_timed, true, true)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(vector_add, not_counted, false)->Unit(benchmark::kMillisecond)->UseRealTime();

void vector_add_plain_loop(benchmark::State& state) {
    std::vector<int> a(vector_size, 1), b(vector_size, 2), c(vector_size);
    for (auto _ : state) {
        for (int i = 0; i < vector_size; ++i) c[i] = a[i] + b[i];
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(vector_add_plain_loop)->Unit(benchmark::kMillisecond)->UseRealTime();

void transpose(benchmark::State& state, const char* kernel, bool counted) {
    constexpr int n = 16384;
    Gpu gpu;
    uint64_t in, out;
    gpu.ints(size_t{n} * n, in);
    gpu.ints(size_t{n} * n, out);
    Launch launch = gpu.launch(kernel, {in, out}, {n, n});
    launch.grid = {n / 32, n / 16, 1};
    launch.block = {32, 16, 1};
    gpu.run(state, launch, counted);
}
BENCHMARK_CAPTURE(transpose, copy_row, "copy_row", true)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, copy_row_not_counted, "copy_row", false)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, copy_col, "copy_col", true)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, copy_col_not_counted, "copy_col", false)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, naive_row, "naive_row", true)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, naive_row_not_counted, "naive_row", false)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, naive_col, "naive_col", true)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK_CAPTURE(transpose, naive_col_not_counted, "naive_col", false)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

// A whole process: load the drop-in, register, allocate, launch, copy back, end.
void small_program(benchmark::State& state) {
    for (auto _ : state) {
        const auto finished = test::run_program({SMALL_PROGRAM}, {{"LD_LIBRARY_PATH", DROP_IN_FOLDER}});
        if (finished.exit_status != 0) return state.SkipWithError(finished.err.c_str());
    }
}
BENCHMARK(small_program)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lanescope::machine

BENCHMARK_MAIN();
