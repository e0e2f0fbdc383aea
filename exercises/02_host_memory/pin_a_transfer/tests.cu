// Grades pin_a_transfer: the results, then what memory they came through, how often it was pinned, and what is left.
//
// The linker gives the learner's calls of some runtime functions to the functions of the same names in this file. They
// pass them on, and note what the learner did.
#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <map>

#include "grading/graded_test.h"
#include "pin_a_transfer.h"

using namespace lanescope::grading;

namespace {

constexpr std::size_t page_bytes = 4096;

std::map<const void*, std::size_t> pinned;  // what is pinned now, and how many bytes
int allocations = 0;                        // calls that allocated or pinned memory
int failing_allocation = 0;                 // the how many-th of them fails; 0: none

struct SeenCopy {
    const void* host;  // the side that is not the device's
    std::size_t bytes;
    bool to_device;
    cudaEvent_t before, after;
};
std::vector<SeenCopy> copies;
bool watch_copies = false;
enum class Way { none, to_device, to_host } failing_copy = Way::none;

std::size_t pinned_bytes() {
    std::size_t sum = 0;
    for (const auto& [pointer, bytes] : pinned) sum += bytes;
    return sum;
}

// Counts a call that allocates. True: it must fail, in the runtime itself.
bool allocation_fails() { return ++allocations == failing_allocation; }
constexpr std::size_t too_many_bytes = std::size_t{1} << 60;

cudaMemoryType type_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    cudaPointerGetAttributes(&attributes, pointer);
    return attributes.type;
}

// Passes a copy on, between two events, and notes it if one side is the device.
template <class Call>
cudaError_t watched(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                    Call&& call) {
    if (!watch_copies) return call(kind);
    const bool to_device = type_of(to) == cudaMemoryTypeDevice;
    if (to_device == (type_of(from) == cudaMemoryTypeDevice)) return call(kind);
    if (failing_copy == (to_device ? Way::to_device : Way::to_host)) return call(static_cast<cudaMemcpyKind>(99));
    SeenCopy copy{to_device ? from : to, bytes, to_device, nullptr, nullptr};
    cudaEventCreate(&copy.before);
    cudaEventCreate(&copy.after);
    cudaEventRecord(copy.before, stream);
    const cudaError_t error = call(kind);
    cudaEventRecord(copy.after, stream);
    copies.push_back(copy);
    return error;
}

}  // namespace

// A function that the linker takes for `name`, and by `runtime_name` the runtime's own. In C++ it has another name,
// because nvcc's headers define some of these functions for device code.
#define STAND_IN(name, ...)                                             \
    extern "C" cudaError_t stand_in_for_##name(__VA_ARGS__) asm(#name); \
    static const auto runtime_##name = reinterpret_cast<cudaError_t (*)(__VA_ARGS__)>(dlsym(RTLD_NEXT, #name))

STAND_IN(cudaMallocHost, void**, std::size_t);
STAND_IN(cudaHostAlloc, void**, std::size_t, unsigned);
STAND_IN(cudaFreeHost, void*);
STAND_IN(cudaHostRegister, void*, std::size_t, unsigned);
STAND_IN(cudaHostUnregister, void*);
STAND_IN(cudaMalloc, void**, std::size_t);
STAND_IN(cudaMallocAsync, void**, std::size_t, cudaStream_t);
STAND_IN(cudaMallocPitch, void**, std::size_t*, std::size_t, std::size_t);
STAND_IN(cudaMallocManaged, void**, std::size_t, unsigned);
STAND_IN(cudaMemcpy, void*, const void*, std::size_t, cudaMemcpyKind);
STAND_IN(cudaMemcpyAsync, void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t);

cudaError_t stand_in_for_cudaMallocHost(void** pointer, std::size_t bytes) {
    const cudaError_t error = runtime_cudaMallocHost(pointer, allocation_fails() ? too_many_bytes : bytes);
    if (error == cudaSuccess && bytes > 0) pinned[*pointer] = bytes;
    return error;
}

cudaError_t stand_in_for_cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    const cudaError_t error = runtime_cudaHostAlloc(pointer, allocation_fails() ? too_many_bytes : bytes, flags);
    if (error == cudaSuccess && bytes > 0) pinned[*pointer] = bytes;
    return error;
}

cudaError_t stand_in_for_cudaFreeHost(void* pointer) {
    const cudaError_t error = runtime_cudaFreeHost(pointer);
    if (error == cudaSuccess) pinned.erase(pointer);
    return error;
}

cudaError_t stand_in_for_cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    const cudaError_t error = runtime_cudaHostRegister(allocation_fails() ? nullptr : pointer, bytes, flags);
    if (error == cudaSuccess) pinned[pointer] = bytes;
    return error;
}

cudaError_t stand_in_for_cudaHostUnregister(void* pointer) {
    const cudaError_t error = runtime_cudaHostUnregister(pointer);
    if (error == cudaSuccess) pinned.erase(pointer);
    return error;
}

cudaError_t stand_in_for_cudaMalloc(void** pointer, std::size_t bytes) {
    return runtime_cudaMalloc(pointer, allocation_fails() ? too_many_bytes : bytes);
}

cudaError_t stand_in_for_cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return runtime_cudaMallocAsync(pointer, allocation_fails() ? too_many_bytes : bytes, stream);
}

cudaError_t stand_in_for_cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return runtime_cudaMallocPitch(pointer, pitch, width, allocation_fails() ? too_many_bytes : height);
}

cudaError_t stand_in_for_cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return runtime_cudaMallocManaged(pointer, allocation_fails() ? too_many_bytes : bytes, flags);
}

cudaError_t stand_in_for_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return watched(to, from, bytes, kind, cudaStreamLegacy,
                   [&](cudaMemcpyKind kind) { return runtime_cudaMemcpy(to, from, bytes, kind); });
}

cudaError_t stand_in_for_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    return watched(to, from, bytes, kind, stream,
                   [&](cudaMemcpyKind kind) { return runtime_cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

namespace {

const char* name_of(cudaMemoryType type) {
    switch (type) {
        case cudaMemoryTypeHost:
            return "pinned host memory";
        case cudaMemoryTypeDevice:
            return "device memory";
        case cudaMemoryTypeManaged:
            return "managed memory";
        default:
            return "pageable host memory";
    }
}

// All of [pointer, pointer + bytes) is pinned, as its first and its last byte tell.
bool expect_pinned(const void* pointer, std::size_t bytes, const std::string& what, const std::string& input) {
    for (const std::size_t at : {std::size_t{0}, bytes - 1}) {
        const cudaMemoryType type = type_of(static_cast<const char*>(pointer) + at);
        if (type == cudaMemoryTypeHost) continue;
        ADD_FAILURE() << what << ": expected pinned host memory, got " << name_of(type)
                      << (at > 0 ? text(" at byte ", at, " of ", bytes) : "") << "\nfor " << input;
        return false;
    }
    return true;
}

constexpr int poison = -77;

int sample(int i, int seed) { return i * 7 % 100'003 - seed; }

void write_samples(const Station& station, int seed) {
    for (int i = 0; i < station.n; ++i) station.input[i] = sample(i, seed);
    std::fill_n(station.output, station.n, poison);
}

bool expect_output(const std::vector<int>& results, int seed, const std::string& input) {
    std::vector<int> expected(results.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 3 * sample(static_cast<int>(i), seed) - 100;
    return expect_equal(results, expected, "output", input);
}

std::vector<int> output_of(const Station& station) { return {station.output, station.output + station.n}; }

// Lets the station work on the samples that are in it. False: something was wrong.
bool expect_process(Station& station, int seed, const std::string& input) {
    const cudaError_t error = process(&station);
    const std::vector<int> results = output_of(station);  // as they are when it returns
    return expect_success(error, "process", input) && expect_output(results, seed, input);
}

bool expect_results(Station& station, int seed, const std::string& input) {
    write_samples(station, seed);
    return expect_process(station, seed, input);
}

// open_station, and its pointers are there.
bool expect_open(Station* station, int n, const std::string& input) {
    if (!expect_success(open_station(station, n), "open_station", input)) return false;
    if (!expect_equal(station->n, n, "n of the station", input)) return false;
    if (n == 0 || (station->input && station->output && station->input != station->output)) return true;
    ADD_FAILURE() << "station: expected two arrays in host memory, input and output\nfor " << input;
    return false;
}

bool expect_close(Station* station, const std::string& input) {
    return expect_success(close_station(station), "close_station", input);
}

// The copies that process makes of a station. The last ones are in `copies`.
bool watch_process(Station& station, const std::string& input) {
    copies.clear();
    watch_copies = true;
    const bool right = expect_results(station, 5, input);
    watch_copies = false;
    return right;
}

// Each byte once, from `input` itself and to `output` itself, and where the copies went all is pinned.
bool expect_copies(const Station& station, const std::string& input) {
    const std::size_t bytes = station.n * sizeof(int);
    std::size_t to_device = 0, to_host = 0;
    for (const SeenCopy& copy : copies) {
        const char* const array = reinterpret_cast<const char*>(copy.to_device ? station.input : station.output);
        const char* const host = static_cast<const char*>(copy.host);
        const std::string what =
            copy.to_device ? "source of a copy to the device" : "destination of a copy from the device";
        if (!expect_pinned(host, copy.bytes, what, input)) return false;
        if (host < array || host + copy.bytes > array + bytes) {
            ADD_FAILURE() << what << ": expected a part of " << (copy.to_device ? "input" : "output")
                          << ", got other memory: then the processor copies every byte once more\nfor " << input;
            return false;
        }
        (copy.to_device ? to_device : to_host) += copy.bytes;
    }
    return expect_equal(to_device, bytes, "bytes that cudaMemcpy or cudaMemcpyAsync copied to the device", input) &&
           expect_equal(to_host, bytes, "bytes that cudaMemcpy or cudaMemcpyAsync copied from the device", input);
}

// Nanoseconds by the clock of the GPU, all copies of one direction together.
std::uint64_t copy_ns(bool to_device) {
    double sum = 0;
    for (const SeenCopy& copy : copies) {
        float ms = 0;
        cudaEventElapsedTime(&ms, copy.before, copy.after);
        if (copy.to_device == to_device) sum += ms * 1e6;
    }
    return static_cast<std::uint64_t>(sum);
}

// The same for one copy of pageable memory in each direction.
void copy_pageable(int n) {
    std::vector<int> host(n);
    const DeviceArray<int> device(host);
    copies.clear();
    watch_copies = true;
    cudaMemcpy(device.data(), host.data(), device.bytes(), cudaMemcpyHostToDevice);
    cudaMemcpy(host.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost);
    watch_copies = false;
}

std::size_t free_device_bytes() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
}

// Bytes that malloc and its kin have given out.
std::size_t heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

std::uint64_t growth(std::size_t before, std::size_t after) { return after > before ? after - before : 0; }

constexpr int sizes[] = {1, 0, 2, 31, 255, 256, 257, 4097, 100'003, 1 << 18};
constexpr int large = 1 << 21;  // 8 MiB
constexpr char first_right[] = "\nthe copies are looked at when the results are right";

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(CalibratesEverySize, 2, "The host must wait") {
    for (int n : sizes) {
        const std::string input = text("n = ", n);
        Station station, other;
        if (!expect_open(&station, n, input) || !expect_open(&other, n + 3, text("n = ", n + 3, ", a second station")))
            return;
        for (int call = 1; call <= 3; ++call) {
            const std::string second = text("n = ", n + 3, ", call ", call, ", a second station");
            write_samples(station, call);
            write_samples(other, 10 * call);
            if (!expect_process(station, call, text(input, ", call ", call, ", beside a second station"))) return;
            if (!expect_process(other, 10 * call, second)) return;
            if (!expect_output(output_of(station), call, text(input, ", after process of a second station"))) return;
        }
        if (!expect_close(&station, input)) return;
        if (!expect_results(other, 99, text("n = ", n + 3, ", the other station has been closed"))) return;
        if (!expect_close(&other, input)) return;
    }
}

GRADED_TEST(CopiesPinnedMemory, 4, "Pageable and pinned") {
    for (int n : {1, 255, 1025, 100'003}) {
        const std::string input = text("n = ", n);
        const std::size_t bytes = n * sizeof(int);
        Station station;
        if (!expect_open(&station, n, input)) return;
        if (!expect_pinned(station.input, bytes, "input", input + ", after open_station")) return;
        if (!expect_pinned(station.output, bytes, "output", input + ", after open_station")) return;
        if (!watch_process(station, input + first_right) || !expect_copies(station, input)) return;
        if (!expect_close(&station, input)) return;
    }
}

// By the modelled clock of the simulated GPU, so the same in every run. A copy of 8 MiB of pinned memory takes less
// than a third of one of pageable memory there, so half leaves room for a copy in a few pieces, and none for small
// pieces or for a byte that takes two ways.
GRADED_TEST(CopiesFast, 2, "Pageable and pinned") {
    SKIP_WITHOUT_COUNTERS();
    const std::string input = text("n = ", large);
    Station station;
    if (!expect_open(&station, large, input)) return;
    bool right = false;
    const lanescope::Counts counts = lanescope::count([&] { right = watch_process(station, input + first_right); });
    if (!right) return;
    const std::uint64_t to_device = copy_ns(true), to_host = copy_ns(false), bytes = sizeof(int) * large;
    copy_pageable(large);
    const char reason[] = "half of what one copy of pageable memory takes";
    expect_at_most(to_device, copy_ns(true) / 2, "modelled ns for the copies to the device", reason, input);
    expect_at_most(to_host, copy_ns(false) / 2, "modelled ns for the copies from the device", reason, input);
    expect_equal(counts.copied_to_device_bytes, bytes, "bytes copied to the device", input);
    expect_equal(counts.copied_to_host_bytes, bytes, "bytes copied from the device", input);
    expect_at_most(bytes - std::min(bytes, counts.global_load.requested_bytes), 0,
                   "bytes of samples that no kernel loaded", "the GPU calibrates", input);
    expect_close(&station, input);
}

// Pinning takes longer than copying, and takes memory from everybody else.
GRADED_TEST(PinsOnce, 2, "Pageable and pinned") {
    for (int n : {1, 1000, 300'000}) {
        const std::string input = text("n = ", n);
        const std::size_t bytes = n * sizeof(int), pages = (bytes + page_bytes - 1) / page_bytes;
        Station station;
        if (!expect_open(&station, n, input)) return;
        // One more page for each, because an array may begin in the middle of one.
        if (!expect_at_most(pinned_bytes(), 2 * (pages + 1) * page_bytes, "bytes pinned by open_station",
                            "input and output, in whole pages", input))
            return;
        allocations = 0;
        for (int call = 1; call <= 3; ++call) {
            if (!expect_results(station, call, input)) return;
        }
        if (!expect_at_most(allocations, 0, "calls that allocate or pin memory, in three calls of process",
                            "open_station has done it", input))
            return;
        if (!expect_pinned(station.input, bytes, "input", input + ", after process")) return;
        if (!expect_pinned(station.output, bytes, "output", input + ", after process")) return;
        if (!expect_close(&station, input)) return;
    }
}

GRADED_TEST(GivesEverythingBack, 2, "Pageable and pinned") {
    constexpr int n = 1 << 19, rounds = 4;
    const std::size_t bytes = n * sizeof(int);
    const std::string input = text("n = ", n, ", opened, used and closed ", rounds, " times");
    std::size_t heap = 0, device = 0;
    for (int round = 0; round <= rounds; ++round) {
        if (round == 1) {  // the first fills what the runtime keeps for itself
            heap = heap_bytes();
            device = free_device_bytes();
        }
        Station station;
        if (!expect_open(&station, n, input) || !expect_results(station, round, input)) return;
        if (!expect_close(&station, input)) return;
        if (!expect_at_most(pinned_bytes(), 0, "bytes still pinned after close_station",
                            "what was pinned is given back, with the function that belongs to it", input))
            return;
    }
    const char reason[] = "less than one array";
    expect_at_most(growth(heap, heap_bytes()), bytes - 1, "bytes of host memory that are lost", reason, input);
    expect_at_most(growth(free_device_bytes(), device), bytes - 1, "bytes of device memory that are lost", reason,
                   input);
}

GRADED_TEST(ReturnsErrors, 3, "Pageable and pinned") {
    constexpr int n = 1 << 20;
    const std::size_t bytes = n * sizeof(int);
    Station station;

    // Each of the calls that allocate fails once: none of the station's memory may be left then.
    if (!expect_open(&station, n, text("n = ", n))) return;
    if (!expect_close(&station, text("n = ", n))) return;
    allocations = 0;
    if (!expect_open(&station, n, text("n = ", n)) || !expect_close(&station, text("n = ", n))) return;
    const int calls = allocations;
    for (int call = 1; call <= calls; ++call) {
        const std::string input = text("n = ", n, ", call ", call, " of the ", calls, " that allocate or pin fails");
        const std::size_t heap = heap_bytes(), device = free_device_bytes();
        cudaGetLastError();
        allocations = 0;
        failing_allocation = call;
        const cudaError_t error = open_station(&station, n);
        failing_allocation = 0;
        // A cudaHostRegister that fails says so.
        const cudaError_t failed = error == cudaErrorInvalidValue ? error : cudaErrorMemoryAllocation;
        if (!expect_error(error, failed, "open_station", input)) return;
        expect_at_most(pinned_bytes(), 0, "bytes still pinned", "an open_station that fails leaves nothing behind",
                       input);
        expect_at_most(growth(heap, heap_bytes()), bytes - 1, "bytes of host memory that are lost",
                       "less than one array", input);
        expect_at_most(growth(free_device_bytes(), device), bytes - 1, "bytes of device memory that are lost",
                       "less than one array", input);
        cudaGetLastError();
    }

    std::string input = text("n = ", n);
    if (!expect_open(&station, n, input)) return;
    for (const Way way : {Way::to_device, Way::to_host}) {
        input = text("n = ", n, way == Way::to_device ? ", the copy to" : ", the copy from", " the device fails");
        failing_copy = way;
        watch_copies = true;
        const cudaError_t error = process(&station);
        watch_copies = false;
        failing_copy = Way::none;
        if (!expect_error(error, cudaErrorInvalidMemcpyDirection, "process", input)) return;
        cudaGetLastError();
    }
    if (!expect_results(station, 3, text("n = ", n, ", after a copy that failed"))) return;

    // The simulated GPU runs this kernel when process waits, so the wait is what reports it.
    write_to<<<1, 1>>>(nullptr);
    expect_error(process(&station), cudaErrorIllegalAddress, "process",
                 text("n = ", n, ", after a launch of a kernel that writes to an illegal address"));
    cudaDeviceSynchronize();
    expect_error(close_station(&station), cudaErrorIllegalAddress, "close_station",
                 text("n = ", n, ", after a kernel that wrote to an illegal address"));
}
