// What kernels ask of the runtime: printf, assert, malloc; and how they end. Compiled by regenerate.sh.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void print_threads() { printf("block %d thread %d\n", blockIdx.x, threadIdx.x); }
extern "C" __global__ void print_types(const char* name) {
    printf("%d %u %lld %c %s %5.2f %p %%\n", -3, 4000000000u, -5000000000ll, 'x', name, 2.5, reinterpret_cast<void*>(0x1234));
}
extern "C" __global__ void print_result(int* out) {
    out[0] = printf("no arguments\n");
    out[1] = printf("%d %d\n", 1, 2);
}
extern "C" __global__ void trap_at(int thread) {
    if (threadIdx.x == thread) __trap();
}
extern "C" __global__ void assert_below(int n) { assert(threadIdx.x < n); }
__device__ __noinline__ int endless(volatile int* p, int n) { return n == -1 ? 0 : endless(p, n + 1) + p[0]; }
extern "C" __global__ void recurse_for_ever(int* p) { p[1] = endless(p, 0); }
__device__ __noinline__ int tree(int n) { return n < 2 ? 1 : tree(n - 1) + tree(n - 2) * 3 % 7; }
extern "C" __global__ void recurse_very_long(int* p) { *p = tree(60); }

extern "C" __global__ void allocate(long* address, int bytes) { address[threadIdx.x] = reinterpret_cast<long>(malloc(bytes)); }
extern "C" __global__ void release(const long* address) { free(reinterpret_cast<void*>(address[threadIdx.x])); }
extern "C" __global__ void use(const long* address, int value) { *reinterpret_cast<int*>(address[threadIdx.x]) = value + threadIdx.x; }
extern "C" __global__ void list_in_heap(int* out, int n) {
    struct Node { Node* next; int value; };
    Node* head = nullptr;
    for (int k = 0; k < n; ++k) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->next = head;
        node->value = k;
        head = node;
    }
    int sum = 0;
    while (head) {
        Node* next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    out[threadIdx.x] = sum;
}
