// Runs a kernel of kernels.cu on the emulator, for its counters.
#pragma once

#include <string>

#include "tests/cli/program.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::quiz {

class Emulated {
 public:
  explicit Emulated(const std::string& kernel) { harness_.Load(ReadText(QUIZ_KERNELS), kernel); }

  emulator::KernelHarness& harness() { return harness_; }
  emulator::DevicePtr Buffer(uint64_t bytes) { return harness_.Allocate(bytes); }
  emulator::Counters Count(emulator::Dim3 grid, emulator::Dim3 block, std::initializer_list<uint64_t> parameters,
                           uint32_t shared_bytes = 0) {
    const emulator::Ran ran = harness_.Launch(grid, block, parameters, shared_bytes);
    EXPECT_EQ(ran.status, emulator::LaunchStatus::kOk);
    return ran.counters();
  }

 private:
  emulator::KernelHarness harness_;
};

}  // namespace warpgrade::quiz
