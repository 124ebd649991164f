// The checks of the GPUs: driver, clocks, ECC, other programs. They ask nvidia-smi, which changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/doctor/check.h"
#include "grader/result/result.h"

namespace warpgrade::doctor {

// One row of nvidia-smi. What the driver does not know is empty.
struct Gpu {
  std::string index, name, uuid, driver;
  std::optional<bool> ecc, mig;
  std::optional<long> uncorrected_errors;  // since the driver was loaded
  std::optional<long> sm_mhz, highest_sm_mhz, temperature_c;
  std::optional<unsigned long> clock_reasons;  // NVML's bits
};

// The rows of `nvidia-smi --query-gpu=... --format=csv,nounits`, by their heading, so that their order does not matter.
// Errors (kMachine): there is no heading, or a row is shorter than it.
Result<std::vector<Gpu>> ParseGpus(const std::string& csv);

struct GpuNeeds {
  bool gpu = false;                        // grading is to run on a GPU
  bool cuda_sees_one = false;              // by CUDA's driver library, as `grade` asks it
  const config::Course* course = nullptr;  // whose targets are compared; may be null
};

// One check of the driver and, for each GPU, checks of its name, clocks, ECC and users.
std::vector<Check> GpuChecks(const Runner& run, const GpuNeeds& needs);

}  // namespace warpgrade::doctor
