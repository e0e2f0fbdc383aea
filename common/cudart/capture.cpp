#include "cudart/capture.h"

#include <algorithm>
#include <unordered_set>

#include "cudart/api.h"

using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// Captures in progress, of all devices.
std::vector<std::unique_ptr<Capture>>& captures() {
    static auto* const all = new std::vector<std::unique_ptr<Capture>>;
    return *all;
}

Capture& begin(Stream& stream, Graph* graph, bool owns_graph, cudaStreamCaptureMode mode) {
    static unsigned long long ids = 0;
    Capture& capture = *captures().emplace_back(std::make_unique<Capture>());
    capture.id = ++ids;
    capture.graph = graph;
    capture.owns_graph = owns_graph;
    capture.origin = &stream;
    capture.mode = mode;
    capture.thread = this_thread().id;
    capture.frontier[&stream];
    stream.capture = &capture;
    return capture;
}

// Streams work again, and events that were recorded in the capture are as new.
void end(Runtime& runtime, Capture& capture) {
    for (auto& [stream, nodes] : capture.frontier) stream->capture = nullptr;
    for (const auto& context : runtime.contexts) {
        for (const auto& [handle, event] : context->events) {
            if (event->capture == &capture) event->capture = nullptr;
        }
    }
    std::erase_if(captures(), [&](const auto& other) { return other.get() == &capture; });
}

// Every node of the capture must lead to the end of the stream that began it.
bool is_joined(const Capture& capture) {
    std::vector<const GraphNode*> reached(capture.frontier.at(capture.origin).begin(),
                                          capture.frontier.at(capture.origin).end());
    std::unordered_set<const GraphNode*> seen(reached.begin(), reached.end());
    for (size_t i = 0; i < reached.size(); ++i) {
        for (const GraphNode* dependency : reached[i]->dependencies) {
            if (seen.insert(dependency).second) reached.push_back(dependency);
        }
    }
    return std::all_of(capture.frontier.begin(), capture.frontier.end(), [&](const auto& entry) {
        return std::all_of(entry.second.begin(), entry.second.end(),
                           [&](const GraphNode* node) { return seen.contains(node); });
    });
}

void add_to(std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& more) {
    for (GraphNode* node : more) {
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
}

}  // namespace

void capture(Stream& stream, NodeTask task) {
    Capture& capture = *stream.capture;
    std::vector<GraphNode*>& frontier = capture.frontier[&stream];
    GraphNode& node = add_node(*capture.graph, stream.context, std::move(task), frontier);
    frontier = {&node};
}

cudaError_t capture_record(Stream& stream, Event& event, unsigned flags) {
    if (flags & cudaEventRecordExternal) {
        capture(stream, EventRecordTask{&event});
        return cudaSuccess;
    }
    event.capture = stream.capture;
    event.captured_after = stream.capture->frontier[&stream];
    event.recorded.reset();
    return cudaSuccess;
}

cudaError_t capture_wait(Stream& stream, Event& event, unsigned flags) {
    if (!event.capture) {
        if (flags & cudaEventWaitExternal) {
            capture(stream, EventWaitTask{&event});
            return cudaSuccess;
        }
        stream.capture->invalidated = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (stream.kind == Stream::Kind::legacy) return cudaErrorStreamCaptureImplicit;
    if (stream.capture && stream.capture != event.capture) return cudaErrorStreamCaptureMerge;
    stream.capture = event.capture;
    add_to(stream.capture->frontier[&stream], event.captured_after);
    return cudaSuccess;
}

cudaError_t invalidate_capture(Stream& stream) {
    stream.capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t invalidate_captures(Context& context) {
    cudaError_t error = cudaSuccess;
    for (const auto& capture : captures()) {
        if (capture->origin->context == &context) error = invalidate_capture(*capture->origin);
    }
    return error;
}

cudaError_t check_legacy_use(Context& context) {
    for (const auto& capture : captures()) {
        for (const auto& [stream, nodes] : capture->frontier) {
            if (stream->context != &context || !stream->blocking()) continue;
            capture->invalidated = true;
            return cudaErrorStreamCaptureImplicit;
        }
    }
    return cudaSuccess;
}

void abandon_capture(Stream& stream) {
    Capture* const capture = stream.capture;
    if (!capture) return;
    if (capture->origin != &stream) {
        capture->frontier.erase(&stream);
        capture->invalidated = true;
        return;
    }
    if (capture->owns_graph) Graphs::instance().destroy(capture->graph);
    end(stream.context->runtime, *capture);
}

}  // namespace lanescope::cudart

namespace {

cudaError_t begin_capture(cudaStream_t handle, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                          cudaStreamCaptureMode mode) {
    return device_call([&](Context& context) -> cudaError_t {
        Stream* stream = context.runtime.stream(handle, context);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
        if (stream->kind == Stream::Kind::legacy) return cudaErrorStreamCaptureUnsupported;
        if (stream->capture) return cudaErrorIllegalState;
        Capture& capture = begin(*stream, graph ? graph : Graphs::instance().create(), !graph, mode);
        capture.frontier[stream].assign(dependencies, dependencies + count);
        return cudaSuccess;
    });
}

cudaError_t get_capture_info(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                             cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
    return device_call([&](Context& context) -> cudaError_t {
        Stream* stream = context.runtime.stream(handle, context);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (!status) return cudaErrorInvalidValue;
        Capture* capture = stream->capture;
        *status = !capture               ? cudaStreamCaptureStatusNone
                  : capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
        if (!capture || capture->invalidated) return cudaSuccess;
        const std::vector<GraphNode*>& frontier = capture->frontier[stream];
        if (id) *id = capture->id;
        if (graph) *graph = capture->graph;
        if (dependencies) *dependencies = frontier.data();
        if (count) *count = frontier.size();
        return cudaSuccess;
    });
}

}  // namespace

LANESCOPE_API cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return begin_capture(stream, nullptr, nullptr, 0, mode);
}

LANESCOPE_API cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return cudaStreamBeginCapture(per_thread(stream), mode);
}

#if CUDART_VERSION >= 12030
LANESCOPE_API cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                            const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode) {
    if (!graph || (count > 0 && !dependencies)) return remember(cudaErrorInvalidValue);
    return begin_capture(stream, graph, dependencies, count, mode);
}

LANESCOPE_API cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                                 size_t count, cudaStreamCaptureMode mode) {
    return cudaStreamBeginCaptureToGraph(per_thread(stream), graph, dependencies, edges, count, mode);
}
#endif

LANESCOPE_API cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return device_call([&](Context& context) -> cudaError_t {
        Stream* stream = context.runtime.stream(handle, context);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (!graph) return cudaErrorInvalidValue;
        *graph = nullptr;
        Capture* capture = stream->capture;
        if (!capture) return cudaErrorIllegalState;
        if (capture->origin != stream) {
            capture->invalidated = true;
            return cudaErrorStreamCaptureUnmatched;
        }
        if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != this_thread().id) {
            return cudaErrorStreamCaptureWrongThread;
        }
        const cudaError_t error = capture->invalidated   ? cudaErrorStreamCaptureInvalidated
                                  : !is_joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                         : cudaSuccess;
        if (error == cudaSuccess) {
            *graph = capture->graph;
        } else if (capture->owns_graph) {
            Graphs::instance().destroy(capture->graph);
        }
        end(context.runtime, *capture);
        return error;
    });
}

LANESCOPE_API cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
    return cudaStreamEndCapture(per_thread(stream), graph);
}

LANESCOPE_API cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return get_capture_info(stream, status, nullptr, nullptr, nullptr, nullptr);
}

LANESCOPE_API cudaStreamIsCapturing_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamIsCapturing(per_thread(stream), status);
}

#undef cudaStreamGetCaptureInfo  // 12.x headers rename it to ..._v2
#if CUDART_VERSION >= 13000
LANESCOPE_API cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                       cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                       const cudaGraphEdgeData** edges, size_t* count) {
    if (edges) *edges = nullptr;  // all edges are plain
    return get_capture_info(stream, status, id, graph, dependencies, count);
}

LANESCOPE_API cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                            size_t* count) {
    return cudaStreamGetCaptureInfo(per_thread(stream), status, id, graph, dependencies, edges, count);
}
#else
LANESCOPE_API cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                          cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
    return get_capture_info(stream, status, id, graph, dependencies, count);
}

LANESCOPE_API cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** dependencies, size_t* count) {
    return get_capture_info(per_thread(stream), status, id, graph, dependencies, count);
}
#endif

LANESCOPE_API cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) {
        return remember(cudaErrorInvalidValue);
    }
    std::swap(*mode, this_thread().capture_mode);
    return cudaSuccess;
}
