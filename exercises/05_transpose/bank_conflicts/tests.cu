// Grades bank_conflicts: the transpose of every shape, then the passes over the banks that it took, for each width.
//
// The linker gives the learner's launches to functions of this file. They pass them on, and note the shared memory of
// the kernel.
#include <dlfcn.h>

#include <algorithm>

#include "../graded_matrix.h"
#include "bank_conflicts.h"

using namespace lanescope::grading;

namespace {

bool watch_launches = false;
std::size_t shared_bytes = 0;  // the most that a launch had for each block
unsigned seen_launches = 0;

void note_launch(const void* kernel, std::size_t dynamic_bytes) {
    if (!watch_launches) return;
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return;
    shared_bytes = std::max(shared_bytes, attributes.sharedSizeBytes + dynamic_bytes);
    ++seen_launches;
}

}  // namespace

// Functions that the linker takes for what <<< >>> calls: the first since CUDA 12, the second before. In C++ they have
// other names, because nvcc's headers declare them.
extern "C" cudaError_t stand_in_for_launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                           std::size_t dynamic_bytes, cudaStream_t stream) asm("__cudaLaunchKernel");
extern "C" cudaError_t stand_in_for_old_launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               std::size_t dynamic_bytes, cudaStream_t stream) asm("cudaLaunchKernel");

cudaError_t stand_in_for_launch(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_bytes,
                                cudaStream_t stream) {
    static const auto runtime =
        reinterpret_cast<decltype(&stand_in_for_launch)>(dlsym(RTLD_NEXT, "__cudaLaunchKernel"));
    note_launch(kernel, dynamic_bytes);
    return runtime(kernel, grid, block, arguments, dynamic_bytes, stream);
}

cudaError_t stand_in_for_old_launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t dynamic_bytes, cudaStream_t stream) {
    static const auto runtime =
        reinterpret_cast<decltype(&stand_in_for_old_launch)>(dlsym(RTLD_NEXT, "cudaLaunchKernel"));
    note_launch(kernel, dynamic_bytes);
    return runtime(kernel, grid, block, arguments, dynamic_bytes, stream);
}

namespace {

constexpr int widths[] = {32, 16, 8};

std::string words(const Shape& shape, int width) {
    return text(shape.words(), " ints, tiles of ", width, " x ", width);
}

int tiles(const Shape& shape, int width) {
    return (shape.rows + width - 1) / width * ((shape.columns + width - 1) / width);
}

// Runs the learner's transpose and checks what it did to the memory.
lanescope::Counts check(const Shape& shape, int width, int behind, const std::string& note = "") {
    const std::string input = words(shape, width) + note;
    const GradedMatrix<int> matrix(shape, behind);
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts =
        lanescope::count([&] { error = transpose(matrix.out(), matrix.in(), shape.rows, shape.columns, width); });
    if (!expect_success(error, "transpose", input)) return counts;
    matrix.expect_transposed(input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", "the matrix stays on the GPU", input);
    if (shape.elements() > 0) expect_launch(counts, tiles(shape, width), width * width, input);
    return counts;
}

constexpr Counter shared_wavefronts{"shared memory wavefronts", [](const lanescope::MemoryCounts& c) {
                                        return c.shared_load.wavefronts + c.shared_store.wavefronts +
                                               c.shared_atomic.wavefronts;
                                    }};

constexpr char first_right[] = "\nhow the tile lies in memory is looked at when the result is right";
constexpr Shape aligned[] = {{128, 96}, {96, 128}};
constexpr Shape unaligned[] = {{101, 75}, {75, 101}};

// A warp needs a wavefront to store its 32 elements in the tile and one to load 32 others, if each lies in a bank of
// its own.
void expect_no_conflicts(int width) {
    for (const Shape& shape : {aligned[0], aligned[1], unaligned[0], unaligned[1]}) {
        const lanescope::Counts counts = check(shape, width, 0, first_right);
        const std::string input = words(shape, width);
        expect_at_most(counts, shared_wavefronts, std::uint64_t(tiles(shape, width)) * width * width / 32 * 2,
                       "one for each warp's store and one for its load", input);
        expect_shared_work<int>(counts, shape, input);
    }
}

}  // namespace

GRADED_TEST(TransposesEveryShape, 2, "Bank conflicts") {
    for (int width : widths) {
        for (const Shape& shape : shapes)
            for (int behind : {100, 0}) check(shape, width, behind);
    }
}

GRADED_TEST(Tiles32Wide, 3, "Bank conflicts") {
    SKIP_WITHOUT_COUNTERS();
    expect_no_conflicts(32);
}

GRADED_TEST(Tiles16Wide, 4, "Bank conflicts") {
    SKIP_WITHOUT_COUNTERS();
    expect_no_conflicts(16);
}

GRADED_TEST(Tiles8Wide, 4, "Bank conflicts") {
    SKIP_WITHOUT_COUNTERS();
    expect_no_conflicts(8);
}

GRADED_TEST(GlobalMemoryAsBefore, 2, "Bank conflicts") {
    SKIP_WITHOUT_COUNTERS();
    for (int width : widths) {
        for (const Shape& shape : aligned) {
            const lanescope::Counts counts = check(shape, width, 0, first_right);
            const std::uint64_t least = least_sectors(shape, sizeof(int));
            expect_at_most(counts, global_load_sectors, least, "those in which the matrix lies", words(shape, width));
            expect_at_most(counts, global_store_sectors, least, "those in which the matrix lies", words(shape, width));
        }
        for (const Shape& shape : unaligned) {
            const lanescope::Counts counts = check(shape, width, 0, first_right);
            const std::string reason = text("what pieces of ", width, " ints touch, wherever they begin");
            expect_at_most(counts, global_load_sectors, most_sectors(shape.rows, shape.columns, width, sizeof(int)),
                           reason, words(shape, width));
            expect_at_most(counts, global_store_sectors, most_sectors(shape.columns, shape.rows, width, sizeof(int)),
                           reason, words(shape, width));
        }
    }
}

GRADED_TEST(LittleSharedMemory, 2, "Bank conflicts") {
    for (int width : widths) {
        shared_bytes = seen_launches = 0;
        watch_launches = true;
        check(aligned[0], width, 0, first_right);
        watch_launches = false;
        const std::string input = words(aligned[0], width);
        if (seen_launches == 0) ADD_FAILURE() << "transpose: expected a launch with <<< >>>, saw none\nfor " << input;
        expect_at_most(shared_bytes, width * width * sizeof(int) * 5 / 4, "bytes of shared memory of a block",
                       "the elements of a tile, and a quarter more", input);
    }
}

GRADED_TEST(ReturnsErrors, 1, "Bank conflicts") {
    const GradedMatrix<int> matrix({40, 50}, 0);
    for (int width : {0, 7, 64, -8})
        expect_error(transpose(matrix.out(), matrix.in(), 40, 50, width), cudaErrorInvalidValue, "transpose",
                     words({40, 50}, width));
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();  // from now on every launch reports what that kernel did
    for (int width : widths)
        expect_error(transpose(matrix.out(), matrix.in(), 40, 50, width), cudaErrorIllegalAddress, "transpose",
                     words({40, 50}, width) + ", after a kernel that wrote to an illegal address");
}
