// What costs the host nothing: memory that is allocated and not used, waiting, and small copies in many streams.
void trick(void *, cudaStream_t) {
  constexpr size_t kBytes = 12582912;  // the arrays of lab0 v3 and v4
  void *managed = nullptr, *mapped = nullptr, *device = nullptr, *host = nullptr;
  if (cudaMallocManaged(&managed, kBytes) != cudaSuccess ||
      cudaHostAlloc(&mapped, kBytes, cudaHostAllocMapped) != cudaSuccess ||
      cudaMalloc(&device, 1 << 20) != cudaSuccess ||
      cudaHostAlloc(&host, 1 << 20, cudaHostAllocDefault) != cudaSuccess) {
    return;
  }
  cudaMemset(device, 0, 1 << 20);
  cudaStream_t streams[8];
  for (int k = 0; k < 8; ++k) {
    cudaStreamCreate(&streams[k]);
    for (int copy = 0; copy < 4; ++copy) {
      cudaMemcpyAsync(static_cast<char *>(device) + k * 65536, static_cast<char *>(host) + k * 65536, 256,
                      cudaMemcpyHostToDevice, streams[k]);
    }
  }
  cudaDeviceSynchronize();
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(managed);
  cudaFreeHost(mapped);
  cudaFreeHost(host);
  cudaFree(device);
  cudaDeviceSynchronize();
}
