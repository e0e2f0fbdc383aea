// Graphs as a whole: their life, their shape, and launching them.
#include <algorithm>

#include "cudart/api.h"
#include "cudart/graph.h"

using namespace lanescope::cudart;

namespace {

template <class Body>
cudaError_t graph_call(cudaGraph_t handle, Body&& body) {
    return call([&](Runtime&) -> cudaError_t {
        return Graphs::instance().has(handle) ? body(*handle) : cudaErrorInvalidValue;
    });
}

template <class Body>
cudaError_t node_call(cudaGraphNode_t handle, Body&& body) {
    return call([&](Runtime&) -> cudaError_t {
        GraphNode* node = Graphs::instance().node(handle);
        return node ? body(*node) : cudaErrorInvalidValue;
    });
}

// CUDA's way to hand out lists: without `out` only the length; else as many as fit, padded with null.
cudaError_t hand_out(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* out, size_t* count) {
    if (!count) return cudaErrorInvalidValue;
    if (!out) {
        *count = found.size();
        return cudaSuccess;
    }
    for (size_t i = 0; i < *count; ++i) out[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
    return cudaSuccess;
}

std::vector<GraphNode*> dependents_of(GraphNode& node) {
    std::vector<GraphNode*> result;
    for (GraphNode& other : node.graph->nodes) {
        const auto& dependencies = other.dependencies;
        if (std::find(dependencies.begin(), dependencies.end(), &node) != dependencies.end()) result.push_back(&other);
    }
    return result;
}

cudaError_t dependencies(cudaGraphNode_t handle, cudaGraphNode_t* out, size_t* count) {
    return node_call(handle, [&](const GraphNode& node) { return hand_out(node.dependencies, out, count); });
}

cudaError_t dependent_nodes(cudaGraphNode_t handle, cudaGraphNode_t* out, size_t* count) {
    return node_call(handle, [&](GraphNode& node) { return hand_out(dependents_of(node), out, count); });
}

cudaError_t edges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return graph_call(handle, [&](Graph& graph) -> cudaError_t {
        std::vector<cudaGraphNode_t> starts, ends;
        for (GraphNode& node : graph.nodes) {
            for (GraphNode* dependency : node.dependencies) {
                starts.push_back(dependency);
                ends.push_back(&node);
            }
        }
        if (!from != !to || !count) return cudaErrorInvalidValue;
        const size_t room = *count;
        if (const cudaError_t error = hand_out(starts, from, count)) return error;
        *count = from ? room : *count;
        return hand_out(ends, to, count);
    });
}

cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count,
                         bool add) {
    return graph_call(handle, [&](Graph& graph) -> cudaError_t {
        if (count > 0 && (!from || !to)) return cudaErrorInvalidValue;
        const auto has = [&](const GraphNode* node, const GraphNode* dependency) {
            return std::find(node->dependencies.begin(), node->dependencies.end(), dependency) !=
                   node->dependencies.end();
        };
        for (size_t i = 0; i < count; ++i) {
            const GraphNode* start = Graphs::instance().node(from[i]);
            const GraphNode* end = Graphs::instance().node(to[i]);
            if (!start || !end || start->graph != &graph || end->graph != &graph || start == end ||
                has(end, start) == add) {
                return cudaErrorInvalidValue;
            }
        }
        for (size_t i = 0; i < count; ++i) {
            if (add) {
                to[i]->dependencies.push_back(from[i]);
            } else {
                std::erase(to[i]->dependencies, from[i]);
            }
        }
        return cudaSuccess;
    });
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t handle, unsigned long long flags) {
    return graph_call(handle, [&](Graph& graph) -> cudaError_t {
        constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                             cudaGraphInstantiateFlagUseNodePriority;
        if (!exec) return cudaErrorInvalidValue;
        if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
            say("launching graphs from the device is not supported by the simulated GPU");
            return cudaErrorNotSupported;
        }
        if (flags & ~known) return cudaErrorInvalidValue;
        if (in_order(graph).size() != graph.nodes.size()) return cudaErrorInvalidValue;  // a cycle
        *exec = Graphs::instance().instantiate(graph, flags);
        return cudaSuccess;
    });
}

}  // namespace

LANESCOPE_API cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call([&](Runtime&) -> cudaError_t {
        if (!graph || flags != 0) return cudaErrorInvalidValue;
        *graph = Graphs::instance().create();
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphDestroy(cudaGraph_t handle) {
    return graph_call(handle, [](Graph& graph) {
        Graphs::instance().destroy(&graph);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
    return graph_call(handle, [&](Graph& graph) -> cudaError_t {
        if (!clone) return cudaErrorInvalidValue;
        *clone = Graphs::instance().adopt(copy_of(graph));
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t handle) {
    return graph_call(handle, [&](Graph& clone) -> cudaError_t {
        const auto position = clone.clones.find(original);
        if (!node || position == clone.clones.end()) return cudaErrorInvalidValue;
        *node = position->second;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
    return node_call(handle, [&](const GraphNode& node) -> cudaError_t {
        if (!type) return cudaErrorInvalidValue;
        *type = type_of(node);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return graph_call(handle, [&](Graph& graph) {
        std::vector<cudaGraphNode_t> all;
        for (GraphNode& node : graph.nodes) all.push_back(&node);
        return hand_out(all, nodes, count);
    });
}

LANESCOPE_API cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return graph_call(handle, [&](Graph& graph) {
        std::vector<cudaGraphNode_t> roots;
        for (GraphNode& node : graph.nodes) {
            if (node.dependencies.empty()) roots.push_back(&node);
        }
        return hand_out(roots, nodes, count);
    });
}

LANESCOPE_API cudaGraphDestroyNode(cudaGraphNode_t handle) {
    return node_call(handle, [](GraphNode& node) {
        for (GraphNode* dependent : dependents_of(node)) std::erase(dependent->dependencies, &node);
        node.graph->nodes.remove_if([&](const GraphNode& other) { return &other == &node; });
        return cudaSuccess;
    });
}

// Edge data distinguishes programmatic launches, which are not simulated: all edges are plain.
#if CUDART_VERSION >= 13000
LANESCOPE_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                size_t* count) {
    const cudaError_t error = edges(graph, from, to, count);
    if (!error && data) std::fill_n(data, *count, cudaGraphEdgeData{});
    return error;
}

LANESCOPE_API cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                                           size_t* count) {
    const cudaError_t error = dependencies(node, out, count);
    if (!error && data) std::fill_n(data, *count, cudaGraphEdgeData{});
    return error;
}

LANESCOPE_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                                             size_t* count) {
    const cudaError_t error = dependent_nodes(node, out, count);
    if (!error && data) std::fill_n(data, *count, cudaGraphEdgeData{});
    return error;
}

LANESCOPE_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                       const cudaGraphEdgeData*, size_t count) {
    return change_edges(graph, from, to, count, true);
}

LANESCOPE_API cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                          const cudaGraphEdgeData*, size_t count) {
    return change_edges(graph, from, to, count, false);
}
#else
LANESCOPE_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return edges(graph, from, to, count);
}

LANESCOPE_API cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return dependencies(node, out, count);
}

LANESCOPE_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return dependent_nodes(node, out, count);
}

LANESCOPE_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                       size_t count) {
    return change_edges(graph, from, to, count, true);
}

LANESCOPE_API cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                          size_t count) {
    return change_edges(graph, from, to, count, false);
}
#endif

LANESCOPE_API cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

LANESCOPE_API cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

LANESCOPE_API cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                             cudaGraphInstantiateParams* parameters) {
    if (!parameters) return remember(cudaErrorInvalidValue);
    const cudaError_t error = instantiate(exec, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    return error;
}

LANESCOPE_API cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams* parameters) {
    return cudaGraphInstantiateWithParams(exec, graph, parameters);
}

LANESCOPE_API cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) -> cudaError_t {
        GraphExec* exec = Graphs::instance().exec(handle);
        if (!exec) return cudaErrorInvalidValue;
        if (stream.capture) {
            capture(stream, ChildGraph{copy_of(*exec->graph)});
            return cudaSuccess;
        }
        return launch(stream, *exec->graph);
    });
}

LANESCOPE_API cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
    return cudaGraphLaunch(exec, per_thread(stream));
}

// Everything is where it runs already.
LANESCOPE_API cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
    return stream_call(stream, [&](Stream&) -> cudaError_t {
        return Graphs::instance().exec(handle) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_API cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
    return cudaGraphUpload(exec, per_thread(stream));
}
