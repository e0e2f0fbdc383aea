// Where the entry points that nobody wrote end up.
#include <string>

#include "cudart/api.h"

using namespace lanescope::cudart;

extern "C" int lanescope_not_implemented(const char* name) {
    say(std::string(name) + " is not implemented by the simulated GPU");
    return remember(cudaErrorNotSupported);
}
