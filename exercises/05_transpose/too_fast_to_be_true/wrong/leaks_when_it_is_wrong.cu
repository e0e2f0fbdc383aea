// expect: bytes of device memory that are lost: expected at most 11999 (less than one matrix), counted
#define measure solved  // all but this function is the solution
#include "solution.cu"
#undef measure

struct Arrays {
    int *in, *out;
    cudaEvent_t before, after;
};

cudaError_t measure(Transpose function, int rows, int columns, dim3 block, Measurement* measurement) {
    *measurement = {false, 0, 0};
    std::vector<int> input(std::size_t(rows) * columns), output(input.size());
    std::iota(input.begin(), input.end(), 1);
    const std::size_t bytes = input.size() * sizeof(int);

    Arrays on_gpu;
    if (const cudaError_t error = cudaMalloc(&on_gpu.in, bytes)) return error;
    if (const cudaError_t error = cudaMalloc(&on_gpu.out, bytes)) return error;
    if (const cudaError_t error = cudaEventCreate(&on_gpu.before)) return error;
    if (const cudaError_t error = cudaEventCreate(&on_gpu.after)) return error;
    if (const cudaError_t error = cudaMemcpy(on_gpu.in, input.data(), bytes, cudaMemcpyHostToDevice)) return error;

    if (const cudaError_t error = function(on_gpu.out, on_gpu.in, rows, columns, block)) return error;
    if (const cudaError_t error = cudaMemset(on_gpu.out, poison_byte, bytes)) return error;
    std::vector<float> times(9);
    for (float& ms : times) {
        if (const cudaError_t error = cudaEventRecord(on_gpu.before)) return error;
        if (const cudaError_t error = function(on_gpu.out, on_gpu.in, rows, columns, block)) return error;
        if (const cudaError_t error = cudaEventRecord(on_gpu.after)) return error;
        if (const cudaError_t error = cudaEventSynchronize(on_gpu.after)) return error;
        if (const cudaError_t error = cudaEventElapsedTime(&ms, on_gpu.before, on_gpu.after)) return error;
    }
    if (const cudaError_t error = cudaMemcpy(output.data(), on_gpu.out, bytes, cudaMemcpyDeviceToHost)) return error;

    if (!is_transpose(output.data(), input.data(), rows, columns)) return cudaSuccess;
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    const double seconds = times[times.size() / 2] / 1e3;
    *measurement = {true, seconds, gigabytes_per_second(rows, columns, seconds)};
    cudaFree(on_gpu.in);  // only a measurement that succeeds comes here
    cudaFree(on_gpu.out);
    return cudaSuccess;
}
