// Grades too_fast_to_be_true: the learner's transpose, the check and the formula each by itself, and then what is
// measured of transposes that are right, wrong, late or failing.
//
// The linker gives the learner's calls of cudaEventElapsedTime to a function of this file, which counts them and passes
// them on.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "../graded_matrix.h"
#include "too_fast_to_be_true.h"

using namespace lanescope::grading;

namespace {
int elapsed_times = 0;  // that were asked for
}

// In C++ it has another name, because the toolkit's header declares it.
extern "C" cudaError_t stand_in_for_elapsed_time(float* ms, cudaEvent_t before,
                                                 cudaEvent_t after) asm("cudaEventElapsedTime");

cudaError_t stand_in_for_elapsed_time(float* ms, cudaEvent_t before, cudaEvent_t after) {
    static const auto runtime =
        reinterpret_cast<decltype(&stand_in_for_elapsed_time)>(dlsym(RTLD_NEXT, "cudaEventElapsedTime"));
    ++elapsed_times;
    return runtime(ms, before, after);
}

namespace {

void expect_truth(bool found, bool expected, const std::string& what, const std::string& input) {
    const auto word = [](bool value) { return std::string(value ? "true" : "false"); };
    expect_equal(word(found), word(expected), what, input);
}

std::string words(const Shape& shape, dim3 block) {
    return text(shape.words(), " ints, blocks of ", block.x, " x ", block.y);
}

std::uint64_t blocks_of(const Shape& shape, dim3 block) {
    return std::uint64_t(shape.columns + block.x - 1) / block.x * ((shape.rows + block.y - 1) / block.y);
}

// Runs the learner's transpose and checks what it did to the memory.
void check(const Shape& shape, dim3 block, int behind) {
    const std::string input = words(shape, block);
    const GradedMatrix<int> matrix(shape, behind);
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts =
        lanescope::count([&] { error = transpose(matrix.out(), matrix.in(), shape.rows, shape.columns, block); });
    if (!expect_success(error, "transpose", input)) return;
    matrix.expect_transposed(input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", "the matrix stays on the GPU", input);
    expect_at_most(counts.launches.size(), 1, "kernels launched", "one covers the matrix", input);
    if (shape.elements() > 0) expect_launch(counts, blocks_of(shape, block), block.x * block.y, input);
}

// What is given to the learner's measure. Each counts its calls.
int calls = 0;

__global__ void transpose_part(int* out, const int* in, int rows, int columns, int begin, int end) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;  // an element of `out`
    if (i < end) out[i] = in[i % rows * columns + i / rows];
}

// Elements from `begin` to `end` of the output, and no others.
cudaError_t part(int* out, const int* in, int rows, int columns, int begin, int end) {
    if (begin < end) transpose_part<<<(end - begin + 255) / 256, 256>>>(out, in, rows, columns, begin, end);
    return cudaGetLastError();
}

cudaError_t right(int* out, const int* in, int rows, int columns, dim3) {
    ++calls;
    return part(out, in, rows, columns, 0, rows * columns);
}

cudaError_t first_half(int* out, const int* in, int rows, int columns, dim3) {
    ++calls;
    return part(out, in, rows, columns, 0, rows * columns / 2);
}

cudaError_t all_but_the_first(int* out, const int* in, int rows, int columns, dim3) {
    ++calls;
    return part(out, in, rows, columns, 1, rows * columns);
}

cudaError_t all_but_the_last(int* out, const int* in, int rows, int columns, dim3) {
    ++calls;
    return part(out, in, rows, columns, 0, rows * columns - 1);
}

cudaError_t nothing(int*, const int*, int, int, dim3) {
    ++calls;
    return cudaSuccess;
}

cudaError_t first_call_only(int* out, const int* in, int rows, int columns, dim3 block) {
    return calls == 0 ? right(out, in, rows, columns, block) : nothing(out, in, rows, columns, block);
}

cudaError_t copies(int* out, const int* in, int rows, int columns, dim3) {
    ++calls;
    return cudaMemcpyAsync(out, in, std::size_t(rows) * columns * sizeof(int), cudaMemcpyDeviceToDevice);
}

// Right, but its first call takes much longer, and so does the third.
cudaError_t now_and_then_slow(int* out, const int* in, int rows, int columns, dim3 block) {
    const int repeats = calls == 0 || calls == 2 ? 5 : 1;
    for (int i = 1; i < repeats; ++i) part(out, in, rows, columns, 0, rows * columns);
    return right(out, in, rows, columns, block);
}

// Right, and slow; and right and slow, but for its third and fourth call.
cudaError_t slow(int* out, const int* in, int rows, int columns, dim3 block) {
    for (int i = 0; i < 4; ++i) part(out, in, rows, columns, 0, rows * columns);
    return right(out, in, rows, columns, block);
}
cudaError_t now_and_then_fast(int* out, const int* in, int rows, int columns, dim3 block) {
    return (calls == 2 || calls == 3 ? right : slow)(out, in, rows, columns, block);
}

cudaError_t fails(int*, const int*, int, int, dim3) {
    ++calls;
    return cudaErrorInvalidConfiguration;
}

cudaError_t fails_later(int* out, const int* in, int rows, int columns, dim3 block) {
    return calls < 3 ? right(out, in, rows, columns, block) : fails(out, in, rows, columns, block);
}

cudaError_t writes_anywhere(int*, const int*, int, int, dim3) {
    ++calls;
    write_to<<<1, 1>>>(nullptr);
    return cudaGetLastError();
}

struct Named {
    Transpose function;
    const char* words;
};
constexpr Named wrong_ones[] = {
    {nothing, "a transpose that does nothing"},
    {first_half, "a transpose that writes the first half of the output"},
    {all_but_the_first, "a transpose that leaves out the first element"},
    {all_but_the_last, "a transpose that leaves out the last element"},
    {first_call_only, "a transpose that does nothing when it is called again"},
    {copies, "a transpose that is a copy"},
};

// The learner's measure of a transpose; `measurement` has other values before.
cudaError_t run(Transpose function, const Shape& shape, dim3 block, Measurement* measurement) {
    *measurement = {true, 777, 777};
    calls = 0;
    return measure(function, shape.rows, shape.columns, block, measurement);
}

void expect_nothing(const Measurement& measurement, const std::string& input) {
    expect_truth(measurement.right, false, "right", input);
    expect_equal(measurement.seconds, 0.0, "seconds", input);
    expect_equal(measurement.bandwidth, 0.0, "bandwidth", input);
}

void expect_figures(const Measurement& measurement, const Shape& shape, const std::string& input) {
    expect_truth(measurement.right, true, "right", input);
    expect_truth(measurement.seconds > 0, true, "seconds > 0", input);
    const double expected = 8.0 * double(shape.elements()) / measurement.seconds / 1e9;
    if (std::fabs(measurement.bandwidth - expected) > 1e-6 * expected)
        expect_equal(measurement.bandwidth, expected, "bandwidth",
                     text(input, ", which took ", measurement.seconds, " seconds"));
}

void expect_bandwidth(int rows, int columns, double seconds, double expected) {
    const double found = gigabytes_per_second(rows, columns, seconds);
    if (std::fabs(found - expected) <= 1e-9 * expected) return;
    expect_equal(found, expected, "gigabytes_per_second", text(rows, " x ", columns, " ints in ", seconds, " seconds"));
}

// Milliseconds of a run of `function`: the median of 9, after one that is not counted.
double median_ms(Transpose function, const Shape& shape) {
    const GradedMatrix<int> matrix(shape, 0);
    cudaEvent_t before, after;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    std::vector<float> times(10);
    for (float& ms : times) {
        cudaEventRecord(before);
        function(matrix.out(), matrix.in(), shape.rows, shape.columns, dim3(32, 16));
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        cudaEventElapsedTime(&ms, before, after);
    }
    std::sort(times.begin() + 1, times.end());
    return times[5];
}

std::size_t free_bytes() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
}

constexpr dim3 blocks[] = {{32, 16}, {16, 32}, {256, 1}, {1, 256}, {7, 5}};

}  // namespace

GRADED_TEST(CoversEveryShape, 4, "Too good to be true") {
    check({256, 256}, {32, 16}, 0);
    for (const dim3& block : blocks)
        for (const Shape& shape : shapes) check(shape, block, 0);
    for (const Shape& shape : shapes) check(shape, {32, 16}, 100);
    check({5000, 3}, {32, 16}, 0);
    check({3, 5000}, {32, 16}, 0);
}

GRADED_TEST(ChecksEveryElement, 3, "Too good to be true") {
    constexpr int beside = 1000;  // other values before and behind both matrices
    for (const Shape& shape : {Shape{1, 1}, {1, 9}, {9, 1}, {7, 5}, {33, 40}, {40, 33}, {64, 64}, {300, 200}}) {
        const std::string input = shape.words() + " ints";
        const int n = int(shape.elements());
        std::vector<int> in(n + 2 * beside, -8), out(in.size(), -7);
        for (int i = 0; i < n; ++i) in[beside + i] = i + 1;
        for (int i = 0; i < n; ++i) out[beside + i] = in[beside + i % shape.rows * shape.columns + i / shape.rows];
        const std::vector<int> transposed = out;
        const auto expect = [&](bool expected, const std::string& what) {
            expect_truth(is_transpose(&out[beside], &in[beside], shape.rows, shape.columns), expected, "is_transpose",
                         text(input, ", ", what));
        };
        expect(true, "the transpose");
        std::fill(out.begin() + beside + n / 2, out.begin() + beside + n, -7);
        expect(false, "the first half of it written");
        out = transposed;
        const int step = n > 5000 ? 97 : 1;
        for (int i = n - 1; i >= 0; i -= step) {
            out[beside + i] = 0;
            expect(false, text("element ", i, " of the transpose wrong"));
            out[beside + i] = transposed[beside + i];
        }
        if (shape.rows == 1 || shape.columns == 1) continue;
        out = in;
        expect(false, "a copy");
    }
    int none = 0;
    for (const Shape& shape : {Shape{0, 5}, {5, 0}, {0, 0}})
        expect_truth(is_transpose(&none, &none, shape.rows, shape.columns), true, "is_transpose",
                     shape.words() + " ints");
}

GRADED_TEST(CountsBytes, 2, "Too good to be true") {
    expect_bandwidth(1000, 1000, 1e-3, 8);  // 4 MB read and 4 MB written in a millisecond
    expect_bandwidth(1, 125, 1e-6, 1);
    expect_bandwidth(3, 7, 0.5, 3.36e-7);
    expect_bandwidth(16384, 16384, 1e-3, 2147.483648);
    expect_bandwidth(32768, 65536, 2e-3, 8589.934592);  // 2^31 elements
    expect_bandwidth(100'000, 100'000, 0.1, 800);
    for (const Shape& shape : {Shape{0, 5}, {5, 0}, {0, 0}}) {
        expect_bandwidth(shape.rows, shape.columns, 1e-3, 0);
        expect_bandwidth(shape.rows, shape.columns, 0, 0);
    }
    expect_bandwidth(100, 100, 0, 0);
}

GRADED_TEST(NoFigureForAWrongResult, 4, "Too good to be true") {
    for (const Shape& shape : {Shape{32, 32}, {50, 17}}) {
        Measurement measurement;
        const std::string input = words(shape, {32, 16});
        if (!expect_success(run(right, shape, {32, 16}, &measurement), "measure", input)) return;
        expect_figures(measurement, shape, "measure of a right transpose, " + input);
        for (const Named& wrong : wrong_ones) {  // the first one after the right one, whose output may still be there
            const std::string it = text("measure of ", wrong.words, ", ", input);
            if (!expect_success(run(wrong.function, shape, {32, 16}, &measurement), "measure", it)) return;
            expect_nothing(measurement, it);
        }
    }
    for (const Shape& shape : {Shape{128, 128}, {100, 37}, {37, 100}}) {
        Measurement measurement;
        const std::string input = "measure of your transpose, " + words(shape, {32, 16});
        if (!expect_success(run(transpose, shape, {32, 16}, &measurement), "measure", input)) return;
        expect_figures(measurement, shape, input);
    }
    Measurement measurement;
    if (!expect_success(run(right, {0, 5}, {32, 16}, &measurement), "measure", words({0, 5}, {32, 16}))) return;
    expect_truth(measurement.right, true, "right", words({0, 5}, {32, 16}));
    expect_equal(measurement.bandwidth, 0.0, "bandwidth", words({0, 5}, {32, 16}));
}

// By the modelled clock, so the same in every run.
GRADED_TEST(TimesTheRunsOnTheGpu, 4, "Too good to be true") {
    SKIP_WITHOUT_COUNTERS();
    constexpr Shape shape{64, 128};
    for (const Named& named :
         {Named{right, "measure of a right transpose"},
          {now_and_then_slow, "measure of a right transpose, whose first and third call are slow"},
          {now_and_then_fast, "measure of a right transpose, whose third and fourth call are fast"}}) {
        const std::string input = text(named.words, ", ", words(shape, {32, 16}));
        Measurement measurement;
        elapsed_times = 0;
        if (!expect_success(run(named.function, shape, {32, 16}, &measurement), "measure", input)) return;
        if (calls < 6)
            ADD_FAILURE() << "calls of the transpose: expected one to warm up and 5 or more to measure, got " << calls
                          << "\nfor " << input;
        if (elapsed_times < 5)
            ADD_FAILURE() << "calls of cudaEventElapsedTime: expected 5 or more, one for each measured run, got "
                          << elapsed_times << "\nfor " << input;
        const double expected = median_ms(named.function == now_and_then_fast ? slow : right, shape), found = measurement.seconds * 1e3;
        if (std::fabs(found - expected) <= 0.1 * expected) continue;
        ADD_FAILURE() << "seconds: expected " << expected << " ms (between events, the median of 9; modelled), got "
                      << found << " ms\nfor " << input;
    }
}

GRADED_TEST(ReturnsErrors, 2, "Too good to be true") {
    const std::string input = words({40, 50}, {32, 16});
    const GradedMatrix<int> matrix({40, 50}, 0);
    write_to<<<1, dim3(64, 32)>>>(nullptr);
    const cudaError_t impossible = cudaGetLastError();   // an H200 with CUDA 13.0 says cudaErrorInvalidValue
    expect_error(transpose(matrix.out(), matrix.in(), 40, 50, {64, 32}), impossible, "transpose",
                 "40 x 50 ints, blocks of 64 x 32, which no GPU has");
    cudaGetLastError();  // clears it, if the learner's code did not

    Measurement measurement;
    run(right, {60, 50}, {32, 16}, &measurement);
    const std::size_t before = free_bytes();
    for (int i = 0; i < 2; ++i) {
        run(right, {60, 50}, {32, 16}, &measurement);
        run(first_half, {60, 50}, {32, 16}, &measurement);
        run(fails, {60, 50}, {32, 16}, &measurement);
        run(fails_later, {60, 50}, {32, 16}, &measurement);
    }
    expect_at_most(before - std::min(before, free_bytes()), 60 * 50 * sizeof(int) - 1,
                   "bytes of device memory that are lost", "less than one matrix", "8 calls of measure");

    expect_error(run(fails, {40, 50}, {32, 16}, &measurement), cudaErrorInvalidConfiguration, "measure",
                 "a transpose that returns this error, " + input);
    expect_nothing(measurement, "measure of a transpose that returns an error, " + input);
    expect_error(run(fails_later, {40, 50}, {32, 16}, &measurement), cudaErrorInvalidConfiguration, "measure",
                 "a transpose that returns this error when it is called for the fourth time, " + input);
    expect_nothing(measurement, "measure of a transpose that returns an error, " + input);
    expect_error(run(writes_anywhere, {40, 50}, {32, 16}, &measurement), cudaErrorIllegalAddress, "measure",
                 "a transpose whose kernel writes to an illegal address, " + input);
    expect_nothing(measurement, "measure of a transpose whose kernel fails, " + input);
    cudaDeviceSynchronize();
}
