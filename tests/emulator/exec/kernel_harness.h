// Runs a kernel written as PTX text on an emulator::Device.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::emulator {

// A module with one kernel `k` around `body`. It has
//   parameters  p0..p3 (64 bits each), already in %rd0..%rd3
//   %t, %g      threadIdx.x and the index of the thread in a one-dimensional grid
//   %at0..%at3  the address of 32-bit element %g of the array at p0..p3
//   registers   %p<16> %h<32> %r<64> %rd<64> (0..3 taken) %f<32> %fd<32>
// `module_scope` stands before the kernel: variables, functions, .file.
std::string Kernel(const std::string& body, const std::string& module_scope = "");

// What one launch did.
struct Ran {
  LaunchStatus status = LaunchStatus::kOk;
  std::vector<Finding> findings;
  LaunchRecord record;
  const Counters& counters() const { return record.counters; }
};

// "kind line: message" of each finding, for assertions that read well.
std::string Describe(const std::vector<Finding>& findings);

class KernelHarness {
 public:
  // One host thread unless the options say otherwise: orders of execution are then repeatable.
  explicit KernelHarness(DeviceOptions options = OneHostThread());
  static DeviceOptions OneHostThread();

  // Loads a module; its kernel is called `k`, or `kernel`.
  void Load(const std::string& ptx, const std::string& kernel = "k");
  // Zeroed device memory.
  DevicePtr Allocate(uint64_t bytes, const std::string& label = "buffer");
  template <typename T>
  DevicePtr Upload(const std::vector<T>& values, const std::string& label = "input") {
    DevicePtr at = Allocate(values.size() * sizeof(T), label);
    EXPECT_TRUE(device_.CopyToDevice(at, values.data(), values.size() * sizeof(T)).ok());
    return at;
  }
  template <typename T>
  std::vector<T> Download(DevicePtr from, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device_.CopyFromDevice(values.data(), from, count * sizeof(T)).ok());
    return values;
  }
  // Launches with 64-bit parameters. Observations are those of this launch alone.
  Ran Launch(Dim3 grid, Dim3 block, std::initializer_list<uint64_t> parameters, uint32_t dynamic_shared_bytes = 0,
             bool cooperative = false);

  Device& device() { return device_; }
  // LaunchRequest::counts_alike of the launches that follow.
  void CountAlike() { counts_alike_ = true; }
  KernelId kernel() const { return kernel_; }
  const std::string& printed() const { return printed_; }

 private:
  std::string printed_;
  Device device_;
  KernelId kernel_ = 0;
  bool counts_alike_ = false;
};

// Loads and launches `ptx`, expects no finding, and gives `count` words of the output array, which is parameter p0.
// `inputs` are p1, p2, ...: 32-bit words each.
std::vector<uint32_t> OutputOf(const std::string& ptx, Dim3 grid, Dim3 block, size_t count,
                               std::vector<std::vector<uint32_t>> inputs = {});

}  // namespace warpgrade::emulator
