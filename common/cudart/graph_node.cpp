// Nodes of graphs: adding them, reading and changing what they do.
#include "cudart/graph_node.h"

#include "cudart/api.h"
#include "cudart/copy_parameters.h"
#include "cudart/launch.h"
#include "cudart/symbol.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

cudaError_t task_from(Context& context, const cudaKernelNodeParams* parameters, Task& task) {
    if (!parameters) return cudaErrorInvalidValue;
    if (parameters->extra) {
        say("kernel parameters passed as `extra` are not supported by the simulated GPU; pass kernelParams");
        return cudaErrorNotSupported;
    }
    KernelTask kernel;
    const LaunchRequest request{parameters->func,         parameters->gridDim,        parameters->blockDim,
                                parameters->kernelParams, parameters->sharedMemBytes, false};
    if (const cudaError_t error = make_kernel_task(context, request, kernel)) return error;
    task = std::move(kernel);
    return cudaSuccess;
}

cudaError_t task_from(Context& context, const cudaMemcpy3DParms* parameters, Task& task) {
    Copy copy;
    if (const cudaError_t error = from_parameters(parameters, "memcpy node", copy)) return error;
    if (const cudaError_t error = check(*context.runtime.space, copy)) return error;
    task = copy;
    return cudaSuccess;
}

cudaError_t task_from(Context& context, const cudaMemsetParams* parameters, Task& task) {
    if (!parameters) return cudaErrorInvalidValue;
    const Fill fill{.to = {parameters->dst, parameters->pitch, 0},
                    .value = parameters->value,
                    .element_bytes = parameters->elementSize,
                    .width = parameters->width,
                    .height = parameters->height,
                    .call = "memset node"};
    if (const cudaError_t error = check(*context.runtime.space, fill)) return error;
    task = fill;
    return cudaSuccess;
}

cudaError_t task_from(Context&, const cudaHostNodeParams* parameters, Task& task) {
    if (!parameters || !parameters->fn) return cudaErrorInvalidValue;
    task = HostTask{parameters->fn, parameters->userData};
    return cudaSuccess;
}

}  // namespace lanescope::cudart

namespace {

struct NewNode {
    cudaGraphNode_t* handle;
    cudaGraph_t graph;
    const cudaGraphNode_t* dependencies;
    size_t dependency_count;
};

// Checks the handles, makes the task with `make(context, task)` and adds the node.
template <class Make>
cudaError_t add(const NewNode& node, Make&& make) {
    return device_call([&](Context& context) -> cudaError_t {
        const Graphs& graphs = Graphs::instance();
        if (!node.handle || !graphs.has(node.graph) || (node.dependency_count > 0 && !node.dependencies)) {
            return cudaErrorInvalidValue;
        }
        std::vector<GraphNode*> dependencies(node.dependencies, node.dependencies + node.dependency_count);
        for (const GraphNode* dependency : dependencies) {
            const GraphNode* live = graphs.node(const_cast<GraphNode*>(dependency));
            if (!live || live->graph != node.graph) return cudaErrorInvalidValue;
        }
        NodeTask task;
        if (const cudaError_t error = make(context, task)) return error;
        *node.handle = &add_node(*node.graph, &context, std::move(task), std::move(dependencies));
        return cudaSuccess;
    });
}

template <class Parameters>
cudaError_t add_from(const NewNode& node, const Parameters* parameters) {
    return add(node, [&](Context& context, NodeTask& made) -> cudaError_t {
        Task task;
        if (const cudaError_t error = task_from(context, parameters, task)) return error;
        made = std::move(task);
        return cudaSuccess;
    });
}

// The live node with that handle whose task is a T.
template <class T, class Body>
cudaError_t node_call(cudaGraphNode_t handle, Body&& body) {
    return device_call([&](Context& context) -> cudaError_t {
        GraphNode* node = Graphs::instance().node(handle);
        if (!node) return cudaErrorInvalidValue;
        T* content = nullptr;
        if constexpr (std::is_same_v<T, Task> || std::is_same_v<T, ChildGraph> || std::is_same_v<T, EventRecordTask> ||
                      std::is_same_v<T, EventWaitTask>) {
            content = std::get_if<T>(&node->task);
        } else if (Task* task = std::get_if<Task>(&node->task)) {
            content = std::get_if<T>(task);
        }
        return content ? body(context, *node, *content) : cudaErrorInvalidValue;
    });
}

template <class T, class Parameters>
cudaError_t set_from(cudaGraphNode_t handle, const Parameters* parameters) {
    return node_call<T>(handle, [&](Context& context, GraphNode& node, T&) -> cudaError_t {
        Task task;
        if (const cudaError_t error = task_from(context, parameters, task)) return error;
        node.task = std::move(task);
        return cudaSuccess;
    });
}

Copy copy_1d(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return {.to = {to, 0, 0},
            .from = {const_cast<void*>(from), 0, 0},
            .width_bytes = bytes,
            .kind = kind,
            .call = "memcpy node"};
}

cudaError_t checked(Context& context, const Copy& copy, NodeTask& task) {
    if (const cudaError_t error = check(*context.runtime.space, copy)) return error;
    task = Task(copy);
    return cudaSuccess;
}

cudaError_t checked(Context& context, const SymbolCopy& request, NodeTask& task) {
    Copy copy;
    if (const cudaError_t error = resolve(context, request, copy)) return error;
    return checked(context, copy, task);
}

template <class Description>
cudaError_t add_copy(const NewNode& node, const Description& description) {
    return add(node, [&](Context& context, NodeTask& task) { return checked(context, description, task); });
}

template <class Description>
cudaError_t set_copy(cudaGraphNode_t handle, const Description& description) {
    return node_call<Copy>(
        handle, [&](Context& context, GraphNode& node, Copy&) { return checked(context, description, node.task); });
}

cudaError_t check_event(Context& context, cudaEvent_t event) {
    return context.runtime.event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

template <class EventTask>
cudaError_t add_event(const NewNode& node, cudaEvent_t event) {
    return add(node, [&](Context& context, NodeTask& task) {
        task = EventTask{event};
        return check_event(context, event);
    });
}

template <class EventTask>
cudaError_t set_event(cudaGraphNode_t handle, cudaEvent_t event) {
    return node_call<EventTask>(handle, [&](Context& context, GraphNode&, EventTask& task) {
        task.event = event;
        return check_event(context, event);
    });
}

template <class EventTask>
cudaError_t get_event(cudaGraphNode_t handle, cudaEvent_t* event) {
    return node_call<EventTask>(handle, [&](Context&, GraphNode&, EventTask& task) -> cudaError_t {
        if (!event) return cudaErrorInvalidValue;
        *event = task.event;
        return cudaSuccess;
    });
}

}  // namespace

LANESCOPE_API cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, const cudaKernelNodeParams* parameters) {
    return add_from({node, graph, dependencies, count}, parameters);
}

// The parameters' pointers belong to the node and live as long as it does.
LANESCOPE_API cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
    return node_call<KernelTask>(handle, [&](Context&, GraphNode& node, KernelTask& task) -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        node.parameter_pointers.clear();
        for (const auto& parameter : task.launch.kernel->attributes().parameters) {
            node.parameter_pointers.push_back(task.launch.parameters.data() + parameter.offset);
        }
        *parameters = {};
        parameters->func = const_cast<void*>(task.kernel->host);
        parameters->gridDim = {task.launch.grid.x, task.launch.grid.y, task.launch.grid.z};
        parameters->blockDim = {task.launch.block.x, task.launch.block.y, task.launch.block.z};
        parameters->sharedMemBytes = static_cast<unsigned>(task.launch.dynamic_shared_bytes);
        parameters->kernelParams = node.parameter_pointers.data();
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    return set_from<KernelTask>(node, parameters);
}

LANESCOPE_API cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, const cudaMemcpy3DParms* parameters) {
    return add_from({node, graph, dependencies, count}, parameters);
}

LANESCOPE_API cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* parameters) {
    return node_call<Copy>(handle, [&](Context&, GraphNode&, const Copy& copy) -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        *parameters = to_parameters(copy);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    return set_from<Copy>(node, parameters);
}

LANESCOPE_API cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return add_copy({node, graph, dependencies, count}, copy_1d(to, from, bytes, kind));
}

LANESCOPE_API cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                             cudaMemcpyKind kind) {
    return set_copy(node, copy_1d(to, from, bytes, kind));
}

LANESCOPE_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count, const void* symbol,
                                             const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return add_copy({node, graph, dependencies, count}, to_symbol(symbol, from, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                   size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return set_copy(node, to_symbol(symbol, from, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count, void* to,
                                               const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return add_copy({node, graph, dependencies, count}, from_symbol(to, symbol, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
    return set_copy(node, from_symbol(to, symbol, bytes, offset, kind, "memcpy node"));
}

LANESCOPE_API cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, const cudaMemsetParams* parameters) {
    return add_from({node, graph, dependencies, count}, parameters);
}

LANESCOPE_API cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* parameters) {
    return node_call<Fill>(handle, [&](Context&, GraphNode&, const Fill& fill) -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        *parameters = {fill.to.pointer, fill.to.pitch_bytes, fill.value, fill.element_bytes, fill.width, fill.height};
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    return set_from<Fill>(node, parameters);
}

LANESCOPE_API cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaHostNodeParams* parameters) {
    return add_from({node, graph, dependencies, count}, parameters);
}

LANESCOPE_API cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* parameters) {
    return node_call<HostTask>(handle, [&](Context&, GraphNode&, const HostTask& task) -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        parameters->fn = task.function;
        parameters->userData = task.data;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    return set_from<HostTask>(node, parameters);
}

LANESCOPE_API cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count) {
    return add({node, graph, dependencies, count}, [](Context&, NodeTask& task) {
        task = Task(EmptyTask{});
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         size_t count, cudaGraph_t child) {
    return add({node, graph, dependencies, count}, [&](Context&, NodeTask& task) -> cudaError_t {
        if (!Graphs::instance().has(child) || child == graph) return cudaErrorInvalidValue;
        task = ChildGraph{copy_of(*child)};
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
    return node_call<ChildGraph>(handle, [&](Context&, GraphNode&, const ChildGraph& child) -> cudaError_t {
        if (!graph) return cudaErrorInvalidValue;
        *graph = child.graph.get();
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          size_t count, cudaEvent_t event) {
    return add_event<EventRecordTask>({node, graph, dependencies, count}, event);
}

LANESCOPE_API cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<EventRecordTask>(node, event);
}

LANESCOPE_API cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_event<EventRecordTask>(node, event);
}

LANESCOPE_API cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        size_t count, cudaEvent_t event) {
    return add_event<EventWaitTask>({node, graph, dependencies, count}, event);
}

LANESCOPE_API cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<EventWaitTask>(node, event);
}

LANESCOPE_API cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_event<EventWaitTask>(node, event);
}

// The same with one structure for all types.
#if CUDART_VERSION >= 12020
namespace {

cudaError_t add_generic(const NewNode& node, const cudaGraphNodeParams* parameters) {
    if (!parameters) return remember(cudaErrorInvalidValue);
    switch (parameters->type) {
        case cudaGraphNodeTypeKernel: {
            const cudaKernelNodeParamsV2& v2 = parameters->kernel;
            const cudaKernelNodeParams kernel{v2.func,           v2.gridDim,      v2.blockDim,
                                              v2.sharedMemBytes, v2.kernelParams, v2.extra};
            return add_from(node, &kernel);
        }
        case cudaGraphNodeTypeMemcpy:
            return add_from(node, &parameters->memcpy.copyParams);
        case cudaGraphNodeTypeMemset: {
            const cudaMemsetParamsV2& v2 = parameters->memset;
            const cudaMemsetParams fill{v2.dst, v2.pitch, v2.value, v2.elementSize, v2.width, v2.height};
            return add_from(node, &fill);
        }
        case cudaGraphNodeTypeHost: {
            const cudaHostNodeParams host{parameters->host.fn, parameters->host.userData};
            return add_from(node, &host);
        }
        case cudaGraphNodeTypeGraph:
            return cudaGraphAddChildGraphNode(node.handle, node.graph, node.dependencies, node.dependency_count,
                                              parameters->graph.graph);
        case cudaGraphNodeTypeEmpty:
            return cudaGraphAddEmptyNode(node.handle, node.graph, node.dependencies, node.dependency_count);
        case cudaGraphNodeTypeWaitEvent:
            return add_event<EventWaitTask>(node, parameters->eventWait.event);
        case cudaGraphNodeTypeEventRecord:
            return add_event<EventRecordTask>(node, parameters->eventRecord.event);
        default:
            say("graph nodes of type " + std::to_string(parameters->type) + " are not supported by the simulated GPU");
            return remember(cudaErrorNotSupported);
    }
}

}  // namespace

#if CUDART_VERSION >= 13000
LANESCOPE_API cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                               const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* parameters) {
    return add_generic({node, graph, dependencies, count}, parameters);
}
#else
LANESCOPE_API cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                               size_t count, cudaGraphNodeParams* parameters) {
    return add_generic({node, graph, dependencies, count}, parameters);
}
#endif
#endif
