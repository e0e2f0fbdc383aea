// Grades forgotten_synchronise: the sums, in streams of all kinds, then how the host waited for them.
//
// The linker gives the learner's calls of some runtime functions to the functions of the same names in this file. They
// count the calls, and pass them on.
#include <dlfcn.h>

#include <algorithm>

#include "forgotten_synchronise.h"
#include "grading/graded_test.h"

using namespace lanescope::grading;

namespace {

// What add_rows called. A query that found the work done counts as a wait.
struct Calls {
    int device_waits = 0, other_waits = 0, copies = 0;
} calls;

cudaError_t counted_query(cudaError_t error) {
    if (error == cudaSuccess) ++calls.other_waits;
    return error;
}

}  // namespace

// A function that the linker takes for `name`, and by `runtime_name` the runtime's own. In C++ it has another name,
// because nvcc's headers define some of these functions for device code.
#define STAND_IN(name, ...)                                             \
    extern "C" cudaError_t stand_in_for_##name(__VA_ARGS__) asm(#name); \
    static const auto runtime_##name = reinterpret_cast<cudaError_t (*)(__VA_ARGS__)>(dlsym(RTLD_NEXT, #name))

STAND_IN(cudaDeviceSynchronize);
STAND_IN(cudaStreamSynchronize, cudaStream_t);
STAND_IN(cudaEventSynchronize, cudaEvent_t);
STAND_IN(cudaStreamQuery, cudaStream_t);
STAND_IN(cudaEventQuery, cudaEvent_t);
STAND_IN(cudaMemcpy, void*, const void*, std::size_t, cudaMemcpyKind);
STAND_IN(cudaMemcpyAsync, void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t);

cudaError_t stand_in_for_cudaDeviceSynchronize() {
    ++calls.device_waits;
    return runtime_cudaDeviceSynchronize();
}

cudaError_t stand_in_for_cudaStreamSynchronize(cudaStream_t stream) {
    ++calls.other_waits;
    return runtime_cudaStreamSynchronize(stream);
}

cudaError_t stand_in_for_cudaEventSynchronize(cudaEvent_t event) {
    ++calls.other_waits;
    return runtime_cudaEventSynchronize(event);
}

cudaError_t stand_in_for_cudaStreamQuery(cudaStream_t stream) { return counted_query(runtime_cudaStreamQuery(stream)); }

cudaError_t stand_in_for_cudaEventQuery(cudaEvent_t event) { return counted_query(runtime_cudaEventQuery(event)); }

cudaError_t stand_in_for_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    ++calls.copies;
    return runtime_cudaMemcpy(to, from, bytes, kind);
}

cudaError_t stand_in_for_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    ++calls.copies;
    return runtime_cudaMemcpyAsync(to, from, bytes, kind, stream);
}

namespace {

enum class Kind { standard, blocking, non_blocking };
constexpr Kind all_kinds[] = {Kind::standard, Kind::blocking, Kind::non_blocking};

// A stream, and how it was made.
class Stream {
public:
    explicit Stream(Kind kind) : kind_(kind) {
        if (kind == Kind::blocking) cudaStreamCreate(&stream_);
        if (kind == Kind::non_blocking) cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    }
    ~Stream() {
        if (stream_) cudaStreamDestroy(stream_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }
    const char* words() const {
        switch (kind_) {
            case Kind::standard:
                return "the default stream";
            case Kind::blocking:
                return "a stream of cudaStreamCreate";
            default:
                return "a stream of cudaStreamCreateWithFlags(cudaStreamNonBlocking)";
        }
    }

private:
    Kind kind_;
    cudaStream_t stream_ = nullptr;
};

// An array in mapped host memory, with one address for both sides.
template <class T>
class MappedArray {
public:
    explicit MappedArray(std::size_t count) {
        if (cudaHostAlloc(&host_, count * sizeof(T), cudaHostAllocMapped) != cudaSuccess) host_ = nullptr;
        if (host_) cudaHostGetDevicePointer(&device_, host_, 0);
    }
    ~MappedArray() { cudaFreeHost(host_); }
    MappedArray(const MappedArray&) = delete;
    MappedArray& operator=(const MappedArray&) = delete;

    T* host() const { return host_; }
    T* device() const { return device_; }

private:
    T *host_ = nullptr, *device_ = nullptr;
};

__host__ __device__ int value_of(int i, int seed) { return i % 1009 * (seed + 1) - 400 + seed; }

__global__ void fill(int* values, int count, int seed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        values[i] = value_of(i, seed);
}

__global__ void set(int* place, int value) { *place = value; }

constexpr int behind = 5;              // elements behind an array, which must stay as they are
constexpr long long old_partial = -1;  // what mapped memory holds before the first call
constexpr long long old_sum = -5;

// Rows in device memory, and the arrays that add_rows gets with them.
class Rows {
public:
    Rows(int rows, int n)
        : rows_(rows),
          n_(n),
          partial_count_(static_cast<std::size_t>(rows) * blocks_per_row),
          values_(std::vector<int>(static_cast<std::size_t>(rows) * n, 0)),
          partial_(partial_count_ + behind) {
        std::fill_n(partial_.host(), partial_count_ + behind, old_partial);
    }

    // Lets a kernel in the stream write new values, does not wait for it, and lets add_rows add them up. False:
    // something was wrong.
    bool expect_sums(const Stream& stream, int seed, const std::string& note = "") {
        const int count = rows_ * n_;
        if (count > 0) fill<<<64, 256, 0, stream.get()>>>(values_.data(), count, seed);
        std::vector<long long> sums(rows_ + behind, old_sum), expected = sums;
        for (int row = 0; row < rows_; ++row) {
            expected[row] = 0;
            for (int i = 0; i < n_; ++i) expected[row] += value_of(row * n_ + i, seed);
        }
        const std::string input = text(words(), ", ", stream.words(), note);
        calls = {};
        const cudaError_t error = add_rows(values_.data(), rows_, n_, partial_.host(), sums.data(), stream.get());
        called_ = calls;
        if (flag_) watched_ = *flag_;
        return expect_success(error, "add_rows", input) && expect_equal(sums, expected, "sums", input) &&
               expect_equal(
                   std::vector<long long>(partial_.host() + partial_count_, partial_.host() + partial_count_ + behind),
                   std::vector<long long>(behind, old_partial), "what lies behind partial", input);
    }

    Calls called() const { return called_; }  // by the last add_rows
    // A place in mapped memory, and what was there when add_rows returned, before anybody waited for anything else.
    void watch(const volatile int* flag) { flag_ = flag; }
    int watched() const { return watched_; }
    std::string words() const { return text(rows_, " row(s) of ", n_, " int(s)"); }

private:
    int rows_, n_;
    std::size_t partial_count_;
    DeviceArray<int> values_;
    MappedArray<long long> partial_;
    Calls called_;
    const volatile int* flag_ = nullptr;
    int watched_ = 0;
};

constexpr char first_right[] = "\nhow the host waited is looked at when the sums are right";

}  // namespace

GRADED_TEST(AddsEveryShape, 4, "The host must wait") {
    for (const Kind kind : all_kinds) {
        const Stream stream(kind);
        for (const auto& [rows, n] : std::vector<std::pair<int, int>>{
                 {1, 32}, {1, 1}, {0, 100}, {1, 0}, {3, 0}, {2, 31}, {5, 257}, {40, 1000}, {3, 100'003}}) {
            if (!Rows(rows, n).expect_sums(stream, 1)) return;
        }
    }
}

// The mapped memory still holds the sums of the last call.
GRADED_TEST(AddsAgain, 2, "The host must wait") {
    for (const Kind kind : all_kinds) {
        const Stream stream(kind);
        Rows rows(7, 1001);
        for (int call = 1; call <= 4; ++call) {
            if (!rows.expect_sums(stream, call, text(", call ", call, " with the same memory"))) return;
        }
    }
}

GRADED_TEST(WaitsOnce, 3, "The host must wait") {
    constexpr int rows = 40;
    for (const Kind kind : all_kinds) {
        const Stream stream(kind);
        Rows array(rows, 1000);
        if (!array.expect_sums(stream, 2, first_right)) return;
        const std::string input = text(array.words(), ", ", stream.words());
        const Calls called = array.called();
        if (!expect_at_most(called.device_waits, 0, "calls of cudaDeviceSynchronize",
                            "it waits for the work of all streams, not of one", input))
            return;
        if (!expect_at_most(called.other_waits, 1, text("waits for ", rows, " rows"), "one, after the last launch",
                            input))
            return;
        if (called.other_waits == 1 || called.copies > 0) continue;  // CopiesNothing looks at copies
        ADD_FAILURE() << "waits: expected one for the stream, counted none: something else has made the host wait\nfor "
                      << input;
        return;
    }
}

// The simulated GPU runs what a wait needs and nothing else, so another stream's kernel has not run unless somebody
// waited for it.
GRADED_TEST(WaitsForNoOtherStream, 2, "The host must wait") {
    SKIP_WITHOUT_COUNTERS();
    for (const Kind kind : {Kind::blocking, Kind::non_blocking}) {
        for (const Kind other_kind : {Kind::blocking, Kind::non_blocking}) {
            const Stream stream(kind), other(other_kind);
            const MappedArray<int> flag(1);
            *flag.host() = 0;
            Rows array(3, 1000);
            set<<<1, 1, 0, other.get()>>>(flag.device(), 1);
            array.watch(flag.host());
            const std::string note = text(", and a kernel in another stream (", other.words(), ")");
            if (!array.expect_sums(stream, 3, note + first_right)) return;
            if (!expect_equal(array.watched(), 0, "what the other stream's kernel has written when add_rows returns",
                              text(array.words(), ", ", stream.words(), note)))
                return;
        }
    }
}

GRADED_TEST(CopiesNothing, 1, "Zero-copy") {
    const Stream stream(Kind::blocking);
    Rows array(5, 3000);
    bool right = false;
    const lanescope::Counts counts = lanescope::count([&] { right = array.expect_sums(stream, 4, first_right); });
    if (!right) return;
    const std::string input = text(array.words(), ", ", stream.words());
    const char reason[] = "kernels write into the host's memory themselves";
    expect_at_most(array.called().copies, 0, "calls of cudaMemcpy and cudaMemcpyAsync", reason, input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", reason, input);
}

// The kernel reads from a null pointer. The launch is right, so only a wait can tell.
GRADED_TEST(ReturnsErrors, 2, "The host must wait") {
    const Stream stream(Kind::non_blocking);
    const MappedArray<long long> partial(2 * blocks_per_row);
    std::fill_n(partial.host(), 2 * blocks_per_row, old_partial);
    std::vector<long long> sums(2, old_sum);
    const std::string input = text("2 row(s) of 100 int(s), ", stream.words(), ", values = nullptr");
    const cudaError_t error = add_rows(nullptr, 2, 100, partial.host(), sums.data(), stream.get());
    cudaDeviceSynchronize();
    if (!expect_error(error, cudaErrorIllegalAddress, "add_rows", input)) return;
    if (!expect_equal(sums, std::vector<long long>(2, old_sum), "sums", input)) return;
    expect_error(add_rows(nullptr, 2, 100, partial.host(), sums.data(), stream.get()), cudaErrorIllegalAddress,
                 "add_rows", input + ", a second time");
    expect_equal(sums, std::vector<long long>(2, old_sum), "sums", input + ", a second time");
}
