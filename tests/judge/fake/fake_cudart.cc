// The few CUDA runtime calls that the worker makes, over the shared region: enough to run host-only "students" under
// the real worker. Events read the clock. A student may set next_error, and event_ms to lie about the time.
#include "tests/judge/fake/fake_cudart.h"

#include <sys/mman.h>
#include <time.h>

#include <cstring>

#include "tests/judge/fake/shared_region.h"

namespace fake_cudart {
cudaError_t next_error = cudaSuccess;
cudaError_t next_synchronize_error = cudaSuccess;
float event_ms = -1;
void (*at_synchronize)() = nullptr;
}  // namespace fake_cudart

namespace {

struct Event {
  timespec at;
};

cudaError_t Take(cudaError_t* error) {
  const cudaError_t taken = *error;
  *error = cudaSuccess;
  return taken;
}

}  // namespace

extern "C" {

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "fake device");
  void* const wanted = reinterpret_cast<void*>(warpgrade::judge::fake::kRegionAddress);
  void* const got = mmap(wanted, warpgrade::judge::fake::kRegionBytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED_NOREPLACE, warpgrade::judge::fake::kRegionFdInWorker, 0);
  return got == wanted ? cudaSuccess : cudaErrorNoDevice;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    default:
      return "cudaErrorUnknown";
  }
}
const char* cudaGetErrorString(cudaError_t) { return "as the fake runtime says"; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long*) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return Take(&fake_cudart::next_error); }
cudaError_t cudaDeviceSynchronize() {
  if (fake_cudart::at_synchronize != nullptr) fake_cudart::at_synchronize();
  return Take(&fake_cudart::next_synchronize_error);
}
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) { return cudaErrorNotSupported; }
cudaError_t cudaIpcCloseMemHandle(void*) { return cudaErrorNotSupported; }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new Event());
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  clock_gettime(CLOCK_MONOTONIC, &reinterpret_cast<Event*>(event)->at);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  const timespec& b = reinterpret_cast<Event*>(begin)->at;
  const timespec& e = reinterpret_cast<Event*>(end)->at;
  *ms = static_cast<float>(static_cast<double>(e.tv_sec - b.tv_sec) * 1e3 +
                           static_cast<double>(e.tv_nsec - b.tv_nsec) / 1e6);
  if (fake_cudart::event_ms >= 0) *ms = fake_cudart::event_ms;
  return cudaSuccess;
}

}  // extern "C"
