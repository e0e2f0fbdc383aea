// Prints an error by name: what the tests compare.
#pragma once

#include <cstdio>

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))
