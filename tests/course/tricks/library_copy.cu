// Copies and memsets on the device, which move whole sectors.
__device__ float4 spare[2 * 65536];
void trick(void*, cudaStream_t stream) {
  void* at = nullptr;
  if (cudaGetSymbolAddress(&at, spare) != cudaSuccess) return;
  char* const bytes = static_cast<char*>(at);
  for (int copy = 0; copy < 64; ++copy) {
    cudaMemsetAsync(bytes, 0, 1 << 20, stream);
    cudaMemcpyAsync(bytes + (1 << 20), bytes, 1 << 20, cudaMemcpyDeviceToDevice, stream);
  }
}
