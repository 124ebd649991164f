// One grading run, from names on a command line to a report: what `grade` and `check` share.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "grader/cli/device_choice.h"
#include "grader/cli/quiz_session.h"
#include "grader/judge/measured_parts.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// What keeps a submission away from everything else on this machine.
enum class Sandbox { kNone, kBubblewrap };

struct SessionOptions {
  std::vector<std::string> paths;        // submissions, or folders of them
  std::vector<std::string> labs, rungs;  // see SelectRungs
  Device device = Device::kAuto;
  int jobs = 0;               // rungs at a time; 0: one per core
  bool use_cache = true;      // of compiled rungs
  bool keep_objects = false;  // in that cache: see StageOptions, also of the next
  int built_for = 0;
  Sandbox sandbox = Sandbox::kNone;
  std::string course_yaml;  // "": the kit's
  WhoAnswers who;           // the quizzes
  judge::MeasuredParts parts;
  bool hide_names = false;  // in leaderboards
  const std::atomic<bool>* cancel = nullptr;
  // How far it is: "s1042 lab2 v3_padded". From several threads, one at a time.
  std::function<void(int finished, int total, const std::string& what)> on_progress;
};

struct SessionResult {
  score::GradingReport report;        // rungs that were not reached are left out, and a message says so
  std::vector<std::string> failures;  // the machine's: their rungs are not in the report
  bool interrupted = false;
};

// Errors: kUsage (a path, a lab's name, course.yaml) or kMachine (no nvcc, no GPU, the kit is not built), found before
// any rung is graded.
Result<SessionResult> RunSession(const SessionOptions& options);

}  // namespace warpgrade::cli
