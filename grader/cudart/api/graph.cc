// Graphs that the program builds node by node, and how graphs are instantiated, updated and launched; stream_capture.cc
// makes graphs from streams. A node's work is a function that is called when the graph is launched. Tested by
// tests/cudart/programs_test.cc (programs/graphs.cu, graph_nodes.cu, stream_capture.cu).
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grader/cudart/api/api.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/graph_order.h"
#include "grader/cudart/graphs.h"
#include "grader/cudart/launch.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/transfer.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {
namespace {

// The nodes that handles name; nullopt: one is not of the graph.
std::optional<std::vector<GraphNode*>> NodesOf(const Graph& graph, const cudaGraphNode_t* handles, size_t number) {
  std::vector<GraphNode*> nodes;
  for (size_t i = 0; i < number; ++i) {
    nodes.push_back(handles == nullptr ? nullptr : graph.Find(handles[i]));
    if (nodes.back() == nullptr) return std::nullopt;
  }
  return nodes;
}

// Writes the first *number nodes that `wanted` takes to `to`, null behind the last one, and how many it wrote to
// *number. Without `to` it writes only how many there are.
template <typename Wanted>
void List(const Graph& graph, Wanted wanted, cudaGraphNode_t* to, size_t* number) {
  std::vector<cudaGraphNode_t> all;
  for (const auto& node : graph.nodes) {
    if (wanted(*node)) all.push_back(reinterpret_cast<cudaGraphNode_t>(node.get()));
  }
  if (to == nullptr) {
    *number = all.size();
    return;
  }
  for (size_t i = 0; i < *number; ++i) to[i] = i < all.size() ? all[i] : nullptr;
  *number = std::min(*number, all.size());
}

// Adds the node that `make(runtime, &steps)` makes, as the API function `api`.
template <typename Make>
cudaError_t AddNode(const char* api, cudaGraphNodeType type, cudaGraphNode_t* node, cudaGraph_t handle,
                    const cudaGraphNode_t* dependencies, size_t number, Make&& make,
                    const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    Graph* graph = runtime.graphs.Find(handle);
    if (graph == nullptr || node == nullptr) return cudaErrorInvalidValue;
    auto before = NodesOf(*graph, dependencies, number);
    if (!before) return cudaErrorInvalidValue;
    std::vector<GraphStep> steps;
    const cudaError_t error = make(runtime, &steps);
    if (error != cudaSuccess) return error;
    GraphNode* made = graph->Add(type, std::move(*before), {});
    for (GraphStep& step : steps) {
      step.origin = made;
      if (step.call == 0) step.call = runtime.device.call();  // a step of a child graph has its own
    }
    made->steps = std::move(steps);
    *node = reinterpret_cast<cudaGraphNode_t>(made);
    return cudaSuccess;
  };
  return Call(api, body, caller);
}

cudaError_t KernelWork(Runtime& runtime, const cudaKernelNodeParams* p, DeviceWork* work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  if (p->extra != nullptr)
    return runtime.errors.Explain(cudaErrorNotSupported, "give the arguments by kernelParams, not extra");
  BoundLaunch launch;
  const cudaError_t error =
      Bind(runtime, p->func, {p->gridDim, p->blockDim, p->sharedMemBytes, nullptr}, p->kernelParams, &launch);
  if (error == cudaSuccess) *work = std::move(launch);
  return error;
}

cudaError_t Memset(Runtime& runtime, const cudaMemsetParams& p) {
  const size_t width = p.width * p.elementSize;
  if (p.elementSize == 1)
    return Set(runtime, p.dst, p.height <= 1 ? width : p.pitch, static_cast<int>(p.value), {width, p.height});
  std::vector<std::byte> row(width);
  for (size_t at = 0; at < width; at += p.elementSize) std::memcpy(row.data() + at, &p.value, p.elementSize);
  for (size_t y = 0; y < p.height; ++y) {
    void* to = static_cast<char*>(p.dst) + y * p.pitch;
    const cudaError_t error = Transfer(runtime, to, width, row.data(), width, {width}, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t Instantiate(const char* api, cudaGraphExec_t* exec, cudaGraph_t handle, unsigned long long flags,
                        const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    constexpr unsigned long long kKnown = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                          cudaGraphInstantiateFlagUseNodePriority;
    const Graph* graph = runtime.graphs.Find(handle);
    if (exec == nullptr || graph == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    auto made = std::make_unique<GraphExec>();
    if (!graph->Flatten(&made->steps)) {
      return runtime.errors.Explain(cudaErrorInvalidValue, "the graph's dependencies form a cycle");
    }
    *exec = runtime.graphs.executable().Add(std::move(made));
    return cudaSuccess;
  };
  return Call(api, body, caller);
}

// Replaces the work of the step that was made from `node`; the type of work must be the same.
cudaError_t Replace(Runtime& runtime, cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                    const DeviceWork& device, const HostWork& host) {
  GraphExec* found = runtime.graphs.executable().Find(exec);
  if (found == nullptr) return cudaErrorInvalidValue;
  for (GraphStep& step : found->steps) {
    if (step.origin != node || step.type != type) continue;
    step.device = device;
    step.host = host;
    step.call = runtime.device.call();
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace

}  // namespace warpgrade::cudart

using namespace warpgrade::cudart;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = runtime.graphs.own().Add(std::make_unique<Graph>());
    return cudaSuccess;
  });
}

// The copy has its own nodes. To update an executable graph made from the copy, name these nodes.
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return Call(__func__, [&](Runtime& runtime) {
    const Graph* graph = runtime.graphs.Find(original);
    if (clone == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    auto made = std::make_unique<Graph>();
    std::map<const GraphNode*, GraphNode*> copy_of;
    for (const auto& node : graph->nodes) {
      GraphNode* copy = made->Add(node->type, {}, {});
      copy->steps = node->steps;
      for (GraphStep& step : copy->steps) step.origin = copy;
      copy_of[node.get()] = copy;
    }
    for (const auto& node : graph->nodes) {
      for (const GraphNode* earlier : node->dependencies) {
        copy_of[node.get()]->dependencies.push_back(copy_of[earlier]);
      }
    }
    *clone = runtime.graphs.own().Add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.graphs.own().Remove(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t number, const cudaKernelNodeParams* parameters) {
  return AddNode(__func__, cudaGraphNodeTypeKernel, node, graph, dependencies, number,
                 [&](Runtime& runtime, std::vector<GraphStep>* steps) {
                   DeviceWork work;
                   const cudaError_t error = KernelWork(runtime, parameters, &work);
                   if (error == cudaSuccess) steps->push_back({nullptr, cudaGraphNodeTypeKernel, work, nullptr});
                   return error;
                 });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t number, void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return AddNode(__func__, cudaGraphNodeTypeMemcpy, node, graph, dependencies, number,
                 [=](Runtime&, std::vector<GraphStep>* steps) {
                   const auto work = [=](Runtime& r) { return Transfer(r, to, count, from, count, {count}, kind); };
                   steps->push_back({nullptr, cudaGraphNodeTypeMemcpy, work, nullptr});
                   return cudaSuccess;
                 });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t number, const cudaMemcpy3DParms* parameters) {
  return AddNode(__func__, cudaGraphNodeTypeMemcpy, node, graph, dependencies, number,
                 [&](Runtime&, std::vector<GraphStep>* steps) {
                   if (parameters == nullptr) return cudaErrorInvalidValue;
                   const auto work = [p = *parameters](Runtime& r) { return Transfer3D(r, p); };
                   steps->push_back({nullptr, cudaGraphNodeTypeMemcpy, work, nullptr});
                   return cudaSuccess;
                 });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t number, const cudaMemsetParams* parameters) {
  return AddNode(__func__, cudaGraphNodeTypeMemset, node, graph, dependencies, number,
                 [&](Runtime&, std::vector<GraphStep>* steps) {
                   if (parameters == nullptr) return cudaErrorInvalidValue;
                   const unsigned size = parameters->elementSize;
                   if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
                   const auto work = [p = *parameters](Runtime& r) { return Memset(r, p); };
                   steps->push_back({nullptr, cudaGraphNodeTypeMemset, work, nullptr});
                   return cudaSuccess;
                 });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t number, const cudaHostNodeParams* parameters) {
  return AddNode(__func__, cudaGraphNodeTypeHost, node, graph, dependencies, number,
                 [&](Runtime&, std::vector<GraphStep>* steps) {
                   if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
                   const auto work = [p = *parameters] { p.fn(p.userData); };
                   steps->push_back({nullptr, cudaGraphNodeTypeHost, nullptr, work});
                   return cudaSuccess;
                 });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t number) {
  return AddNode(__func__, cudaGraphNodeTypeEmpty, node, graph, dependencies, number,
                 [](Runtime&, std::vector<GraphStep>*) { return cudaSuccess; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t number, cudaGraph_t child) {
  return AddNode(__func__, cudaGraphNodeTypeGraph, node, graph, dependencies, number,
                 [&](Runtime& runtime, std::vector<GraphStep>* steps) {
                   const Graph* found = runtime.graphs.Find(child);
                   return found != nullptr && found->Flatten(steps) ? cudaSuccess : cudaErrorInvalidValue;
                 });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t number) {
  return Call(__func__, [&](Runtime& runtime) {
    const Graph* graph = runtime.graphs.Find(handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    const auto earlier = NodesOf(*graph, from, number), later = NodesOf(*graph, to, number);
    if (!earlier || !later) return cudaErrorInvalidValue;
    for (size_t i = 0; i < number; ++i) (*later)[i]->dependencies.push_back((*earlier)[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* number) {
  return Call(__func__, [&](Runtime& runtime) {
    const Graph* graph = runtime.graphs.Find(handle);
    if (graph == nullptr || number == nullptr) return cudaErrorInvalidValue;
    List(
        *graph, [](const GraphNode&) { return true; }, nodes, number);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* number) {
  return Call(__func__, [&](Runtime& runtime) {
    const Graph* graph = runtime.graphs.Find(handle);
    if (graph == nullptr || number == nullptr) return cudaErrorInvalidValue;
    List(
        *graph, [](const GraphNode& node) { return node.dependencies.empty(); }, nodes, number);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return Call(__func__, [&](Runtime& runtime) {
    if (type == nullptr) return cudaErrorInvalidValue;
    for (const auto& [handle, graph] : runtime.graphs.own()) {
      const GraphNode* found = graph->Find(node);
      if (found == nullptr) continue;
      *type = found->type;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return Instantiate(__func__, exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return Instantiate(__func__, exec, graph, flags);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return Call(__func__, [&](Runtime& runtime) {
    DeviceWork work;
    const cudaError_t error = KernelWork(runtime, parameters, &work);
    return error != cudaSuccess ? error : Replace(runtime, exec, node, cudaGraphNodeTypeKernel, work, nullptr);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t count, cudaMemcpyKind kind) {
  return Call(__func__, [&](Runtime& runtime) {
    const auto work = [=](Runtime& r) { return Transfer(r, to, count, from, count, {count}, kind); };
    return Replace(runtime, exec, node, cudaGraphNodeTypeMemcpy, work, nullptr);
  });
}

// Takes over the work of a graph that has the same nodes in the same order. For any other graph it fails and changes
// nothing.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* result) {
  return Call(__func__, [&](Runtime& runtime) {
    GraphExec* exec = runtime.graphs.executable().Find(handle);
    const Graph* graph = runtime.graphs.Find(graph_handle);
    if (exec == nullptr || graph == nullptr || result == nullptr) return cudaErrorInvalidValue;
    *result = {};
    std::vector<GraphStep> steps;
    const bool same =
        graph->Flatten(&steps) && std::equal(steps.begin(), steps.end(), exec->steps.begin(), exec->steps.end(),
                                             [](const GraphStep& a, const GraphStep& b) { return a.type == b.type; });
    if (!same) {
      result->result = cudaGraphExecUpdateErrorTopologyChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      exec->steps[i].device = std::move(steps[i].device);
      exec->steps[i].host = std::move(steps[i].host);
      exec->steps[i].call = steps[i].call;
    }
    result->result = cudaGraphExecUpdateSuccess;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return Call(__func__, [&](Runtime& runtime) {
    if (!runtime.graphs.executable().Remove(exec)) return cudaErrorInvalidValue;
    runtime.device.Order(OrderOp::kEventGone, 0, reinterpret_cast<uint64_t>(exec));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    if (runtime.graphs.executable().Find(exec) == nullptr) return cudaErrorInvalidValue;
    return runtime.streams.IsLive(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

// Host nodes run outside of Call, because they may wait for Call's lock.
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  std::vector<GraphStep> steps;
  std::optional<GraphOrder> order;
  StreamUse use;
  const char* const api = __func__;
  cudaError_t error = Call(api, [&](Runtime& runtime) {
    const GraphExec* exec = runtime.graphs.executable().Find(handle);
    if (exec == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    if (const auto capture = runtime.captures.Of(stream)) {
      return Record(*capture, stream, cudaGraphNodeTypeGraph, exec->steps);
    }
    const cudaError_t implicit = runtime.captures.CheckImplicit(stream);
    if (implicit != cudaSuccess) return implicit;
    steps = exec->steps;
    runtime.streams.Use(stream);
    use = runtime.device.use();
    order.emplace(runtime, stream, reinterpret_cast<uint64_t>(exec), steps);
    return cudaSuccess;
  });
  if (!order) return error;
  for (size_t i = 0; i < steps.size() && error == cudaSuccess; ++i) {
    bool queued = false;
    error = Call(api, [&](Runtime& runtime) {
      if (steps[i].call != 0) runtime.device.EnterCall(steps[i].call);
      runtime.device.UseStream(use);  // another thread may have called in between
      order->Begin(runtime, i);
      const cudaError_t done = steps[i].device ? runtime.queue.Do(runtime, steps[i].device) : cudaSuccess;
      queued = steps[i].host && runtime.queue.IsBehind(runtime.device.use());
      if (queued) runtime.queue.AddHostWork(runtime, runtime.device.use(), steps[i].host);
      order->End(runtime, i, /*on_host=*/steps[i].host != nullptr);
      return done;
    });
    if (steps[i].host && !queued) HostFunction::Run(steps[i].host);
  }
  const cudaError_t finished = Call(api, [&](Runtime& runtime) {
    order->Finish(runtime);
    return cudaSuccess;
  });
  return error != cudaSuccess ? error : finished;
}

}  // extern "C"
