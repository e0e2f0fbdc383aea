/// \file
/// Stream capture: what streams are given becomes a graph instead of work.
///
/// A capture begins in one stream; others join it by waiting for an event that was recorded in a stream
/// that takes part, and must have been joined back when it ends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudart/graph.h"
#include "cudart/work.h"

namespace lanescope::cudart {

struct Capture {
    unsigned long long id = 0;
    Graph* graph = nullptr;
    bool owns_graph = true;  ///< false: cudaStreamBeginCaptureToGraph
    Stream* origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    uint64_t thread = 0;  ///< that began it
    bool invalidated = false;
    std::map<Stream*, std::vector<GraphNode*>> frontier;  ///< what the next node of each stream follows
};

/// Adds what the stream was given to the graph that captures it.
void capture(Stream& stream, NodeTask task);
cudaError_t capture_record(Stream& stream, Event& event, unsigned flags);
cudaError_t capture_wait(Stream& stream, Event& event, unsigned flags);

/// A call that cannot be captured spoils the capture. Returns the error for it.
cudaError_t invalidate_capture(Stream& stream);
/// The same for calls that concern the whole device. Success if nothing is captured on it.
cudaError_t invalidate_captures(Context& context);
/// The legacy default stream would wait for a stream that is being captured. Success if none is.
cudaError_t check_legacy_use(Context& context);
/// The stream is destroyed.
void abandon_capture(Stream& stream);

}  // namespace lanescope::cudart
