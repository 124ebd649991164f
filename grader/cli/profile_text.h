// A profile as text for people and as JSON for programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/cli/profile.h"
#include "grader/cli/source_lines.h"

namespace warpgrade::cli {

// A table of all kernels, then for each kernel its counters, its place under the roofline and its worst lines.
std::string ProfileText(const Profile& profile, SourceLines& source);

// What a kernel did, in rows: {"global loads", "64 requests, 256 sectors ..."}.
std::vector<std::pair<std::string, std::string>> KernelFacts(const KernelProfile& kernel, const DeviceModel& gpu);

// {"schema": "warpgrade.profile/1",
//  "gpu": {"name", "fp32_gflops", "gigabytes_per_second"},
//  "metrics": {name: {"unit", "better": "lower"|"higher", "description"}},
//  "kernels": [{"kernel", "launches", "grid", "block", "model_time_ns", "metrics": {name: value},
//               "roofline": {"flop", "bytes", "flop_per_byte", "ridge_flop_per_byte", "bound": "memory"|"compute",
//                            "attainable_gflops", "attainable_share"},
//               "lines": [{"file", "line", "text", "instruction_share", "why": [...], "metrics": {...}}]}]}
std::string ProfileAsJson(const Profile& profile, SourceLines& source);

}  // namespace warpgrade::cli
