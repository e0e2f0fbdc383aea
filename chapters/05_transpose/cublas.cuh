/// \file
/// NVIDIA's own transpose, cublasSgeam and cublasDgeam, for comparison. The library is loaded when it is wanted, so
/// that the program builds and runs without it.
///
///     Cublas cublas;
///     if (!cublas.problem().empty()) ...                  // why it cannot be used
///     cublas.transpose(out, in, rows, columns);
///
/// Elements are of 4 or 8 bytes and are taken as floating-point numbers: bits that are none may change. Host side.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tutorial/simulated.h"

namespace transpose {

class Cublas {
public:
    Cublas() {
        if (lanescope::tutorial::on_simulated_gpu()) {
            problem_ = "cuBLAS needs a real GPU";
            return;
        }
        for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
            if (!library_) library_ = dlopen(name, RTLD_NOW);
        }
        if (!library_) {
            problem_ = "libcublas is not found; its folder belongs in LD_LIBRARY_PATH";
            return;
        }
        const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library_, "cublasCreate_v2"));
        sgeam_ = reinterpret_cast<Geam<float>>(dlsym(library_, "cublasSgeam"));
        dgeam_ = reinterpret_cast<Geam<double>>(dlsym(library_, "cublasDgeam"));
        if (!create || !sgeam_ || !dgeam_ || create(&handle_) != 0) problem_ = "cuBLAS cannot be initialised";
    }
    ~Cublas() {
        if (!handle_) return;
        const auto destroy = reinterpret_cast<int (*)(void*)>(dlsym(library_, "cublasDestroy_v2"));
        if (destroy) destroy(handle_);
    }
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;

    /// Empty: it can be used.
    const std::string& problem() const { return problem_; }

    void transpose(std::uint32_t* out, const std::uint32_t* in, int rows, int columns) const {
        run<float>(sgeam_, out, in, rows, columns);
    }
    void transpose(std::uint64_t* out, const std::uint64_t* in, int rows, int columns) const {
        run<double>(dgeam_, out, in, rows, columns);
    }

private:
    template <class F>
    using Geam = int (*)(void* handle, int op_a, int op_b, int m, int n, const F* alpha, const F* a, int lda,
                         const F* beta, const F* b, int ldb, F* c, int ldc);

    // c = 1 * transposed a + 0 * b. cuBLAS stores columns one after the other, so it sees our rows as columns.
    template <class F, class T>
    void run(Geam<F> geam, T* out, const T* in, int rows, int columns) const {
        constexpr int not_transposed = 0, transposed = 1;  // CUBLAS_OP_N, CUBLAS_OP_T
        const F one = 1, zero = 0;
        F* const c = reinterpret_cast<F*>(out);
        const int status = geam(handle_, transposed, not_transposed, rows, columns, &one,
                                reinterpret_cast<const F*>(in), columns, &zero, c, rows, c, rows);
        if (status == 0) return;
        std::fprintf(stderr, "cuBLAS failed with status %d\n  next: run without --cublas\n", status);
        std::exit(1);
    }

    std::string problem_;
    void *library_ = nullptr, *handle_ = nullptr;
    Geam<float> sgeam_ = nullptr;
    Geam<double> dgeam_ = nullptr;
};

}  // namespace transpose
