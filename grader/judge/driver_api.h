// The CUDA driver, opened at run time. The judge links against no CUDA library, so the same binary runs on a machine
// without a GPU.
#pragma once

#include <cuda.h>

#include <string>

#include "grader/result/result.h"

// Every driver function that the judge calls, in one place.
#define WARPGRADE_DRIVER_FUNCTIONS(X) \
  X(cuInit)                           \
  X(cuGetErrorName)                   \
  X(cuGetErrorString)                 \
  X(cuDriverGetVersion)               \
  X(cuDeviceGet)                      \
  X(cuDeviceGetCount)                 \
  X(cuDeviceGetName)                  \
  X(cuDeviceGetUuid)                  \
  X(cuDeviceGetPCIBusId)              \
  X(cuDeviceGetAttribute)             \
  X(cuDevicePrimaryCtxRetain)         \
  X(cuDevicePrimaryCtxRelease)        \
  X(cuCtxSetCurrent)                  \
  X(cuCtxSynchronize)                 \
  X(cuCtxResetPersistingL2Cache)      \
  X(cuMemAlloc)                       \
  X(cuMemFree)                        \
  X(cuMemHostAlloc)                   \
  X(cuMemFreeHost)                    \
  X(cuMemHostRegister)                \
  X(cuMemHostUnregister)              \
  X(cuMemHostGetDevicePointer)        \
  X(cuMemGetInfo)                     \
  X(cuMemcpyHtoD)                     \
  X(cuMemcpyDtoH)                     \
  X(cuMemcpyDtoDAsync)                \
  X(cuMemcpyDtoHAsync)                \
  X(cuMemcpyHtoDAsync)                \
  X(cuMemsetD8)                       \
  X(cuModuleLoadData)                 \
  X(cuModuleUnload)                   \
  X(cuModuleGetFunction)              \
  X(cuLaunchKernel)                   \
  X(cuIpcGetMemHandle)                \
  X(cuStreamCreate)                   \
  X(cuStreamDestroy)                  \
  X(cuEventCreate)                    \
  X(cuEventDestroy)                   \
  X(cuEventRecord)                    \
  X(cuEventSynchronize)               \
  X(cuEventElapsedTime)

namespace warpgrade::judge {

// One pointer per function, under the name that cuda.h gives its current version (cuMemAlloc is cuMemAlloc_v2).
struct DriverApi {
#define WARPGRADE_DECLARE(name) decltype(&::name) name = nullptr;
  WARPGRADE_DRIVER_FUNCTIONS(WARPGRADE_DECLARE)
#undef WARPGRADE_DECLARE

  // Opens libcuda.so.1 and initialises the driver, once per process. Errors (kMachine): "no GPU here: ..." with the
  // reason.
  static Result<const DriverApi*> Open();

  // "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  std::string Describe(CUresult result) const;
};

}  // namespace warpgrade::judge
