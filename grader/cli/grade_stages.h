// The real stages of grading: compile with nvcc, judge in a child process.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/cli/grade_pipeline.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

struct StageOptions {
  int gpu_arch = 0;       // 90: judge on a GPU of compute capability 9.0; 0: on the emulator
  std::string target_id;  // of course.yaml, for that GPU; "": none fits
  int jobs = 1;
  bool use_cache = true;
  bool confine = false;  // compilers and submissions, with bubblewrap
  bool hidden_cases = true, technique = true, throughput = true;
  const std::atomic<bool>* cancel = nullptr;
};

// `kit`, `course` and `submissions` must outlive the result. Errors (kMachine): no nvcc, no folder to build in.
Result<Stages> MakeStages(const config::Kit& kit, const config::Course& course,
                          const std::vector<submission::Submission>& submissions, const StageOptions& options);

}  // namespace warpgrade::cli
