// The part of device memory that the host reaches too. Each allocation in this window is a memfd of its own, mapped
// here into the device's arena; whoever holds its descriptor maps it a second time, at the device address itself, and
// then a device pointer is a valid host pointer (unified addressing), in this process or in another. Kernels reach it
// like any global memory: their path costs nothing more.
#pragma once

#include <cstdint>
#include <map>

#include "grader/result/result.h"

namespace warpgrade::emulator {

class HostWindow {
 public:
  static constexpr uint64_t kPage = 4096;

  // Device addresses [base, base + bytes) lie at `memory`, which is mapped, outlives this and is not used otherwise.
  // REQUIRES: both page-aligned.
  HostWindow(uint8_t* memory, uint64_t base, uint64_t bytes);
  ~HostWindow();
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  // A page-aligned address with `bytes` of zeros. Errors: kLimit, when the window is full, or too many descriptors wait
  // to be taken.
  Result<uint64_t> Map(uint64_t bytes);
  // REQUIRES: `address` came from Map and is mapped.
  void Unmap(uint64_t address);
  bool Contains(uint64_t address) const { return address - base_ < bytes_; }

  // The descriptor behind a mapped address, once: the caller closes it. It can be written through but not resized. -1:
  // taken before.
  int TakeDescriptor(uint64_t address);

 private:
  struct Mapping {
    uint64_t bytes = 0;  // with the gap behind it
    int descriptor = -1;
  };

  uint8_t* At(uint64_t address) const { return memory_ + (address - base_); }

  uint8_t* const memory_;
  const uint64_t base_, bytes_;
  std::map<uint64_t, Mapping> mapped_;        // by address
  std::map<uint64_t, uint64_t> free_ranges_;  // address -> bytes
  size_t waiting_descriptors_ = 0;
};

}  // namespace warpgrade::emulator
