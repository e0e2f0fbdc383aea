// Grades tile_it: the transpose of every shape, then the sectors that its loads and stores touched.
#include "../graded_matrix.h"
#include "tile_it.h"

using namespace lanescope::grading;

namespace {

template <class T>
constexpr const char* name_of = sizeof(T) == sizeof(int) ? "ints" : "doubles";

template <class T>
std::string words(const Shape& shape) {
    return text(shape.words(), " ", name_of<T>);
}

// Runs the learner's transpose and checks what it did to the memory.
template <class T>
lanescope::Counts check(const Shape& shape, int behind, const std::string& note = "") {
    const std::string input = words<T>(shape) + note;
    const GradedMatrix<T> matrix(shape, behind);
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts =
        lanescope::count([&] { error = transpose(matrix.out(), matrix.in(), shape.rows, shape.columns); });
    if (!expect_success(error, "transpose", input)) return counts;
    matrix.expect_transposed(input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", "the matrix stays on the GPU", input);
    return counts;
}

constexpr char first_right[] = "\nhow it was loaded and stored is looked at when the result is right";
constexpr char least[] = "those in which the matrix lies";
constexpr Shape aligned[] = {{512, 128}, {128, 512}};  // every row of both matrices fills its sectors

// Pieces of 16 elements are the smallest for which a tile is worth its while; 32 ints touch 5 sectors, twice 16
// touch 6.
constexpr int piece = 16;
constexpr char pieces[] = "what pieces of 16 elements touch, wherever they begin";
constexpr Shape unaligned[] = {{131, 205}, {205, 131}, {37, 501}};

template <class T>
void expect_rows_anywhere() {
    for (const Shape& shape : unaligned) {
        const lanescope::Counts counts = check<T>(shape, 0, first_right);
        const std::string input = words<T>(shape);
        expect_at_most(counts, global_load_sectors, most_sectors(shape.rows, shape.columns, piece, sizeof(T)), pieces,
                       input);
        expect_at_most(counts, global_store_sectors, most_sectors(shape.columns, shape.rows, piece, sizeof(T)), pieces,
                       input);
        expect_at_most(counts, global_atomic_requests, 0, "elements are stored", input);
        expect_shared_work<T>(counts, shape, input);
    }
}

template <class T>
void expect_least(const Counter& sectors) {
    for (const Shape& shape : aligned) {
        const lanescope::Counts counts = check<T>(shape, 0, first_right);
        expect_at_most(counts, sectors, least_sectors(shape, sizeof(T)), least, words<T>(shape));
        expect_at_most(counts, global_atomic_requests, 0, "elements are stored", words<T>(shape));
        expect_shared_work<T>(counts, shape, words<T>(shape));
    }
}

}  // namespace

GRADED_TEST(TransposesEveryShape, 3, "By way of a tile") {
    for (const Shape& shape : shapes) {
        for (int behind : {100, 0}) {
            check<int>(shape, behind);
            check<double>(shape, behind);
        }
    }
    for (const Shape& shape : {Shape{1, 70'000}, {70'000, 1}})
        check<int>(shape, 0);  // more than a grid has blocks along y
}

// 32 ints in a row are 4 sectors, and 32 doubles 8; in a column they are 32.
GRADED_TEST(LoadsAlongRows, 2, "By way of a tile") {
    SKIP_WITHOUT_COUNTERS();
    expect_least<int>(global_load_sectors);
    expect_least<double>(global_load_sectors);
}

GRADED_TEST(StoresAlongRows, 4, "By way of a tile") {
    SKIP_WITHOUT_COUNTERS();
    expect_least<int>(global_store_sectors);
    expect_least<double>(global_store_sectors);
}

GRADED_TEST(RowsThatBeginAnywhere, 3, "By way of a tile") {
    SKIP_WITHOUT_COUNTERS();
    expect_rows_anywhere<int>();
    expect_rows_anywhere<double>();
}

GRADED_TEST(ReturnsErrors, 1, "By way of a tile") {
    const GradedMatrix<int> ints({40, 50}, 0);
    const GradedMatrix<double> doubles({40, 50}, 0);
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();  // from now on every launch reports what that kernel did
    const std::string input = ", after a kernel that wrote to an illegal address";
    expect_error(transpose(ints.out(), ints.in(), 40, 50), cudaErrorIllegalAddress, "transpose",
                 "40 x 50 ints" + input);
    expect_error(transpose(doubles.out(), doubles.in(), 40, 50), cudaErrorIllegalAddress, "transpose",
                 "40 x 50 doubles" + input);
}
