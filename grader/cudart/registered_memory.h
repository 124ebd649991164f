// Host memory of the program's own that it registered (cudaHostRegister). Kernels cannot reach it, so they see a copy:
// it is made when cudaHostGetDevicePointer first asks for its address, sent to the device before each launch and
// fetched back after it.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

class DeviceLink;

struct RegisteredRange {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  unsigned flags = 0;
  DevicePtr copy = 0;  // on the device; 0: nobody asked for its address yet
};

// Thread-compatible: Runtime::mutex guards it.
class RegisteredMemory {
 public:
  explicit RegisteredMemory(DeviceLink& device) : device_(device) {}

  // REQUIRES: no byte of the range is registered.
  void Add(const void* begin, uint64_t bytes, unsigned flags);
  // The range that contains `pointer`; nullptr: there is none.
  RegisteredRange* Find(const void* pointer);
  // Forgets the range that starts at `begin`. cudaErrorHostMemoryNotRegistered: there is none.
  cudaError_t Remove(const void* begin);
  // The device's address of `pointer`, which lies in `range`. Makes the copy when there is none yet. Errors: those of
  // Backend::Allocate.
  cudaError_t DevicePointerOf(RegisteredRange& range, const void* pointer, void** device_pointer);

  bool HasCopies() const;
  // Before and after a launch: copies to the device, and back from it unless the range was registered as read-only.
  cudaError_t Send();
  cudaError_t Fetch();

  // Frees the copies (cudaDeviceReset). The ranges stay registered.
  void DropCopies();

 private:
  DeviceLink& device_;
  std::map<uintptr_t, RegisteredRange> ranges_;  // by their first addresses; they do not overlap
};

}  // namespace warpgrade::cudart
