// Graphs of work, and the capture of a stream into one. A graph is a list of nodes with dependencies between them.
// Launching it does their work one after the other, in an order that respects the dependencies; CUDA allows any such
// order.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace warpgrade::cudart {

struct Runtime;

using DeviceWork = std::function<cudaError_t(Runtime&)>;  // runs under the runtime's lock
using HostWork = std::function<void()>;                   // the program's own function: runs without it

// What a node does. At most one of `device` and `host` is set.
struct GraphStep {
  const void* origin = nullptr;  // the cudaGraphNode_t that it was made from
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  DeviceWork device;
  HostWork host;
  std::vector<size_t> after = {};  // the steps of the same list that it waits for, by their places in it
  uint64_t call = 0;               // the host's call that made it (call_site.h)
};

// Its address is the cudaGraphNode_t that the program sees.
struct GraphNode {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<GraphNode*> dependencies;
  std::vector<GraphStep> steps;  // one; none for an empty node; a child graph's own
};

// Its address is the cudaGraph_t.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;

  GraphNode* Add(cudaGraphNodeType type, std::vector<GraphNode*> dependencies, GraphStep step);
  GraphNode* Find(cudaGraphNode_t node) const;  // nullptr: not of this graph
  // Gives all steps in an order that respects the dependencies. False: the dependencies form a cycle.
  bool Flatten(std::vector<GraphStep>* steps) const;
  // True when every node is one of `heads` or something that these depend on.
  bool IsReachable(const std::vector<GraphNode*>& heads) const;
};

// Its address is the cudaGraphExec_t.
struct GraphExec {
  std::vector<GraphStep> steps;
};

// A running capture, from cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  unsigned long long id = 0;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool invalidated = false;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  // For each stream that takes part: the nodes that its next node depends on.
  std::map<cudaStream_t, std::vector<GraphNode*>> heads;
};

}  // namespace warpgrade::cudart
