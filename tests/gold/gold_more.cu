// Launches whose hardware counters were read on an H200 after those of gold_public.cu: the patterns that it leaves out.
// Nearly every kernel takes the element that each lane touches from the host, in a kernel parameter: reading a parameter
// makes no L1TEX request, so the counters show the one access that the kernel is about, and one plain store of the result.
// Labels match h200_more_counters.csv.
#include <cuda_fp16.h>
#include <cstring>
#include <initializer_list>
#include "gold.h"

struct Lanes { int at[32]; };   // the element of each lane; below 0: the lane is off
struct Pattern { const char* name; Lanes lanes; };
template <class F> Lanes lanes(F element) {
    Lanes result;
    for (int lane = 0; lane < 32; ++lane) result.at[lane] = element(lane);
    return result;
}
#define PATTERN(name, element) {name, lanes([](int l) { return element; })}

template <class T, int N> struct Packed { T element[N]; };   // aligned like its elements: loaded and stored one by one
template <class T> struct Value { static __device__ T of(int k) { return T(k * 7 + 1); } };
template <> struct Value<int2> { static __device__ int2 of(int k) { return make_int2(k, k + 1); } };
template <> struct Value<int4> { static __device__ int4 of(int k) { return make_int4(k, k + 1, k + 2, k + 3); } };
template <> struct Value<__half2> { static __device__ __half2 of(int) { return __floats2half2_rn(1, 2); } };
template <class T, int N> struct Value<Packed<T, N>> {
    static __device__ Packed<T, N> of(int k) {
        Packed<T, N> value;
        for (int i = 0; i < N; ++i) value.element[i] = T(k * N + i);
        return value;
    }
};
#define HERE const int lane = threadIdx.x & 31, k = where.at[lane], i = blockIdx.x * blockDim.x + threadIdx.x

// ---- Global loads and stores. Each warp's elements start `span` after those of the warp before it.
template <class T> __global__ void load(const T* a, T* out, const __grid_constant__ Lanes where, int span) { HERE; if (k >= 0) out[i] = a[k + i / 32 * span]; }
template <class T> __global__ void store(T* out, const __grid_constant__ Lanes where, int span) {
    HERE;
    if (k >= 0) out[k + i / 32 * span] = Value<T>::of(k);
}
__global__ void load_either(const int* a, const int* b, int* out, const __grid_constant__ Lanes where) { HERE; out[i] = *((k & 1 ? a : b) + k); }

// ---- Atomics. Every operation ends in the same memory whatever the order; `used` asks for the old value without storing it.
struct Add { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T v) { return atomicAdd(p, v); } };
struct One { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T) { return atomicAdd(p, T(1)); } };
struct Inc { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T) { return atomicInc(p, T(100)); } };
struct Min { static constexpr int start = 255; template <class T> static __device__ T on(T* p, T v) { return atomicMin(p, v); } };
struct Max { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T v) { return atomicMax(p, v); } };
struct And { static constexpr int start = 255; template <class T> static __device__ T on(T* p, T v) { return atomicAnd(p, v); } };
struct Or { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T v) { return atomicOr(p, v); } };
struct Xor { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T v) { return atomicXor(p, v); } };
struct Exch { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T) { return atomicExch(p, T(5)); } };
struct Cas { static constexpr int start = 0; template <class T> static __device__ T on(T* p, T) { return atomicCAS(p, T(0), T(9)); } };
template <class T> __device__ bool same(T x, T y) { return x == y; }
template <> __device__ bool same(__half2 x, __half2 y) { return __low2float(x) == __low2float(y); }

template <class Op, class T, int used> __global__ void atomic(T* target, int* out, const __grid_constant__ Lanes where, T never) {
    HERE;
    if (k < 0) return;
    const T old = Op::on(target + k, Value<T>::of(lane));
    if (used) out[i] = 1 + same(old, never);
}
template <class Op, class T, int used> __global__ void shared_atomic(T* out, const __grid_constant__ Lanes where, T never) {
    HERE;
    __shared__ T t[1056];
    if (k >= 0) t[k] = T(0);
    __syncthreads();
    T old = never;
    if (k >= 0) old = Op::on(t + k, Value<T>::of(lane));
    __syncthreads();
    if (k >= 0) out[i] = t[k] + (used ? T(same(old, never)) : T(0));
}

// The compiler knows that these addresses are the same in all lanes, and may add up within the warp first.
template <class Op, class T, int used> __global__ void atomic_uniform(T* target, int* out, int lanes, T never) {
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane >= lanes) return;
    const T old = Op::on(target + blockIdx.x, Value<T>::of(lane));
    if (used) out[i] = 1 + same(old, never);
}
template <class Op, class T> __global__ void shared_atomic_uniform(T* out) {
    __shared__ T t;
    if (threadIdx.x == 0) t = T(0);
    __syncthreads();
    Op::on(&t, Value<T>::of(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = t;
}

// ---- Shared memory: one store and one load of the same pattern. Lanes that share an element store the same value.
template <class T> __global__ void shared(T* out, const __grid_constant__ Lanes where) {
    HERE;
    __shared__ alignas(16) T t[1056];
    if (k >= 0) t[k] = Value<T>::of(k);
    __syncthreads();
    if (k >= 0) out[i] = t[k];
}

// ---- Local memory: N stores and N loads of a thread's own array. `walk` is 0 for the same element in all lanes of a load.
template <class T, int N> __global__ void local(int* out, int step, int walk) {
    T t[N];
#pragma unroll 1
    for (int j = 0; j < N; ++j) t[j * step & (N - 1)] = Value<T>::of(j + threadIdx.x);
    int sum = 0;
#pragma unroll 1
    for (int j = 0; j < N; ++j) {
        const T value = t[(j * step + threadIdx.x * walk) & (N - 1)];
        int words[(sizeof(T) + 3) / 4] = {};
        memcpy(words, &value, sizeof value);
        for (int word : words) sum += word * (j + 1);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- Cache operators. `zero` is 0, but the compiler does not know: it cannot merge the two loads of one address.
#define CACHED(NAME, PTX) struct NAME { static __device__ int load(const int* p) { \
    int v; asm volatile(PTX " %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; } };
CACHED(Plain, "ld.global.s32") CACHED(Ca, "ld.global.ca.s32") CACHED(Cg, "ld.global.cg.s32") CACHED(Cs, "ld.global.cs.s32")
CACHED(Lu, "ld.global.lu.s32") CACHED(Cv, "ld.global.cv.s32") CACHED(Nc, "ld.global.nc.s32")
CACHED(Volatile, "ld.volatile.global.s32") CACHED(Relaxed, "ld.relaxed.gpu.global.s32")
enum Order { back_to_back, dependent, store_load, load_store_load, store_sync_load, load_sync_load, red_load, load_red_load, half_store_load, halves_store_load, load_half_store_load };
struct St { static __device__ void store(int* p, int v) { *p = v; } };
struct StCg { static __device__ void store(int* p, int v) { __stcg(p, v); } };
struct StCs { static __device__ void store(int* p, int v) { __stcs(p, v); } };
struct StWt { static __device__ void store(int* p, int v) { __stwt(p, v); } };
struct StVolatile { static __device__ void store(int* p, int v) { *(volatile int*)p = v; } };
template <class Op, int order, class Store = St> __global__ void reread(int* a, int* out, int zero) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool loads_first = order == back_to_back || order == dependent || order == load_store_load || order == load_sync_load || order == load_red_load || order == load_half_store_load;
    int first = 0, again = i + zero;
    if (loads_first) first = Op::load(a + i);
    if (order == dependent) again = i + (first & zero);
    if (order == store_load || order == load_store_load || order == store_sync_load) Store::store(a + i, first + 1);
    if (order == half_store_load || order == halves_store_load || order == load_half_store_load) {
        if (i & 1) Store::store(a + i, first + 1);
        __syncwarp();
        if (order == halves_store_load && !(i & 1)) Store::store(a + i, first + 2);
    }
    if (order == red_load || order == load_red_load) atomicAdd(a + i, 1 + (first & zero));
    if (order == store_sync_load || order == load_sync_load) { __syncthreads(); again = i ^ 32; }   // what the other warp touched
    out[i] = first + Op::load(a + again);
}

// ---- The L1 cache: each block reads its array twice. Order: words one after the other, one word of each line, pseudo-random words.
enum Walk { sequential, one_of_each_line, scattered };
template <int walk> __global__ void sweep(const int* a, int* out, unsigned words, unsigned block_words) {
    const int* mine = a + blockIdx.x * size_t{block_words};
    const unsigned count = walk == sequential ? words : walk == one_of_each_line ? words / 32 : words / 8;
    int sum = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
#pragma unroll 1
        for (unsigned j = threadIdx.x; j < count; j += blockDim.x)
            sum += mine[walk == sequential ? j : walk == one_of_each_line ? j * 32 : j * 2654435761u % words];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- Block shapes
__global__ void matrix_rows(const int* a, int* b, int rows, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) b[y * columns + x] = a[y * columns + x];
}
__global__ void matrix_columns(const int* a, int* b, int rows, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) b[x * rows + y] = a[x * rows + y];
}
__global__ void volume(const int* a, int* b, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz) b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x];
}

// ---- Constant memory and parameters
__constant__ int table[32];
__global__ void constant(int* out, const __grid_constant__ Lanes where) { HERE; out[i] = table[k]; }
__global__ void parameter(int* out, const __grid_constant__ Lanes where, int mask) { out[threadIdx.x] = where.at[threadIdx.x & mask]; }
__global__ void parameter_copied(int* out, Lanes where, int mask) { out[threadIdx.x] = where.at[threadIdx.x & mask]; }   // nvcc copies it to local memory

char label[96];
#define LABEL(...) (std::snprintf(label, sizeof label, __VA_ARGS__), label)
#define FRESH(text, out, ...) do { clear(out); RUN(text, out, __VA_ARGS__); } while (0)


Buf source, memory, result;   // memory: 64 KB that a kernel updates, then 64 KB for what it returns
int* behind() { return (int*)memory.p + (1 << 14); }

template <class Op, class T, int used> void run_atomic(const char* name, const Pattern& p) {
    const uint64_t bits = 1087654321ull << 32 | 123456789;   // no operation ever finds this
    T never;
    std::memcpy(&never, &bits, sizeof never);
    CK(cudaMemset(memory.p, Op::start, memory.bytes));
    RUN(LABEL("atomic %s %s: %s", name, used ? "used" : "unused", p.name), memory, atomic<Op, T, used><<<1, 32>>>((T*)memory.p, behind(), p.lanes, never));
}
template <class Op, class T> void run_atomics(const char* name, std::initializer_list<Pattern> patterns) {
    for (const Pattern& pattern : patterns) run_atomic<Op, T, 0>(name, pattern), run_atomic<Op, T, 1>(name, pattern);
}
template <class Op, class T, int used> void run_atomic_uniform(const char* name, int lanes = 32) {
    const uint64_t bits = 1087654321ull << 32 | 123456789;
    T never;
    std::memcpy(&never, &bits, sizeof never);
    CK(cudaMemset(memory.p, Op::start, memory.bytes));
    RUN(LABEL("atomic %s %s: one address known to be uniform in %d lanes", name, used ? "used" : "unused", lanes), memory,
        atomic_uniform<Op, T, used><<<2, 64>>>((T*)memory.p, behind(), lanes, never));
}
template <class Op, class T> void run_shared_atomic_uniform(const char* name) {
    FRESH(LABEL("shared atomic %s unused: one address known to be uniform", name), result, shared_atomic_uniform<Op, T><<<1, 64>>>((T*)result.p));
}
template <class Op, class T, int used> void run_shared_atomic(const char* name, const Pattern& p) {
    FRESH(LABEL("shared atomic %s %s: %s", name, used ? "used" : "unused", p.name), result, shared_atomic<Op, T, used><<<1, 32>>>((T*)result.p, p.lanes, T(123456789)));
}
template <class T> void run_shared(const char* type, const Pattern& p) {
    FRESH(LABEL("shared %s: %s", type, p.name), result, shared<T><<<1, 32>>>((T*)result.p, p.lanes));
}
template <class T> void run_shared_stride(const char* type, std::initializer_list<int> strides) {
    for (int s : strides) {
        char name[32];
        std::snprintf(name, sizeof name, "stride %d", s);
        run_shared<T>(type, {name, lanes([=](int l) { return l * s; })});
    }
}
template <class T> void run_load(const char* type, const Pattern& p, int span, int offset_bytes = 0) {
    FRESH(LABEL("load %s at base + %d bytes: %s", type, offset_bytes, p.name), result,
          load<T><<<2, 64>>>((T*)((char*)source.p + offset_bytes), (T*)result.p, p.lanes, span));
}
template <class T> void run_store(const char* type, const Pattern& p, int span, int offset_bytes = 0) {
    FRESH(LABEL("store %s at base + %d bytes: %s", type, offset_bytes, p.name), result,
          store<T><<<2, 64>>>((T*)((char*)result.p + offset_bytes), p.lanes, span));
}
template <class T> void run_offsets(const char* type, std::initializer_list<int> elements) {
    for (int e : elements) {
        run_load<T>(type, PATTERN("consecutive", l), 32, e * sizeof(T));
        run_store<T>(type, PATTERN("consecutive", l), 32, e * sizeof(T));
    }
}
template <class T, int N> void run_local(const char* type) {
    for (int walk : {0, 1})
        FRESH(LABEL("local %s[%d] %s", type, N, walk ? "by lane" : "uniform"), result, local<T, N><<<2, 64>>>((int*)result.p, 3, walk));
}
template <class Op, int order, class Store = St> void run_reread(const char* op, const char* name) {
    clear(memory);
    RUN(LABEL("%s: %s", op, name), memory, reread<Op, order, Store><<<4, 64>>>((int*)memory.p, behind(), 0));
}
template <class Op> void run_rereads(const char* op, bool coherent) {
    run_reread<Op, back_to_back>(op, "load twice");
    run_reread<Op, dependent>(op, "load twice and the second depends on the first");
    if (!coherent) return;
    run_reread<Op, store_load>(op, "store then load");
    run_reread<Op, load_store_load>(op, "load then store then load");
}
Buf swept;
template <int walk> void run_sweep(int kb, int blocks, bool own, int shared_kb = 0, int carveout = -1) {
    CK(cudaFuncSetAttribute(sweep<walk>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    CK(cudaFuncSetAttribute(sweep<walk>, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    const unsigned words = kb * 256;
    FRESH(LABEL("sweep %d KB %s: %d blocks %s %d KB shared carveout %d", kb, walk == sequential ? "sequential" : walk == one_of_each_line ? "one word of each line" : "scattered", blocks, own ? "own" : "common", shared_kb, carveout),
          result, sweep<walk><<<blocks, 256, shared_kb << 10>>>((int*)swept.p, (int*)result.p, words, own ? words : 0));
}

int main() {
    source = make(1 << 17, 1), memory = make(1 << 17, 2), result = make(1 << 20, 3);

    {   // 1. atomics on global memory, one warp
        const Pattern p[] = {PATTERN("one address", 0), PATTERN("8 adjacent addresses by 4 lanes", l / 4), PATTERN("8 sectors by 4 lanes", l / 4 * 8),
                             PATTERN("addresses of 2 lanes", l / 2), PATTERN("all distinct", l), PATTERN("distinct sectors", l * 8),
                             PATTERN("3 lanes on one address", l < 3 ? 0 : -1), PATTERN("every 2nd lane distinct", l % 2 ? -1 : l),
                             PATTERN("8 addresses by every 8th lane", l % 8)};
        for (const Pattern& pattern : p) run_atomics<Add, unsigned>("add u32", {pattern}), run_atomic<Add, float, 0>("add float", pattern);
        for (int i : {0, 1, 3, 4}) run_atomic<Add, double, 0>("add double", p[i]);
        run_atomic<Add, float, 1>("add float", p[0]), run_atomic<Add, float, 1>("add float", p[1]), run_atomics<Add, unsigned long long>("add u64", {p[0], p[1]}), run_atomics<Add, __half2>("add half2", {p[0], p[1]});
        run_atomics<Min, unsigned>("min u32", {p[0]}), run_atomics<Max, unsigned>("max u32", {p[0]}), run_atomics<Inc, unsigned>("inc u32", {p[0], p[1]});
        run_atomics<And, unsigned>("and u32", {p[0]}), run_atomics<Or, unsigned>("or u32", {p[0]}), run_atomics<Xor, unsigned>("xor u32", {p[0]});
        run_atomics<Exch, unsigned>("exch u32", {p[0], p[1], p[3]}), run_atomics<Cas, unsigned>("cas u32", {p[0], p[1], p[3]}), run_atomics<Cas, unsigned long long>("cas u64", {p[0]});
        run_atomic_uniform<One, unsigned, 0>("add one u32"), run_atomic_uniform<One, unsigned, 1>("add one u32"), run_atomic_uniform<One, unsigned, 0>("add one u32", 3);
        run_atomic_uniform<Add, unsigned, 0>("add u32"), run_atomic_uniform<Add, unsigned, 1>("add u32"), run_atomic_uniform<Add, unsigned, 0>("add u32", 3);
        run_atomic_uniform<One, unsigned long long, 0>("add one u64"), run_atomic_uniform<Add, unsigned long long, 0>("add u64");
        run_atomic_uniform<One, float, 0>("add one float"), run_atomic_uniform<Add, float, 0>("add float"), run_atomic_uniform<Add, float, 1>("add float"), run_atomic_uniform<Add, double, 0>("add double");
        run_atomic_uniform<Min, unsigned, 0>("min u32"), run_atomic_uniform<Min, unsigned, 1>("min u32"), run_atomic_uniform<Max, unsigned, 0>("max u32"), run_atomic_uniform<And, unsigned, 0>("and u32");
        run_atomic_uniform<Or, unsigned, 0>("or u32"), run_atomic_uniform<Xor, unsigned, 0>("xor u32"), run_atomic_uniform<Xor, unsigned, 1>("xor u32"), run_atomic_uniform<Inc, unsigned, 0>("inc u32");
        run_atomic_uniform<Exch, unsigned, 0>("exch u32"), run_atomic_uniform<Cas, unsigned, 0>("cas u32");
    }
    {   // 2. shared memory, one warp: a store and a load each
        run_shared_stride<int>("int", {1, 5, 6, 7, 12, 24, 31, 33});
        run_shared_stride<double>("double", {1, 2, 3, 5, 8, 16, 17, 32, 33});
        run_shared_stride<int4>("int4", {1, 2, 3, 4, 5, 8, 17, 33});
        run_shared_stride<char>("char", {1, 2, 4, 8, 32, 33});
        run_shared_stride<short>("short", {1, 2, 4, 33});
        const Pattern p[] = {PATTERN("broadcast", 0), PATTERN("halves alike", l % 16), PATTERN("quarters alike", l % 8), PATTERN("pairs alike", l / 2), PATTERN("quads alike", l / 4),
                             PATTERN("lanes l and l + 2 alike", (l & 1) | (l & ~3) / 2), PATTERN("two elements", l & 1), PATTERN("reversed", 31 - l), PATTERN("halves swapped", l ^ 16),
                             PATTERN("halves reversed", l ^ 15), PATTERN("lower 16 lanes", l < 16 ? l : -1), PATTERN("upper 16 lanes", l < 16 ? -1 : l), PATTERN("every 2nd lane", l % 2 ? -1 : l),
                             PATTERN("every 2nd lane packed", l % 2 ? -1 : l / 2), PATTERN("one lane", l == 7 ? l : -1), PATTERN("first 8 lanes", l < 8 ? l : -1), PATTERN("first 8 lanes stride 4", l < 8 ? l * 4 : -1),
                             PATTERN("lanes 8 to 23", l < 8 || l > 23 ? -1 : l), PATTERN("lower half conflicts", l < 16 ? l * 16 : l), PATTERN("upper half conflicts", l < 16 ? l : (l - 16) * 16),
                             PATTERN("pseudo-random", (l * 37 + l * l * 11) % 256), PATTERN("pseudo-random with repeats", (l * 37 + l * l * 11) % 24),
                             PATTERN("lanes l and l ^ 4 alike", (l & 3) | l / 8 * 4), PATTERN("lanes l and l ^ 3 alike", l / 4 * 2 + ((l & 1) ^ (l >> 1 & 1))), PATTERN("pairs alike but the last", l == 31 ? l : l / 2),
                             PATTERN("pairs alike in the lower half", l < 16 ? l / 2 : l), PATTERN("pairs alike in the first 8 lanes", l < 8 ? l / 2 : l), PATTERN("l ^ 1 alike below 16 and l ^ 2 above", l < 16 ? l / 2 : (l & 1) | (l & ~3) / 2),
                             PATTERN("l ^ 1 alike below 8 and l ^ 2 above", l < 8 ? l / 2 : (l & 1) | (l & ~3) / 2), PATTERN("even lanes below 16 and odd lanes above", (l & 1) == l / 16 ? l : -1), PATTERN("lanes 0 and 16", l % 16 ? -1 : l),
                             PATTERN("lanes 0 and 17", l == 0 || l == 17 ? l : -1), PATTERN("lanes 0 and 1 and 16", l == 0 || l == 1 || l == 16 ? l : -1), PATTERN("every 4th lane", l % 4 ? -1 : l), PATTERN("pairs alike stride 2", l / 2 * 2),
                             PATTERN("pairs alike or off", l % 4 == 3 ? -1 : l / 2), PATTERN("2 lanes of 4", l % 4 < 2 ? l : -1)};
        for (const Pattern& pattern : p) {
            if (&pattern < p + 12) run_shared<int>("int", pattern);
            run_shared<double>("double", pattern);
            run_shared<int4>("int4", pattern);
        }
    }
    {   // 3. shared atomics, one warp
        const Pattern p[] = {PATTERN("one address", 0), PATTERN("all distinct", l), PATTERN("stride 2", l * 2), PATTERN("stride 32", l * 32), PATTERN("8 addresses by 4 lanes", l / 4), PATTERN("3 lanes on one address", l < 3 ? 0 : -1)};
        for (const Pattern& pattern : p) {
            run_shared_atomic<Add, int, 0>("add int", pattern);
            run_shared_atomic<Add, int, 1>("add int", pattern);
        }
        for (int i : {0, 1, 4}) run_shared_atomic<One, int, 0>("add one", p[i]), run_shared_atomic<One, int, 1>("add one", p[i]), run_shared_atomic<Exch, int, 1>("exch int", p[i]), run_shared_atomic<Min, int, 0>("min int", p[i]);
        for (int i : {0, 1, 2, 4}) run_shared_atomic<Cas, int, 1>("cas int", p[i]);
        run_shared_atomic<Add, float, 0>("add float", p[1]), run_shared_atomic<Add, unsigned long long, 0>("add u64", p[1]);
        run_shared_atomic_uniform<One, int>("add one"), run_shared_atomic_uniform<Add, int>("add int"), run_shared_atomic_uniform<Min, int>("min int"), run_shared_atomic_uniform<Exch, int>("exch int");
    }
    // 4. local memory, four warps
    run_local<char, 64>("char"), run_local<short, 32>("short"), run_local<int, 32>("int"), run_local<double, 16>("double"), run_local<int4, 16>("int4"), run_local<int, 256>("int");

    {   // 5. global loads and stores, four warps
        run_offsets<char>("char", {0, 1, 3, 5}), run_offsets<short>("short", {1, 3}), run_offsets<int>("int", {0, 1, 3}), run_offsets<int2>("int2", {1, 3}), run_offsets<int4>("int4", {1}), run_offsets<double>("double", {3, 5});
        run_offsets<Packed<int, 3>>("3 ints", {0, 1}), run_offsets<Packed<int, 5>>("5 ints", {0}), run_offsets<Packed<int, 6>>("6 ints", {0}), run_offsets<Packed<double, 3>>("3 doubles", {0});
        const Pattern p[] = {PATTERN("every 2nd lane", l % 2 ? -1 : l), PATTERN("first 5 lanes", l < 5 ? l : -1), PATTERN("lanes 8 to 23", l < 8 || l > 23 ? -1 : l), PATTERN("one lane", l == 7 ? l : -1), PATTERN("reversed", 31 - l),
                             PATTERN("pairs alike", l / 2), PATTERN("quads alike", l / 4), PATTERN("l % 8", l % 8), PATTERN("random in 256 elements", (l * 37 + l * l * 11) % 256), PATTERN("stride 3", l * 3), PATTERN("stride 33", l * 33)};
        for (const Pattern& pattern : p) run_load<int>("int", pattern, 1056), run_store<int>("int", pattern, 1056);
        for (int i : {0, 6, 8}) run_load<double>("double", p[i], 256), run_load<int4>("int4", p[i], 256), run_store<int4>("int4", p[i], 256);
        FRESH("load from two arrays by turns", result, load_either<<<1, 32>>>((int*)source.p, (int*)source.p + 4096, (int*)result.p, lanes([](int l) { return l; })));
    }
    // 6. cache operators, eight warps
    run_rereads<Plain>("ld", true), run_rereads<Ca>("ld.ca", true), run_rereads<Cg>("ld.cg", true), run_rereads<Cs>("ld.cs", true), run_rereads<Lu>("ld.lu", true), run_rereads<Cv>("ld.cv", true);
    run_rereads<Volatile>("ld.volatile", true), run_rereads<Relaxed>("ld.relaxed.gpu", true), run_rereads<Nc>("ld.nc", false);
    run_reread<Ca, store_sync_load>("ld.ca", "store then barrier then load by the other warp"), run_reread<Ca, load_sync_load>("ld.ca", "load then barrier then load by the other warp");
    run_reread<Cg, store_sync_load>("ld.cg", "store then barrier then load by the other warp"), run_reread<Cg, load_sync_load>("ld.cg", "load then barrier then load by the other warp");
    run_reread<Cv, load_sync_load>("ld.cv", "load then barrier then load by the other warp"), run_reread<Relaxed, load_sync_load>("ld.relaxed.gpu", "load then barrier then load by the other warp");
    run_reread<Plain, half_store_load>("ld", "store of every 2nd lane then load"), run_reread<Plain, halves_store_load>("ld", "store of odd lanes then of even lanes then load"), run_reread<Plain, load_half_store_load>("ld", "load then store of every 2nd lane then load");
    run_reread<Plain, store_load, StCg>("ld", "st.cg then load"), run_reread<Plain, store_load, StCs>("ld", "st.cs then load"), run_reread<Plain, store_load, StWt>("ld", "st.wt then load"), run_reread<Plain, store_load, StVolatile>("ld", "st.volatile then load");
    run_reread<Plain, load_store_load, StCg>("ld", "load then st.cg then load"), run_reread<Plain, load_store_load, StVolatile>("ld", "load then st.volatile then load");
    run_reread<Ca, red_load>("ld.ca", "red then load"), run_reread<Ca, load_red_load>("ld.ca", "load then red then load"), run_reread<Cg, red_load>("ld.cg", "red then load"), run_reread<Relaxed, load_red_load>("ld.relaxed.gpu", "load then red then load");

    // 7. L1 reuse and capacity
    swept = make(132 * 512 << 10, 3);
    for (int kb : {8, 64, 192, 208, 224, 256, 512}) run_sweep<sequential>(kb, 1, true);
    for (int kb : {128, 208, 240}) run_sweep<one_of_each_line>(kb, 1, true);
    for (int kb : {64, 192}) run_sweep<scattered>(kb, 1, true);
    for (int kb : {32, 192, 256}) run_sweep<sequential>(kb, 132, true), run_sweep<sequential>(kb, 132, false);
    for (int kb : {64, 96, 192}) run_sweep<sequential>(kb, 264, true), run_sweep<sequential>(kb, 264, false);
    for (int kb : {8, 64}) run_sweep<sequential>(kb, 1000, true), run_sweep<sequential>(kb, 1000, false);
    for (int kb : {64, 80, 96, 112, 128, 160}) run_sweep<one_of_each_line>(kb, 1, true, 16);
    for (int kb : {32, 48, 64, 80, 96}) run_sweep<one_of_each_line>(kb, 1, true, 64);
    for (int kb : {16, 32, 64}) run_sweep<one_of_each_line>(kb, 1, true, 100), run_sweep<one_of_each_line>(kb, 1, true, 0, 100);
    for (int kb : {208, 224, 256}) run_sweep<one_of_each_line>(kb, 1, true, 0, 0);
    for (int kb : {96, 112, 128, 160}) run_sweep<one_of_each_line>(kb, 1, true, 0, 50);

    {   // 8. block shapes
        const int shapes[][2] = {{100, 100}, {1000, 37}};
        swept = make(1 << 20, 4);
        for (auto [rows, columns] : shapes)
            for (dim3 block : {dim3(8, 8), dim3(4, 32), dim3(64, 4), dim3(1, 256)}) {
                const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
                FRESH(LABEL("matrix %dx%d by rows: block %ux%u", rows, columns, block.x, block.y), result, matrix_rows<<<grid, block>>>((int*)swept.p, (int*)result.p, rows, columns));
                FRESH(LABEL("matrix %dx%d by columns: block %ux%u", rows, columns, block.x, block.y), result, matrix_columns<<<grid, block>>>((int*)swept.p, (int*)result.p, rows, columns));
            }
        for (dim3 block : {dim3(4, 4, 4), dim3(8, 2, 4), dim3(3, 5, 7), dim3(32, 4, 2)})
            FRESH(LABEL("volume 20x30x40: block %ux%ux%u", block.x, block.y, block.z), result,
                  volume<<<dim3((20 + block.x - 1) / block.x, (30 + block.y - 1) / block.y, (40 + block.z - 1) / block.z), block>>>((int*)swept.p, (int*)result.p, 20, 30, 40));
    }
    {   // more blocks than fit at once, shifted by one element; then constant memory and parameters
        Buf from = make(5000 * 64 * 4 + 4, 5), to = make(5000 * 64 * 4, 6);
        FRESH("load int by 5000 blocks of 64 at base + 4 bytes", to, load<int><<<5000, 64>>>((int*)from.p + 1, (int*)to.p, lanes([](int l) { return l; }), 32));
        FRESH("load int by 312 blocks of 1024 at base + 4 bytes", to, load<int><<<312, 1024>>>((int*)from.p + 1, (int*)to.p, lanes([](int l) { return l; }), 32));
        CK(cudaMemcpyToSymbol(table, from.p, sizeof table, 0, cudaMemcpyDeviceToDevice));
        for (int n : {1, 2, 8, 32}) FRESH(LABEL("constant: %d addresses", n), result, constant<<<1, 32>>>((int*)result.p, lanes([=](int l) { return l % n; })));
        for (int n : {1, 8, 32}) FRESH(LABEL("parameter: %d addresses", n), result, parameter<<<1, 32>>>((int*)result.p, lanes([=](int l) { return l * l; }), n - 1));
        for (int n : {1, 8, 32}) FRESH(LABEL("parameter copied to local memory: %d addresses", n), result, parameter_copied<<<1, 32>>>((int*)result.p, lanes([=](int l) { return l * l; }), n - 1));
    }
    return 0;
}
