// lab0 v5: streams.
//
// Why: v1 copies, computes and copies back, one after the other. The device has an engine for each of these three
// steps, and two of them are always idle. Here the arrays are cut into parts, and each part goes through the three
// steps in one of several streams. While the device computes one part, the next part arrives and the part before
// leaves.
#include <cuda_runtime.h>

#include <algorithm>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;
constexpr size_t kPartsPerStream = 4;           // so that the first copy in and the last copy out are a small share
constexpr size_t kLeastPart = size_t{1} << 12;  // elements: below that a copy's start costs more than its bytes
constexpr size_t kMostPart = size_t{1} << 22;   // 16 MiB: all that a stream keeps on the device is three of these

__global__ void vector_add_v5(const float* d_a, const float* d_b, float* d_c, size_t n) {
  // BEGIN SOLUTION
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
  // ELSE STARTER
  //| // TODO(v5) Produce: d_c[i] for every i < n, as in v1. n is a part's length here.
  //| //   Constraint: as in v1.
  //| //   Hint: nothing has changed here.
  //| //   Check: ./warpgrade check lab0 v5
  // END SOLUTION
}

// A stream, and memory for one part of each array. The stream's next part may overwrite this memory, since work in one
// stream runs in order.
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
  // BEGIN SOLUTION
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
  // ELSE STARTER
  //| // TODO(v5) Produce: two copies to the device, the kernel, and one copy back, all in pipe.stream.
  //| //   Constraint: nothing here may wait.
  //| //   Hint: the stream is cudaMemcpyAsync's last argument, and the fourth one between <<< and >>>.
  //| //   Check: ./warpgrade check lab0 v5
  //| vector_add_v5<<<1, kBlock, 0, pipe.stream>>>(nullptr, nullptr, nullptr, 0);
  //| return cudaErrorNotSupported;
  // END SOLUTION
}

int vector_add_in_streams(const float* h_a, const float* h_b, float* h_c, size_t n, size_t streams) {
  // BEGIN SOLUTION
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
  // Wait even after an error: memory must not be freed while a copy still uses it. Return the first error.
  for (size_t s = 0; s < streams; ++s) {
    if (pipes[s].stream == nullptr) continue;
    const cudaError_t waited = cudaStreamSynchronize(pipes[s].stream);
    if (error == cudaSuccess) error = waited;
  }
  for (size_t s = 0; s < streams; ++s) Close(pipes[s]);
  return error;
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v5) Produce: h_c, part by part, with part number p in stream p % streams.
  //| //   Constraint: queue everything first and wait at the end. Open and Close take care of a stream's memory.
  //| //   Hint: a few parts for each stream are enough. The last part may be shorter.
  //| //   Check: ./warpgrade check lab0 v5
  //| Pipe pipe;
  //| cudaError_t error = Open(&pipe, kLeastPart);
  //| if (error == cudaSuccess) error = AddPart(pipe, h_a, h_b, h_c, n);
  //| Close(pipe);
  //| return std::min(streams, n) == 0 ? cudaSuccess : error;
  // END SOLUTION
}

LAB0_STREAMS_RUNG();
