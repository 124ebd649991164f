// What a test's student can make the fake CUDA runtime say.
#pragma once

#include <cuda_runtime_api.h>

namespace fake_cudart {

extern cudaError_t next_error;              // from the next cudaGetLastError
extern cudaError_t next_synchronize_error;  // from the next cudaDeviceSynchronize
extern float event_ms;                      // from cudaEventElapsedTime, unless negative

extern void (*at_synchronize)();  // called by cudaDeviceSynchronize, so at the end of calls, empty or not

}  // namespace fake_cudart
