// A graph whose two kernels share an array, and no edge between the two nodes.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Produce(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void Consume(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

int main() {
  DeviceArray<int> first(256), second(256);
  int *from = first, *to = second;
  void* produce_arguments[] = {&from};
  void* consume_arguments[] = {&from, &to};
  cudaKernelNodeParams produce = {}, consume = {};
  produce.func = reinterpret_cast<void*>(Produce);
  produce.gridDim = consume.gridDim = dim3(1);
  produce.blockDim = consume.blockDim = dim3(256);
  produce.kernelParams = produce_arguments;
  consume.func = reinterpret_cast<void*>(Consume);
  consume.kernelParams = consume_arguments;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t ready;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &produce));  // OTHER
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &consume));  // FAULT
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  FINISH();
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
