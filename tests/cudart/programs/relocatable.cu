// Two object files linked with -rdc=true: variables and functions of one are used by the other.
#include "relocatable.h"
#include "show.h"

__global__ void count(int value) { shared_counter += twice(value); }

int main() {
    count<<<1, 1>>>(3);
    add_twice<<<1, 1>>>(10);
    int value = 0;
    SHOW(cudaMemcpyFromSymbol(&value, shared_counter, sizeof value));
    std::printf("1 + 6 + 20 = %d\n", value);
    return 0;
}
