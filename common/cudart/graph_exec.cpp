// Changing an executable graph in place. A node is named by its handle in the graph that was
// instantiated; what changes is its copy.
#include "cudart/api.h"
#include "cudart/graph_node.h"
#include "cudart/symbol.h"

using namespace lanescope::cudart;

namespace {

template <class Body>
cudaError_t exec_call(cudaGraphExec_t handle, Body&& body) {
    return device_call([&](Context& context) -> cudaError_t {
        GraphExec* exec = Graphs::instance().exec(handle);
        return exec ? body(context, *exec) : cudaErrorInvalidValue;
    });
}

GraphNode* own_node(const GraphExec& exec, cudaGraphNode_t node) {
    const auto position = exec.graph->clones.find(node);
    return position == exec.graph->clones.end() ? nullptr : position->second;
}

// Replaces a task of type T by what `make(context, task)` makes.
template <class T, class Make>
cudaError_t replace(cudaGraphExec_t handle, cudaGraphNode_t original, Make&& make) {
    return exec_call(handle, [&](Context& context, GraphExec& exec) -> cudaError_t {
        GraphNode* node = own_node(exec, original);
        Task* task = node ? std::get_if<Task>(&node->task) : nullptr;
        if (!task || !std::holds_alternative<T>(*task)) return cudaErrorInvalidValue;
        Task made;
        if (const cudaError_t error = make(context, made)) return error;
        *task = std::move(made);
        return cudaSuccess;
    });
}

template <class T, class Parameters>
cudaError_t replace_from(cudaGraphExec_t exec, cudaGraphNode_t node, const Parameters* parameters) {
    return replace<T>(exec, node, [&](Context& context, Task& task) { return task_from(context, parameters, task); });
}

cudaError_t replace_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const Copy& copy) {
    return replace<Copy>(exec, node, [&](Context& context, Task& task) {
        task = copy;
        return check(*context.runtime.space, copy);
    });
}

cudaError_t replace_symbol_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const SymbolCopy& request) {
    return replace<Copy>(exec, node, [&](Context& context, Task& task) {
        Copy copy;
        const cudaError_t error = resolve(context, request, copy);
        task = copy;
        return error ? error : check(*context.runtime.space, copy);
    });
}

template <class EventTask>
cudaError_t replace_event(cudaGraphExec_t handle, cudaGraphNode_t original, cudaEvent_t event) {
    return exec_call(handle, [&](Context& context, GraphExec& exec) -> cudaError_t {
        GraphNode* node = own_node(exec, original);
        EventTask* task = node ? std::get_if<EventTask>(&node->task) : nullptr;
        if (!task) return cudaErrorInvalidValue;
        if (!context.runtime.event(event)) return cudaErrorInvalidResourceHandle;
        task->event = event;
        return cudaSuccess;
    });
}

// Whether `graph` has the shape of `exec`: the same nodes in the same order with the same edges.
cudaGraphExecUpdateResult compare(const Graph& exec, const Graph& graph) {
    if (exec.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    std::map<const GraphNode*, const GraphNode*> counterpart;
    for (auto own = exec.nodes.begin(), other = graph.nodes.begin(); own != exec.nodes.end(); ++own, ++other) {
        counterpart[&*other] = &*own;
    }
    for (auto own = exec.nodes.begin(), other = graph.nodes.begin(); own != exec.nodes.end(); ++own, ++other) {
        if (type_of(*own) != type_of(*other)) return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (own->dependencies.size() != other->dependencies.size()) return cudaGraphExecUpdateErrorTopologyChanged;
        for (size_t i = 0; i < own->dependencies.size(); ++i) {
            if (counterpart[other->dependencies[i]] != own->dependencies[i]) {
                return cudaGraphExecUpdateErrorTopologyChanged;
            }
        }
    }
    return cudaGraphExecUpdateSuccess;
}

}  // namespace

LANESCOPE_API cudaGraphExecDestroy(cudaGraphExec_t handle) {
    return exec_call(handle, [](Context&, GraphExec& exec) {
        Graphs::instance().destroy(&exec);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
    return exec_call(handle, [&](Context&, const GraphExec& exec) -> cudaError_t {
        if (!flags) return cudaErrorInvalidValue;
        *flags = exec.flags;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t original, unsigned enabled) {
    return exec_call(handle, [&](Context&, const GraphExec& exec) -> cudaError_t {
        GraphNode* node = own_node(exec, original);
        if (!node) return cudaErrorInvalidValue;
        node->enabled = enabled != 0;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t original, unsigned* enabled) {
    return exec_call(handle, [&](Context&, const GraphExec& exec) -> cudaError_t {
        const GraphNode* node = own_node(exec, original);
        if (!node || !enabled) return cudaErrorInvalidValue;
        *enabled = node->enabled;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               const cudaKernelNodeParams* parameters) {
    return replace_from<KernelTask>(exec, node, parameters);
}

LANESCOPE_API cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               const cudaMemcpy3DParms* parameters) {
    return replace_from<Copy>(exec, node, parameters);
}

LANESCOPE_API cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                                 size_t bytes, cudaMemcpyKind kind) {
    return replace_copy(exec, node,
                        {.to = {to, 0, 0},
                         .from = {const_cast<void*>(from), 0, 0},
                         .width_bytes = bytes,
                         .kind = kind,
                         .call = "memcpy node"});
}

LANESCOPE_API cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                                       const void* from, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
    return replace_symbol_copy(exec, node, to_symbol(symbol, from, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                         const void* symbol, size_t bytes, size_t offset,
                                                         cudaMemcpyKind kind) {
    return replace_symbol_copy(exec, node, from_symbol(to, symbol, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               const cudaMemsetParams* parameters) {
    return replace_from<Fill>(exec, node, parameters);
}

LANESCOPE_API cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaHostNodeParams* parameters) {
    return replace_from<HostTask>(exec, node, parameters);
}

LANESCOPE_API cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t original,
                                                   cudaGraph_t child) {
    return exec_call(handle, [&](Context&, const GraphExec& exec) -> cudaError_t {
        GraphNode* node = own_node(exec, original);
        ChildGraph* own = node ? std::get_if<ChildGraph>(&node->task) : nullptr;
        if (!own || !Graphs::instance().has(child)) return cudaErrorInvalidValue;
        if (compare(*own->graph, *child) != cudaGraphExecUpdateSuccess) return cudaErrorInvalidValue;
        own->graph = copy_of(*child);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
    return replace_event<EventRecordTask>(exec, node, event);
}

LANESCOPE_API cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
    return replace_event<EventWaitTask>(exec, node, event);
}

LANESCOPE_API cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    return exec_call(handle, [&](Context&, GraphExec& exec) -> cudaError_t {
        if (!result || !Graphs::instance().has(graph)) return cudaErrorInvalidValue;
        *result = {};
        result->result = compare(*exec.graph, *graph);
        if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
        // Handles of the graph that was instantiated keep naming their nodes.
        auto other = graph->nodes.begin();
        for (GraphNode& own : exec.graph->nodes) {
            own.task = other->task;
            if (auto* child = std::get_if<ChildGraph>(&own.task)) child->graph = copy_of(*child->graph);
            ++other;
        }
        return cudaSuccess;
    });
}
