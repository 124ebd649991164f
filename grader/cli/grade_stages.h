// The two stages of grading: nvcc compiles a rung, a child process judges it.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/cli/delay_seed.h"
#include "grader/cli/grade_pipeline.h"
#include "grader/cli/running.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/judge/measured_parts.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

struct StageOptions {
  int gpu_arch = 0;       // 90: judge on a GPU of compute capability 9.0; 0: on the emulator
  int built_for = 0;      // on the emulator: the GPU for which rungs are compiled nevertheless; 0: for none
  std::string target_id;  // the target in course.yaml for that GPU; "": there is none
  int jobs = 1;
  bool use_cache = true;
  bool keep_objects = false;    // for `make LAB`, which links them with the tests of the lab
  bool build_together = false;  // compile all rungs of a lab with one run of the compiler
  // Never compile a rung again that did not get full marks when it was compiled together with others.
  bool believe_together = false;
  bool second_look = true;    // look again at wrong values that no finding explains (judge/second_look.h)
  bool confine = false;       // run compilers and submissions in a sandbox
  bool namespaces = true;     // see Sandbox::kUser
  int only_case = 0;          // the number of the only case to run; 0: all
  uint64_t delay_seed = 0;    // JudgeRequest::delay_seed
  DelaySeedOf delay_seed_of;  // see SessionOptions
  judge::MeasuredParts parts;
  bool plain_speeds = false;  // see SessionOptions
  const std::atomic<bool>* cancel = nullptr;
  Running* running = nullptr;  // is told what is compiled and judged; nullptr: nobody wants to know
};

// How rungs are built with the parts of `kit`, within the limits of `course`. Errors (kMachine): no nvcc.
Result<build::BuildOptions> BuildOptionsFor(const config::Kit& kit, const config::Course& course, bool confine,
                                            bool use_cache);

// `kit`, `course` and `submissions` must outlive the result. Errors (kMachine): no nvcc, no folder to build in.
Result<Stages> MakeStages(const config::Kit& kit, const config::Course& course,
                          const std::vector<submission::Submission>& submissions, const StageOptions& options);

}  // namespace warpgrade::cli
