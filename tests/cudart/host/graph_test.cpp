// Graphs of host functions, copies and fills: built by hand, captured, changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "cudart/cuda_errors.h"
#include "cudart/order_log.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GraphTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&side), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
        ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
        ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
    }
    void TearDown() override {
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(side), cudaSuccess);
        EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        cudaGetLastError();
    }
    cudaGraphNode_t add_host(int mark, std::vector<cudaGraphNode_t> after) {
        cudaGraphNode_t node = nullptr;
        const cudaHostNodeParams parameters = log.node(mark);
        EXPECT_EQ(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &parameters), cudaSuccess);
        return node;
    }
    std::vector<int> order_of(cudaGraph_t which) {
        cudaGraphExec_t exec = nullptr;
        EXPECT_EQ(cudaGraphInstantiate(&exec, which, 0), cudaSuccess);
        log.clear();
        EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
        EXPECT_THAT(log.order(), IsEmpty()) << "a launch only queues";
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
        return log.order();
    }

    cudaStream_t stream = nullptr, side = nullptr;
    cudaEvent_t event = nullptr;
    cudaGraph_t graph = nullptr;
    int* pinned = nullptr;
    int* device = nullptr;
    OrderLog log;
};

TEST_F(GraphTest, DependenciesOrderNodes) {
    cudaGraphNode_t last = add_host(3, {});
    cudaGraphNode_t first = add_host(1, {});
    cudaGraphNode_t middle = add_host(2, {first});
#if CUDART_VERSION >= 13000
    ASSERT_EQ(cudaGraphAddDependencies(graph, &middle, &last, nullptr, 1), cudaSuccess);
#else
    ASSERT_EQ(cudaGraphAddDependencies(graph, &middle, &last, 1), cudaSuccess);
#endif
    EXPECT_THAT(order_of(graph), ElementsAre(1, 2, 3));
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetRootNodes(graph, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 3u);
}

TEST_F(GraphTest, ACycleCannotBeInstantiated) {
    cudaGraphNode_t first = add_host(1, {});
    cudaGraphNode_t second = add_host(2, {first});
#if CUDART_VERSION >= 13000
    ASSERT_EQ(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1), cudaSuccess);
#else
    ASSERT_EQ(cudaGraphAddDependencies(graph, &second, &first, 1), cudaSuccess);
#endif
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
}

TEST_F(GraphTest, CopiesAndFillsCanRunAgain) {
    // device = 7, 7, ...; pinned = device
    const cudaMemsetParams fill{device, 0, 7, sizeof(int), 16, 1};
    cudaGraphNode_t fill_node = nullptr, copy_node = nullptr;
    ASSERT_EQ(cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy_node, graph, &fill_node, 1, pinned, device, 64, cudaMemcpyDefault),
              cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int run = 0; run < 2; ++run) {
        pinned[15] = 0;
        ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        EXPECT_EQ(pinned[15], 7);
    }
    const cudaMemsetParams other{device, 0, 9, sizeof(int), 16, 1};
    ASSERT_EQ(cudaGraphExecMemsetNodeSetParams(exec, fill_node, &other), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(pinned[15], 9);
    EXPECT_EQ(cudaGraphNodeSetEnabled(exec, copy_node, 0), cudaSuccess);
    pinned[15] = 0;
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(pinned[15], 0);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(GraphTest, CaptureMakesNodesInsteadOfWork) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    log.add(stream, 1);
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(side, event, 0), cudaSuccess);  // the side stream joins
    log.add(side, 2);
    ASSERT_EQ(cudaEventRecord(event, side), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    log.add(stream, 3);
    cudaStreamCaptureStatus status{};
    EXPECT_EQ(cudaStreamIsCapturing(side, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusActive);
    cudaGraph_t captured = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
    EXPECT_THAT(log.order(), IsEmpty());
    EXPECT_THAT(order_of(captured), ElementsAre(1, 2, 3));
    EXPECT_THAT(order_of(captured), ElementsAre(1, 2, 3));
    EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(GraphTest, ACaptureMustBeJoined) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(side, event, 0), cudaSuccess);
    log.add(side, 1);
    cudaGraph_t captured = graph;
    EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(captured, nullptr);
    log.add(side, 2);
    EXPECT_EQ(cudaStreamSynchronize(side), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(2));
}

TEST_F(GraphTest, WaitingSpoilsACapture) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t captured = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureInvalidated);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaMemset(device, 0, 4), cudaErrorStreamCaptureImplicit) << "the legacy stream would have to wait";
    EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaErrorIllegalState);
    EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
}

TEST_F(GraphTest, AnExecutableGraphIsUpdatedFromOneOfTheSameShape) {
    add_host(1, {});
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    cudaGraph_t next = nullptr;
    ASSERT_EQ(cudaGraphCreate(&next, 0), cudaSuccess);
    cudaGraphNode_t node = nullptr;
    const cudaHostNodeParams parameters = log.node(2);
    ASSERT_EQ(cudaGraphAddHostNode(&node, next, nullptr, 0, &parameters), cudaSuccess);
    cudaGraphExecUpdateResultInfo result{};
    EXPECT_EQ(cudaGraphExecUpdate(exec, next, &result), cudaSuccess);
    EXPECT_EQ(result.result, cudaGraphExecUpdateSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_THAT(log.order(), ElementsAre(2));
    ASSERT_EQ(cudaGraphAddEmptyNode(&node, next, nullptr, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphExecUpdate(exec, next, &result), cudaErrorGraphExecUpdateFailure);
    EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(next), cudaSuccess);
}

TEST_F(GraphTest, AChildGraphRunsInItsPlace) {
    cudaGraph_t child = nullptr;
    ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
    cudaGraphNode_t inner = nullptr, outer = nullptr;
    const cudaHostNodeParams parameters = log.node(2);
    ASSERT_EQ(cudaGraphAddHostNode(&inner, child, nullptr, 0, &parameters), cudaSuccess);
    cudaGraphNode_t first = add_host(1, {});
    ASSERT_EQ(cudaGraphAddChildGraphNode(&outer, graph, &first, 1, child), cudaSuccess);
    add_host(3, {outer});
    EXPECT_THAT(order_of(graph), ElementsAre(1, 2, 3));
    EXPECT_EQ(cudaGraphDestroy(child), cudaSuccess);
}

}  // namespace
