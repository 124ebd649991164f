// What a GPU is doing, by NVIDIA's management library (NVML), opened when it is there: whoever looks at a time later
// sees whether heat or power held the clocks down. Nothing here is an error: most laptops and some containers lack the
// library, and then there is no telemetry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::judge {

// One look at a GPU. A figure that the driver does not tell is empty.
struct GpuReading {
  std::optional<int> sm_mhz, sm_mhz_highest, mem_mhz, temperature_c, power_w;
  std::optional<uint64_t> clock_reasons;  // why the clocks are not higher, NVML's bits
};

class TelemetryReader {
 public:
  static constexpr char kLibrary[] = "libnvidia-ml.so.1";

  // `uuid`: as results name the GPU, "GPU-...". nullptr where `library` cannot be opened, is not NVML, or does not know
  // that GPU.
  static std::unique_ptr<TelemetryReader> Open(const std::string& uuid, const char* library = kLibrary);
  ~TelemetryReader();
  TelemetryReader(const TelemetryReader&) = delete;
  TelemetryReader& operator=(const TelemetryReader&) = delete;

  // Asks the driver, and has nothing run on the GPU. nullopt when it tells nothing.
  std::optional<GpuReading> Read() const;

 private:
  struct Nvml;
  explicit TelemetryReader(std::unique_ptr<Nvml> nvml);
  const std::unique_ptr<Nvml> nvml_;
};

// Of all readings of a session; nullopt when there are none. Pure. Reasons get the names of the table in
// gpu_telemetry.cc; that the GPU is idle is none, as it is between two calls.
std::optional<score::GpuTelemetry> Summarise(const std::vector<GpuReading>& readings);

}  // namespace warpgrade::judge
