// `batch --engine slurm` and `book regrade --engine slurm`: a session that lets tasks of a cluster do the grading. It
// turns submissions into orders, follows the tasks (grader/slurm/follow.h), and hands each result to the session's
// on_submission as if it had been graded here.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "grader/cli/batch.h"
#include "grader/cli/batch_progress.h"
#include "grader/cli/grading_session.h"
#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct SlurmEngine {
  config::Slurm settings;
  std::string lab;
  uint64_t book_seed = 0;  // of the gradebook, which decides the name of the work folder
  bool cancel = false;     // end the tasks instead of following them
  bool afresh = false;     // end the tasks first, and forget what they did
};

// As typed.
struct EngineOptions {
  bool on_slurm = false, cancel = false;
};
// The options --engine and --cancel.
void AddEngineOptions(CLI::App* command, EngineOptions* options);
// Errors: kUsage: the options contradict each other, or course.yaml does not describe the cluster; those of CheckSlurm.
Status CheckEngine(const EngineOptions& options, const config::Course& course, Device device);

// Whether this machine can submit tasks for `device`. Errors: kUsage: `device` and slurm.gpu contradict each other;
// kMachine: there is no sbatch.
Status CheckSlurm(const config::Slurm& settings, Device device);

// Makes the session of `session` let a cluster grade. `batch` and `progress` must outlive the session. Errors: kUsage,
// as above.
Status GradeOnSlurm(const SlurmEngine& engine, Batch* batch, BatchProgress* progress, SessionOptions* session);

}  // namespace warpgrade::cli
