// Lanes of one warp that take different ways. Compiled by regenerate.sh.
extern "C" __global__ void nested_if(int* out) {
    const int t = threadIdx.x;
    if (t < 20) {
        out[t] = 1;
        if (t % 2 == 0) {
            out[t] += 10;
            if (t % 4 == 0) atomicAdd(&out[t], 100);
        } else {
            out[t] += 20;
        }
    } else {
        out[t] = 2;
        if (t > 27) atomicAdd(&out[t], 30);
    }
    atomicAdd(&out[t], 1000);
}

// The lanes that are together: inside each branch, and behind it.
extern "C" __global__ void masks(unsigned* inside, unsigned* behind) {
    const int t = threadIdx.x;
    if (t % 4 == 0) {
        inside[t] = __activemask();
    } else {
#pragma unroll 1
        for (int k = 0; k < t; ++k) atomicAdd(&behind[t], 1);
        inside[t] = __activemask();
    }
    behind[t] = __activemask();
}

extern "C" __global__ void trip_counts(int* out) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k <= static_cast<int>(threadIdx.x); ++k) sum += k * k;
    out[threadIdx.x] = sum;
}

extern "C" __global__ void break_and_continue(int* out) {
    const int t = threadIdx.x;
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < 100; ++k) {
        if (k % 3 == t % 3) continue;
        if (k > t) break;
        atomicAdd(&out[t], k);
        sum += k;
    }
    out[t] = sum * 1000 + out[t];
}

extern "C" __global__ void many_cases(int* out, int n) {
    const int t = threadIdx.x;
    switch (t % 10) {
        case 0: out[t] = n * 3; break;
        case 1: out[t] = n / 3; break;
        case 2: atomicAdd(&out[t], 5);  // and on to case 3
        case 3: atomicAdd(&out[t], n); break;
        case 4: out[t] = n ^ 0x55; break;
        case 5: atomicMax(&out[t], n); break;
        case 6: out[t] = n << (t & 3); break;
        case 7: return;
        case 8: out[t] = n % 7; break;
        default: out[t] = -1;
    }
    atomicAdd(&out[t], 10000);
}

// Some lanes leave at once, some from the middle of a loop.
extern "C" __global__ void early_returns(int* out, unsigned* behind) {
    const int t = threadIdx.x;
    if (t % 4 == 3) return;
#pragma unroll 1
    for (int k = 0; k < 10; ++k) {
        atomicAdd(&out[t], 1);
        if (t % 4 == 1 && k == t / 4) return;
    }
    behind[t] = __activemask();
}

__device__ __noinline__ int depth(int n, volatile int* touched) {
    if (n == 0) return 1;
    const int inner = depth(n - 1, touched);
    touched[threadIdx.x] += n;
    return inner * 2 % 1000003 + n;
}
extern "C" __global__ void recursion(int* out, int* touched) { out[threadIdx.x] = depth(threadIdx.x, touched); }

__device__ __noinline__ int thrice(int x) { return 3 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int count_up(int x) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < x; ++k) sum += k ^ x;
    return sum;
}
typedef int (*Function)(int);
__device__ Function functions[3] = {thrice, square, count_up};
extern "C" __global__ void function_pointers(int* out, unsigned* behind) {
    const int t = threadIdx.x;
    out[t] = functions[t % 3](t);
    behind[t] = __activemask();
}
extern "C" __global__ void wild_pointer(long address) { reinterpret_cast<void (*)()>(address)(); }
