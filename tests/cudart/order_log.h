// Host functions that write down the order in which streams reach them.
//
//   OrderLog log;
//   log.add(stream, 1);
//   cudaStreamSynchronize(stream);
//   EXPECT_THAT(log.order(), ElementsAre(1));
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <vector>

#include <cuda_runtime.h>

class OrderLog {
public:
    void add(cudaStream_t stream, int mark) {
        Entry& entry = entries_.emplace_back(Entry{this, mark});
        EXPECT_EQ(cudaLaunchHostFunc(stream, &OrderLog::write, &entry), cudaSuccess);
    }
    // For graph nodes.
    cudaHostNodeParams node(int mark) { return {&OrderLog::write, &entries_.emplace_back(Entry{this, mark})}; }

    const std::vector<int>& order() const { return order_; }
    void clear() { order_.clear(); }

private:
    struct Entry {
        OrderLog* log;
        int mark;
    };
    static void write(void* data) {
        const Entry& entry = *static_cast<Entry*>(data);
        entry.log->order_.push_back(entry.mark);
    }

    std::list<Entry> entries_;
    std::vector<int> order_;
};
