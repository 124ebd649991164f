#include "labs/support/test_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "labs/support/explanation.h"

namespace lab {
namespace {

constexpr size_t kGuardBytes = 4096;

bool IsPoison(std::byte b) { return b == std::byte{kPoisonByte}; }

std::vector<std::byte> ReadAll(const DeviceArray& array, size_t bytes) {
  std::vector<std::byte> all(bytes);
  if (bytes > 0) Require(cudaMemcpy(all.data(), array.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return all;
}

}  // namespace

InputArray::InputArray(std::vector<std::byte> content) : host_(std::move(content)), device_(host_.size()) {
  Require(cudaMemcpy(device_.data(), host_.data(), host_.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
}

bool InputArray::IsUntouched() const { return ReadAll(device_, host_.size()) == host_; }

GuardedArray::GuardedArray(size_t bytes, const char* name)
    : bytes_(bytes), guard_(IsOnEmulator() ? 0 : kGuardBytes), name_(name), array_(TotalBytes()) {
  if (TotalBytes() > 0) Require(cudaMemset(array_.data(), kPoisonByte, TotalBytes()), "cudaMemset");
}

void* GuardedArray::data() const { return TotalBytes() == 0 ? nullptr : array_.bytes() + guard_; }

void GuardedArray::ReadBytes(std::byte* to) const {
  const std::vector<std::byte> all = ReadAll(array_, TotalBytes());
  const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
  const auto end = begin + static_cast<ptrdiff_t>(bytes_);
  EXPECT_TRUE(std::all_of(all.begin(), begin, IsPoison)) << "something was written before the start of " << name_;
  EXPECT_TRUE(std::all_of(end, all.end(), IsPoison)) << "something was written past the end of " << name_;
  std::copy(begin, end, to);
}

WorkArray::WorkArray(size_t bytes, const char* name) {
  if (IsOnEmulator()) {
    on_emulator_.emplace(bytes);
  } else {
    on_gpu_.emplace(bytes, name);
  }
}

void* WorkArray::data() const { return on_gpu_ ? on_gpu_->data() : on_emulator_->data(); }

void WorkArray::ExpectRoomIsUntouched() const {
  if (on_gpu_) on_gpu_->Read();
}

void FillNewMemoryWithPoison() { setenv("WARPGRADE_FRESH_BYTE", std::to_string(kPoisonByte).c_str(), 1); }

}  // namespace lab
