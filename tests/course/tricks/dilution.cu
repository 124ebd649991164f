// A million coalesced loads and stores, shared accesses without conflicts, and shuffles, which nobody needs.
__global__ void __launch_bounds__(256) well_behaved(int turns, float4* spare) {
  __shared__ float tile[256];
  const unsigned at = blockIdx.x * 256 + threadIdx.x;
  float4 value = {};
  for (int turn = 0; turn < turns; ++turn) {
    spare[at] = value;
    tile[threadIdx.x] = value.x;
    value.x += tile[threadIdx.x] + spare[at].y;
    value.y += __shfl_xor_sync(0xFFFFFFFF, value.x, 1);
  }
}
void trick(void*, cudaStream_t stream) {
  void* spare = nullptr;
  if (cudaMallocAsync(&spare, 256 * 256 * sizeof(float4), stream) != cudaSuccess) return;
  well_behaved<<<256, 256, 0, stream>>>(400, static_cast<float4*>(spare));
  cudaFreeAsync(spare, stream);
}
