#include "expect.h"

__global__ void MultiplyAdd(int* value, int factor, int term) { *value = *value * factor + term; }

void Note(void* place) { *static_cast<int*>(place) += 1; }

cudaKernelNodeParams Kernel(void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(MultiplyAdd);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  return parameters;
}

// Long because each check goes on with the graph of the one before.
int main() {
  int *d_value, back = -1, notes = 0;
  EXPECT_OK(cudaMalloc(&d_value, sizeof(int)));
  cudaGraph_t graph;
  EXPECT_OK(cudaGraphCreate(&graph, 0));

  cudaMemsetParams set = {};
  set.dst = d_value;
  set.elementSize = 4;
  set.value = 7;
  set.width = set.height = 1;
  cudaGraphNode_t set_node, first, second, copy, note;
  EXPECT_OK(cudaGraphAddMemsetNode(&set_node, graph, nullptr, 0, &set));
  int two = 2, three = 3, one = 1, zero = 0;
  void *times_two[] = {&d_value, &two, &zero}, *plus_three[] = {&d_value, &one, &three};
  cudaKernelNodeParams parameters = Kernel(times_two);
  // Added before the node that it depends on: an edge says so.
  cudaKernelNodeParams later = Kernel(plus_three);
  EXPECT_OK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &later));
  EXPECT_OK(cudaGraphAddKernelNode(&first, graph, &set_node, 1, &parameters));
  EXPECT_OK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1));
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, &back, d_value, sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams host = {Note, &notes};
  EXPECT_OK(cudaGraphAddHostNode(&note, graph, &copy, 1, &host));
  cudaGraphNodeType type;
  EXPECT_OK(cudaGraphNodeGetType(copy, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);

  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(back == 17 && notes == 1);

  void* times_three[] = {&d_value, &three, &zero};
  parameters = Kernel(times_three);
  EXPECT_OK(cudaGraphExecKernelNodeSetParams(exec, first, &parameters));
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT(back == 24 && notes == 2);
  EXPECT_CODE(cudaGraphExecKernelNodeSetParams(exec, copy, &parameters), cudaErrorInvalidValue);
  cudaGraphExecUpdateResultInfo result;
  EXPECT_OK(cudaGraphExecUpdate(exec, graph, &result));
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT(back == 17);

  // A clone is a graph of its own.
  cudaGraph_t clone;
  EXPECT_OK(cudaGraphClone(&clone, graph));
  cudaGraphExec_t clone_exec;
  EXPECT_OK(cudaGraphInstantiate(&clone_exec, clone, 0));
  EXPECT_OK(cudaGraphDestroy(clone));
  back = notes = 0;
  EXPECT_OK(cudaGraphLaunch(clone_exec, nullptr));
  EXPECT(back == 17 && notes == 1);

  // A child runs in its place.
  cudaGraph_t parent;
  EXPECT_OK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t child, after;
  EXPECT_OK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&after, parent, &child, 1, &notes, &zero, sizeof(int), cudaMemcpyHostToHost));
  cudaGraphExec_t parent_exec;
  EXPECT_OK(cudaGraphInstantiate(&parent_exec, parent, 0));
  EXPECT_OK(cudaGraphLaunch(parent_exec, nullptr));
  EXPECT(notes == 0 && back == 17);
  EXPECT_CODE(cudaGraphExecUpdate(exec, parent, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);

  EXPECT_OK(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1));
  EXPECT_CODE(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_CODE(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(d_value));
  return Failures();
}
