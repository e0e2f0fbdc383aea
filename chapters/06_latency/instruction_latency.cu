// The claim: an instruction has two costs. If the next one needs its result, it costs its true latency. If the next
// ones do not, they start while it is under way, and it costs the time from one completion to the next.
//
// The ladder: 1 to 8 independent chains of one instruction, interleaved in one warp, for FFMA, FADD, IMAD, integer
// addition, shuffle, ex2, rsqrt and sin. 1 chain shows the true latency; the more chains, the more of it is hidden.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/06_latency/instruction_latency.cu -o instruction_latency
//   build/bin/lanescope run ./instruction_latency --help
#include <cmath>
#include <cstdio>
#include <vector>

#include "instructions.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"

using namespace lanescope::tutorial;
using namespace latency;

struct Settings {
    bool csv;
    long long chains;  // 0: 1 to 8
    const char* gpu;
    const char* kind;  // modelled or measured
};

template <class Value>
bool is_close(Value found, Value expected, double error) {
    if (found == expected) return true;  // also infinite ones
    return std::fabs(double(found) - double(expected)) <= error * std::fabs(double(expected));
}

// The cycles of n chains, after a check of their results. Negative: a result is wrong.
template <class Instruction, unsigned n>
double run() {
    using Value = typename Instruction::Value;
    std::vector<Value> values(n * lanes);
    for (unsigned c = 0; c < n; ++c) {
        for (unsigned lane = 0; lane < lanes; ++lane) values[c * lanes + lane] = Value(c + 1);
    }
    Value* values_there = nullptr;
    unsigned long long *cycles_there = nullptr, cycles = 0;
    CUDA_CHECK(cudaMalloc(&values_there, values.size() * sizeof(Value)));
    CUDA_CHECK(cudaMalloc(&cycles_there, sizeof cycles));
    CUDA_CHECK(cudaMemcpy(values_there, values.data(), values.size() * sizeof(Value), cudaMemcpyHostToDevice));
    chains<Instruction, n><<<1, lanes>>>(values_there, cycles_there);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(values.data(), values_there, values.size() * sizeof(Value), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&cycles, cycles_there, sizeof cycles, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(values_there));
    CUDA_CHECK(cudaFree(cycles_there));

    for (unsigned c = 0; c < n; ++c) {
        Value x = Value(c + 1), y = x;
        for (unsigned i = 0; i < 2 * steps_of<n>; ++i) Instruction::expected(x, y);  // two rounds
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const Value found = values[c * lanes + lane];
            if (is_close(found, x, Instruction::error)) continue;
            std::fprintf(stderr, "instruction_latency: wrong result: %s, chain %u of %u, lane %u: %g instead of %g\n",
                         Instruction::name, c + 1, n, lane, double(found), double(x));
            return -1;
        }
    }
    return double(cycles);
}

// False: a result was wrong.
template <class Instruction, unsigned n>
bool show_chains(const Settings& settings) {
    if (settings.chains != 0 && settings.chains != n) return true;
    const double cycles = run<Instruction, n>();
    if (cycles < 0) return false;
    const double each = cycles / (steps_of<n> * n);
    if (settings.csv) {
        std::printf("%s,%s,%s,%s,%u,%.3f\n", settings.gpu, settings.kind, Instruction::name, Instruction::ptx, n, each);
    } else {
        std::printf(" %7.2f", each);
    }
    return true;
}

template <class Instruction>
bool show(const Settings& settings) {
    if (!settings.csv) std::printf("%-8s %-20s", Instruction::name, Instruction::ptx);
    const bool right = show_chains<Instruction, 1>(settings) && show_chains<Instruction, 2>(settings) &&
                       show_chains<Instruction, 3>(settings) && show_chains<Instruction, 4>(settings) &&
                       show_chains<Instruction, 5>(settings) && show_chains<Instruction, 6>(settings) &&
                       show_chains<Instruction, 7>(settings) && show_chains<Instruction, 8>(settings);
    if (!settings.csv) std::printf("\n");
    return right;
}

constexpr const char* names[] = {"all", "ffma", "fadd", "imad", "iadd", "shfl", "ex2", "rsqrt", "sin"};
using Show = bool (*)(const Settings&);
constexpr Show shows[] = {nullptr,    show<Ffma>, show<Fadd>,  show<Imad>, show<Iadd>,
                          show<Shfl>, show<Ex2>,  show<Rsqrt>, show<Sin>};
constexpr long long instructions = sizeof shows / sizeof *shows - 1;

int main(int argc, char** argv) {
    Settings settings{false, 0, "", source_of_times()};
    long long instruction = 0;
    read_options(argc, argv,
                 "Times chains of one instruction in one warp: cycles for each instruction.",
                 {{"--op", "instruction", &instruction, 0, instructions, names},
                  {"--chains", "independent chains, side by side", &settings.chains, 1, most_chains, nullptr,
                   "1 to 8 are tried"}},
                 {{"--csv", "print comma-separated values only", &settings.csv}});

    int device = 0;
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    settings.gpu = properties.name;
    if (settings.csv) {
        std::printf("gpu,kind,instruction,ptx,chains,cycles_per_instruction\n");
    } else {
        std::printf("One warp, %u instructions in each lane. %s: cycles for each instruction, %s.\n\n",
                    timed_instructions, settings.gpu, settings.kind);
        std::printf("%-29s independent chains\n%-8s %-20s", "", "", "PTX");
        for (long long n = 1; n <= most_chains; ++n) {
            if (settings.chains == 0 || settings.chains == n) std::printf(" %7lld", n);
        }
        std::printf("\n");
    }
    for (long long i = 1; i <= instructions; ++i) {
        if (instruction != 0 && instruction != i) continue;
        if (!shows[i](settings)) return 1;
    }
    if (!settings.csv) {
        std::printf(
            "\n1 chain: true latency. More: from completion to completion, once there are enough to keep the unit "
            "busy.\n");
        std::printf(
            "Cycles of the SM clock, which these instructions alone use: the same whether clocks are locked or not.\n");
    }
    return 0;
}
