// The GPU that the emulated device stands for: a row of devices.def with the row of capabilities.def that it has.
// Properties, occupancy, launch rules, the choice of PTX, emulated time and rooflines follow from it; what a kernel
// computes does not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "grader/result/result.h"

namespace warpgrade::cudart {

struct ComputeCapability {
  int major = 0, minor = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int shared_per_multiprocessor = 0;   // bytes
  int shared_per_block_opt_in = 0;     // bytes, with cudaFuncAttributeMaxDynamicSharedMemorySize
  int shared_reserved_per_block = 0;   // bytes, taken by the system from every block
  int fp32_lanes = 0, fp64_lanes = 0;  // multiply-adds per cycle and multiprocessor
  int memory_sync_domains = 0;
  int persisting_l2_eighths = 0;

  int number() const { return major * 10 + minor; }  // 90
};

struct DeviceModel {
  const char* id = "";    // "h200"
  const char* name = "";  // "NVIDIA H200"
  ComputeCapability capability;
  int multiprocessors = 0;
  int clock_khz = 0, memory_clock_khz = 0;
  int memory_bus_bits = 0;
  double bandwidth_gbs = 0;  // of the data sheet, 10^9 bytes per second
  uint64_t memory_bytes = 0;
  int l2_bytes = 0;
  int copy_engines = 0;
  bool ecc = false;
  int pci_device = 0;

  double Fp32Gflops() const { return 2.0 * capability.fp32_lanes * multiprocessors * clock_khz / 1e6; }
  double Fp64Gflops() const { return 2.0 * capability.fp64_lanes * multiprocessors * clock_khz / 1e6; }
};

// All of them; the first is the default.
std::span<const DeviceModel> DeviceModels();
const DeviceModel& DefaultDeviceModel();

// A capability's row; nullptr for one that capabilities.def does not have.
const ComputeCapability* FindCapability(int major, int minor);

// By its id, in any case. Errors: kUsage, names the ids that there are.
Result<const DeviceModel*> FindDeviceModel(std::string_view id);

// What the environment variable WARPGRADE_DEVICE_AS names; the default when it is not set. Errors as FindDeviceModel.
Result<const DeviceModel*> ChosenDeviceModel();

}  // namespace warpgrade::cudart
