// Takes every rung of every submission through build and judge, several at a time, and keeps what was measured. It
// knows neither terminals nor files: the stages are handed in (grade_stages.h has the real ones), and what happens is
// told to an observer.
//
//   rungs, in order --> [ build ] --> [ judge ] --> measurements[submission][lab][rung]
//                        `jobs` rungs at a time;
//                        the judge one at a time where it times a GPU
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// One rung of one submission.
struct RungTask {
  size_t submission = 0;  // index
  const config::Lab* lab = nullptr;
  const config::Rung* rung = nullptr;
};

struct Built {
  std::string program;                          // the worker to judge,
  std::shared_ptr<const void> keeps;            // there as long as this or a copy of it is
  std::optional<score::RungMeasurement> ended;  // set: the rung ends here (no such file, a compile error)
};

struct Stages {
  // Called from several threads. Errors end the whole run: what cannot build one rung cannot build any.
  std::function<Result<Built>(const RungTask&)> build;
  // Called from several threads unless judge_alone is set. An error costs the rung: see GradingOutcome::failures.
  std::function<Result<score::RungMeasurement>(const RungTask&, const std::string& program)> judge;
  bool judge_alone = false;
};

struct PipelineOptions {
  int jobs = 1;
  const std::atomic<bool>* cancel = nullptr;
  // Before a rung is started, with how many are finished. Called from several threads, one at a time.
  std::function<void(int finished, int total, const RungTask& task)> on_start;
};

// What was measured of one submission: by lab, then by rung. A rung that was not reached has no entry.
using Measurements = std::map<std::string, std::map<std::string, score::RungMeasurement>>;

struct GradingOutcome {
  std::vector<Measurements> submissions;
  std::vector<std::string> failures;  // the machine's, not the student's: such a rung is not graded
  bool interrupted = false;           // by `cancel`
};

// `submission_count` submissions, each with all rungs of `labs`. Returns when every rung is done, or soon after
// `cancel` or an error of the build stage.
GradingOutcome GradeRungs(size_t submission_count, const std::vector<config::Lab>& labs, const Stages& stages,
                          const PipelineOptions& options);

}  // namespace warpgrade::cli
