// The real stages of grading: compile with nvcc, judge in a child process.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/cli/grade_pipeline.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/judge/measured_parts.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

struct StageOptions {
  int gpu_arch = 0;       // 90: judge on a GPU of compute capability 9.0; 0: on the emulator
  int built_for = 0;      // on the emulator: the GPU for which rungs are compiled all the same; 0: for none
  std::string target_id;  // of course.yaml, for that GPU; "": none fits
  int jobs = 1;
  bool use_cache = true;
  bool keep_objects = false;  // for `make LAB`, which links them with the lab's tests
  bool confine = false;       // compilers and submissions, with bubblewrap
  judge::MeasuredParts parts;
  const std::atomic<bool>* cancel = nullptr;
};

// How rungs are built with the parts of `kit`, within the limits of `course`. Errors (kMachine): no nvcc.
Result<build::BuildOptions> BuildOptionsFor(const config::Kit& kit, const config::Course& course, bool confine);

// `kit`, `course` and `submissions` must outlive the result. Errors (kMachine): no nvcc, no folder to build in.
Result<Stages> MakeStages(const config::Kit& kit, const config::Course& course,
                          const std::vector<submission::Submission>& submissions, const StageOptions& options);

}  // namespace warpgrade::cli
