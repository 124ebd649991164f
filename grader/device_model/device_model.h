// The GPUs that the emulated device can stand for: each is a row of devices.def and the row of capabilities.def for its
// compute capability. This is the one place for a GPU's figures. Device properties, launch rules, occupancy, the choice
// of PTX, emulated time, rooflines and the quiz read them from here; what a kernel computes does not depend on them.
// tests/device_model/text_facts_test.cc compares the figures that course.yaml and the handouts repeat.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "grader/result/result.h"

namespace warpgrade {

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
  const char* name = "";  // "NVIDIA H200", as cudaDeviceProp::name has it
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

  double Fp32Gflops() const;
  double Fp64Gflops() const;
};

// GFLOP/s of a GPU at its clock: each lane does a multiply-add, two operations, per cycle.
double PeakGflops(int lanes, int multiprocessors, int clock_khz);
// 10^9 bytes per second: each line of the bus transfers two bits per cycle.
double PeakMemoryGbs(int memory_clock_khz, int memory_bus_bits);

// All of them; the first is the default.
std::span<const DeviceModel> DeviceModels();
const DeviceModel& DefaultDeviceModel();

// A capability's row; nullptr for one that capabilities.def does not have.
const ComputeCapability* FindCapability(int major, int minor);

// Finds a model by its id, in upper or lower case. Errors: kUsage, with the ids that exist.
Result<const DeviceModel*> FindDeviceModel(std::string_view id);

// What the environment variable WARPGRADE_DEVICE_AS names; the default when it is not set. Errors as FindDeviceModel.
Result<const DeviceModel*> ChosenDeviceModel();

}  // namespace warpgrade
