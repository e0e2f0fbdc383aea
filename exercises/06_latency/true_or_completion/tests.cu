// Grades true_or_completion: the values that the chains and loads end with, the instructions that ran, and the cycles
// that it reports. The cycles are compared with those of a program of our own, in the same run: what an instruction
// takes on a GPU is written nowhere here.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "grading/graded_test.h"
#include "true_or_completion.h"

using namespace lanescope::grading;

namespace {

constexpr Instruction instructions[] = {Instruction::fma, Instruction::imad, Instruction::shuffle};

const char* name_of(Instruction instruction) {
    return instruction == Instruction::fma ? "fma" : instruction == Instruction::imad ? "imad" : "shuffle";
}

// A chain's values after so many steps.
std::vector<unsigned> after(unsigned count, Instruction instruction, std::vector<unsigned> values) {
    std::vector<unsigned> result = values;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (instruction == Instruction::shuffle) result[lane] = values[(lane + count) % lanes];
        if (instruction == Instruction::imad)
            for (unsigned i = 0; i < count; ++i) result[lane] = result[lane] * 1664525u + 1013904223u;
        if (instruction == Instruction::fma) {
            float x;
            std::memcpy(&x, &values[lane], sizeof x);
            for (unsigned i = 0; i < count; ++i) x += 1;
            std::memcpy(&result[lane], &x, sizeof x);
        }
    }
    return result;
}

// Values that differ from lane to lane and from chain to chain; floats of 1 and more for the fma.
std::vector<unsigned> start_values(Instruction instruction, unsigned chain) {
    std::vector<unsigned> values(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const float x = float(1 + lane + 100 * chain);
        if (instruction == Instruction::fma)
            std::memcpy(&values[lane], &x, sizeof x);
        else
            values[lane] = 1 + lane + 100 * chain;
    }
    return values;
}

void expect_values(const std::vector<unsigned>& found, const std::vector<unsigned>& expected, Instruction instruction,
                   const std::string& what, const std::string& input) {
    const auto floats = [](const std::vector<unsigned>& words) {
        std::vector<float> values(words.size());
        std::memcpy(values.data(), words.data(), words.size() * sizeof(float));
        return values;
    };
    if (instruction == Instruction::fma)
        expect_equal(floats(found), floats(expected), what, input);
    else
        expect_equal(found, expected, what, input);
}

constexpr char first_right[] = "\nwhat it costs is looked at when the values are right";

// Runs the learner's chains and checks the values that they end with.
Costs check(Instruction instruction, const std::string& note = "") {
    const std::string input = text(name_of(instruction), note);
    std::vector<unsigned> starts;
    for (unsigned c = 0; c < chains; ++c)
        for (const unsigned value : start_values(instruction, c + 1)) starts.push_back(value);
    const DeviceArray<unsigned> alone(start_values(instruction, 0)), together(starts);
    Costs costs{-1, -1};
    if (!expect_success(costs_of(instruction, alone.data(), together.data(), &costs), "costs_of", input)) return costs;
    expect_values(alone.values(), after(2 * steps, instruction, start_values(instruction, 0)), instruction, "alone",
                  input);
    const std::vector<unsigned> ends = together.values();
    for (unsigned c = 0; c < chains; ++c)
        expect_values({ends.begin() + c * lanes, ends.begin() + (c + 1) * lanes},
                      after(2 * steps, instruction, start_values(instruction, c + 1)), instruction,
                      text("chain ", c, " of together"), input);
    return costs;
}

// Our own n chains.
template <Instruction instruction, unsigned n>
__global__ void reference(long long* cycles, unsigned* end) {
    unsigned x[n];
    for (unsigned c = 0; c < n; ++c) x[c] = threadIdx.x + c;
    const long long start = clock64();
#pragma unroll
    for (unsigned i = 0; i < 480; ++i) {
#pragma unroll
        for (unsigned c = 0; c < n; ++c) x[c] = step<instruction>(x[c]);
    }
    *cycles = clock64() - start;
    unsigned sum = 0;
    for (unsigned c = 0; c < n; ++c) sum += x[c];
    end[threadIdx.x] = sum;
}

template <unsigned n>
double cycles_of(Instruction instruction) {
    const DeviceArray<long long> cycles({0});
    const DeviceArray<unsigned> end(start_values(instruction, 0));
    if (instruction == Instruction::fma) reference<Instruction::fma, n><<<1, lanes>>>(cycles.data(), end.data());
    if (instruction == Instruction::imad) reference<Instruction::imad, n><<<1, lanes>>>(cycles.data(), end.data());
    if (instruction == Instruction::shuffle)
        reference<Instruction::shuffle, n><<<1, lanes>>>(cycles.data(), end.data());
    return double(cycles.values()[0]) / (480 * n);
}

std::string rounded(double cycles) {
    std::ostringstream out;
    out.precision(2);
    out << std::fixed << cycles;
    return out.str();
}

// Cycles, within 3 % of ours: the clock, and the beginning and the end of a round, are 1 %.
void expect_cycles(double found, double expected, const std::string& what, const std::string& input) {
    if (std::fabs(found - expected) <= 0.03 * expected) return;
    ADD_FAILURE() << what << ": expected " << rounded(expected) << " cycles, got " << rounded(found)
                  << " (modelled)\nfor " << input;
}

void expect_true_latency(Instruction instruction, const std::string& note = "") {
    expect_cycles(check(instruction, note + first_right).true_latency, cycles_of<1>(instruction), "true_latency",
                  name_of(instruction) + note);
}

void expect_completion_latency(Instruction instruction, const std::string& note = "") {
    expect_cycles(check(instruction, note + first_right).completion_latency, cycles_of<chains>(instruction),
                  "completion_latency", name_of(instruction) + note);
}

// Where the value of a load is.
enum class Place { memory, l2, host };
const char* words(Place place) {
    return place == Place::memory ? "a value in memory, in no cache"
           : place == Place::l2   ? "a value that L2 has"
                                  : "a value in the host's memory";
}

constexpr unsigned apart_bytes = 256;  // from one value to the next: two lines
constexpr unsigned value_count = 64;

// Memory with a value every 256 bytes. Nobody has loaded them, and it is never freed, so that no other values lie
// there. At its beginning there may have been small arrays before, whose lines L2 still has: that part is not used.
struct Memory {
    char* on_host = nullptr;  // if it is the host's
    char* on_gpu = nullptr;

    explicit Memory(Place place) {
        constexpr size_t unused = 65536, bytes = size_t{apart_bytes} * value_count;
        if (place == Place::host) {
            cudaHostAlloc(&on_host, bytes, cudaHostAllocMapped);
            void* mapped = nullptr;
            cudaHostGetDevicePointer(&mapped, on_host, 0);
            on_gpu = static_cast<char*>(mapped);
        } else {
            cudaMalloc(&on_gpu, unused + bytes);
            on_gpu += unused;
        }
    }
    char* at(unsigned i) const { return on_gpu + size_t{apart_bytes} * i; }
    template <class T>
    void set(unsigned i, T value) const {
        if (on_host)
            std::memcpy(on_host + size_t{apart_bytes} * i, &value, sizeof value);
        else
            cudaMemcpy(at(i), &value, sizeof value, cudaMemcpyHostToDevice);
    }
};

// Brings all values into L2, past L1. The modelled clock has to see these loads, and runs for kernels that read it.
__global__ void bring_into_l2(const char* values, unsigned* sum, long long* now) {
    unsigned all = 0;
    for (unsigned i = 0; i < value_count; ++i)
        all += __ldcg(reinterpret_cast<const unsigned*>(values + apart_bytes * i));
    *sum = all;
    *now = clock64();
}

void prepare(const Memory& memory, Place place) {
    if (place != Place::l2) return;
    const DeviceArray<unsigned> sum({0});
    const DeviceArray<long long> now({0});
    bring_into_l2<<<1, 1>>>(memory.on_gpu, sum.data(), now.data());
    cudaDeviceSynchronize();
}

// Follows a chain of addresses twice. What follows a pass waits for its last load.
__global__ void follow_twice(unsigned long long address, long long* cycles) {
    __shared__ volatile unsigned long long use;
    for (int pass = 0; pass < 2; ++pass) {
        const long long start = clock64();
        for (unsigned i = 0; i < value_count; ++i) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address)::"memory");
        use = address;
        cycles[pass] = clock64() - start;
    }
}

// What loads take that find their values there, and what they take again: by our own chain, of other values in such a
// place.
LoadTimes expected_times(Place place) {
    const Memory memory(place);
    for (unsigned i = 0; i < value_count; ++i) memory.set(i, memory.at((i + 1) % value_count));
    prepare(memory, place);
    const DeviceArray<long long> cycles({0, 0});
    follow_twice<<<1, 1>>>(reinterpret_cast<unsigned long long>(memory.on_gpu), cycles.data());
    const std::vector<long long> found = cycles.values();
    return {double(found[0]) / value_count, double(found[1]) / value_count, 0};
}

constexpr unsigned probe = 5;  // the value that is looked at

// Runs the learner's two loads and checks what they found.
LoadTimes check_loads(const Memory& memory, Place place, const std::string& note = "") {
    const unsigned value = 0xC0FFEE00u + unsigned(place);
    const std::string input = words(place) + note;
    memory.set(probe, value);
    prepare(memory, place);
    LoadTimes times{-1, -1, 0};
    if (!expect_success(time_loads(reinterpret_cast<const unsigned*>(memory.at(probe)), &times), "time_loads", input))
        return times;
    expect_equal(times.value, value, "value", input);
    return times;
}

// The clock counts whole cycles, so a difference of two can be off by one.
void expect_load_cycles(double found, double expected, const std::string& what, const std::string& input) {
    constexpr double most = 2;
    if (std::fabs(found - expected) <= most) return;
    ADD_FAILURE() << what << ": expected " << rounded(expected) << " cycles, and at most " << most
                  << " more or less, got " << rounded(found) << " (modelled)\nfor " << input;
}

void expect_times(Place place, const std::string& note = "") {
    const std::string input = words(place) + note;
    const LoadTimes expected = expected_times(place), found = check_loads(Memory(place), place, note + first_right);
    expect_load_cycles(found.first, expected.first, "first", input);
    expect_load_cycles(found.again, expected.again, "again", input);
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(ChainsGoAllTheirSteps, 2, "True and completion latency") {
    for (const Instruction instruction : instructions) {
        const Costs costs = check(instruction);
        expect_equal(costs.true_latency > 0 && costs.completion_latency > 0, true, "both latencies > 0",
                     name_of(instruction));
    }
}

// 2 rounds of 252 steps, in 1 + 8 chains: 4536 instructions of a warp, and a tenth of that for what is around them.
GRADED_TEST(OneWarpRunsThem, 2, "True and completion latency") {
    SKIP_WITHOUT_COUNTERS();
    for (const Instruction instruction : instructions) {
        const std::string input = name_of(instruction);
        const lanescope::Counts counts = lanescope::count([&] { check(instruction, first_right); });
        constexpr std::uint64_t needed = 2 * steps * (1 + chains);
        if (counts.warp_instructions < needed)
            ADD_FAILURE() << "instructions of a warp: expected at least " << needed
                          << " (two rounds of every chain), counted " << counts.warp_instructions << "\nfor " << input;
        expect_at_most(counts.warp_instructions, needed + needed / 10, "instructions of a warp",
                       "two rounds of every chain, and a tenth around them", input);
        for (const auto& launch : counts.launches)
            expect_at_most(launch.blocks() * launch.threads_per_block(), lanes, "threads of a kernel", "one warp",
                           input);
    }
}

GRADED_TEST(TrueLatency, 3, "True and completion latency") {
    SKIP_WITHOUT_COUNTERS();
    for (const Instruction instruction : instructions) expect_true_latency(instruction);
}

GRADED_TEST(CompletionLatency, 3, "True and completion latency") {
    SKIP_WITHOUT_COUNTERS();
    for (const Instruction instruction : instructions) expect_completion_latency(instruction);
}

GRADED_TEST(LoadsTheValueTwice, 1, "What latency is") {
    for (const Place place : {Place::memory, Place::l2, Place::host}) {
        const Memory memory(place);
        const lanescope::Counts counts = lanescope::count([&] { check_loads(memory, place); });
        if (!lanescope::can_count()) continue;
        const std::uint64_t ours = place == Place::l2 ? value_count : 0;
        expect_equal(counts.global_load.requests - ours, std::uint64_t{2}, "global load requests", words(place));
    }
}

GRADED_TEST(TimesOfLoads, 4, "What latency is") {
    SKIP_WITHOUT_COUNTERS();
    for (const Place place : {Place::memory, Place::l2, Place::host}) expect_times(place);
}

// A number that is known beforehand is not a measurement: other GPUs have others.
GRADED_TEST(OtherGpusToo, 2, "True and completion latency") {
    SKIP_WITHOUT_COUNTERS();
    setenv("LANESCOPE_GPU", "t4,k80,a100", 1);  // no CUDA function was called before: these are the devices now
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices != 3) ADD_FAILURE() << "CUDA was used before this test began, so that it could not choose its GPUs";
    for (int device = 0; device < devices; ++device) {
        cudaSetDevice(device);
        cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, device);
        const std::string note = text(", on a simulated ", properties.name);
        for (const Instruction instruction : instructions) {
            expect_true_latency(instruction, note);
            expect_completion_latency(instruction, note);
        }
        expect_times(Place::memory, note);
        expect_times(Place::l2, note);
    }
}

GRADED_TEST(ReturnsErrors, 1, "What latency is") {
    const DeviceArray<unsigned> alone(start_values(Instruction::imad, 0)),
        together(std::vector<unsigned>(chains * lanes, 1));
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();  // from now on every launch reports what that kernel did
    const char input[] = "memory of the GPU, after a kernel that wrote to an illegal address";
    Costs costs{};
    expect_error(costs_of(Instruction::imad, alone.data(), together.data(), &costs), cudaErrorIllegalAddress,
                 "costs_of", input);
    LoadTimes times{};
    expect_error(time_loads(alone.data(), &times), cudaErrorIllegalAddress, "time_loads", input);
}
