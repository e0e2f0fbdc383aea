// Two errors: a learner is shown the first. Not part of any build but that of compile_test.cpp.
__global__ void first() { forgotten = 1; }
__global__ void second() { also_forgotten = 2; }
