#include "grader/cudart/device/time_model.h"

#include <algorithm>

#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart {
namespace {

constexpr double kLaunchNs = 2000;
constexpr double kCopyNs = 1500;
constexpr double kHostBytesPerNs = 55;
constexpr double kSchedulers = gpu_limits::kSchedulersPerMultiprocessor;

}  // namespace

uint64_t LaunchNanoseconds(const emulator::Counters& c, const DeviceModel& model, int multiprocessors) {
  const double sectors =
      double(c.global_load_sectors) + double(c.global_store_sectors) + double(c.global_atomic_sectors);
  const double wavefronts =
      double(c.shared_load_wavefronts) + double(c.shared_store_wavefronts) + double(c.shared_atomic_wavefronts);
  const double cycles_per_ns = model.clock_khz / 1e6 * std::max(multiprocessors, 1);
  const double dram = sectors * gpu_limits::kSectorBytes / model.bandwidth_gbs;
  const double issue = double(c.warp_instructions) / (cycles_per_ns * kSchedulers);
  const double shared = wavefronts / cycles_per_ns;
  return static_cast<uint64_t>(kLaunchNs + std::max({dram, issue, shared}));
}

uint64_t HostCopyNanoseconds(uint64_t bytes) {
  return static_cast<uint64_t>(kCopyNs + double(bytes) / kHostBytesPerNs);
}

uint64_t DeviceCopyNanoseconds(uint64_t bytes, const DeviceModel& model) {
  return static_cast<uint64_t>(kCopyNs + 2 * double(bytes) / model.bandwidth_gbs);
}

}  // namespace warpgrade::cudart
