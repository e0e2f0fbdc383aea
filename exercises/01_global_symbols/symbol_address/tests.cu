// Grades symbol_address: where the copies go, what is refused, and which errors come back.
//
// The witness is the learner's table as kernels see it by its name (calibrate, correct), so a copy of the
// table in host memory, or in another place of GPU memory, does not pass for it.
#include <dlfcn.h>

#include <climits>

#include "grading/graded_test.h"
#include "symbol_address.h"

using namespace lanescope::grading;

namespace {

// Elements of one board: upload's and download's arguments.
struct Range {
    int board, first, count;
    std::string words() const { return text("board ", board, ", first ", first, ", count ", count); }
};

using Board = std::vector<float>;
using Table = std::vector<Board>;

// Sets all gains with kernels that use the table by its name, and returns what they are now: powers of two,
// so that 1 / reading is exact.
Table calibrated() {
    Table table(boards, Board(channels));
    for (int board = 0; board < boards; ++board) {
        Board readings(channels);
        for (int i = 0; i < channels; ++i) {
            table[board][i] = static_cast<float>(1ll << (board * channels + i));
            readings[i] = 1 / table[board][i];
        }
        const DeviceArray<float> on_gpu(readings);
        expect_success(calibrate(on_gpu.data(), board), "calibrate", text("board ", board));
    }
    return table;
}

// Compares the table with what a kernel sees by its name: readings of 1, corrected, are the gains.
bool expect_gains(const Table& expected, const std::string& input) {
    cudaGetLastError();   // an error that somebody swallowed would show in `correct`; other tests look for it
    const DeviceArray<float> ones(Board(channels, 1.0f));
    bool equal = true;
    for (int board = 0; board < boards && equal; ++board) {
        const DeviceArray<float> seen(Board(channels, -1.0f));
        const std::string what = text("gains[", board, "]");
        equal = expect_success(correct(ones.data(), seen.data(), board), "correct", input) &&
                expect_equal(seen.values(), expected[board], what, "a kernel that uses gains by name, after " + input);
    }
    return equal;
}

// Ranges that exist: none, one, all; at the start, inside, at the end.
constexpr Range good_ranges[] = {{1, 0, 16}, {0, 0, 1},  {1, 3, 5}, {2, 15, 1},
                                 {0, 4, 0},  {2, 16, 0}, {0, 9, 7}, {2, 0, 15}};

// Ranges that do not. The first eight lie inside the table all the same, where neither a GPU nor the simulated one
// stops the copy. Of the others, cudaMemcpy refuses some by itself, so a refused range must leave no CUDA error
// behind either; and with a negative count a GPU's driver can crash where the simulated GPU returns an error.
constexpr Range bad_ranges[] = {{1, 0, 17},      {1, 16, 1},       {1, 12, 6},       {1, -1, 1},      {1, -16, 16},
                                {0, 8, 16},      {2, -4, 4},       {0, 20, 4},       {1, 5, -5},      {1, 0, -1},
                                {2, 0, 17},      {0, -1, 2},       {-1, 0, 1},       {3, 0, 1},       {1, INT_MAX, 1},
                                {1, 1, INT_MAX}, {1, 16, INT_MAX}, {1, INT_MIN, 16}, {1, 0, INT_MIN}, {INT_MAX, 0, 16},
                                {INT_MIN, 0, 1}};

bool expect_no_error_left(const std::string& what, const std::string& input) {
    const cudaError_t left = cudaGetLastError();
    if (left == cudaSuccess) return true;
    ADD_FAILURE() << what << ": the error is right, but a CUDA call made it (" << cudaGetErrorName(left)
                  << " is left behind); expected a check of the range before any CUDA call\nfor " << input;
    return false;
}

__global__ void double_values(float* values) { values[threadIdx.x] *= 2; }

__global__ void write_to(float* address) { *address = 1; }

// How often cudaGetSymbolAddress was called, and whether the calls fail.
int symbol_address_calls = 0;
bool symbol_address_fails = false;

}  // namespace

// The linker gives the learner's calls this function instead of the CUDA runtime's, so that a test can let them
// fail. They fail in the runtime itself: it is asked about a variable that is no symbol.
extern "C" cudaError_t CUDARTAPI cudaGetSymbolAddress(void** address, const void* symbol) {
    static const auto runtime =
        reinterpret_cast<cudaError_t (*)(void**, const void*)>(dlsym(RTLD_NEXT, "cudaGetSymbolAddress"));
    static const int no_symbol = 0;
    ++symbol_address_calls;
    return runtime(address, symbol_address_fails ? &no_symbol : symbol);
}

GRADED_TEST(UploadChangesWhatIsAsked, 2, "Symbol or address") {
    Table expected = calibrated();
    float value = 0.5f;
    for (const Range& range : good_ranges) {
        Board values(channels, -7.0f);
        for (int i = 0; i < range.count; ++i) expected[range.board][range.first + i] = values[i] = value++;
        const std::string input = "upload to " + range.words();
        const cudaError_t error = upload(values.data(), range.board, range.first, range.count);
        values.assign(channels, -9.0f);   // it has copied when it returns, so this comes too late to matter
        if (!expect_success(error, "upload", input)) return;
        if (!expect_gains(expected, input)) return;
    }
}

GRADED_TEST(DownloadFetchesWhatTheGpuHas, 2, "Symbol or address") {
    const Table table = calibrated();
    for (const Range& range : good_ranges) {
        Board values(2 * channels, -7.0f), expected = values;   // the elements behind `count` stay as they are
        for (int i = 0; i < range.count; ++i) expected[i] = table[range.board][range.first + i];
        const std::string input = "download of " + range.words() + ", gains set by a kernel";
        const cudaError_t error = download(values.data(), range.board, range.first, range.count);
        const Board fetched = values;   // as they are when it returns
        if (!expect_success(error, "download", input) || !expect_equal(fetched, expected, "values", input)) return;
    }
    expect_gains(table, "the downloads");
}

GRADED_TEST(AddressIsOnTheGpu, 2, "A name, not an address") {
    Table expected = calibrated();
    for (int board = 0; board < boards; ++board) {
        const std::string input = text("board_address of board ", board);
        float* address = nullptr;
        if (!expect_success(board_address(&address, board), "board_address", input)) return;
        cudaPointerAttributes attributes{};
        cudaPointerGetAttributes(&attributes, address);
        if (attributes.type != cudaMemoryTypeDevice) {
            ADD_FAILURE() << "*address: expected an address in GPU memory, got one that belongs to no allocation there: "
                             "host memory, or past the table's end\nfor " << input;
            return;
        }
        double_values<<<1, channels>>>(address);
        if (!expect_success(cudaGetLastError(), "a kernel that doubles the 16 values there", input)) return;
        for (float& gain : expected[board]) gain *= 2;
        if (!expect_gains(expected, text("a kernel that doubled the values at the address of board ", board))) return;
    }
}

GRADED_TEST(RefusesBadRanges, 2, "Usual errors") {
    const Table table = calibrated();
    const Board poison(4 * channels, -7.0f);
    for (const Range& range : bad_ranges) {
        Board values = poison;
        std::string input = "upload to " + range.words();
        cudaError_t error = upload(values.data(), range.board, range.first, range.count);
        if (!expect_error(error, cudaErrorInvalidValue, "upload", input)) return;
        if (!expect_no_error_left("upload", input) || !expect_gains(table, input)) return;
        input = "download of " + range.words();
        error = download(values.data(), range.board, range.first, range.count);
        if (!expect_error(error, cudaErrorInvalidValue, "download", input)) return;
        if (!expect_no_error_left("download", input) || !expect_equal(values, poison, "values", input)) return;
    }
    for (const int board : {-1, boards, INT_MAX, INT_MIN}) {
        const std::string input = text("board ", board);
        float* address = nullptr;
        if (!expect_error(board_address(&address, board), cudaErrorInvalidValue, "board_address", input)) return;
        if (!expect_no_error_left("board_address", input)) return;
    }
}

// A failing cudaGetSymbolAddress, then a failing cudaMemcpy.
GRADED_TEST(ReturnsTheFirstError, 2, "Usual errors") {
    const Table table = calibrated();
    Board values(channels, 3.0f);
    float* address = nullptr;
    const std::string input = "a cudaGetSymbolAddress that fails";
    const auto expect_symbol_error = [&](const char* function, auto&& call) {
        symbol_address_calls = 0;
        symbol_address_fails = true;
        const cudaError_t error = call();
        symbol_address_fails = false;
        if (symbol_address_calls > 0) return expect_error(error, cudaErrorInvalidSymbol, function, input);
        ADD_FAILURE() << function << ": expected a call of cudaGetSymbolAddress, but there was none; it returned "
                      << cudaGetErrorName(error) << "\nfor board 1, first 2, count 3";
        return false;
    };
    if (!expect_symbol_error("upload", [&] { return upload(values.data(), 1, 2, 3); })) return;
    if (!expect_symbol_error("download", [&] { return download(values.data(), 1, 2, 3); })) return;
    if (!expect_symbol_error("board_address", [&] { return board_address(&address, 1); })) return;
    if (!expect_equal(values, Board(channels, 3.0f), "values", "download with " + input)) return;
    if (!expect_gains(table, "upload with " + input)) return;

    const std::string no_values = "values = nullptr, which cudaMemcpy refuses";
    if (!expect_error(upload(nullptr, 1, 2, 3), cudaErrorInvalidValue, "upload", no_values)) return;
    if (!expect_error(download(nullptr, 1, 2, 3), cudaErrorInvalidValue, "download", no_values)) return;
    expect_gains(table, "calls with values = nullptr");
}

// So that a kernel that nobody waited for is not reported when the program ends: it is this test's, not the learner's.
struct WaitAtEnd {
    ~WaitAtEnd() { cudaDeviceSynchronize(); }
};

// A kernel writes through a null pointer, and upload is the first to wait for it. From then on every call reports
// it. A copy that is only queued (cudaMemcpyAsync) returns before the simulated GPU runs the kernel; a GPU may
// have run it by then.
GRADED_TEST(ReturnsAnEarlierFailure, 1, "Usual errors") {
    Board values(channels, 3.0f);
    float* address = nullptr;
    const std::string input = "a kernel launched before that wrote to an illegal address";
    write_to<<<1, 1>>>(nullptr);
    const WaitAtEnd wait;
    if (!expect_error(upload(values.data(), 1, 2, 3), cudaErrorIllegalAddress, "upload", input)) return;
    if (!expect_error(download(values.data(), 1, 2, 3), cudaErrorIllegalAddress, "download", input)) return;
    symbol_address_calls = 0;
    const cudaError_t error = board_address(&address, 1);
    if (symbol_address_calls == 0) return;   // it remembers the address
    expect_error(error, cudaErrorIllegalAddress, "board_address", input);
}

GRADED_TEST(LeavesOtherErrorsAlone, 1, "Usual errors") {
    Board values(channels, 3.0f);
    float* address = nullptr;
    cudaSetDevice(-1);   // fails, and leaves cudaErrorInvalidDevice for cudaGetLastError
    const std::string input = "a cudaSetDevice(-1) before, whose error nobody looked at";
    const auto expect_left = [&](const char* function, cudaError_t error) {
        return expect_success(error, function, input) &&
               expect_error(cudaPeekAtLastError(), cudaErrorInvalidDevice, text("cudaPeekAtLastError after ", function),
                            input);
    };
    if (!expect_left("upload", upload(values.data(), 1, 2, 3))) return;
    if (!expect_left("download", download(values.data(), 1, 2, 3))) return;
    expect_left("board_address", board_address(&address, 1));
}
