// The two tables, and how a GPU is found in them. Tested by tests/device_model/device_model_test.cc.
#include "grader/device_model/device_model.h"

#include <strings.h>

#include <array>
#include <cstdlib>
#include <iterator>

namespace warpgrade {
namespace {

constexpr int kKilobyte = 1024;

constexpr ComputeCapability kCapabilities[] = {
#define WARPGRADE_CAPABILITY(major, minor, threads, blocks, shared_kb, opt_in_kb, reserved, fp32, fp64, domains, l2) \
  {major, minor, threads, blocks, shared_kb * kKilobyte, opt_in_kb * kKilobyte, reserved, fp32, fp64, domains, l2},
#include "grader/device_model/capabilities.def"
#undef WARPGRADE_CAPABILITY
};

// A row of devices.def whose capability has no row in capabilities.def does not compile.
consteval ComputeCapability CapabilityOf(int major, int minor) {
  for (const ComputeCapability& row : kCapabilities) {
    if (row.major == major && row.minor == minor) return row;
  }
  throw "capabilities.def has no row for this device";
}

constexpr DeviceModel kModels[] = {
#define WARPGRADE_DEVICE(id, name, major, minor, sms, mhz, memory_mhz, bus, gbs, mib, l2_kib, engines, ecc, pci) \
  {id,                                                                                                           \
   name,                                                                                                         \
   CapabilityOf(major, minor),                                                                                   \
   sms,                                                                                                          \
   mhz * 1000,                                                                                                   \
   memory_mhz * 1000,                                                                                            \
   bus,                                                                                                          \
   gbs,                                                                                                          \
   uint64_t{mib} << 20,                                                                                          \
   l2_kib * kKilobyte,                                                                                           \
   engines,                                                                                                      \
   ecc != 0,                                                                                                     \
   pci},
#include "grader/device_model/devices.def"
#undef WARPGRADE_DEVICE
};

}  // namespace

double PeakGflops(int lanes, int multiprocessors, int clock_khz) {
  return 2.0 * lanes * multiprocessors * clock_khz / 1e6;
}

double PeakMemoryGbs(int memory_clock_khz, int memory_bus_bits) {
  return 2.0 * memory_clock_khz * memory_bus_bits / 8 / 1e6;
}

double DeviceModel::Fp32Gflops() const { return PeakGflops(capability.fp32_lanes, multiprocessors, clock_khz); }

double DeviceModel::Fp64Gflops() const { return PeakGflops(capability.fp64_lanes, multiprocessors, clock_khz); }

std::span<const DeviceModel> DeviceModels() { return kModels; }

const DeviceModel& DefaultDeviceModel() { return kModels[0]; }

const ComputeCapability* FindCapability(int major, int minor) {
  for (const ComputeCapability& row : kCapabilities) {
    if (row.major == major && row.minor == minor) return &row;
  }
  return nullptr;
}

Result<const DeviceModel*> FindDeviceModel(std::string_view id) {
  const std::string wanted(id);
  std::string known;
  for (const DeviceModel& model : kModels) {
    if (strcasecmp(model.id, wanted.c_str()) == 0) return &model;
    known += known.empty() ? "" : ", ";
    known += model.id;
  }
  return Error{ErrorKind::kUsage, "the emulator knows no GPU '" + wanted + "'; it can stand for " + known};
}

Result<const DeviceModel*> ChosenDeviceModel() {
  const char* id = std::getenv("WARPGRADE_DEVICE_AS");
  if (id == nullptr || *id == '\0') return &DefaultDeviceModel();
  return FindDeviceModel(id);
}

}  // namespace warpgrade
