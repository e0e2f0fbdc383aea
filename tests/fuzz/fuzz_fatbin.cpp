// Any bytes give contents or an error: read() neither crashes, nor reads outside the bytes, nor takes
// memory without end.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "fatbin/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
    using namespace lanescope::fatbin;
    const auto contents = read(std::as_bytes(std::span(data, bytes)));
    if (!contents) {
        if (contents.error().what.empty()) std::abort();
        return 0;
    }
    if (container_bytes(data) > bytes) std::abort();
    for (const int sm : {0, 37, 90, 9999}) {
        const auto ptx = select_ptx(*contents, sm);
        if (!ptx && ptx.error().next.empty()) std::abort();
    }
    return 0;
}
