// Host memory that the judge shares with workers, for a student's host arrays.
//
//    |<-- buffer -->|<------ guard ------>|
//    |<--- a sealed memfd, whole pages -->|     mapped in the judge, and in the worker by its descriptor
//
// The worker can write all of it at any time, even after its answer. So read it only once, into memory of the judge's
// own, and check that copy. A worker may also answer early and go on writing just ahead of the reader; ReadScattered
// reads in an order that the worker cannot foresee.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "grader/lab/lab.h"
#include "grader/result/result.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// The numbers 0 .. count - 1, each once, in an order that nobody can foresee. Unlike a shuffled list, it takes no time
// to make: x -> step * x + shift, modulo a power of two, reaches every number before it repeats (Hull and Dobell 1962).
class ScatteredOrder {
 public:
  // REQUIRES: count > 0.
  ScatteredOrder(uint64_t count, Random& random);
  // The next number; nullopt after the last.
  std::optional<uint64_t> Next();

 private:
  const uint64_t count_, cycle_, step_, shift_;
  uint64_t next_, steps_ = 0;
};

class HostBuffer {
 public:
  // A buffer of zeros. Errors: kLimit when the system is short of memory. REQUIRES: bytes > 0.
  static Result<std::unique_ptr<HostBuffer>> Make(uint64_t bytes);
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  // The file to send to the worker. It can be mapped and written, not resized. This object closes it.
  int descriptor() const { return descriptor_; }

  // Copies `from` to the start of the buffer. REQUIRES: it fits.
  void Write(std::span<const std::byte> from);
  // Where the buffer differs from `expected`, if anywhere (FirstDifference). REQUIRES: sizes agree.
  std::optional<size_t> FirstDifferenceFrom(std::span<const std::byte> expected) const;
  // Copies the whole buffer, page by page in an order that nobody can foresee. So a part that is not written yet is
  // soon noticed, wherever it is. REQUIRES: sizes agree.
  void ReadScattered(std::span<std::byte> to, Random& random) const;
  // The buffer itself, for a device that writes or compares it. Workers can change it at any time.
  std::span<std::byte> shared_bytes() { return {data_, bytes_}; }
  // Sets every byte of the buffer, or of the guard behind it.
  void Fill(std::byte value);
  void FillGuard(std::byte value);
  bool GuardIsIntact(std::byte value) const;

 private:
  HostBuffer(int descriptor, std::byte* data, uint64_t bytes) : descriptor_(descriptor), data_(data), bytes_(bytes) {}
  uint64_t guard_bytes() const { return protocol::HostMappingBytes(bytes_) - bytes_; }

  const int descriptor_;
  std::byte* const data_;
  const uint64_t bytes_;
};

}  // namespace warpgrade::judge
