// Prints, for kernels of different hunger and many block sizes: registers, threads, shared bytes, resident blocks, as
// the runtime that it is run with says.
#include <cstdio>

template <int kValues>
__global__ void hungry(float* data) {
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = data[threadIdx.x + i * 32];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kValues; ++i) data[threadIdx.x * 3 + i] = values[i] * values[kValues - 1 - i];
}

template <typename Kernel>
void ask(Kernel kernel) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  for (int threads : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
    for (int shared : {0, 1024, 5000, 33792, 100000}) {
      int blocks = -1;
      if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared) != cudaSuccess) continue;
      std::printf("%d %d %d %d\n", attributes.numRegs, threads, shared, blocks);
    }
  }
}

int main() {
  ask(hungry<8>);
  ask(hungry<24>);
  ask(hungry<48>);
  ask(hungry<100>);
}
