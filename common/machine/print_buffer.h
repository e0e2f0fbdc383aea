/// \file
/// Output of printf in kernels, kept until the host waits.
///
/// The buffer has a fixed size, as on a GPU (cudaLimitPrintfFifoSize, 1 MiB unless set): when it is full,
/// the oldest output is lost. A call takes 8 bytes and 8 for each argument. Host side.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace lanescope::machine {

class PrintBuffer {
public:
    void set_limit_bytes(uint64_t bytes) { limit_bytes_ = bytes; }
    uint64_t limit_bytes() const { return limit_bytes_; }

    void add(std::string text, uint64_t bytes) {
        used_bytes_ += bytes;
        records_.push_back({std::move(text), bytes});
        while (used_bytes_ > limit_bytes_ && !records_.empty()) {
            used_bytes_ -= records_.front().bytes;
            records_.pop_front();
        }
    }
    std::string take() {
        std::string text;
        for (const Record& record : records_) text += record.text;
        records_.clear();
        used_bytes_ = 0;
        return text;
    }

private:
    struct Record {
        std::string text;
        uint64_t bytes;
    };
    std::deque<Record> records_;
    uint64_t used_bytes_ = 0;
    uint64_t limit_bytes_ = 1 << 20;
};

}  // namespace lanescope::machine
