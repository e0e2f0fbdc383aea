// Symbols through the runtime API: round trips, and the error for each way to name one wrongly.
#include <gmock/gmock.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "tutorial/check.cuh"

__device__ float scalar;
__device__ int table[8];
__constant__ int weights[4];
int host_array[8];

__global__ void scale_table(int factor) { table[threadIdx.x] *= factor; }
__global__ void weigh_table() { table[threadIdx.x] = weights[threadIdx.x % 4] * 10; }

namespace {

class Symbols : public testing::Test {
protected:
    void TearDown() override { cudaGetLastError(); }   // an expected error must not fail the next test
};

TEST_F(Symbols, ScalarRoundTrip) {
    const float sent = 3.14f;
    float received = 0;
    ASSERT_EQ(cudaMemcpyToSymbol(scalar, &sent, sizeof sent), cudaSuccess);
    ASSERT_EQ(cudaMemcpyFromSymbol(&received, scalar, sizeof received), cudaSuccess);
    EXPECT_EQ(received, sent);   // copied bytes: equal to the last bit
}

TEST_F(Symbols, AddressAndSymbolReachTheSameBytes) {
    void* address = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(&address, table), cudaSuccess);
    const std::vector<int> sent{1, 2, 3, 4, 5, 6, 7, 8};
    ASSERT_EQ(cudaMemcpy(address, sent.data(), sizeof table, cudaMemcpyHostToDevice), cudaSuccess);
    scale_table<<<1, 8>>>(10);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<int> by_symbol(8), by_address(8);
    ASSERT_EQ(cudaMemcpyFromSymbol(by_symbol.data(), table, sizeof table), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(by_address.data(), address, sizeof table, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_THAT(by_symbol, testing::ElementsAre(10, 20, 30, 40, 50, 60, 70, 80));
    EXPECT_EQ(by_address, by_symbol);
}

TEST_F(Symbols, OffsetReachesOneElement) {
    const std::vector<int> zeros(8, 0);
    ASSERT_EQ(cudaMemcpyToSymbol(table, zeros.data(), sizeof table), cudaSuccess);
    const int sent = 42;
    ASSERT_EQ(cudaMemcpyToSymbol(table, &sent, sizeof sent, 3 * sizeof(int)), cudaSuccess);
    std::vector<int> received(8);
    ASSERT_EQ(cudaMemcpyFromSymbol(received.data(), table, sizeof table), cudaSuccess);
    EXPECT_THAT(received, testing::ElementsAre(0, 0, 0, 42, 0, 0, 0, 0));
}

TEST_F(Symbols, ConstantSymbol) {
    const std::vector<int> sent{4, 3, 2, 1};
    ASSERT_EQ(cudaMemcpyToSymbol(weights, sent.data(), sizeof weights), cudaSuccess);
    weigh_table<<<1, 8>>>();
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<int> received(8);
    ASSERT_EQ(cudaMemcpyFromSymbol(received.data(), table, sizeof table), cudaSuccess);
    EXPECT_THAT(received, testing::ElementsAre(40, 30, 20, 10, 40, 30, 20, 10));
}

TEST_F(Symbols, Size) {
    size_t bytes = 0;
    ASSERT_EQ(cudaGetSymbolSize(&bytes, scalar), cudaSuccess);
    EXPECT_EQ(bytes, 4u);
    ASSERT_EQ(cudaGetSymbolSize(&bytes, table), cudaSuccess);
    EXPECT_EQ(bytes, 32u);
}

TEST_F(Symbols, TheAddressBelongsToTheDevice) {
    void* address = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(&address, scalar), cudaSuccess);
    EXPECT_NE(address, static_cast<void*>(&scalar));   // in host code &scalar is the host's stand-in
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, address), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
}

TEST_F(Symbols, NameInQuotes) {
    const float sent = 1;
    EXPECT_EQ(cudaMemcpyToSymbol("scalar", &sent, sizeof sent), cudaErrorInvalidSymbol);
}

TEST_F(Symbols, AddressOfTheHostStandIn) {
    const float sent = 1;
    EXPECT_EQ(cudaMemcpyToSymbol(&scalar, &sent, sizeof sent), cudaErrorInvalidSymbol);
}

TEST_F(Symbols, HostVariable) {
    std::vector<int> received(8);
    EXPECT_EQ(cudaMemcpyFromSymbol(received.data(), host_array, sizeof host_array), cudaErrorInvalidSymbol);
    void* address = nullptr;
    EXPECT_EQ(cudaGetSymbolAddress(&address, host_array), cudaErrorInvalidSymbol);
    size_t bytes = 0;
    EXPECT_EQ(cudaGetSymbolSize(&bytes, host_array), cudaErrorInvalidSymbol);
}

TEST_F(Symbols, MoreBytesThanTheSymbolHas) {
    const std::vector<int> sent(16, 1);
    EXPECT_EQ(cudaMemcpyToSymbol(table, sent.data(), 64), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(table, sent.data(), 8, 28), cudaErrorInvalidValue);   // 28 + 8 > 32
}

TEST_F(Symbols, WrongDirection) {
    float data = 1;
    EXPECT_EQ(cudaMemcpyToSymbol(scalar, &data, sizeof data, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpyFromSymbol(&data, scalar, sizeof data, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
}

TEST(SymbolAddress, TheProgramShowsTheRoundTripAndTheErrors) {
    const lanescope::test::Finished run = lanescope::test::run_program({PROGRAM_symbol_address});
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("4 bytes"));
    EXPECT_THAT(run.out, testing::HasSubstr("is another address"));
    EXPECT_THAT(run.out, testing::HasSubstr("read back 4.5 by address, 4.5 by symbol"));
    EXPECT_THAT(run.out, testing::ContainsRegex("in quotes.* cudaErrorInvalidSymbol"));
    EXPECT_THAT(run.out, testing::ContainsRegex("its address.* cudaErrorInvalidSymbol"));
    EXPECT_THAT(run.out, testing::ContainsRegex("a host variable.* cudaErrorInvalidSymbol"));
    EXPECT_THAT(run.out, testing::ContainsRegex("more bytes.* cudaErrorInvalidValue"));
    EXPECT_THAT(run.out, testing::ContainsRegex("wrong direction.* cudaErrorInvalidMemcpyDirection"));
}

TEST(CheckDeathTest, AFailedCallEndsTheProgramWithPlaceErrorAndNextStep) {
    EXPECT_EXIT(CUDA_CHECK(cudaErrorInvalidSymbol), testing::ExitedWithCode(1),
                "symbol_address_test.cu:[0-9]+: cudaErrorInvalidSymbol failed: cudaErrorInvalidSymbol .*next: pass the");
    EXPECT_EXIT(CUDA_CHECK(cudaErrorNoDevice), testing::ExitedWithCode(1), "next: this machine has no usable GPU");
}

}  // namespace
