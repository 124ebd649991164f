// Nodes of graphs beyond kernels, fills and plain copies, and their update in an executable graph.
#include "expect.h"

int main() {
  int host[2] = {5, 6}, back[2] = {}, *d_data;
  EXPECT_OK(cudaMalloc(&d_data, sizeof host));
  cudaGraph_t graph;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t start, send, fetch;
  EXPECT_OK(cudaGraphAddEmptyNode(&start, graph, nullptr, 0));
  EXPECT_CODE(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0), cudaErrorInvalidValue);

  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(host, sizeof host, sizeof host, 1);
  box.dstPtr = make_cudaPitchedPtr(d_data, sizeof host, sizeof host, 1);
  box.extent = make_cudaExtent(sizeof host, 1, 1);
  box.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaGraphAddMemcpyNode(&send, graph, &start, 1, &box));
  EXPECT_CODE(cudaGraphAddMemcpyNode(&send, graph, &start, 1, nullptr), cudaErrorInvalidValue);
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&fetch, graph, &send, 1, back, d_data, sizeof back, cudaMemcpyDeviceToHost));

  // Of the three nodes only the first has nothing before it. What is behind the last root becomes null.
  cudaGraphNode_t roots[2] = {fetch, fetch};
  size_t count = 0;
  EXPECT_OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EXPECT(count == 1);
  count = 2;
  EXPECT_OK(cudaGraphGetRootNodes(graph, roots, &count));
  EXPECT(count == 1 && roots[0] == start && roots[1] == nullptr);
  EXPECT_CODE(cudaGraphGetRootNodes(nullptr, roots, &count), cudaErrorInvalidValue);
  EXPECT_CODE(cudaGraphGetRootNodes(graph, roots, nullptr), cudaErrorInvalidValue);

  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  EXPECT_CODE(cudaGraphInstantiateWithFlags(&exec, graph, 1ull << 40), cudaErrorInvalidValue);
  EXPECT_OK(cudaGraphUpload(exec, nullptr));
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(back[0] == 5 && back[1] == 6);

  int second = 0;
  EXPECT_OK(cudaGraphExecMemcpyNodeSetParams1D(exec, fetch, &second, d_data + 1, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaGraphExecMemcpyNodeSetParams1D(exec, start, &second, d_data + 1, sizeof(int), cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT(second == 6);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_CODE(cudaGraphUpload(exec, nullptr), cudaErrorInvalidValue);
  return Failures();
}
