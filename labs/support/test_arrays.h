// The kinds of arrays that tests hand to a student's function, on the device. For GoogleTest programs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "labs/support/device_array.h"

namespace lab {

// An array that the function may only read: the content is kept on the host too.
class InputArray {
 public:
  explicit InputArray(std::vector<std::byte> content);

  // What it holds, on the host; as T, whose alignment is at most operator new's.
  template <typename T = std::byte>
  const T* host() const {
    return reinterpret_cast<const T*>(host_.data());
  }
  void* data() const { return device_.data(); }  // null when it is empty

  // False when the copy on the device has changed.
  bool IsUntouched() const;

 private:
  std::vector<std::byte> host_;
  DeviceArray device_;
};

// An array that the function may write, all poison at first, with room around it that must stay so. On the emulator
// there is no such room: it sees every byte that is written outside an allocation, and names the line.
class GuardedArray {
 public:
  // `name` is what failures call it: "d_out".
  GuardedArray(size_t bytes, const char* name);

  void* data() const;

  // The content, after a look at what stands around it, which fails the test. T is what it holds.
  template <typename T = std::byte>
  std::vector<T> Read() const {
    std::vector<T> content(bytes_ / sizeof(T));
    ReadBytes(reinterpret_cast<std::byte*>(content.data()));
    return content;
  }

 private:
  size_t TotalBytes() const { return bytes_ + 2 * guard_; }
  void ReadBytes(std::byte* to) const;

  size_t bytes_, guard_;
  const char* name_;
  DeviceArray array_;
};

// A workspace: an array that the function may use as it likes, but not read before it has written. It is all poison at
// first, with room around it that must stay so. The emulator has filled it with poison (FillNewMemoryWithPoison) and
// reports a read of what the function has not written. In a GuardedArray it sees no such read, since cudaMemset writes.
class WorkArray {
 public:
  // As of GuardedArray.
  WorkArray(size_t bytes, const char* name);

  void* data() const;

  // Looks at what stands around it. Fails the test if it has changed.
  void ExpectRoomIsUntouched() const;

 private:
  std::optional<GuardedArray> on_gpu_;
  std::optional<DeviceArray> on_emulator_;
};

// Memory from the emulator's cudaMalloc holds poison from now on, if it has at most 64 MiB. REQUIRES: there was no CUDA
// call yet.
void FillNewMemoryWithPoison();

}  // namespace lab
