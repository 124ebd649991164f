// The state of a GPU by NVIDIA's management library (NVML), which is opened at run time. It shows later whether heat or
// a power limit lowered the clock rates while a rung was timed. Nothing here is an error: most laptops and some
// containers lack the library, and then there is no telemetry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::judge {

// One reading. A figure that the driver does not report is empty.
struct GpuReading {
  std::optional<int> sm_mhz, sm_mhz_highest, mem_mhz, temperature_c, power_w;
  std::optional<uint64_t> clock_reasons;  // the reasons for lower clock rates, as NVML's bits
};

class TelemetryReader {
 public:
  static constexpr char kLibrary[] = "libnvidia-ml.so.1";

  // Opens NVML for the GPU with this `uuid` ("GPU-...", as in results). nullptr where `library` cannot be opened, is
  // not NVML, or does not know that GPU.
  static std::unique_ptr<TelemetryReader> Open(const std::string& uuid, const char* library = kLibrary);
  ~TelemetryReader();
  TelemetryReader(const TelemetryReader&) = delete;
  TelemetryReader& operator=(const TelemetryReader&) = delete;

  // Asks the driver; runs nothing on the GPU. nullopt when the driver reports nothing.
  std::optional<GpuReading> Read() const;

  // Whether somebody seems to use the GPU: more than an eighth of its memory is taken. The driver alone takes less.
  // False when the driver does not report it.
  bool IsInUse() const;

 private:
  struct Nvml;
  explicit TelemetryReader(std::unique_ptr<Nvml> nvml);
  const std::unique_ptr<Nvml> nvml_;
};

// The summary of all readings of a session; nullopt when there are none. Reasons get their names from the table in
// gpu_telemetry.cc. NVML's reason "idle" is left out, because the GPU is idle between two calls. Pure.
std::optional<score::GpuTelemetry> Summarise(const std::vector<GpuReading>& readings);

}  // namespace warpgrade::judge
