// The part of device memory that the host can reach too. Each allocation in this window is its own memfd, which is
// mapped here into the device's arena. A process that holds its descriptor maps it a second time, at the device address
// itself. A device pointer is then a valid host pointer (unified addressing), in this process or in another. Kernels
// access it like any global memory, at no extra cost.
#pragma once

#include <cstdint>
#include <map>

#include "grader/emulator/memory/free_ranges.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {

class HostWindow {
 public:
  static constexpr uint64_t kPage = 4096;

  // Device addresses [base, base + bytes) are at `memory`, which is mapped, outlives this, and has no other use.
  // REQUIRES: both are page-aligned.
  HostWindow(uint8_t* memory, uint64_t base, uint64_t bytes);
  ~HostWindow();
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  // Returns a page-aligned address of `bytes` zeros. As many bytes behind them, or one page where there is no room for
  // more, belong to nobody. Errors: kLimit when the window is full, or when too many descriptors have not been taken
  // yet.
  Result<uint64_t> Map(uint64_t bytes);
  // REQUIRES: `address` came from Map and is mapped.
  void Unmap(uint64_t address);
  // Bytes from a mapped address to the next that may be mapped. REQUIRES: as Unmap.
  uint64_t Room(uint64_t address) const { return mapped_.at(address).bytes; }
  bool Contains(uint64_t address) const { return address - base_ < bytes_; }

  // Returns the descriptor behind a mapped address, once; the caller closes it. Its holder can write to it but cannot
  // resize it. Returns -1 if it was taken before.
  int TakeDescriptor(uint64_t address);

 private:
  struct Mapping {
    uint64_t bytes = 0;  // with the guard behind it
    int descriptor = -1;
  };

  uint8_t* At(uint64_t address) const { return memory_ + (address - base_); }

  uint8_t* const memory_;
  const uint64_t base_, bytes_;
  std::map<uint64_t, Mapping> mapped_;  // by address
  FreeRanges free_;
  size_t waiting_descriptors_ = 0;
};

}  // namespace warpgrade::emulator
