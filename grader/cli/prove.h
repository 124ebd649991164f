// Proves a lab: what its author promises is tried. The solutions get all points, the starter files none, wrong programs
// lose what is stated, other right programs lose nothing, limits and thresholds separate the rungs, and the files that
// are made of others are up to date.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "grader/cli/device_choice.h"
#include "grader/cli/lab_to_author.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// One promise.
struct Proof {
  std::string what;  // "mutants"
  enum class Verdict { kHolds, kFails, kNotMeasured } verdict = Verdict::kHolds;
  std::string found;                  // in a few words: "3 of 3 are caught"
  std::vector<std::string> mistakes;  // "what; what to do"
  std::vector<std::string> notes;     // the same, of what an author should look at although the promise holds
};

struct ProveOptions {
  Device device = Device::kAuto;
  bool use_cache = true;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(int finished, int total, const std::string& what)> on_progress;
};

// In the order in which an author mends them. Errors: kMachine, or kUsage if nothing of the lab can be read.
Result<std::vector<Proof>> Prove(const LabToAuthor& lab, const ProveOptions& options);

}  // namespace warpgrade::cli
