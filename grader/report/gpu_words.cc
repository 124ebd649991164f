// Tests: tests/report/gpu_words_test.cc.
#include "grader/report/gpu_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// A results file may have been edited before it is read again, so the length of a line is bounded.
constexpr size_t kMostReasons = 6;
constexpr int kMostReason = 40;  // columns

std::string Reasons(const std::vector<std::string>& throttle) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(throttle.size(), kMostReasons); ++i) {
    shown.push_back(Shorten(PrintableLine(throttle[i]), kMostReason));
  }
  if (throttle.size() > kMostReasons) shown.push_back("...");
  return fmt::format("{}", fmt::join(shown, ", "));
}

// "1755 MHz (1410 to 1965) of 1980".
std::string SmClock(const score::GpuTelemetry& gpu) {
  std::string words = fmt::format("{} MHz", *gpu.sm_mhz_median);
  if (gpu.sm_mhz_min && gpu.sm_mhz_max && *gpu.sm_mhz_min != *gpu.sm_mhz_max) {
    words += fmt::format(" ({} to {})", *gpu.sm_mhz_min, *gpu.sm_mhz_max);
  }
  if (gpu.sm_mhz_highest) words += fmt::format(" of {}", *gpu.sm_mhz_highest);
  return words;
}

}  // namespace

std::string GpuWords(const score::GpuTelemetry& gpu) {
  std::vector<std::string> parts;
  if (gpu.sm_mhz_median) parts.push_back("SM " + SmClock(gpu));
  if (gpu.mem_mhz) parts.push_back(fmt::format("memory {} MHz", *gpu.mem_mhz));
  if (gpu.temperature_c) parts.push_back(fmt::format("{} C", *gpu.temperature_c));
  if (gpu.power_w) parts.push_back(fmt::format("{} W", *gpu.power_w));
  if (gpu.throttle) parts.push_back(gpu.throttle->empty() ? "not throttled" : "throttled: " + Reasons(*gpu.throttle));
  return parts.empty() ? "" : fmt::format("GPU: {}", fmt::join(parts, ", "));
}

std::string SlowdownWords(const score::GpuTelemetry& gpu) {
  if (!gpu.slowed_down) return "";
  return fmt::format(
      "throughput: the GPU slowed down during the timing: {}; it is fair to grade this rung again when the GPU is "
      "cool",
      Reasons(gpu.throttle.value_or(std::vector<std::string>())));
}

}  // namespace warpgrade::report
