// How long work takes on the emulated device, for cudaEventElapsedTime. It is a roofline over the counted work, so that
// the same program gives the same times on every machine. It ranks kernels; it is not a measurement, and no score uses
// it.
//
//   launch = 2 us + max(DRAM, issue, shared memory), each spread evenly over the multiprocessors:
//     DRAM           bytes moved in sectors / the GPU's bandwidth (H200: 4.8 TB/s)
//     issue          warp instructions / (multiprocessors x 4 schedulers x clock (H200: 1.98 GHz))
//     shared memory  wavefronts / (multiprocessors x clock)
#pragma once

#include <cstdint>

#include "grader/device_model/device_model.h"
#include "grader/emulator/counters/counters.h"

namespace warpgrade::cudart {

uint64_t LaunchNanoseconds(const emulator::Counters& counters, const DeviceModel& model, int multiprocessors);

// A copy between host and device (PCIe 5 x16, 55 GB/s) or within the device (each byte is read and written).
uint64_t HostCopyNanoseconds(uint64_t bytes);
uint64_t DeviceCopyNanoseconds(uint64_t bytes, const DeviceModel& model);

}  // namespace warpgrade::cudart
