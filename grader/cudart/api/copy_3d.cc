// Boxes of pitched memory: cudaMemcpy3D and cudaMemset3D. The emulator has no arrays (cudaArray_t).
// Tested by tests/cudart/programs_test.cc (programs/pitched_3d.cu).
#include "grader/cudart/api/api.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/transfer.h"

using namespace warpgrade::cudart;

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return DoNow(__func__, [&](Runtime& runtime) {
    return parameters == nullptr ? cudaErrorInvalidValue : Transfer3D(runtime, *parameters);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return RecordError(cudaErrorInvalidValue);
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy,
                 [p = *parameters](Runtime& runtime) { return Transfer3D(runtime, p); },
                 {parameters->srcPtr.ptr, parameters->dstPtr.ptr});
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return DoNow(__func__, [&](Runtime& runtime) { return Set3D(runtime, memory, value, extent); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemset,
                 [=](Runtime& runtime) { return Set3D(runtime, memory, value, extent); });
}

}  // extern "C"
