// Reads points, numbers, durations and sizes from text, without YAML. An error (kUsage) is a phrase such as "'8x' is
// not a number; write ...". The caller puts the place and the name of the value in front of it.
#pragma once

#include <cstdint>
#include <string_view>

#include "grader/config/points.h"
#include "grader/result/result.h"

namespace warpgrade::config {

inline constexpr int64_t kMostPoints = 1'000'000;  // far above any course, far below what an int64 of hundredths holds
inline constexpr int kMostSeconds = 24 * 3600;
inline constexpr int64_t kMostBytes = int64_t{1} << 44;  // 16 TB

// "8", "2.5", "0.25": not negative, at most two decimals.
Result<Points> ParsePoints(std::string_view text);
// A finite decimal number: "300", "0.9", "2e9", "-1".
Result<double> ParseNumber(std::string_view text);
// "90s", "2min", "1h" in seconds, from 1 to kMostSeconds. The unit is required.
Result<int> ParseSeconds(std::string_view text);
// "64KB", "4096MB", "2GB" in bytes (1 KB = 1024 bytes), from 1 KB to kMostBytes. The unit is required.
Result<int64_t> ParseBytes(std::string_view text);
// A whole number from 1 to 1e15: "2000000000", "2e9".
Result<uint64_t> ParseCount(std::string_view text);
// "7.5", "0.9", "2e+09": a number as a person would write it.
std::string NumberText(double value);

}  // namespace warpgrade::config
