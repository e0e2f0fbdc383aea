// What events say of copies: the modelled clock's times. On the simulated H200 a link of 55 GB/s takes 1.22 ms for 64 MiB, each way.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "cudart/cuda_errors.h"

namespace {

constexpr size_t bytes = 64 << 20;
constexpr double one_way_ms = bytes / 55e9 * 1e3;

class Times : public testing::Test {
protected:
    void SetUp() override {
        for (cudaStream_t& stream : streams) ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        for (cudaEvent_t& event : events) ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
        for (void*& pointer : host) ASSERT_EQ(cudaMallocHost(&pointer, bytes), cudaSuccess);
        for (void*& pointer : device) ASSERT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    }
    void TearDown() override {
        for (cudaStream_t stream : streams) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        for (cudaEvent_t event : events) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
        for (void* pointer : host) EXPECT_EQ(cudaFreeHost(pointer), cudaSuccess);
        for (void* pointer : device) EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    }
    double milliseconds(cudaEvent_t from, cudaEvent_t to) {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        float result = -1;
        EXPECT_EQ(cudaEventElapsedTime(&result, from, to), cudaSuccess);
        return result;
    }
    void copy(int i, cudaMemcpyKind kind, cudaStream_t stream) {
        const bool up = kind == cudaMemcpyHostToDevice;
        EXPECT_EQ(cudaMemcpyAsync(up ? device[i] : host[i], up ? host[i] : device[i], bytes, kind, stream), cudaSuccess);
    }
    cudaStream_t streams[2] = {};
    cudaEvent_t events[4] = {};
    void *host[2] = {}, *device[2] = {};
};

TEST_F(Times, ACopyTakesItsBytesAtTheRateOfTheLink) {
    cudaEventRecord(events[0], streams[0]);
    copy(0, cudaMemcpyHostToDevice, streams[0]);
    cudaEventRecord(events[1], streams[0]);
    EXPECT_NEAR(milliseconds(events[0], events[1]), one_way_ms, 0.05 * one_way_ms);
}

// It is staged: the same time as a copy that the host waits for.
TEST_F(Times, AnAsynchronousCopyFromPageableMemoryTakesTime) {
    const std::vector<char> pageable(16 << 20);
    double times[2];
    for (int async = 0; async < 2; ++async) {
        cudaEventRecord(events[0]);
        if (async) EXPECT_EQ(cudaMemcpyAsync(device[0], pageable.data(), pageable.size(), cudaMemcpyHostToDevice), cudaSuccess);
        else EXPECT_EQ(cudaMemcpy(device[0], pageable.data(), pageable.size(), cudaMemcpyHostToDevice), cudaSuccess);
        cudaEventRecord(events[1]);
        times[async] = milliseconds(events[0], events[1]);
    }
    EXPECT_GT(times[0], 1);
    EXPECT_NEAR(times[1], times[0], 0.01);
}

TEST_F(Times, CopiesInOneDirectionTakeTurns) {
    for (int i = 0; i < 2; ++i) {
        cudaEventRecord(events[2 * i], streams[i]);
        copy(i, cudaMemcpyHostToDevice, streams[i]);
        cudaEventRecord(events[2 * i + 1], streams[i]);
    }
    EXPECT_NEAR(milliseconds(events[0], events[3]), 2 * one_way_ms, 0.1 * one_way_ms);
}

TEST_F(Times, CopiesInBothDirectionsOverlap) {
    const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost};
    for (int i = 0; i < 2; ++i) {
        cudaEventRecord(events[2 * i], streams[i]);
        copy(i, kinds[i], streams[i]);
        cudaEventRecord(events[2 * i + 1], streams[i]);
    }
    EXPECT_NEAR(milliseconds(events[0], events[3]), one_way_ms, 0.05 * one_way_ms);
}

// Whether the event has happened when the other stream is told to wait for it, or not.
TEST_F(Times, AStreamThatWaitsForAnEventStartsAfterIt) {
    for (const bool happened : {false, true}) {
        cudaEventRecord(events[0], streams[0]);
        copy(0, cudaMemcpyHostToDevice, streams[0]);
        cudaEventRecord(events[1], streams[0]);
        if (happened) {
            EXPECT_EQ(cudaEventQuery(events[1]), cudaErrorNotReady);   // polling runs it; the host has not waited
        }
        EXPECT_EQ(cudaStreamWaitEvent(streams[1], events[1], 0), cudaSuccess);
        copy(1, cudaMemcpyDeviceToHost, streams[1]);
        cudaEventRecord(events[2], streams[1]);
        EXPECT_NEAR(milliseconds(events[0], events[2]), 2 * one_way_ms, 0.1 * one_way_ms) << happened;
    }
}

TEST_F(Times, WithinTheDeviceBytesAreReadAndWritten) {
    cudaEventRecord(events[0], streams[0]);
    EXPECT_EQ(cudaMemcpyAsync(device[0], device[1], bytes, cudaMemcpyDeviceToDevice, streams[0]), cudaSuccess);
    cudaEventRecord(events[1], streams[0]);
    cudaMemsetAsync(device[0], 0, bytes, streams[0]);
    cudaEventRecord(events[2], streams[0]);
    const double copied = milliseconds(events[0], events[1]), filled = milliseconds(events[1], events[2]);
    EXPECT_NEAR(copied, 0.0376, 0.0376 * 0.05);   // measured on an H200
    EXPECT_LT(filled, copied);
}

// The same in every run, and nothing passes while the host only thinks.
TEST_F(Times, NothingPassesBetweenEventsWithoutWork) {
    cudaEventRecord(events[0], streams[0]);
    cudaEventSynchronize(events[0]);
    cudaEventRecord(events[1], streams[0]);
    EXPECT_EQ(milliseconds(events[0], events[1]), 0);
}

}  // namespace
