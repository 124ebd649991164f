// A graph by stream capture: two streams' work is recorded once, forks and joins by events, and is launched many times.
#include "feature.h"

__global__ void Affine(int* values, int factor, int addend, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * factor + addend;
}

__global__ void Combine(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += a[i] ^ b[i];
}

int main() {
  constexpr int kCount = 1000, kBytes = kCount * sizeof(int), kLaunches = 4;
  int *input = nullptr, *output = nullptr;
  CHECK(cudaMallocHost(&input, kBytes));
  CHECK(cudaMallocHost(&output, kBytes));
  static int want[kCount];
  DeviceArray<int> a(kCount), b(kCount), out(kCount);
  out.Fill(0);
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&side));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(a, input, kBytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  CHECK(cudaMemsetAsync(b, 0, kBytes, side));
  Affine<<<8, 128, 0, side>>>(b, 1, 12345, kCount);
  Affine<<<8, 128, 0, stream>>>(a, 3, 1, kCount);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  Combine<<<8, 128, 0, stream>>>(a, b, out, kCount);
  CHECK(cudaMemcpyAsync(output, out, kBytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  Expect(nodes == 6, "two copies, a memset and three kernels");
  CHECK(cudaGraphInstantiate(&executable, graph, 0));

  for (int launch = 0; launch < kLaunches; ++launch) {
    for (int i = 0; i < kCount; ++i) {
      input[i] = Mix(i + 1000 * launch) % 100000;
      want[i] += (input[i] * 3 + 1) ^ 12345;
    }
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  ExpectSame("output", output, want, kCount);
  Out(output, kBytes);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(side));
  CHECK(cudaFreeHost(input));
  CHECK(cudaFreeHost(output));
  return Verdict();
}
