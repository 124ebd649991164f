// Builds and judges every rung of every submission, several at the same time, and keeps the measurements. The pipeline
// knows neither terminals nor files: the caller passes the two stages (grade_stages.h has the real ones) and an
// observer.
//
//   rungs, in turns --> [ build ] --> [ judge ] --> measurements[submission][lab][rung]
//                        `jobs` rungs at the same time, but       ^
//                        fewer in the judge (judged_at_once)      |
//                            | the machine failed, or time ran out|
//                            '---> the same again, alone ---------+
//                                      | failed again             |
//                                      '---> unfinished[submission][lab][rung]
//
// In turns: with 2 jobs, the first rungs of two labs, then their second rungs. The first rung of a lab may have the
// whole lab compiled, and then the other job does not wait for it.
//
// No rung can end the grading of others. A rung for which the machine failed is tried again when all others have ended.
// A program of another submission that used something up has ended then, too, so what fails then fails because of this
// rung, or because the machine is broken.
//
// A rung that ran out of time is tried again in the same way, because a busy machine may be the reason. What the second
// try measures counts, and a message says so. So that endless loops cannot cost a class its evening, the third and
// later ones of a submission are not tried again, once two of its rungs ran out of time twice. A rung that was compiled
// together with others is always tried again, because code of another rung may have looped.
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
  bool alone = false;          // the second try: no other rung is built or judged meanwhile
  bool compile_alone = false;  // not together with the lab's other rungs
  bool together = false;       // for Stages::judge: the program was compiled together with other rungs
  // What the first try measured, if time ran out.
  std::shared_ptr<const score::RungMeasurement> first_try;
  bool first_together = false;  // that one was compiled together with other rungs
};

struct Built {
  std::string program;                          // the worker to judge
  std::shared_ptr<const void> keeps;            // `program` exists as long as this or a copy of it
  std::optional<score::RungMeasurement> ended;  // set: the rung ends here (no such file, a compile error)
  bool together = false;                        // `program` was compiled together with other rungs
};

struct Stages {
  // Called from several threads. Errors are the machine's; see above.
  std::function<Result<Built>(const RungTask&)> build;
  // Called from several threads. Errors are the machine's; see above.
  std::function<Result<score::RungMeasurement>(const RungTask&, const std::string& program)> judge;
  int judged_at_once = 0;  // the most rungs in `judge` at the same time; 0: as many as there are jobs
  // Whether the measurement of a rung that was compiled together with others counts. If not, the rung is compiled and
  // judged once more, alone, and that counts. Without this function, every measurement counts.
  std::function<bool(const RungTask&, const score::RungMeasurement&)> counts;
  // May add findings to a measurement that counts (judge/second_look.h). Called from several threads.
  std::function<void(const RungTask&, score::RungMeasurement*)> look_again;
};

// The measurements of one submission, by lab and rung. A rung that was not judged has no entry.
using Measurements = std::map<std::string, std::map<std::string, score::RungMeasurement>>;
// Why rungs of one submission have no measurement although they were tried, by lab and rung.
using Reasons = std::map<std::string, std::map<std::string, std::string>>;

struct GradingOutcome {
  std::vector<Measurements> submissions;
  std::vector<Reasons> unfinished;    // for each submission
  std::vector<std::string> failures;  // the different reasons in `unfinished`
  bool interrupted = false;           // by `cancel`
  Status error;                       // of on_submission
};

struct PipelineOptions {
  int jobs = 1;
  const std::atomic<bool>* cancel = nullptr;
  // These two are called from several threads, but never two at the same time. The first: before each rung, with the
  // number of finished rungs. The second: after each rung but the last, with everything so far.
  std::function<void(int finished, int total, const RungTask& task)> on_start;
  std::function<void(const GradingOutcome& so_far)> on_result;
  // After each rung that ended, when it was measured or the machine failed; not after one that will be tried again.
  // Called as these two are.
  std::function<void(const RungTask& task)> on_end;
  // After the last rung of a submission, with all of it. Then the outcome has nothing of this submission but the
  // failures, so a class takes no more memory than the submissions in work. Called as these two are. An error ends the
  // grading as `cancel` does, and becomes `outcome.error`.
  std::function<Status(size_t submission, const Measurements& measured, const Reasons& unfinished)> on_submission;
};

// Grades all rungs of `labs` for each of `submission_count` submissions. Returns when every rung is done, or soon after
// `cancel` is set.
GradingOutcome GradeRungs(size_t submission_count, const std::vector<config::Lab>& labs, const Stages& stages,
                          const PipelineOptions& options);

}  // namespace warpgrade::cli
