// What is still to be done, by what Slurm says and which results are there. It runs no command, reads no file and no
// clock, so tests can play any accident. Each key is in one of these states:
//
//            Submitted                       Arrived
//   open ----------------> in a task -----------------------> done
//     ^                        |
//     |  tries are left        | the task has ended without its result, or the result says that the machine failed
//     '------------------------+
//                              | no tries are left, or a person cancelled the task
//                              '-------> given up, with the reason
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/slurm/commands.h"
#include "grader/slurm/work_folder.h"

namespace warpgrade::slurm {

// How long a task must have ended before a result that is missing counts as lost: it may become visible later.
inline constexpr double kSettleSeconds = 5;
// Slurm's usual limit for the tasks of an array is 1001.
inline constexpr size_t kMostTasks = 1000;

class Rounds {
 public:
  struct Options {
    size_t chunk = 1;  // keys in a task
    int tries = 1;
    // The reason why a task that has ended left no result, by its array and number; for people.
    std::function<std::string(const Array&, const Task&)> reason;
  };

  Rounds(const std::vector<std::string>& keys, Options options);

  // An array that sbatch has accepted, or may have accepted. The latest array that has a key counts.
  void Submitted(const Array& array);
  // The array was never accepted. Its keys are open, and this was no try.
  void NeverSubmitted(int number);
  // What squeue knows at the time `now` in seconds. A task that it does not know has ended.
  void Saw(const std::vector<Task>& tasks, double now);
  // The key has a result.
  void Arrived(const std::string& key);
  // The key has a result, but it says why the machine failed.
  void Failed(const std::string& key, const std::string& reason);

  // Gives up or opens again what is lost, then returns the keys that are open, one list for each task. A key that was
  // lost before gets a task of its own, so that it cannot take others with it.
  std::vector<std::vector<std::string>> Open(double now);

  struct Counts {
    size_t done = 0, lost = 0;                // keys; `lost` are given up
    size_t waiting = 0, running = 0;          // tasks
    std::string why_waiting;                  // Slurm's reason for one of them
    std::map<std::string, size_t> on_node{};  // running tasks
  };
  Counts Count() const;
  bool done() const;
  // Whether Slurm has said what the tasks of this array do.
  bool WasSeen(int number) const;
  // The names of arrays with tasks that wait or run.
  std::vector<std::string> Alive() const;
  // The keys that were given up, with the reasons.
  std::vector<std::pair<std::string, std::string>> GivenUp() const;
  // The reasons of what was lost since the last call, each with how many keys.
  std::map<std::string, size_t> TakeNewLosses();

 private:
  struct Key {
    enum class State { kOpen, kInTask, kDone, kGivenUp } state = State::kOpen;
    int tries = 0;
    int array = 0;    // kInTask
    size_t task = 0;  // kInTask
    std::string reason;
  };
  struct Watched {
    Array array;
    std::vector<Task> tasks;
    std::vector<std::optional<double>> ended;  // when we noticed
    bool seen = false;                         // squeue knew a task of it
  };

  void Lose(Key* key, const std::string& reason, bool cancelled);
  void LoseWhatEnded(double now);

  const Options options_;
  std::map<std::string, Key> keys_;
  std::vector<std::string> order_;  // of the keys
  std::map<int, Watched> arrays_;
  std::map<std::string, size_t> losses_;
};

}  // namespace warpgrade::slurm
