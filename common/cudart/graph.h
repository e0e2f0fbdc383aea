/// \file
/// CUDA graphs: tasks with dependencies, built by hand or captured from streams, launched as a whole.
///
/// A launch submits every node to the queue in an order that respects the dependencies, each to the
/// launch's stream: legal, because a graph promises no concurrency.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudart/task.h"

namespace lanescope::cudart {

struct ChildGraph {
    std::shared_ptr<CUgraph_st> graph;
};
struct EventRecordTask {
    cudaEvent_t event = nullptr;
};
struct EventWaitTask {
    cudaEvent_t event = nullptr;
};

using NodeTask = std::variant<Task, ChildGraph, EventRecordTask, EventWaitTask>;

}  // namespace lanescope::cudart

struct CUgraphNode_st {
    CUgraph_st* graph = nullptr;
    lanescope::cudart::NodeTask task;
    lanescope::cudart::Context* context = nullptr;  ///< where it runs
    std::vector<CUgraphNode_st*> dependencies;
    bool enabled = true;                    ///< in an executable graph
    std::vector<void*> parameter_pointers;  ///< what cudaGraphKernelNodeGetParams hands out
};

struct CUgraph_st {
    std::list<CUgraphNode_st> nodes;  ///< in order of creation: dependencies come first or were added
    std::map<const CUgraphNode_st*, CUgraphNode_st*> clones;  ///< of the graph that this one was copied from
};

struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> graph;  ///< a copy: later changes of the original do not matter
    unsigned long long flags = 0;
};

namespace lanescope::cudart {

using Graph = CUgraph_st;
using GraphNode = CUgraphNode_st;
using GraphExec = CUgraphExec_st;

/// All graphs of the process. The runtime's lock guards it.
class Graphs {
public:
    static Graphs& instance();

    Graph* create();
    GraphExec* instantiate(const Graph& graph, unsigned long long flags);
    bool has(const Graph* graph) const;             ///< a live graph, or a child inside one
    GraphExec* exec(cudaGraphExec_t handle) const;  ///< nullptr: not a live handle
    GraphNode* node(cudaGraphNode_t handle) const;  ///< nullptr: of no live graph
    void destroy(Graph* graph) { graphs_.erase(graph); }
    void destroy(GraphExec* exec) { execs_.erase(exec); }
    Graph* adopt(std::shared_ptr<Graph> graph);  ///< makes it a handle of its own

private:
    std::map<Graph*, std::shared_ptr<Graph>> graphs_;
    std::map<GraphExec*, std::unique_ptr<GraphExec>> execs_;
};

/// A copy that shares nothing with the original; its `clones` maps the original's nodes to its own.
std::shared_ptr<Graph> copy_of(const Graph& graph);

/// The nodes so that each comes after its dependencies. Fewer than there are: the graph has a cycle.
std::vector<GraphNode*> in_order(Graph& graph);

GraphNode& add_node(Graph& graph, Context* context, NodeTask task, std::vector<GraphNode*> dependencies);

cudaGraphNodeType type_of(const GraphNode& node);

/// Submits every node to the stream.
cudaError_t launch(Stream& stream, Graph& graph);

}  // namespace lanescope::cudart
