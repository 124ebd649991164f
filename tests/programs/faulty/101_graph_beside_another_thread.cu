// While a graph is launched, another thread uses another stream. The graph's kernel is in the graph's own stream, so
// nothing orders it and the other thread's later memset of the same array.
// flags: -Xcompiler -pthread
// expect: stream-race at FAULT with OTHER
#include <atomic>
#include <thread>

#include "program.h"

__global__ void Add(int* sum) { *sum += 10; }

std::atomic<int> turn{0};

void LetTheOtherThreadGo(void*) {
  turn = 1;
  while (turn != 2) {
  }
}

int main() {
  cudaStream_t own, other;
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  {
    DeviceArray<int> sum(1), theirs(1);
    sum.Fill(0);
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(own, cudaStreamCaptureModeRelaxed));
    CHECK(cudaLaunchHostFunc(own, LetTheOtherThreadGo, nullptr));
    Add<<<1, 1, 0, own>>>(sum);  // OTHER
    CHECK(cudaStreamEndCapture(own, &graph));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaDeviceSynchronize());
    std::thread thread([&] {
      while (turn != 1) {
      }
      CHECK(cudaMemsetAsync(theirs, 0, sizeof(int), other));
      turn = 2;
    });
    CHECK(cudaGraphLaunch(exec, own));
    thread.join();
    CHECK(cudaMemsetAsync(sum, 0, sizeof(int), other));  // FAULT
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
  }
  CHECK(cudaStreamDestroy(own));
  CHECK(cudaStreamDestroy(other));
  return 0;
}
