// Programs built by nvcc, unmodified, on the drop-in runtime: what a learner sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "support/run_program.h"

namespace lanescope::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Finished run(const std::string& program, std::map<std::string, std::string> environment = {},
             const std::vector<std::string>& arguments = {}) {
    environment["LD_LIBRARY_PATH"] = DROP_IN_FOLDER;
    environment.emplace("LANESCOPE_GPU", "h200");
    std::vector<std::string> argv = {std::string(PROGRAMS) + "/" + program};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_program(argv, environment);
}

TEST(Program, SeesStaleDataUntilItWaits) {
    const Finished p = run("deferred");
    EXPECT_EQ(p.out,
              "after the launches: 1 10\n"
              "after the wait: 2 15\n"
              "parameters: 115\n");
    EXPECT_THAT(p.err, IsEmpty());
    EXPECT_EQ(p.exit_status, 0);
}

TEST(Program, LaunchBlockingRunsEachKernelAtOnce) {
    const Finished p = run("deferred", {{"CUDA_LAUNCH_BLOCKING", "1"}});
    EXPECT_THAT(p.out, StartsWith("after the launches: 2 15\n"));
}

TEST(Program, IsToldWhatIsWrongWithALaunch) {
    const Finished p = run("errors");
    EXPECT_EQ(p.out,
              "LAUNCH(nothing<<<0, 1>>>()): cudaErrorInvalidConfiguration\n"
              "LAUNCH(nothing<<<1, 0>>>()): cudaErrorInvalidConfiguration\n"
              "LAUNCH(nothing<<<1, 1025>>>()): cudaErrorInvalidConfiguration\n"
              "LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>()): cudaErrorInvalidConfiguration\n"
              "LAUNCH(nothing<<<dim3(1, 65536), 1>>>()): cudaErrorInvalidConfiguration\n"
              "LAUNCH(bounded<<<1, 65>>>()): cudaErrorInvalidValue\n"
              "LAUNCH(shared<<<1, 1, 49152>>>(nullptr)): cudaSuccess\n"
              "LAUNCH(shared<<<1, 1, 49153>>>(nullptr)): cudaErrorInvalidValue\n"
              "cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000): cudaSuccess\n"
              "LAUNCH(shared<<<1, 1, 100000>>>(nullptr)): cudaSuccess\n"
              "LAUNCH(shared<<<1, 1, 100001>>>(nullptr)): cudaErrorInvalidValue\n"
              "cudaLaunchCooperativeKernel(nothing, dim3(100000), dim3(1024), nullptr, 0, nullptr): "
              "cudaErrorCooperativeLaunchTooLarge\n"
              "cudaDeviceSynchronize(): cudaSuccess\n");
    EXPECT_THAT(p.err, IsEmpty());
}

// Measured on an H200: the error stays; cudaGetLastError takes it once and the next call brings it back.
std::string after_fault(const std::string& error) {
    return "cudaGetLastError(): cudaSuccess\n"
           "cudaDeviceSynchronize(): " +
           error +
           "\n"
           "cudaGetLastError(): " +
           error +
           "\n"
           "cudaGetLastError(): cudaSuccess\n"
           "cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost): " +
           error +
           "\n"
           "cudaMalloc(&device, 4): " +
           error +
           "\n"
           "cudaGetDevice(&host): cudaSuccess\n"
           "cudaDeviceReset(): cudaSuccess\n"
           "cudaDeviceSynchronize(): " +
           error + "\n";
}

TEST(Program, KeepsTheErrorOfAKernel) {
    const Finished host_pointer = run("fault", {}, {"host pointer"});
    EXPECT_EQ(host_pointer.out, after_fault("cudaErrorIllegalAddress"));
    EXPECT_THAT(host_pointer.err, AllOf(StartsWith("lanescope: "), HasSubstr("write"), HasSubstr("fault.cu:6")));
    const Finished past_the_end = run("fault", {}, {"past the end"});
    EXPECT_EQ(past_the_end.out, after_fault("cudaErrorIllegalAddress"));
    EXPECT_THAT(past_the_end.err, AllOf(HasSubstr("past_the_end"), HasSubstr("cudaMalloc"), HasSubstr("(31,0,0)")));
    const Finished trap = run("fault", {}, {"trap"});
    EXPECT_EQ(trap.out, after_fault("cudaErrorLaunchFailure"));
}

TEST(Program, IsToldThatHostCodeUsedADevicePointer) {
    constexpr int killed_by_segmentation_fault = 128 + 11;   // as on a machine with a GPU
    for (const char* how : {"read", "write", "memcpy"}) {
        const Finished p = run("host_access", {}, {how});
        EXPECT_EQ(p.exit_status, killed_by_segmentation_fault) << how;
        EXPECT_EQ(p.out, "before\n") << how;
        EXPECT_THAT(p.err, AllOf(StartsWith("lanescope: host code used the device pointer 0x"),
                                 HasSubstr("128 bytes of device memory"), HasSubstr("next: copy the data to the host with cudaMemcpy")))
            << how;
    }
    const Finished null = run("host_access", {}, {"null"});
    EXPECT_EQ(null.exit_status, killed_by_segmentation_fault);
    EXPECT_THAT(null.err, IsEmpty());
}

TEST(Program, IsToldWhatItForgotToWaitFor) {
    const Finished p = run("forgotten");
    EXPECT_EQ(p.out, "the program ends\n");
    EXPECT_EQ(p.err,
              "lanescope: 1 operation was never waited for and did not run (kernel hello()); "
              "next: call cudaDeviceSynchronize() before the program ends\n");
    EXPECT_EQ(p.exit_status, 0);
}

TEST(Program, IsToldOfALaunchThatFailedAndNobodyChecked) {
    const Finished p = run("unchecked");
    EXPECT_EQ(p.out, "0\n");
    EXPECT_EQ(p.err,
              "lanescope: kernel add_one(int*, int) did not run: its launch with 0 x 1 x 1 blocks of 256 x 1 x 1 "
              "threads and 0 bytes of dynamic shared memory failed (invalid configuration argument) and nothing asked "
              "for the error; next: call cudaGetLastError() after each launch\n");
    EXPECT_EQ(p.exit_status, 0);

    const Finished checked = run("unchecked", {}, {"checked"});
    EXPECT_EQ(checked.out, "0\ncudaErrorInvalidConfiguration\n");
    EXPECT_THAT(checked.err, IsEmpty());
}

TEST(Program, PrintsFromTheDeviceAtTheWaits) {
    const Finished p = run("order");
    EXPECT_EQ(p.out, "host 1\ndevice 1\nhost 2\nhost 3\ndevice 2\nhost 4\ndevice 3\nhost 5\n");
    EXPECT_THAT(p.err, IsEmpty());
}

TEST(Program, AsksAboutItsKernels) {
    // Occupancy of an H200 SM by hand: 64 warps, 32 blocks, 233472 bytes of shared memory of which each
    // block reserves 1024. 100 threads are 4 warps: 16 blocks; 384 are 12: 5. (40000 + 1024) rounds up to
    // 41088 bytes: 5 blocks. The suggestion is 2 blocks of 1024 threads on each of 132 SMs.
    const Finished p = run("functions");
    EXPECT_EQ(
        p.out,
        "plain: 1024 threads, 0 + 49152 shared bytes\n"
        "bounded: 64 threads\n"
        "with_shared: 4000 + 45152 shared bytes, ptx 75\n"
        "cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448): "
        "cudaErrorInvalidValue\n"
        "cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 228448): cudaSuccess\n"
        "cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101): cudaErrorInvalidValue\n"
        "cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1): "
        "cudaSuccess\n"
        "cudaFuncSetCacheConfig(plain, static_cast<cudaFuncCache>(7)): cudaErrorInvalidValue\n"
        "32 threads: 32 blocks\n64 threads: 32 blocks\n100 threads: 16 blocks\n128 threads: 16 blocks\n"
        "256 threads: 8 blocks\n384 threads: 5 blocks\n512 threads: 4 blocks\n768 threads: 2 blocks\n"
        "1024 threads: 2 blocks\n1025 threads: 0 blocks\n"
        "40000 shared bytes: 5 blocks\n"
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 0, 0): cudaErrorInvalidValue\n"
        "cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0): cudaSuccess\n"
        "suggested: 264 blocks of 1024 threads\n");
}

TEST(Program, LaunchesACapturedGraph) {
    const Finished p = run("graph");
    EXPECT_EQ(p.out,
              "cudaStreamEndCapture(stream, &graph): cudaSuccess\n"
              "cudaGraphGetNodes(graph, nodes, &count): cudaSuccess\n"
              "cudaGraphInstantiate(&exec, graph, 0): cudaSuccess\n"
              "cudaStreamSynchronize(stream): cudaSuccess\n"
              "5 x 2 x 2 = 20\n"
              "cudaGraphKernelNodeGetParams(nodes[1], &parameters): cudaSuccess\n"
              "cudaGraphExecKernelNodeSetParams(exec, nodes[1], &parameters): cudaSuccess\n"
              "20 x 3 = 60\n");
    EXPECT_THAT(p.err, IsEmpty());
}

TEST(Program, UsesSeveralDevices) {
    const Finished p = run("managed_devices", {{"LANESCOPE_GPU", "h200,h200"}});
    EXPECT_EQ(p.out,
              "device 0: managed 11, own 11\n"
              "device 1: managed 31, own 21\n"
              "cudaDeviceEnablePeerAccess(1, 0): cudaSuccess\n"
              "cudaDeviceSynchronize(): cudaSuccess\n"
              "stored by a peer: 7\n"
              "cudaDeviceDisablePeerAccess(1): cudaSuccess\n"
              "cudaDeviceSynchronize(): cudaErrorIllegalAddress\n");
}

TEST(Program, StartsAfreshAfterAReset) { EXPECT_EQ(run("reset").out, "6\ncudaDeviceReset(): cudaSuccess\n5\n6\n"); }

const char* const streams_output =
    "legacy stream: 123\n"
    "only what is waited for: 21\n"
    "event: 12\n";

TEST(Program, OrdersItsStreams) { EXPECT_EQ(run("streams").out, streams_output); }

TEST(Program, MayUseTheLegacyLaunch) { EXPECT_EQ(run("legacy_launch").out, streams_output); }

TEST(Program, MayUsePerThreadStreams) {
    EXPECT_EQ(run("per_thread").out,
              "cudaStreamQuery(cudaStreamPerThread): cudaErrorNotReady\n"
              "cudaStreamQuery(cudaStreamPerThread): cudaSuccess\n"
              "cudaStreamQuery(cudaStreamLegacy): cudaSuccess\n"
              "cudaStreamSynchronize(0): cudaSuccess\n"
              "cudaMemcpyFromSymbol(&value, counter, sizeof value): cudaSuccess\n"
              "counter 11\n");
}

TEST(Program, MayBeLinkedFromRelocatableCode) {
    EXPECT_EQ(run("relocatable").out,
              "cudaMemcpyFromSymbol(&value, shared_counter, sizeof value): cudaSuccess\n"
              "1 + 6 + 20 = 27\n");
}

// As an H200 answers, except for the name of a symbol that is none (the same there).
TEST(Program, CopiesToAndFromSymbols) {
    EXPECT_EQ(run("symbols").out,
              "2 + 7 + 0 = 9\n"
              "cudaMemcpyFromSymbol(buffer, values, sizeof values): cudaSuccess\n"
              "1 2 3\n"
              "cudaMemcpyToSymbol(values, buffer, 8, 60): cudaErrorInvalidValue\n"
              "cudaMemcpyToSymbol(values, buffer, 65): cudaErrorInvalidValue\n"
              "cudaMemcpyToSymbol(values, buffer, 8, 0, cudaMemcpyDeviceToHost): cudaErrorInvalidMemcpyDirection\n"
              "cudaMemcpyToSymbol(values, buffer, 8, 0, cudaMemcpyDeviceToDevice): cudaErrorInvalidValue\n"
              "cudaMemcpyToSymbol(values, buffer, 0): cudaSuccess\n"
              "cudaMemcpyToSymbol(\"values\", buffer, 8): cudaErrorInvalidSymbol\n"
              "cudaMemcpyToSymbol(host_array, buffer, 8): cudaErrorInvalidSymbol\n"
              "cudaMemcpyFromSymbol(buffer, values, 8, 0, cudaMemcpyHostToDevice): cudaErrorInvalidMemcpyDirection\n"
              "cudaMemset(values, 0, 4): cudaErrorInvalidValue\n"
              "cudaGetSymbolSize(&bytes, values): cudaSuccess\n"
              "64 bytes\n"
              "cudaGetSymbolAddress(&address, values): cudaSuccess\n"
              "cudaMemset(address, 0, sizeof values): cudaSuccess\n"
              "cudaFree(address): cudaErrorInvalidValue\n"
              "cudaGetSymbolAddress(&address, managed): cudaSuccess\n"
              "managed: its own address\n"
              "cudaGetSymbolAddress(&address, constants): cudaSuccess\n"
              "cudaMemcpyToSymbol(constants, &nine, sizeof nine): cudaSuccess\n"
              "0 + 9 + 0 = 9\n");
}

TEST(Program, WithoutPtxIsToldTheFlag) {
    const Finished p = run("machine_code");
    EXPECT_THAT(p.out, StartsWith("LAUNCH(nothing<<<0, 1>>>()): cudaErrorNoKernelImageForDevice\n"));
    EXPECT_THAT(p.err, AllOf(StartsWith("lanescope: "), HasSubstr("PTX"), HasSubstr("-arch")));
    EXPECT_EQ(p.err.find("lanescope: "), p.err.rfind("lanescope: ")) << "said once";
}

TEST(Program, HasNoDeviceWhenNoneIsVisible) {
    for (const char* list : {"", "-1", "5"}) {
        const Finished p = run("streams", {{"CUDA_VISIBLE_DEVICES", list}});
        EXPECT_EQ(p.out, "legacy stream: 0\nonly what is waited for: 0\nevent: 0\n");
    }
    const Finished unknown = run("streams", {{"LANESCOPE_GPU", "rtx9999"}});
    EXPECT_EQ(unknown.exit_status, 0);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("rtx9999"), HasSubstr("h200")));
}

}  // namespace
// "word number" lines.
std::map<std::string, double> numbers_of(const std::string& out) {
    std::map<std::string, double> numbers;
    std::istringstream lines(out);
    std::string word;
    for (double number; lines >> word >> number;) numbers[word] = number;
    return numbers;
}

// An H200's launch takes 5.9 us, its first page 110 us, and 2^20 bytes at 7.2 GB/s 145.6 us: 261.5 us; the link moves them at 55 GB/s,
// in 19.1 us after 9.6 us of preparation, and to and fro at once. An H200: 281 to 355 us cold, 6.9 to 7.8 warm (common/machine/measured).
TEST(Program, PaysForPagesOfManagedMemoryOnce) {
    std::map<std::string, double> us = numbers_of(run("managed_times").out);
    EXPECT_GT(us["cold"], 261.5);   // and a little for the warps that wait at the same time
    EXPECT_LT(us["cold"], 261.5 * 1.05);
    EXPECT_NEAR(us["warm"], 5.9, 2);
    EXPECT_NEAR(us["prefetch_nothing"], 0, 0.1);
    EXPECT_NEAR(us["prefetch_to_host"], 155.2, 1);
    EXPECT_NEAR(us["prefetch_to_device"], 28.7, 1);
    EXPECT_EQ(us["after_prefetch"], us["warm"]);
    EXPECT_EQ(us["touched_before_the_events"], us["warm"]);
    EXPECT_GT(us["stays_at_host"], 5.9 + 19.1);   // and the latency of the link
    EXPECT_LT(us["stays_at_host"], 2 * (5.9 + 19.1));
    EXPECT_EQ(us["stays_at_host_again"], us["stays_at_host"]);
}

// A K80 has no page faults: all managed memory is sent before a kernel, over a link of 7.5 GB/s. Here two arrays; the third is there.
TEST(Program, OfAGpuWithoutPageFaultsMovesAllManagedMemory) {
    std::map<std::string, double> us = numbers_of(run("managed_times", {{"LANESCOPE_GPU", "k80"}}).out);
    EXPECT_GT(us["cold"], 2 * 1048576 / 7.5e3);
    EXPECT_LT(us["warm"], 1048576 / 7.5e3);
}

}  // namespace lanescope::test
