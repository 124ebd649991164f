// A graph captured from two streams that fork and join by events, launched several times, in two streams in turns: a
// launch waits for the launch before of the same executable graph.
#include "program.h"

__global__ void Add(int* data, int begin, int what) { data[begin + threadIdx.x] += what; }

int main() {
  int host[64] = {};
  DeviceArray<int> data(host, 64);
  cudaStream_t left, right, runs;
  cudaEvent_t forked, done;
  CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&runs, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&done));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamBeginCapture(left, cudaStreamCaptureModeGlobal));
  Add<<<1, 64, 0, left>>>(data, 0, 1);
  CHECK(cudaEventRecord(forked, left));
  CHECK(cudaStreamWaitEvent(right, forked, 0));
  Add<<<1, 31, 0, left>>>(data, 0, 10);
  Add<<<1, 33, 0, right>>>(data, 31, 20);
  CHECK(cudaEventRecord(done, right));
  CHECK(cudaStreamWaitEvent(left, done, 0));
  Add<<<1, 64, 0, left>>>(data, 0, 100);
  CHECK(cudaStreamEndCapture(left, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  for (int round = 0; round < 3; ++round) CHECK(cudaGraphLaunch(ready, round == 1 ? left : runs));
  Add<<<1, 64, 0, runs>>>(data, 0, 1000);
  CHECK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, runs));
  CHECK(cudaStreamSynchronize(runs));
  for (int i = 0; i < 64; ++i) EXPECT(host[i] == 1000 + 3 * (i < 31 ? 111 : 121));
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(forked));
  CHECK(cudaEventDestroy(done));
  for (cudaStream_t stream : {left, right, runs}) CHECK(cudaStreamDestroy(stream));
  PrintOut(host, sizeof host);
  return 0;
}
