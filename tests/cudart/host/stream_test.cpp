// Streams and events: what orders work, what runs it, and wrong arguments. Codes as on an H200.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cudart/cuda_errors.h"
#include "cudart/order_log.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Streams : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaStreamCreate(&a), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&b), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    }
    void TearDown() override {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
        for (cudaStream_t stream : {a, b, free_running}) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        cudaGetLastError();
    }

    cudaStream_t a = nullptr, b = nullptr, free_running = nullptr;
    cudaEvent_t event = nullptr;
    OrderLog log;
};

TEST_F(Streams, AWaitRunsItsStreamAndNoOther) {
    log.add(a, 1);
    log.add(b, 2);
    log.add(a, 3);
    EXPECT_THAT(log.order(), IsEmpty());
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1, 3));
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1, 3, 2));
}

TEST_F(Streams, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
    log.add(a, 1);
    log.add(free_running, 2);
    log.add(nullptr, 3);
    log.add(b, 4);
    ASSERT_EQ(cudaStreamSynchronize(b), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1, 3, 4));
}

TEST_F(Streams, SynchronisingTheLegacyStreamRunsBlockingStreams) {
    log.add(a, 1);
    log.add(free_running, 2);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1));
}

TEST_F(Streams, APerThreadStreamIsABlockingStreamOfItsThread) {
    log.add(cudaStreamPerThread, 1);
    log.add(cudaStreamLegacy, 2);
    std::thread([&] {
        log.add(cudaStreamPerThread, 3);
        EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    }).join();
    EXPECT_THAT(log.order(), ElementsAre(1, 2, 3));
}

TEST_F(Streams, ADestroyedStreamsWorkStillRuns) {
    cudaStream_t gone;
    ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
    log.add(gone, 1);
    ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
    log.add(nullptr, 2);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1, 2));
    EXPECT_EQ(cudaStreamSynchronize(gone), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, AnEventOrdersTwoStreams) {
    log.add(a, 1);
    ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
    log.add(a, 2);
    ASSERT_EQ(cudaStreamWaitEvent(free_running, event, 0), cudaSuccess);
    log.add(free_running, 3);
    ASSERT_EQ(cudaStreamSynchronize(free_running), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1, 3)) << "what follows the event in its stream is not required";
}

TEST_F(Streams, AnEventWaitedForRunsWhatPrecedesIt) {
    log.add(a, 1);
    ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
    log.add(a, 2);
    ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1));
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
}

TEST_F(Streams, EachQueryMakesProgress) {
    log.add(a, 1);
    log.add(a, 2);
    EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
    EXPECT_THAT(log.order(), ElementsAre(1));
    EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
    EXPECT_THAT(log.order(), ElementsAre(1, 2));
    EXPECT_EQ(cudaStreamQuery(a), cudaSuccess);
}

TEST_F(Streams, AnUnrecordedEventIsComplete) {
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(a, event, 0), cudaSuccess);
}

TEST_F(Streams, ElapsedTimeNeedsTwoTimedEventsThatHappened) {
    cudaEvent_t end, untimed;
    ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, end), cudaErrorInvalidResourceHandle);
    ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
    log.add(a, 1);
    ASSERT_EQ(cudaEventRecord(end, a), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(untimed, a), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, end), cudaErrorNotReady);
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, end), cudaSuccess);
    EXPECT_GE(milliseconds, 0);
    float back = 0;
    EXPECT_EQ(cudaEventElapsedTime(&back, end, event), cudaSuccess);
    EXPECT_EQ(back, -milliseconds);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, untimed), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventElapsedTime(nullptr, event, end), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
}

TEST_F(Streams, CallbacksRunInOrder) {
    log.add(a, 1);
    const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
        EXPECT_EQ(status, cudaSuccess);
        EXPECT_THAT(static_cast<OrderLog*>(data)->order(), ElementsAre(1));
    };
    ASSERT_EQ(cudaStreamAddCallback(a, callback, &log, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(cudaStreamAddCallback(a, nullptr, nullptr, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchHostFunc(a, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(Streams, AHostFunctionMayNotCallCuda) {
    static cudaError_t inside[3];
    const auto function = [](void*) {
        void* pointer = nullptr;
        int count = 0;
        inside[0] = cudaMalloc(&pointer, 10);
        inside[1] = cudaDeviceSynchronize();
        inside[2] = cudaGetDeviceCount(&count);
    };
    ASSERT_EQ(cudaLaunchHostFunc(a, function, nullptr), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_THAT(inside, ElementsAre(cudaErrorNotPermitted, cudaErrorNotPermitted, cudaSuccess));
}

// A program may wait for a host function without calling CUDA at all.
TEST_F(Streams, AHostFunctionRunsWhileTheProgramSleeps) {
    struct Signal {
        std::mutex mutex;
        std::condition_variable changed;
        bool given = false;
    } signal;
    const auto give = [](void* data) {
        auto& signal = *static_cast<Signal*>(data);
        const std::lock_guard lock(signal.mutex);
        signal.given = true;
        signal.changed.notify_all();
    };
    log.add(a, 1);
    ASSERT_EQ(cudaLaunchHostFunc(a, give, &signal), cudaSuccess);
    std::unique_lock lock(signal.mutex);
    ASSERT_TRUE(signal.changed.wait_for(lock, std::chrono::seconds(30), [&] { return signal.given; }));
    EXPECT_THAT(log.order(), ElementsAre(1));
}

// While one thread runs a host function, another may use the runtime.
TEST_F(Streams, AHostFunctionMayWaitForAnotherThread) {
    struct Gate {
        std::mutex mutex;
        std::condition_variable changed;
        bool open = false;
    } gate;
    const auto pass = [](void* data) {
        auto& gate = *static_cast<Gate*>(data);
        std::unique_lock lock(gate.mutex);
        gate.changed.wait(lock, [&] { return gate.open; });
    };
    ASSERT_EQ(cudaLaunchHostFunc(a, pass, &gate), cudaSuccess);
    std::thread waiter([&] { EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess); });
    log.add(b, 1);
    EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(1));
    {
        const std::lock_guard lock(gate.mutex);
        gate.open = true;
    }
    gate.changed.notify_all();
    waiter.join();
}

TEST_F(Streams, MoreWorkThanTheQueueHoldsRunsEarly) {
    constexpr int many = 20000;  // the queue holds 16384
    for (int i = 0; i < many; ++i) log.add(a, i);
    EXPECT_EQ(log.order().size(), size_t{many} - 16384);
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(log.order().size(), size_t{many});
}

TEST_F(Streams, WrongArguments) {
    cudaStream_t stream = nullptr;
    cudaEvent_t other = nullptr;
    int value = 0;
    EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 7), cudaErrorInvalidValue);
    for (cudaStream_t fixed : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
        EXPECT_EQ(cudaStreamDestroy(fixed), cudaErrorInvalidResourceHandle);
    }
    EXPECT_EQ(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(&value)), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(a, nullptr, 0), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(a, event, 5), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventCreate(nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventCreateWithFlags(&other, 0x100), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventCreateWithFlags(&other, cudaEventInterprocess), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventRecord(nullptr, a), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecordWithFlags(event, a, 9), cudaErrorInvalidValue);
}

TEST_F(Streams, Properties) {
    cudaStream_t eager = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&eager, cudaStreamNonBlocking, -100), cudaSuccess);
    int least = 9, greatest = 9, priority = 9;
    unsigned flags = 9;
    ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    EXPECT_EQ(least, 0);
    EXPECT_LT(greatest, least);
    EXPECT_EQ(cudaStreamGetPriority(eager, &priority), cudaSuccess);
    EXPECT_EQ(priority, greatest);
    EXPECT_EQ(cudaStreamGetFlags(eager, &flags), cudaSuccess);
    EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
    unsigned long long legacy = 0, zero = 0, own = 0;
    EXPECT_EQ(cudaStreamGetId(cudaStreamLegacy, &legacy), cudaSuccess);
    EXPECT_EQ(cudaStreamGetId(nullptr, &zero), cudaSuccess);
    EXPECT_EQ(cudaStreamGetId(eager, &own), cudaSuccess);
    EXPECT_EQ(legacy, zero);
    EXPECT_NE(legacy, own);
    EXPECT_EQ(cudaStreamDestroy(eager), cudaSuccess);
}

}  // namespace
