// Host code dereferences a pointer that only the GPU can follow.
#include <cstdio>
#include <cstring>

int main(int, char** arguments) {
    int* device = nullptr;
    cudaMalloc(&device, 32 * sizeof(int));
    std::printf("before\n");
    std::fflush(stdout);
    if (!std::strcmp(arguments[1], "read")) std::printf("%d\n", device[3]);
    if (!std::strcmp(arguments[1], "write")) device[3] = 1;
    if (!std::strcmp(arguments[1], "memcpy")) std::memset(device, 0, 32 * sizeof(int));
    if (!std::strcmp(arguments[1], "null")) *static_cast<volatile int*>(nullptr) = 1;   // not ours to explain
    std::printf("after\n");
    return 0;
}
