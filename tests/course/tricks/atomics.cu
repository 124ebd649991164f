// Atomic additions of global and shared memory, side by side.
__device__ int spare[256];
__global__ void __launch_bounds__(256) in_atomics(int turns) {
  __shared__ int tile[256];
  tile[threadIdx.x] = 0;
  for (int turn = 0; turn < turns; ++turn) {
    atomicAdd(&spare[threadIdx.x], 1);
    atomicAdd(&tile[threadIdx.x], 1);
  }
}
void trick(void*, cudaStream_t stream) { in_atomics<<<256, 256, 0, stream>>>(400); }
