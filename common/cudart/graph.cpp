#include "cudart/graph.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "cudart/runtime.h"

namespace lanescope::cudart {

Graphs& Graphs::instance() {
    static Graphs* const graphs = new Graphs;  // exit handlers may still call
    return *graphs;
}

Graph* Graphs::create() { return adopt(std::make_shared<Graph>()); }

Graph* Graphs::adopt(std::shared_ptr<Graph> graph) {
    Graph* const handle = graph.get();
    graphs_.emplace(handle, std::move(graph));
    return handle;
}

GraphExec* Graphs::instantiate(const Graph& graph, unsigned long long flags) {
    auto exec = std::make_unique<GraphExec>();
    exec->graph = copy_of(graph);
    exec->flags = flags;
    GraphExec* const handle = exec.get();
    execs_.emplace(handle, std::move(exec));
    return handle;
}

GraphExec* Graphs::exec(cudaGraphExec_t handle) const { return execs_.contains(handle) ? handle : nullptr; }

namespace {

// Calls `visit` for the graph and the child graphs inside it, until it returns true.
template <class Visit>
bool any_graph(const Graph& graph, const Visit& visit) {
    return visit(graph) || std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const GraphNode& node) {
               const auto* child = std::get_if<ChildGraph>(&node.task);
               return child && any_graph(*child->graph, visit);
           });
}

}  // namespace

bool Graphs::has(const Graph* handle) const {
    return std::any_of(graphs_.begin(), graphs_.end(), [&](const auto& entry) {
        return any_graph(*entry.second, [&](const Graph& graph) { return &graph == handle; });
    });
}

GraphNode* Graphs::node(cudaGraphNode_t handle) const {
    const auto holds = [&](const Graph& graph) {
        return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                           [&](const GraphNode& node) { return &node == handle; });
    };
    const bool found =
        std::any_of(graphs_.begin(), graphs_.end(), [&](const auto& entry) { return any_graph(*entry.second, holds); });
    return found ? handle : nullptr;
}

std::shared_ptr<Graph> copy_of(const Graph& graph) {
    auto copy = std::make_shared<Graph>();
    for (const GraphNode& node : graph.nodes) {
        GraphNode& own = copy->nodes.emplace_back(node);
        own.graph = copy.get();
        if (auto* child = std::get_if<ChildGraph>(&own.task)) child->graph = copy_of(*child->graph);
        copy->clones[&node] = &own;
    }
    for (GraphNode& node : copy->nodes) {
        for (GraphNode*& dependency : node.dependencies) dependency = copy->clones.at(dependency);
    }
    return copy;
}

std::vector<GraphNode*> in_order(Graph& graph) {
    std::unordered_map<const GraphNode*, size_t> missing;  // dependencies not yet placed
    std::unordered_map<const GraphNode*, std::vector<GraphNode*>> dependents;
    std::vector<GraphNode*> order;
    for (GraphNode& node : graph.nodes) {
        missing[&node] = node.dependencies.size();
        for (const GraphNode* dependency : node.dependencies) dependents[dependency].push_back(&node);
        if (node.dependencies.empty()) order.push_back(&node);
    }
    for (size_t i = 0; i < order.size(); ++i) {
        for (GraphNode* dependent : dependents[order[i]]) {
            if (--missing[dependent] == 0) order.push_back(dependent);
        }
    }
    return order;
}

GraphNode& add_node(Graph& graph, Context* context, NodeTask task, std::vector<GraphNode*> dependencies) {
    GraphNode& node = graph.nodes.emplace_back();
    node.graph = &graph;
    node.task = std::move(task);
    node.context = context;
    node.dependencies = std::move(dependencies);
    return node;
}

cudaGraphNodeType type_of(const GraphNode& node) {
    if (const auto* task = std::get_if<Task>(&node.task)) {
        constexpr cudaGraphNodeType types[] = {cudaGraphNodeTypeEmpty, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                               cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost};
        static_assert(std::variant_size_v<Task> == std::size(types));
        return types[task->index()];
    }
    if (std::holds_alternative<ChildGraph>(node.task)) return cudaGraphNodeTypeGraph;
    return std::holds_alternative<EventRecordTask>(node.task) ? cudaGraphNodeTypeEventRecord
                                                              : cudaGraphNodeTypeWaitEvent;
}

namespace {

struct Submitter {
    Stream& stream;
    Context& context;  // where the node was made

    cudaError_t operator()(const Task& task) const {
        Context* const where = &context;
        const OperationKind kind = kind_of(task);
        if (kind == OperationKind::event) return cudaSuccess;  // an empty node: the stream keeps the order
        stream.context->runtime.queue.submit(
            stream, {.kind = kind, .name = name_of(task), .run = [where, task] { return perform(*where, task); }});
        return cudaSuccess;
    }
    cudaError_t operator()(const ChildGraph& child) const { return launch(stream, *child.graph); }
    cudaError_t operator()(const EventRecordTask& task) const {
        Runtime& runtime = stream.context->runtime;
        Event* event = runtime.event(task.event);
        if (!event) return cudaErrorInvalidResourceHandle;
        event->recorded = runtime.queue.submit(stream, {.kind = OperationKind::event, .name = "event"});
        return cudaSuccess;
    }
    cudaError_t operator()(const EventWaitTask& task) const {
        Runtime& runtime = stream.context->runtime;
        Event* event = runtime.event(task.event);
        if (!event) return cudaErrorInvalidResourceHandle;
        if (event->recorded && !event->recorded->done()) {
            runtime.queue.submit(stream,
                                 {.kind = OperationKind::event, .name = "event wait", .after = {event->recorded}});
        }
        return cudaSuccess;
    }
};

}  // namespace

cudaError_t launch(Stream& stream, Graph& graph) {
    for (const GraphNode* node : in_order(graph)) {
        if (!node->enabled) continue;
        if (const cudaError_t error = std::visit(Submitter{stream, *node->context}, node->task)) return error;
    }
    return cudaSuccess;
}

}  // namespace lanescope::cudart
