// The last error of a thread, and the names and texts of all errors.
#include "cudart/api.h"
#include "cudart/error_table.h"

using namespace lanescope::cudart;

LANESCOPE_API cudaGetLastError() {
    ThreadState& thread = this_thread();
    const cudaError_t error = thread.last_error;
    thread.last_error = cudaSuccess;
    if (error != cudaSuccess) Runtime::instance().refusal_unread = false;
    return error;
}

LANESCOPE_API cudaPeekAtLastError() {
    const cudaError_t error = this_thread().last_error;
    if (error != cudaSuccess) Runtime::instance().refusal_unread = false;
    return error;
}

extern "C" const char* CUDARTAPI cudaGetErrorName(cudaError_t error) { return entry_of(error).name; }

extern "C" const char* CUDARTAPI cudaGetErrorString(cudaError_t error) { return entry_of(error).text; }
