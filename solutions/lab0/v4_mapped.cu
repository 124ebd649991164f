// lab0 v4: mapped memory, without a copy on the device.
//
// Why: in v3 pages move to the device when the kernel first touches them, and then back to the host, although each
// element is used once. Mapped memory is page-locked host memory that the device can address too. It stays where it is:
// each load and store of the kernel goes over the bus. There is no array on the device.
#include <cuda_runtime.h>

#include <cstring>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// The kernel of v1, with pointers to host memory as the device sees it.
__global__ void vector_add_v4(const float* d_a, const float* d_b, float* d_c, size_t n) {
  // BEGIN SOLUTION
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
  // ELSE STARTER
  //| // TODO(v4) Produce: d_c[i] for every i < n, as in v1.
  //| //   Constraint: load each input once and store each result once, since every access crosses the bus.
  //| //   Hint: nothing has changed here.
  //| //   Check: ./warpgrade check lab0 v4
  // END SOLUTION
}

// Page-locked host memory of n floats, and the address by which the device reaches it.
static cudaError_t AllocateMapped(float** host, float** device, size_t n) {
  // BEGIN SOLUTION
  cudaError_t error = cudaHostAlloc(host, n * sizeof(float), cudaHostAllocMapped);
  if (error == cudaSuccess) error = cudaHostGetDevicePointer(device, *host, 0);
  return error;
  // ELSE STARTER
  //| // TODO(v4) Produce: *host from cudaHostAlloc, mapped, and *device from cudaHostGetDevicePointer.
  //| //   Constraint: return the first error. *host stays null when nothing was allocated.
  //| //   Hint: the flag is cudaHostAllocMapped.
  //| //   Check: ./warpgrade check lab0 v4
  //| return cudaErrorNotSupported;
  // END SOLUTION
}

int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n) {
  // BEGIN SOLUTION
  if (n == 0) return cudaSuccess;
  float *a = nullptr, *b = nullptr, *c = nullptr;        // for the host
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;  // the same memory, for the device
  cudaError_t error = AllocateMapped(&a, &d_a, n);
  if (error == cudaSuccess) error = AllocateMapped(&b, &d_b, n);
  if (error == cudaSuccess) error = AllocateMapped(&c, &d_c, n);
  if (error == cudaSuccess) {
    std::memcpy(a, h_a, n * sizeof(float));
    std::memcpy(b, h_b, n * sizeof(float));
    const size_t blocks = (n + kBlock - 1) / kBlock;
    vector_add_v4<<<static_cast<unsigned>(blocks), kBlock>>>(d_a, d_b, d_c, n);
    error = cudaGetLastError();
  }
  // The kernel's stores are certain to be in host memory only after this wait.
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) std::memcpy(h_c, c, n * sizeof(float));
  cudaFreeHost(c);
  cudaFreeHost(b);
  cudaFreeHost(a);
  return error;
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: h_c, with three mapped arrays. Return the first error, or cudaSuccess.
  //| //   Constraint: no cudaMemcpy, no device memory. The host reads only after the kernel has finished. Free
  //| //     everything.
  //| //   Hint: as in v3, but cudaFree does not free memory from cudaHostAlloc.
  //| //   Check: ./warpgrade check lab0 v4
  //| float *a = nullptr, *d_a = nullptr;
  //| cudaError_t error = AllocateMapped(&a, &d_a, n);
  //| vector_add_v4<<<1, kBlock>>>(nullptr, nullptr, nullptr, 0);
  //| return error;
  // END SOLUTION
}

LAB0_VECTOR_RUNG();
