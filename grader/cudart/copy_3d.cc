// Boxes of pitched memory: cudaMemcpy3D and cudaMemset3D, slice by slice. Arrays (cudaArray_t) the emulator has not.
#include "grader/cudart/api.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/transfer.h"

namespace warpgrade::cudart {
namespace {

// The first byte of slice `z` of the box at `position`; the position's x counts bytes.
char* Slice(const cudaPitchedPtr& memory, const cudaPos& position, size_t z) {
  const size_t rows = memory.ysize * (position.z + z) + position.y;
  return static_cast<char*>(memory.ptr) + rows * memory.pitch + position.x;
}

cudaError_t Set3D(Runtime& runtime, const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = Set(runtime, Slice(memory, {}, z), memory.pitch, value, {extent.width, extent.height});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t Transfer3D(Runtime& runtime, const cudaMemcpy3DParms& p) {
  if (p.srcArray != nullptr || p.dstArray != nullptr) {
    return runtime.Explain(cudaErrorNotSupported, "the emulator has no CUDA arrays; use cudaMalloc3D");
  }
  if (p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0) return cudaSuccess;
  const bool fits = p.extent.height + p.srcPos.y <= p.srcPtr.ysize && p.extent.height + p.dstPos.y <= p.dstPtr.ysize;
  if (!fits && p.extent.depth > 1) {
    return runtime.Explain(cudaErrorInvalidValue, "the box is higher than the slices (cudaPitchedPtr::ysize) it is in");
  }
  for (size_t z = 0; z < p.extent.depth; ++z) {
    const cudaError_t error =
        Transfer(runtime, Slice(p.dstPtr, p.dstPos, z), p.dstPtr.pitch, Slice(p.srcPtr, p.srcPos, z), p.srcPtr.pitch,
                 {p.extent.width, p.extent.height}, p.kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace warpgrade::cudart

using namespace warpgrade::cudart;

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return Call(__func__, [&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = CheckImplicit(runtime, cudaStreamLegacy);
    return error != cudaSuccess ? error : Transfer3D(runtime, *parameters);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return RecordError(cudaErrorInvalidValue);
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy,
                 [p = *parameters](Runtime& runtime) { return Transfer3D(runtime, p); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return Call(__func__, [&](Runtime& runtime) {
    const cudaError_t error = CheckImplicit(runtime, cudaStreamLegacy);
    return error != cudaSuccess ? error : Set3D(runtime, memory, value, extent);
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemset,
                 [=](Runtime& runtime) { return Set3D(runtime, memory, value, extent); });
}

}  // extern "C"
