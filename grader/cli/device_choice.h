// --device auto|gpu|emulator: where the student's code runs.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::cli {

enum class Device { kAuto, kGpu, kEmulator };

struct DeviceChoice {
  Device device = Device::kEmulator;  // never kAuto
  std::string why;                    // for people: "NVIDIA H200", "the emulator (no GPU here)"
};

// kAuto: the GPU when its driver answers, else the emulator. Errors (kMachine): kGpu was asked for and there is none.
Result<DeviceChoice> ChooseDevice(Device wanted);

// The folder of NVIDIA's libcudart.so.13, beside the nvcc on PATH or in /usr/local/cuda; "" when there is none, and the
// system's own search must find it.
std::string CudaRuntimeDirectory();

}  // namespace warpgrade::cli
