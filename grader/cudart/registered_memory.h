// Host memory that the program allocated itself and registered (cudaHostRegister). Kernels cannot access it, so they
// use a copy. The copy is made when cudaHostGetDevicePointer first asks for its address. Before each launch, the bytes
// that the host changed are sent to the device (Send). After the launch, the bytes that the device changed are fetched
// back (Fetch). While a launch waits, both are repeated, so host and kernel see each other's flags:
//
//   host    a=0 b=0    the host sets b:      a=0 b=1    Send:  only b differs from `both`, so the device gets b
//   both    a=0 b=0    the bytes that host and device had last in common
//   device  a=0 b=0    the kernel sets a:    a=1 b=0    Fetch: only a differs from `both`, so the host gets a
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

class DeviceLink;

struct RegisteredRange {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  unsigned flags = 0;
  DevicePtr copy = 0;                // on the device; 0: nobody asked for its address yet
  std::vector<std::byte> both = {};  // what host and device last had in common; empty: nothing was sent yet
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
  // Before and after a launch, or a part of it: give the device what the host changed, and the host what the device
  // changed, unless the range was registered as read-only. Where both changed a byte, the last of the two calls
  // decides. What a kernel wrote into several ranges reaches the large ones first, since a flag seldom is in these.
  cudaError_t Send();
  cudaError_t Fetch();

  // Frees the copies (cudaDeviceReset). The ranges stay registered.
  void DropCopies();

 private:
  cudaError_t SendRange(RegisteredRange& range);
  cudaError_t FetchRange(RegisteredRange& range);

  DeviceLink& device_;
  std::map<uintptr_t, RegisteredRange> ranges_;  // by their first addresses; they do not overlap
};

}  // namespace warpgrade::cudart
