// The kernels themselves, without a program around them: right for every shape and element, nothing written outside,
// and what they cost, derived by hand.
#include <gmock/gmock.h>

#include <vector>

#include "ladder.cuh"
#include "matrix.cuh"

namespace {

using namespace transpose;

// A matrix and the memory for its copy or transpose. `in` ends where its memory ends: on the simulated GPU reading
// beyond it is an illegal address. `out` lies between two guards. Both begin `skew` elements after a multiple of 256
// bytes.
template <class T>
class Trial {
public:
    Trial(int rows, int columns, int in_skew, int out_skew)
        : rows_(rows),
          columns_(columns),
          in_skew_(in_skew),
          guard_(256 / sizeof(T) + out_skew),
          in_(in_skew + elements()),
          out_(guard_ + elements() + 256 / sizeof(T)) {
        std::vector<T> values(in_skew + elements());
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column)
                values[in_skew + std::size_t(row) * columns + column] = value_at<T>(row, column);
        }
        CUDA_CHECK(cudaMemcpy(in_.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        before_ = values;
    }

    std::size_t elements() const { return std::size_t(rows_) * columns_; }

    void run(const Step<T>& step, dim3 block) {
        SCOPED_TRACE(testing::Message() << step.name << ", " << rows_ << " x " << columns_ << " elements of "
                                        << sizeof(T) << " bytes, block " << block.x << " x " << block.y << ", skew "
                                        << in_skew_ << " and " << guard_ - 256 / sizeof(T));
        ASSERT_EQ(problem_of_block(step, rows_, columns_, block), "");
        out_.fill_bytes(poison_byte);
        step.launch(out_.data() + guard_, in_.data() + in_skew_, rows_, columns_, block);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const std::vector<T> out = out_.to_host();
        const T poison = T(~T{0});
        for (std::size_t i = 0; i < out.size(); ++i) {
            T expected = poison;
            if (i >= guard_ && i < guard_ + elements()) {
                const int width = step.transposes ? rows_ : columns_;
                const int y = int((i - guard_) / width), x = int((i - guard_) % width);
                expected = step.transposes ? value_at<T>(x, y) : value_at<T>(y, x);
            }
            ASSERT_EQ(std::uint64_t(out[i]), std::uint64_t(expected))
                << (expected == poison ? "outside the output" : "in the output") << ", at " << (long)i - (long)guard_;
        }
        ASSERT_EQ(in_.to_host(), before_) << "the input was written";
    }

private:
    int rows_, columns_;
    std::size_t in_skew_, guard_;
    lanescope::tutorial::DeviceArray<T> in_, out_;
    std::vector<T> before_;
};

template <class T>
class Kernels : public testing::Test {};
using Elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

class ElementNames {
public:
    template <class T>
    static std::string GetName(int) {
        return "Bytes" + std::to_string(sizeof(T));
    }
};
TYPED_TEST_SUITE(Kernels, Elements, ElementNames);

struct Shape {
    int rows, columns;
};

// One element, one row, one column; a warp, a tile and one more or less than these; not square; sizes whose rows start
// at multiples of 16 bytes for some elements; several tiles of the largest kernels.
constexpr Shape shapes[] = {{1, 1},    {1, 7},    {7, 1},   {1, 1000}, {1000, 1},  {2, 3},    {31, 33},
                            {32, 32},  {33, 31},  {64, 64}, {63, 65},  {65, 63},   {100, 37}, {128, 96},
                            {129, 97}, {16, 400}, {400, 8}, {256, 64}, {257, 129}, {61, 515}, {272, 144},
                            {6, 4200}};  // 8-byte elements: 128 columns of tiles in pairs, and some left over

TYPED_TEST(Kernels, EveryShape) {
    for (const Shape& shape : shapes) {
        Trial<TypeParam> trial(shape.rows, shape.columns, 0, 0);
        for (const auto& step : ladder<TypeParam>) trial.run(step, step.block);
    }
}

// A matrix may begin anywhere in memory, as a part of another does.
TYPED_TEST(Kernels, MatricesThatBeginAnywhere) {
    for (const Shape& shape : {Shape{64, 64}, Shape{65, 34}, Shape{1, 50}}) {
        for (const auto& [in_skew, out_skew] :
             {std::pair{1, 0}, std::pair{0, 1}, std::pair{3, 5}, std::pair{2, 2}, std::pair{7, 15}}) {
            Trial<TypeParam> trial(shape.rows, shape.columns, in_skew, out_skew);
            for (const auto& step : ladder<TypeParam>) trial.run(step, step.block);
        }
    }
}

TYPED_TEST(Kernels, EveryBlock) {
    const std::vector<dim3> any{{1, 1}, {1, 1024}, {1024, 1}, {7, 3}, {8, 8}, {16, 16}, {32, 32}, {33, 31}, {64, 16}};
    std::vector<dim3> tile;
    for (unsigned width : {8, 16, 32}) {
        for (unsigned height = 1; height <= width; height *= 2) tile.push_back(dim3(width, height));
    }
    Trial<TypeParam> trial(45, 71, 0, 0);
    for (const auto& step : ladder<TypeParam>) {
        if (step.rule == BlockRule::fixed) continue;
        for (const dim3 block : step.rule == BlockRule::any ? any : tile) trial.run(step, block);
    }
}

TEST(Blocks, ThoseThatCannotRunAreNamed) {
    const auto problem = [](const char* name, long long rows, long long columns, dim3 block) {
        for (const auto& step : ladder<std::uint32_t>) {
            if (std::string(step.name) == name) return problem_of_block(step, rows, columns, block);
        }
        return std::string("no such kernel");
    };
    using testing::HasSubstr;
    EXPECT_EQ(problem("copy_row", 1, 1, dim3(32, 32)), "");
    EXPECT_EQ(problem("copy_row", 1, 1, dim3(32, 33)),
              "copy_row with blocks of 32 x 33 threads: a block has at most 1024 threads");
    EXPECT_EQ(problem("tiled", 1, 1, dim3(32, 16)), "");
    EXPECT_THAT(problem("tiled", 1, 1, dim3(24, 8)), HasSubstr("must be 8, 16 or 32 wide"));
    EXPECT_THAT(problem("tiled", 1, 1, dim3(4, 4)), HasSubstr("must be 8, 16 or 32 wide"));
    EXPECT_THAT(problem("tiled_padded", 1, 1, dim3(64, 8)), HasSubstr("must be 8, 16 or 32 wide"));
    EXPECT_THAT(problem("tiled_padded", 1, 1, dim3(16, 5)), HasSubstr("must divide the height of the tile, 16"));
    EXPECT_THAT(problem("tiled_padded", 1, 1, dim3(8, 16)), HasSubstr("must divide the height of the tile, 8"));
    // 65535 blocks of 16 rows are 1,048,560 rows; copy_col's blocks count columns along y.
    EXPECT_EQ(problem("naive_row", 1048560, 1, dim3(32, 16)), "");
    EXPECT_THAT(problem("naive_row", 1048561, 1, dim3(32, 16)), HasSubstr("65535 blocks along y, and 1048561 rows"));
    EXPECT_EQ(problem("copy_col", 1048561, 1, dim3(32, 16)), "");
    EXPECT_THAT(problem("copy_col", 1, 1048561, dim3(32, 16)), HasSubstr("65535 blocks along y, and 1048561 columns"));
    // A tile is as high as it is wide, whatever the block is.
    EXPECT_EQ(problem("tiled", 1048561, 1, dim3(32, 1)), "");
    EXPECT_EQ(problem("fastest", 1, 1, dim3(0, 0)), "");
}

// What a launch costs.

template <class T>
lanescope::Counts count_step(const char* name, int rows, int columns, dim3 block = dim3(0)) {
    const Matrix<T> matrix(rows, columns);
    return lanescope::count([&] {
        for (const auto& step : ladder<T>) {
            if (std::string(step.name) == name)
                step.launch(matrix.out(), matrix.in(), rows, columns, block.x > 0 ? block : step.block);
        }
        CUDA_CHECK(cudaGetLastError());
    });
}

class Costs : public testing::Test {
protected:
    void SetUp() override {
        if (!lanescope::can_count()) GTEST_SKIP() << "this GPU's counters are not read";
    }

    static void expect_global(const lanescope::Counts& c, unsigned loads, unsigned load_sectors, unsigned stores,
                              unsigned store_sectors) {
        EXPECT_EQ(c.launches.size(), 1u);
        EXPECT_EQ(c.global_load.requests, loads);
        EXPECT_EQ(c.global_load.sectors, loads * load_sectors);
        EXPECT_EQ(c.global_store.requests, stores);
        EXPECT_EQ(c.global_store.sectors, stores * store_sectors);
        EXPECT_EQ(c.local_load.requests + c.local_store.requests, 0u) << "an array is in local memory";
    }
    static void expect_shared(const lanescope::SharedTraffic& t, unsigned requests, unsigned passes, unsigned extra) {
        EXPECT_EQ(t.requests, requests);
        EXPECT_EQ(t.wavefronts, requests * passes);
        EXPECT_EQ(t.conflicts, requests * extra);
    }
};

// 32 x 32 ints. A row is 128 bytes and starts at a multiple of 128: a warp that goes along it touches 4 sectors. A warp
// that goes down a column touches another row with each lane: 32 sectors. 1024 ints are 32 requests of 32 lanes.
TEST_F(Costs, OneElementForEachThread) {
    expect_global(count_step<std::uint32_t>("copy_row", 32, 32), 32, 4, 32, 4);
    expect_global(count_step<std::uint32_t>("copy_col", 32, 32), 32, 32, 32, 32);
    expect_global(count_step<std::uint32_t>("naive_row", 32, 32), 32, 4, 32, 32);
    expect_global(count_step<std::uint32_t>("naive_col", 32, 32), 32, 32, 32, 4);
    EXPECT_EQ(count_step<std::uint32_t>("naive_col", 32, 32).shared_load.requests, 0u);
}

// The same for other elements. Along a row of 32: as many sectors as an element has bytes. Down a column of 32 rows of
// 32 elements (32 bytes or more): a sector for each lane.
TEST_F(Costs, OtherElements) {
    expect_global(count_step<std::uint8_t>("naive_row", 32, 32), 32, 1, 32, 32);
    expect_global(count_step<std::uint16_t>("naive_row", 32, 32), 32, 2, 32, 32);
    expect_global(count_step<std::uint64_t>("naive_row", 32, 32), 32, 8, 32, 32);
    expect_global(count_step<std::uint8_t>("naive_col", 32, 32), 32, 32, 32, 1);
    expect_global(count_step<std::uint64_t>("tiled_padded", 32, 32), 32, 8, 32, 8);
}

// One tile of 32 x 32 ints. Both sides go along rows. In shared memory a row is 32 words in 32 banks, one pass. Without
// padding, the words of a column are 32 words apart, all in one bank: 32 passes, 31 too many. With rows of 33 words,
// lane x reads bank (33 * x + y) % 32 = (x + y) % 32: another for each.
TEST_F(Costs, OneTile) {
    for (const unsigned height : {8u, 16u, 32u}) {
        SCOPED_TRACE(height);
        const auto tiled = count_step<std::uint32_t>("tiled", 32, 32, dim3(32, height));
        expect_global(tiled, 32, 4, 32, 4);
        expect_shared(tiled.shared_store, 32, 1, 0);
        expect_shared(tiled.shared_load, 32, 32, 31);
        const auto padded = count_step<std::uint32_t>("tiled_padded", 32, 32, dim3(32, height));
        expect_global(padded, 32, 4, 32, 4);
        expect_shared(padded.shared_store, 32, 1, 0);
        expect_shared(padded.shared_load, 32, 1, 0);
    }
}

// A warp is two rows of a block that is 16 wide. Its lanes read two columns of a tile with rows of 16 words: word 16 *
// x
// + y, for x from 0 to 15. Every second x is in bank y, the others in bank y + 16: 8 passes (for two columns y, in
// banks of their own), 7 too many. With 2 words left out after each 32, x = 2 * k is in bank 2 * k + y and x = 2 * k +
// 1 in bank 16 + 2 * k + y; y is even, and y + 1 in the odd banks. Two rows are 32 words without a gap: stores take one
// pass. In global memory, a warp touches 64 bytes of two rows: 2 * 2 sectors.
TEST_F(Costs, OneTile16Wide) {
    const auto tiled = count_step<std::uint32_t>("tiled", 16, 16, dim3(16, 16));
    expect_global(tiled, 8, 4, 8, 4);
    expect_shared(tiled.shared_store, 8, 1, 0);
    expect_shared(tiled.shared_load, 8, 8, 7);
    for (const unsigned height : {2u, 4u, 8u, 16u}) {
        SCOPED_TRACE(height);
        const auto padded = count_step<std::uint32_t>("tiled_padded", 16, 16, dim3(16, height));
        expect_global(padded, 8, 4, 8, 4);
        expect_shared(padded.shared_store, 8, 1, 0);
        expect_shared(padded.shared_load, 8, 1, 0);
    }
}

// A warp is four rows of a block that is 8 wide. Word 8 * x + y, for x from 0 to 7 and 4 values of y: x and x + 4 are
// in the same bank, 2 passes. With 4 words left out after each 32, x + 4 is 4 banks further, and the y between 0 and 3.
// In global memory, a warp touches 32 bytes of four rows: 4 sectors.
TEST_F(Costs, OneTile8Wide) {
    const auto tiled = count_step<std::uint32_t>("tiled", 8, 8, dim3(8, 8));
    expect_global(tiled, 2, 4, 2, 4);
    expect_shared(tiled.shared_store, 2, 1, 0);
    expect_shared(tiled.shared_load, 2, 2, 1);
    for (const unsigned height : {4u, 8u}) {
        SCOPED_TRACE(height);
        const auto padded = count_step<std::uint32_t>("tiled_padded", 8, 8, dim3(8, height));
        expect_global(padded, 2, 4, 2, 4);
        expect_shared(padded.shared_store, 2, 1, 0);
        expect_shared(padded.shared_load, 2, 1, 0);
    }
}

// Elements of 8 bytes. Two passes are needed for 256 bytes, one for each half of the warp. Rows of 33 elements are 66
// words: lane x reads banks 2 * x + 2 * y and the next, and 16 lanes have all banks.
TEST_F(Costs, OneTileOf8Bytes) {
    const auto padded = count_step<std::uint64_t>("tiled_padded", 32, 32);
    expect_global(padded, 32, 8, 32, 8);
    expect_shared(padded.shared_store, 32, 2, 0);
    expect_shared(padded.shared_load, 32, 2, 0);
}

// 64 x 64 ints, 128 warps' worth; a warp has half of a row: 4 sectors. Rows of 65 words: lane x reads bank (x + y)
// % 32.
TEST_F(Costs, SeveralElements) {
    const auto c = count_step<std::uint32_t>("tiled_elements", 64, 64);
    expect_global(c, 128, 4, 128, 4);
    expect_shared(c.shared_store, 128, 1, 0);
    expect_shared(c.shared_load, 128, 1, 0);
}

// 64 x 64 ints are 1024 vectors, 32 warps' worth. A row is 16 vectors, so a warp's 512 bytes are two rows: 16 sectors.
// 512 bytes of shared memory take 4 passes at least: 32 banks of 4 bytes. Eight lanes of a store have eight
// neighbouring x and one y, and vector y ^ x of their rows: eight different ones modulo 8, so all 32 banks. Eight lanes
// of a load have one row and eight neighbouring vectors, in another order.
TEST_F(Costs, Vectors) {
    const auto c = count_step<std::uint32_t>("vectorised", 64, 64);
    expect_global(c, 32, 16, 32, 16);
    expect_shared(c.shared_store, 32, 4, 0);
    expect_shared(c.shared_load, 32, 4, 0);
}

// 128 x 128 bytes, 1024 vectors. A row is 8 vectors: a warp's 512 bytes are four rows.
TEST_F(Costs, VectorsOfBytes) {
    const auto c = count_step<std::uint8_t>("vectorised", 128, 128);
    expect_global(c, 32, 16, 32, 16);
    expect_shared(c.shared_store, 32, 4, 0);
    expect_shared(c.shared_load, 32, 4, 0);
}

// 128 x 64 ints, 2048 vectors: a tile as wide as that of vectorised, and twice as high. A warp loads two rows of 16
// vectors, as there; it stores one of 32: 512 bytes, 16 sectors.
TEST_F(Costs, Fastest) {
    const auto c = count_step<std::uint32_t>("fastest", 128, 64);
    expect_global(c, 64, 16, 64, 16);
    expect_shared(c.shared_store, 64, 4, 0);
    expect_shared(c.shared_load, 64, 4, 0);
}

// 129 x 64 ints: rows of `out` of 516 bytes, which start 4 bytes further each, so vectors cannot be aligned to a tile.
// fastest's still are: between the ends of a row each stores 16 bytes of one sector. tiled_padded's warps store 128
// bytes each, but from anywhere on: 5 sectors, unless they start at a sector.
TEST_F(Costs, FastestStoresWholeSectorsWhereverRowsStart) {
    const auto odd = count_step<std::uint32_t>("fastest", 129, 64);
    // Windows of 64 ints start at sectors, and so all requests of whole vectors touch 16 sectors for 512 bytes. Ints are
    // stored one by one where a row starts or ends within a vector.
    const auto padded = count_step<std::uint32_t>("tiled_padded", 129, 64);
    EXPECT_LT(odd.global_store.sectors, padded.global_store.sectors);
    EXPECT_EQ(odd.global_store.requested_bytes, 129u * 64 * 4);
    EXPECT_EQ(odd.local_load.requests + odd.local_store.requests, 0u) << "the shift is in registers";
}

}  // namespace
