// Changes the thresholds in the text of a course.yaml, and nothing else: comments, order and style stay.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::calibrate {

// The scale that a rung is to have for a target.
struct ScaleEdit {
  std::string lab, rung, target;
  config::ThroughputScale scale;
};

struct EditedCourse {
  std::string text;
  // Edits that were not made, and why: "lab1 v3_sequential, h100: its rung has no 'throughput:' in course.yaml".
  std::vector<std::string> left_out;
};

// A scale that is there keeps its place. If it has the same shape, only its numbers change. A new one gets a line after
// the rung's scales for other targets, in their style. `new_targets`: lines for `targets:`, such as
// "h100: {match: NVIDIA H100}". Errors (kUsage): `text` is no course.yaml; they name `path`.
Result<EditedCourse> EditCourse(const std::string& text, const std::string& path, const std::vector<ScaleEdit>& edits,
                                const std::vector<std::string>& new_targets);

}  // namespace warpgrade::calibrate
