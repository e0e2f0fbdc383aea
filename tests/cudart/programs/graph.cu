// A captured graph of a copy, a kernel and a copy back, launched twice.
#include "show.h"

__global__ void scale(float* values, float factor) { values[threadIdx.x] *= factor; }

int main() {
    float* device = nullptr;
    float* host = nullptr;
    cudaMalloc(&device, 32 * sizeof(float));
    cudaMallocHost(&host, 32 * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(device, host, 32 * sizeof(float), cudaMemcpyHostToDevice, stream);
    scale<<<1, 32, 0, stream>>>(device, 2);
    cudaMemcpyAsync(host, device, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaGraph_t graph;
    SHOW(cudaStreamEndCapture(stream, &graph));
    size_t count = 3;
    cudaGraphNode_t nodes[3];
    SHOW(cudaGraphGetNodes(graph, nodes, &count));
    cudaGraphExec_t exec;
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    host[31] = 5;
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    SHOW(cudaStreamSynchronize(stream));
    std::printf("5 x 2 x 2 = %g\n", host[31]);
    cudaKernelNodeParams parameters;
    SHOW(cudaGraphKernelNodeGetParams(nodes[1], &parameters));
    float three = 3;
    parameters.kernelParams[1] = &three;
    SHOW(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &parameters));
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("20 x 3 = %g\n", host[31]);
    return 0;
}
