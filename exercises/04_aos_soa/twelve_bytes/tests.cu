// Grades twelve_bytes: the pixels, then the sectors and requests that it took.
#include <algorithm>
#include <ostream>

#include "grading/graded_test.h"
#include "twelve_bytes.h"

using namespace lanescope::grading;

bool operator==(const Pixel& a, const Pixel& b) { return a.red == b.red && a.green == b.green && a.blue == b.blue; }
std::ostream& operator<<(std::ostream& out, const Pixel& p) {
    return out << '{' << p.red << ", " << p.green << ", " << p.blue << '}';
}

namespace {

constexpr int before = 64;   // pixels before the array: 768 bytes, so that it is aligned as cudaMalloc aligns
constexpr Pixel poison{-7, -8, -9};

std::vector<Pixel> part(const std::vector<Pixel>& all, size_t begin, size_t count) {
    return {all.begin() + begin, all.begin() + begin + count};
}

// Runs the learner's transform and checks what it did to the memory. `behind` pixels lie behind the array; with
// none it ends where its allocation ends, so that an access further on is an error.
lanescope::Counts check(int n, int behind, const std::string& note = "") {
    const std::string input = text("n = ", n, note);
    std::vector<Pixel> pixels(before + n + behind, poison);
    std::uint32_t random = 42;
    const auto next = [&] { return static_cast<int>((random = random * 1664525 + 1013904223) >> 12) - 500'000; };
    for (int i = 0; i < n; ++i) {
        Pixel& pixel = pixels[before + i];
        pixel.red = next();
        pixel.green = next();
        pixel.blue = next();
    }
    std::vector<Pixel> expected = part(pixels, before, n);
    for (Pixel& pixel : expected) pixel = transformed(pixel);

    const DeviceArray<Pixel> on_gpu(pixels);
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts = lanescope::count([&] { error = transform(on_gpu.data() + before, n); });
    if (!expect_success(error, "transform", input)) return counts;
    const std::vector<Pixel> result = on_gpu.values();
    expect_equal(part(result, before, n), expected, "pixels", input);
    expect_equal(part(result, 0, before), std::vector<Pixel>(before, poison), "what lies before the pixels", input);
    expect_equal(part(result, before + n, behind), std::vector<Pixel>(behind, poison), "what lies behind the pixels",
                 input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", "the pixels stay on the GPU", input);
    return counts;
}

constexpr int large[] = {1 << 18, (1 << 18) + 77};
constexpr char first_right[] = "\nhow they were loaded and stored is looked at when the pixels are right";

std::uint64_t most_sectors(int n) { return (n * sizeof(Pixel) + 31) / 32 * 21 / 20; }
constexpr char sector_reason[] = "those in which the pixels lie, and 5 % where the pieces of blocks meet";

// That many threads loaded the pixels, with three requests for 32 of them as the starter does. One lane that goes
// through whole sectors by itself needs many more.
void expect_shared_work(const lanescope::Counts& counts, int n) {
    const std::string input = text("n = ", n);
    std::uint64_t threads = 0;
    for (const auto& launch : counts.launches) threads += launch.blocks() * launch.threads_per_block();
    expect_at_most(n / std::max<std::uint64_t>(threads, 1), 64, "pixels for each thread launched",
                   "so that thousands of threads share the work", input);
    const std::uint64_t requests = n / 32 * 3 * 3 / 2;
    expect_at_most(counts, global_load_requests, requests, "three for 32 pixels, and half as many more", input);
    expect_at_most(counts, global_store_requests, requests, "three for 32 pixels, and half as many more", input);
    expect_at_most(counts.busiest_warp_instructions, 8000, "instructions of the busiest warp",
                   "room for 64 tiles of pixels", input);
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(TransformsEverySize, 3, "Structures of 12 bytes") {
    for (int n : {0,  1,   2,   3,   5,   8,   10,  11,  31,  32,   33,   63,   64,   85,
                  86, 127, 128, 129, 255, 256, 257, 383, 512, 1000, 1023, 1024, 1025, 4099})
        for (int behind : {500, 0}) check(n, behind);
    for (int n : large) check(n, 0);
    check(100'003, 500);
}

// 32 pixels have 384 bytes, 12 sectors. A load of `red` by 32 lanes touches all 12, and so do those of `green` and
// `blue`: 36. Three loads of 32 words that lie side by side touch 4, 4 and 4.
GRADED_TEST(LoadsEachSectorOnce, 4, "Structures of 12 bytes") {
    SKIP_WITHOUT_COUNTERS();
    for (int n : large) {
        const lanescope::Counts counts = check(n, 0, first_right);
        const std::uint64_t loaded = counts.global_load.requested_bytes, bytes = n * sizeof(Pixel);
        expect_at_most(loaded < bytes ? bytes - loaded : 0, 0, "bytes of pixels that no kernel loaded",
                       "the GPU does the work", text("n = ", n));
        expect_at_most(counts, global_load_sectors, most_sectors(n), sector_reason, text("n = ", n));
        expect_shared_work(counts, n);
    }
}

GRADED_TEST(StoresEachSectorOnce, 4, "Structures of 12 bytes") {
    SKIP_WITHOUT_COUNTERS();
    for (int n : large) {
        const lanescope::Counts counts = check(n, 0, first_right);
        expect_at_most(counts, global_store_sectors, most_sectors(n), sector_reason, text("n = ", n));
        expect_shared_work(counts, n);
    }
}

GRADED_TEST(ReturnsErrors, 1, "Structures of 12 bytes") {
    const DeviceArray<Pixel> pixels(std::vector<Pixel>(100, poison));
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();   // from now on every launch reports what that kernel did
    expect_error(transform(pixels.data(), 100), cudaErrorIllegalAddress, "transform",
                 "n = 100, after a kernel that wrote to an illegal address");
}
