/// \file
/// Work that a program queued: operations, the streams that order them, and when they run.
///
///     auto copy = queue.submit(stream, {.kind = OperationKind::copy, .name = "cudaMemcpyAsync", .run = ...});
///     queue.run_until(copy);      // runs what the copy needs, then the copy, and nothing else
///
/// The strictest timing that CUDA allows: nothing runs before the program waits for it or polls it, and
/// a wait runs only what it requires. Operations form a graph: each follows the one before it in its
/// stream and those that events and the legacy default stream add. Running the required ones in order
/// of submission respects every edge, because edges lead to earlier submissions only.
///
/// Two bounds keep memory finite, as a real queue's length does: when more operations or more staged
/// bytes are pending than max_pending and max_staged_bytes, the oldest run early.
///
/// The caller holds the runtime's lock. Host functions run without it, so that they may wait for other
/// threads; an operation that another thread is running is waited for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudart/clock.h"

namespace lanescope::cudart {

class Context;
class Runtime;
struct Capture;

enum class OperationKind : uint8_t { kernel, copy, set, host_function, event, allocation, graph };

struct Operation;
using OperationPointer = std::shared_ptr<Operation>;

struct Operation {
    OperationKind kind = OperationKind::event;
    std::string name;                          ///< API call or mangled kernel, for reports
    std::function<cudaError_t()> run = {};     ///< empty: only marks a point in its stream
    uint64_t staged_bytes = 0;                 ///< copies of pageable memory that wait with it
    std::vector<OperationPointer> after = {};  ///< of other streams
    /// Filled in by the queue
    Context* context = nullptr;
    OperationPointer previous = {};  ///< of the same stream
    uint64_t sequence = 0;
    enum class State : uint8_t { pending, running, done } state = State::pending;
    double ready = 0;       ///< seconds: not before that
    double finished = 0;

    bool done() const { return state == State::done; }
};

}  // namespace lanescope::cudart

// The runtime's headers declare these two types and leave them incomplete.

struct CUstream_st {
    enum class Kind : uint8_t { legacy, per_thread, created };
    lanescope::cudart::Context* context = nullptr;
    Kind kind = Kind::created;
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    uint64_t id = 0;
    lanescope::cudart::OperationPointer last;       ///< youngest operation; null: none yet
    lanescope::cudart::Capture* capture = nullptr;  ///< set while the stream is being captured
    std::map<int, cudaStreamAttrValue> attributes;  ///< as set, for cudaStreamGetAttribute

    /// Synchronises with the legacy default stream.
    bool blocking() const { return kind != Kind::legacy && !(flags & cudaStreamNonBlocking); }
};

struct CUevent_st {
    lanescope::cudart::Context* context = nullptr;
    unsigned flags = cudaEventDefault;
    lanescope::cudart::OperationPointer recorded;   ///< null: never recorded
    lanescope::cudart::Capture* capture = nullptr;  ///< recorded in a stream that was being captured
    std::vector<cudaGraphNode_t> captured_after;    ///< ... after these nodes
};

namespace lanescope::cudart {

using Stream = CUstream_st;
using Event = CUevent_st;

class WorkQueue {
public:
    static constexpr size_t max_pending = 16384;
    static constexpr uint64_t max_staged_bytes = 256ull << 20;

    explicit WorkQueue(Runtime& runtime) : runtime_(runtime) {}

    /// Appends to the stream. The operation waits for the stream's youngest, for `after`, and as the
    /// legacy default stream demands.
    OperationPointer submit(Stream& stream, Operation operation);

    void run_until(const OperationPointer& target);  ///< null: nothing to do
    void run_all(const Context& context);
    /// Runs the next operation that `target` requires. False if it was done already.
    bool step(const OperationPointer& target);
    /// Forgets the work of a context whose device has failed or was reset.
    void drop(const Context& context);

    bool idle(const Context& context) const;
    double host_now() const { return host_now_; }   ///< seconds, by the modelled clock
    const std::map<uint64_t, OperationPointer>& pending() const { return pending_; }

private:
    std::vector<OperationPointer> required(const OperationPointer& target) const;
    void execute(const OperationPointer& operation);
    void complete(const OperationPointer& operation);

    Runtime& runtime_;
    std::condition_variable_any finished_;
    std::map<uint64_t, OperationPointer> pending_;  ///< by sequence
    uint64_t sequence_ = 0;
    uint64_t staged_bytes_ = 0;
    double host_now_ = 0;   ///< seconds: until when the host has waited
    std::map<std::pair<const Context*, Engine>, double> engine_free_;   ///< from when on
};

}  // namespace lanescope::cudart
