// Builds and judges every rung of every submission, several at the same time, and keeps the measurements. The pipeline
// knows neither terminals nor files: the caller passes the two stages (grade_stages.h has the real ones) and an
// observer.
//
//   rungs, in order --> [ build ] --> [ judge ] --> measurements[submission][lab][rung]
//                        `jobs` rungs at the same time,
//                        but only one in the judge if it times a GPU
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
  std::string program;                          // the worker to judge
  std::shared_ptr<const void> keeps;            // `program` exists as long as this or a copy of it
  std::optional<score::RungMeasurement> ended;  // set: the rung ends here (no such file, a compile error)
};

struct Stages {
  // Called from several threads. An error ends the whole run, because it concerns the machine and not the rung.
  std::function<Result<Built>(const RungTask&)> build;
  // Called from several threads unless judge_alone is set. After an error the rung has no measurement, and the message
  // is in GradingOutcome::failures.
  std::function<Result<score::RungMeasurement>(const RungTask&, const std::string& program)> judge;
  bool judge_alone = false;
};

struct PipelineOptions {
  int jobs = 1;
  const std::atomic<bool>* cancel = nullptr;
  // Called before each rung, with the number of finished rungs; from several threads, but never two at the same time.
  std::function<void(int finished, int total, const RungTask& task)> on_start;
};

// The measurements of one submission, by lab and rung. A rung that was not judged has no entry.
using Measurements = std::map<std::string, std::map<std::string, score::RungMeasurement>>;

struct GradingOutcome {
  std::vector<Measurements> submissions;
  std::vector<std::string> failures;  // of the machine, not of a student; their rungs are not graded
  bool interrupted = false;           // by `cancel`
};

// Grades all rungs of `labs` for each of `submission_count` submissions. Returns when every rung is done, or soon after
// `cancel` is set or the build stage returns an error.
GradingOutcome GradeRungs(size_t submission_count, const std::vector<config::Lab>& labs, const Stages& stages,
                          const PipelineOptions& options);

}  // namespace warpgrade::cli
