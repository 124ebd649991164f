// How an emulated GPU is set up, and how a launch on it ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace warpgrade::emulator {

// The checks that take extra time. Bounds, alignment, barriers and member masks are always checked.
struct Checks {
  bool shared_races = true;
  bool global_races = true;
  bool uninitialised = true;
  bool child_errors = true;  // launches by kernels that fail, if no thread reads the error

  Checks(bool all = true)
      : shared_races(all), global_races(all), uninitialised(all), child_errors(all) {}  // `checks = false`: none
};

// The block whose values are recorded.
struct BlockToRecord {
  uint64_t block = 0;   // linear
  uint64_t launch = 0;  // the number of the launch to keep, from 1; 0: the largest
};

struct DeviceOptions {
  int host_threads = 0;  // 0: all cores
  Checks checks;
  bool line_counters = true;  // counters per source line as well as per launch
  // The limit of LineCounters that are kept for single launches, with 0.3 KB each. Beyond it, the lines of a launch are
  // added to those of an earlier launch of the same kernel, so a program cannot fill the memory with many launches.
  size_t max_line_counters = size_t{1} << 16;
  bool wave64 = false;                 // count what wavefronts of 64 lanes would issue, too (wave64.h)
  bool runs_wave64 = false;            // accept HIP programs, whose wavefronts have 64 lanes (machine/wave.h)
  bool pictures = false;               // record single requests to memory and the steps of warps (recorders/README.md)
  std::optional<BlockToRecord> steps;  // with `pictures`: also record the values of this block, step by step
  // The limit of warp instructions for one launch, and for all launches of the device together. A launch that exceeds
  // it ends with kEndlessLoop. The limits bound the work and not the time, so that a launch ends in the same way on any
  // machine. Without limits the emulator stops only a loop whose state repeats (machine/repeat_watch.h).
  uint64_t instruction_budget = ~uint64_t{0};
  uint64_t total_instruction_budget = ~uint64_t{0};
  uint64_t seed = 0;  // 0: natural order of blocks and warps; each other seed gives its own shuffled order
  uint64_t global_memory_bytes = uint64_t{16} << 30;  // capacity of the emulated GPU
  // What memory from Device::Allocate holds until it is written, if it has at most 64 MiB. Larger memory holds zeros.
  uint8_t fresh_byte = 0;
  uint64_t heap_bytes = uint64_t{8} << 20;      // for malloc in kernels: cudaLimitMallocHeapSize
  int max_findings = 32;                        // distinct (kind, line) kept per device; later ones only raise `count`
  int multiprocessors = 132;                    // for properties, occupancy and cooperative launch limits
  std::function<void(std::string_view)> print;  // receives what kernels printf; default: standard output
  const std::atomic<bool>* cancel = nullptr;    // set by another thread: Launch returns soon with kCancelled
};

enum class LaunchStatus {
  kOk,
  kInvalidConfiguration,
  kTooManyResources,
  kIllegalAddress,
  kMisalignedAddress,
  kIllegalInstruction,
  kAssert,
  kLaunchTimeout,
  kHardwareStackError,
  kCooperativeTooLarge,
  kUnspecifiedFailure,
  kCancelled,
  kWaits  // it is not over: see Device::Continue
};

}  // namespace warpgrade::emulator
