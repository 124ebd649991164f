// Copies, computes and copies back in the streams that it is given, and is quiet between the calls.
#include <cuda_runtime.h>

#include <algorithm>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;
constexpr size_t kPartsPerStream = 4;
constexpr size_t kLeastPart = size_t{1} << 12;
constexpr size_t kMostPart = size_t{1} << 22;

__global__ void vector_add_v5(const float* d_a, const float* d_b, float* d_c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

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

  size_t number = 0;
  for (size_t start = 0; start < n && error == cudaSuccess; start += part, ++number) {
    const size_t count = std::min(part, n - start);
    error = AddPart(pipes[number % streams], h_a + start, h_b + start, h_c + start, count);
  }
  for (size_t s = 0; s < streams; ++s) {
    if (pipes[s].stream == nullptr) continue;
    const cudaError_t waited = cudaStreamSynchronize(pipes[s].stream);
    if (error == cudaSuccess) error = waited;
  }
  for (size_t s = 0; s < streams; ++s) Close(pipes[s]);
  return error;
}

LAB0_STREAMS_RUNG();
