// What the runtime knows of a kernel, and what a program may set: here more dynamic shared memory than 48 KB.
#include "feature.h"

__constant__ int offset[4];

__global__ void __launch_bounds__(128) Plain(int* out) {
  __shared__ int tile[100];
  tile[threadIdx.x % 100] = 0;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 100] + offset[threadIdx.x % 4];
}

__global__ void Big(int* out, int words) {
  extern __shared__ int dynamic[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) dynamic[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = dynamic[words - 1];
}

int main() {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, Plain));
  Expect(attributes.sharedSizeBytes >= 400 && attributes.sharedSizeBytes < 2048, "the static shared memory");
  Expect(attributes.maxThreadsPerBlock == 128, "the launch bound");
  Expect(attributes.numRegs > 0 && attributes.numRegs <= 255, "the registers");
  Expect(attributes.binaryVersion >= attributes.ptxVersion && attributes.ptxVersion >= 75, "the versions");

  constexpr int kBytes = 60000;
  DeviceArray<int> out(128);
  Big<<<1, 64, kBytes>>>(out, kBytes / 4);
  Expect(cudaGetLastError() == cudaErrorInvalidValue, "60000 bytes need the attribute");
  CHECK(cudaFuncSetAttribute(Big, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  CHECK(cudaFuncSetAttribute(Big, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  CHECK(cudaFuncGetAttributes(&attributes, Big));
  Expect(attributes.maxDynamicSharedSizeBytes == kBytes, "the attribute was set");
  Big<<<1, 64, kBytes>>>(out, kBytes / 4);
  FINISH();
  int last = 0;
  CHECK(cudaMemcpy(&last, out, sizeof last, cudaMemcpyDeviceToHost));
  Expect(last == kBytes / 4 - 1, "the last word");
  Out(&last, sizeof last);
  return Verdict();
}
