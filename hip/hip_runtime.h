// Lets nvcc compile a HIP program for warpgrade's emulator:
//
//   nvcc -x cu -I FOLDER_ABOVE_hip -cudart shared -gencode arch=compute_75,code=compute_75 program.hip
//   warpgrade run -- ./a.out
//
// The same file compiles with AMD's hipcc, which has its own <hip/hip_runtime.h>. This one declares the part of HIP
// that the labs need: memory, copies, streams, events, launches, and the exchanges of a wavefront. What it does not
// declare does not compile, rather than do something else.
//
// A wavefront has 64 lanes: the emulator executes them in lock step, and the program does not run on a GPU of NVIDIA's.
// With -DWARPGRADE_WAVEFRONT=32, wavefronts have 32 lanes as on AMD's RDNA, and the program is an ordinary CUDA
// program.
#pragma once

#if defined(__HIP__) || defined(__HIPCC__)
#include_next <hip/hip_runtime.h>
#else

#ifndef __CUDACC__
#error "compile this file with hipcc, or with nvcc -x cu"
#endif

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef WARPGRADE_WAVEFRONT
#define WARPGRADE_WAVEFRONT 64
#endif
#if WARPGRADE_WAVEFRONT != 64 && WARPGRADE_WAVEFRONT != 32
#error "WARPGRADE_WAVEFRONT must be 64 or 32"
#endif

// In device code a constant; behind a dot, a member of hipDeviceProp_t. CUDA's own warpSize is always 32.
#define warpSize warpgrade_warp_size
static constexpr int warpgrade_warp_size = WARPGRADE_WAVEFRONT;

// --- Errors

using hipError_t = cudaError_t;
static constexpr hipError_t hipSuccess = cudaSuccess;
static constexpr hipError_t hipErrorInvalidValue = cudaErrorInvalidValue;
static constexpr hipError_t hipErrorOutOfMemory = cudaErrorMemoryAllocation;
static constexpr hipError_t hipErrorInvalidConfiguration = cudaErrorInvalidConfiguration;
static constexpr hipError_t hipErrorNotReady = cudaErrorNotReady;

inline const char* hipGetErrorString(hipError_t error) { return cudaGetErrorString(error); }
inline const char* hipGetErrorName(hipError_t error) { return cudaGetErrorName(error); }
inline hipError_t hipGetLastError() { return cudaGetLastError(); }
inline hipError_t hipPeekAtLastError() { return cudaPeekAtLastError(); }

// --- Devices

struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int multiProcessorCount;
};

inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  cudaDeviceProp of{};
  const hipError_t error = cudaGetDeviceProperties(&of, device);
  if (error != hipSuccess) return error;
  *properties = hipDeviceProp_t{};
  std::memcpy(properties->name, of.name, sizeof(properties->name));
  properties->totalGlobalMem = of.totalGlobalMem;
  properties->sharedMemPerBlock = of.sharedMemPerBlock;
  properties->warpSize = WARPGRADE_WAVEFRONT;
  properties->maxThreadsPerBlock = of.maxThreadsPerBlock;
  for (int k = 0; k < 3; ++k) {
    properties->maxThreadsDim[k] = of.maxThreadsDim[k];
    properties->maxGridSize[k] = of.maxGridSize[k];
  }
  properties->multiProcessorCount = of.multiProcessorCount;
  return hipSuccess;
}
inline hipError_t hipGetDeviceCount(int* count) { return cudaGetDeviceCount(count); }
inline hipError_t hipGetDevice(int* device) { return cudaGetDevice(device); }
inline hipError_t hipSetDevice(int device) { return cudaSetDevice(device); }
inline hipError_t hipDeviceSynchronize() { return cudaDeviceSynchronize(); }
inline hipError_t hipDeviceReset() { return cudaDeviceReset(); }

#if WARPGRADE_WAVEFRONT == 64
// By this variable the emulator knows that the wavefronts of this file's kernels have 64 lanes.
static __constant__ __attribute__((used)) int warpgrade_wavefront_lanes = 64;

// Ends a program that runs on a GPU, before main(): its exchanges would give wrong values there.
static const bool warpgrade_is_emulated = [] {
  cudaDeviceProp of{};
  if (cudaGetDeviceProperties(&of, 0) == cudaSuccess && std::strncmp(of.name, "warpgrade emulator", 18) != 0) {
    std::fprintf(stderr,
                 "%s has warps of 32 lanes, and this program needs wavefronts of 64: run it with "
                 "`warpgrade run --device emulator`, or compile it with -DWARPGRADE_WAVEFRONT=32\n",
                 of.name);
    std::exit(1);
  }
  return true;
}();
#endif

// --- Memory

using hipMemcpyKind = cudaMemcpyKind;
static constexpr hipMemcpyKind hipMemcpyHostToHost = cudaMemcpyHostToHost;
static constexpr hipMemcpyKind hipMemcpyHostToDevice = cudaMemcpyHostToDevice;
static constexpr hipMemcpyKind hipMemcpyDeviceToHost = cudaMemcpyDeviceToHost;
static constexpr hipMemcpyKind hipMemcpyDeviceToDevice = cudaMemcpyDeviceToDevice;
static constexpr hipMemcpyKind hipMemcpyDefault = cudaMemcpyDefault;

template <typename T>
hipError_t hipMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <typename T>
hipError_t hipHostMalloc(T** pointer, size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
inline hipError_t hipFree(void* pointer) { return cudaFree(pointer); }
inline hipError_t hipHostFree(void* pointer) { return cudaFreeHost(pointer); }
inline hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline hipError_t hipMemset(void* to, int value, size_t bytes) { return cudaMemset(to, value, bytes); }

// --- Streams and events

using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;

inline hipError_t hipStreamCreate(hipStream_t* stream) { return cudaStreamCreate(stream); }
inline hipError_t hipStreamDestroy(hipStream_t stream) { return cudaStreamDestroy(stream); }
inline hipError_t hipStreamSynchronize(hipStream_t stream) { return cudaStreamSynchronize(stream); }
inline hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags = 0) {
  return cudaStreamWaitEvent(stream, event, flags);
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream = 0) {
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
inline hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream = 0) {
  return cudaMemsetAsync(to, value, bytes, stream);
}
inline hipError_t hipEventCreate(hipEvent_t* event) { return cudaEventCreate(event); }
inline hipError_t hipEventDestroy(hipEvent_t event) { return cudaEventDestroy(event); }
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream = 0) { return cudaEventRecord(event, stream); }
inline hipError_t hipEventSynchronize(hipEvent_t event) { return cudaEventSynchronize(event); }
inline hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  return cudaEventElapsedTime(ms, start, stop);
}

// --- Launches

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
  do {                                                                     \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__);    \
  } while (0)

// --- The lanes of a wavefront

// CUDA's headers still declare functions with these names, for warps of 32 lanes.
#define __lane_id warpgrade_lane_id
#define __shfl warpgrade_shfl
#define __shfl_up warpgrade_shfl_up
#define __shfl_down warpgrade_shfl_down
#define __shfl_xor warpgrade_shfl_xor
#define __ballot warpgrade_ballot
#define __any warpgrade_any
#define __all warpgrade_all

// The number of the calling thread within its wavefront.
__device__ __forceinline__ unsigned __lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The value that lane `source` of the wavefront has. Lanes that are in another branch have none.
__device__ __forceinline__ unsigned warpgrade_exchange(unsigned value, int source) {
#if WARPGRADE_WAVEFRONT == 64
  unsigned result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0x40640000;" : "=r"(result) : "r"(value), "r"(source));
  return result;
#else
  return __shfl_sync(__activemask(), value, source);
#endif
}

// Values of 4 or 8 bytes, the latter in two exchanges.
template <typename T>
__device__ __forceinline__ T warpgrade_exchange_value(T value, int source) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle takes int, float, double and values of the same size");
  unsigned words[sizeof(T) / 4];
  memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = warpgrade_exchange(word, source);
  memcpy(&value, words, sizeof(T));
  return value;
}

// `width` is a power of 2. It divides the wavefront into parts, and no value leaves its part.
template <typename T>
__device__ __forceinline__ T __shfl(T value, int source, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  return warpgrade_exchange_value(value, (self & -width) + (source & (width - 1)));
}
template <typename T>
__device__ __forceinline__ T __shfl_up(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id()), source = self - static_cast<int>(delta);
  return warpgrade_exchange_value(value, source < (self & -width) ? self : source);
}
template <typename T>
__device__ __forceinline__ T __shfl_down(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int inside = (self & (width - 1)) + static_cast<int>(delta);
  return warpgrade_exchange_value(value, inside >= width ? self : self + static_cast<int>(delta));
}
template <typename T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  const int self = static_cast<int>(__lane_id()), source = self ^ mask;
  return warpgrade_exchange_value(value, source >= (self & -width) + width ? self : source);
}

// A bit for each lane of the wavefront that is here and whose predicate is not 0.
__device__ __forceinline__ unsigned long long __ballot(int predicate) {
#if WARPGRADE_WAVEFRONT == 64
  unsigned low, high;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0x40640001; }"
               : "=r"(low)
               : "r"(predicate));
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0x40640002; }"
               : "=r"(high)
               : "r"(predicate));
  return static_cast<unsigned long long>(high) << 32 | low;
#else
  return __ballot_sync(__activemask(), predicate);
#endif
}

// Of the lanes that are here: whether the predicate of some of them, or of all, is not 0.
__device__ __forceinline__ int __any(int predicate) {
#if WARPGRADE_WAVEFRONT == 64
  int result;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0x40640000; selp.s32 %0, 1, 0, q; }"
               : "=r"(result)
               : "r"(predicate));
  return result;
#else
  return __any_sync(__activemask(), predicate);
#endif
}
__device__ __forceinline__ int __all(int predicate) {
#if WARPGRADE_WAVEFRONT == 64
  int result;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.all.pred q, p, 0x40640000; selp.s32 %0, 1, 0, q; }"
               : "=r"(result)
               : "r"(predicate));
  return result;
#else
  return __all_sync(__activemask(), predicate);
#endif
}

#endif
