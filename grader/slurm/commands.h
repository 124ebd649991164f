// The three commands of Slurm that the kit uses, and what they print. Whether the cluster keeps accounts (sacct) makes
// no difference: squeue shows a task while it waits or runs and for some minutes after its end, and the files of a task
// say the rest.
//
//   sbatch   submits an array of tasks under a name that nobody else uses
//   squeue   finds the tasks by this name, so no number must be remembered
//   scancel  ends them, by the same name
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::slurm {

struct Output {
  bool succeeded = false;
  std::string text;  // standard output and standard error
};

// Runs a command of Slurm: its name, then its arguments. Errors (kMachine): it is not on PATH or cannot be started.
using Runner = std::function<Result<Output>(const std::vector<std::string>& command)>;

// Looks for the commands on PATH and gives them our environment, as a shell does. A command that takes longer than two
// minutes is ended and has not succeeded.
Result<Output> RunCommand(const std::vector<std::string>& command);

struct Request {
  std::string name;
  std::string script;  // a path
  std::string folder;  // where it runs
  std::string log;     // a path, with %a for the number of the task
  size_t tasks = 0;    // numbered from 0
};

// What became of a request.
struct Submitted {
  enum class State {
    kAccepted,
    kRefused,  // it will not be accepted later either: a wrong partition, for example
    kUnclear,  // the controller does not answer. It may have accepted the request nevertheless: ask squeue
  } state = State::kAccepted;
  std::string job;   // "4711"
  std::string text;  // kRefused, kUnclear: what sbatch says, in one line
};

// The arguments for sbatch.
std::vector<std::string> SbatchCommand(const Request& request, const config::Slurm& settings);
// Errors: those of `run`.
Result<Submitted> Submit(const Runner& run, const Request& request, const config::Slurm& settings);

struct Task {
  std::string name;  // of its request
  std::string job;   // of the whole array
  size_t number = 0;
  enum class State { kWaiting, kRunning, kEnded } state = State::kWaiting;
  std::string word;  // Slurm's: "PENDING", "NODE_FAIL"
  std::string node;  // "" before it has one
  std::string why;   // Slurm's reason: "Resources", "TimeLimit"
};

// What squeue knows.
struct Answer {
  bool answered = false;    // false: the controller does not answer
  std::vector<Task> tasks;  // those that Slurm still knows
  std::string text;         // if it did not answer: why, in one line
};

// The tasks with these names. REQUIRES: `names` is not empty. Errors: those of `run`.
Result<Answer> Tasks(const Runner& run, const std::vector<std::string>& names);

// Ends the tasks with this name. False: the controller does not answer. Errors: those of `run`.
Result<bool> Cancel(const Runner& run, const std::string& name);

}  // namespace warpgrade::slurm
