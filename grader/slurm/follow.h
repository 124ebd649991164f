// Lets tasks of Slurm do a batch: submits arrays, follows them, hands over each result as it comes, and submits again
// what was lost. It can be ended at any moment. The next call finds in the work folder which arrays there are, and asks
// Slurm for them by name.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/slurm/commands.h"
#include "grader/slurm/work_folder.h"

namespace warpgrade::slurm {

struct FollowOptions {
  config::Slurm settings;
  std::string name;                       // the beginning of the names of arrays: "warpgrade-lab1-3f2a9c01"
  std::vector<std::string> keys;          // what is to be graded
  std::vector<std::string> task_command;  // a task runs it with two more words: the work folder, the array's number

  std::function<Result<std::string>(const std::string& key)> order;  // the content of an order
  // Keeps a result. Returns "", or why the machine failed, so that the key is tried again. An error ends the batch.
  std::function<Result<std::string>(const std::string& key, const std::string& result)> take;

  std::function<void(const std::string& where)> show;  // "4 tasks run, 30 wait (Resources)"
  std::function<void(const std::string& line)> say;    // what a log should have

  Runner run = RunCommand;
  std::function<double()> seconds;                // a clock that never goes back
  std::function<bool(double for_seconds)> sleep;  // false: stop now
};

struct FollowResult {
  bool interrupted = false;                                       // by `sleep`; the tasks go on
  std::vector<std::string> jobs;                                  // interrupted: the jobs that go on
  std::vector<std::pair<std::string, std::string>> not_finished;  // keys and reasons
};

// Errors: those of `run`, `order`, `take` and the work folder; kUsage: sbatch refuses the tasks.
Result<FollowResult> Follow(const WorkFolder& work, const FollowOptions& options);

// Hands over the results that are there, ends all tasks of the work folder and empties it. Returns the number of tasks
// that it ended. Errors: as Follow; kMachine: Slurm does not answer.
Result<size_t> CancelTasks(const WorkFolder& work, const FollowOptions& options);

}  // namespace warpgrade::slurm
