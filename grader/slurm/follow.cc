// The loop around Rounds: ask squeue, collect results, submit what is open, wait. An array is written into the work
// folder before sbatch gets it and once more when sbatch has accepted it. If the second writing is missing, squeue
// decides whether the array exists. Tests: tests/slurm/follow_test.cc, tests/slurm/cluster_test.cc.
#include "grader/slurm/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "grader/result/counted.h"
#include "grader/slurm/rounds.h"

namespace warpgrade::slurm {
namespace {

// A person who has just started a batch wants to see something. Later, the controller is spared.
constexpr double kFirstSeconds = 60, kFirstPause = 2, kPause = 10;
constexpr size_t kMostOfLog = 300;

std::string LastLineOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line.substr(0, kMostOfLog);
  }
  std::replace_if(
      last.begin(), last.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return last;
}

// Why a task that has ended left no result.
std::string ReasonOf(const WorkFolder& work, const Array& array, const Task& task) {
  const std::string where = task.node.empty() ? "" : " on node " + task.node;
  if (task.word == "NODE_FAIL" || task.word == "BOOT_FAIL") return fmt::format("node {} was lost", task.node);
  if (task.word == "TIMEOUT" || task.word == "DEADLINE") {
    return fmt::format("its task reached the time limit{}; raise slurm.time in course.yaml, or lower slurm.chunk",
                       where);
  }
  if (task.word == "OUT_OF_MEMORY") {
    return fmt::format("its task ran out of memory{}; raise slurm.memory in course.yaml", where);
  }
  if (task.word == "CANCELLED") return "its task was cancelled";
  if (task.word == "PREEMPTED") return "its task had to make room for another job" + where;
  const std::string log = work.LogPath(array.number, task.number);
  std::error_code ignored;
  const bool has_ended = task.word == "COMPLETED" || task.word == "FAILED";
  if (has_ended && !std::filesystem::exists(log, ignored)) {
    return fmt::format(
        "its task ran{}, but nothing of it is in {}, so this is not the same folder there; let slurm.folder of "
        "course.yaml be a folder that all machines share",
        where, work.path());
  }
  const std::string last = LastLineOf(log);
  const std::string what =
      has_ended ? "its task ended without a result" + where : "Slurm no longer knows its task, and there is no result";
  return last.empty() ? fmt::format("{}; its log {} is empty", what, log)
                      : fmt::format("{}; its log {} ends with: {}", what, log, last);
}

std::string Nonce() { return fmt::format("{:08x}", std::random_device()()); }

class Follower {
 public:
  Follower(const WorkFolder& work, const FollowOptions& options)
      : work_(work),
        options_(options),
        rounds_(options.keys, {static_cast<size_t>(options.settings.chunk), options.settings.tries,
                               [&work](const Array& array, const Task& task) { return ReasonOf(work, array, task); }}),
        wanted_(options.keys.begin(), options.keys.end()) {
    for (Array& array : work.Arrays()) {
      last_number_ = array.number;
      rounds_.Submitted(array);
      if (array.job.empty()) unclear_[array.number] = options_.seconds();
      const int number = array.number;
      arrays_.emplace(number, std::move(array));
    }
  }

  Result<FollowResult> Run() {
    const double begin = options_.seconds();
    if (!arrays_.empty())
      options_.say(fmt::format("found {} that was submitted before", Counted(arrays_.size(), "array")));
    FollowResult result;
    while (true) {
      const Result<bool> done = Step();
      if (!done) return done.error();
      if (*done) break;
      const bool is_new = options_.seconds() - begin < kFirstSeconds;
      if (!options_.sleep(is_new ? kFirstPause : kPause)) {
        result.interrupted = true;
        result.jobs = JobsAlive();
        return result;
      }
    }
    result.not_finished = rounds_.GivenUp();
    // What still runs has nothing to do: its results are here, or its submissions have changed since.
    for (const std::string& name : rounds_.Alive()) {
      const Result<bool> ended = Cancel(options_.run, name);
      if (!ended) return ended.error();
    }
    work_.Clean(result.not_finished.empty());
    return result;
  }

  // Hands over what is there.
  Status Gather() {
    for (const std::string& key : work_.Results()) {
      if (!wanted_.contains(key)) continue;
      const Result<std::string> text = work_.ResultOf(key);
      if (!text) continue;  // the next time
      const Result<std::string> failed = options_.take(key, *text);
      if (!failed) return failed.error();
      if (failed->empty()) {
        rounds_.Arrived(key);
        wanted_.erase(key);
      } else {
        rounds_.Failed(key, *failed);
      }
      work_.DropResult(key);
    }
    return Status();
  }

 private:
  // True: nothing is left to do.
  Result<bool> Step() {
    const Result<bool> asked = Ask();
    if (!asked) return asked.error();
    if (const Status gathered = Gather(); !gathered.ok()) return gathered.error();
    if (*asked) {
      const std::vector<std::vector<std::string>> open = rounds_.Open(options_.seconds());
      TellLosses();
      if (!open.empty() && unclear_.empty()) {
        if (const Status submitted = SubmitArray(open); !submitted.ok()) return submitted.error();
      }
    }
    Show();
    return rounds_.done();
  }

  // Asks squeue. False: it does not answer.
  Result<bool> Ask() {
    if (arrays_.empty()) return true;
    std::vector<std::string> names;
    for (const auto& [number, array] : arrays_) names.push_back(array.name);
    const Result<Answer> answer = Tasks(options_.run, names);
    if (!answer) return answer.error();
    if (answers_ && !answer->answered) {
      options_.say(fmt::format("Slurm does not answer ({}); this goes on when it does", answer->text));
    } else if (!answers_ && answer->answered) {
      options_.say("Slurm answers again");
    }
    answers_ = answer->answered;
    if (!answers_) return false;
    rounds_.Saw(answer->tasks, options_.seconds());
    return Clear(answer->tasks);
  }

  // Decides which of the unclear arrays exist. REQUIRES: Slurm has answered.
  Result<bool> Clear(const std::vector<Task>& tasks) {
    for (auto it = unclear_.begin(); it != unclear_.end();) {
      const auto& [number, since] = *it;
      Array& array = arrays_.at(number);
      if (rounds_.WasSeen(number)) {
        const auto task =
            std::find_if(tasks.begin(), tasks.end(), [&array](const Task& one) { return one.name == array.name; });
        if (task != tasks.end()) array.job = task->job;
        if (const Status put = work_.PutArray(array); !put.ok()) return put.error();
      } else if (options_.seconds() - since < kSettleSeconds) {
        ++it;  // sbatch's request may still be on its way
        continue;
      } else {
        rounds_.NeverSubmitted(number);
        work_.DropArray(number);
        arrays_.erase(number);
      }
      it = unclear_.erase(it);
    }
    return true;
  }

  Status SubmitArray(const std::vector<std::vector<std::string>>& tasks) {
    Array array;
    array.number = ++last_number_;
    array.name = fmt::format("{}-{}-{}", options_.name, array.number, Nonce());
    array.tasks = tasks;
    size_t submissions = 0;
    for (const std::vector<std::string>& keys : tasks) {
      for (const std::string& key : keys) {
        const Result<std::string> order = options_.order(key);
        if (!order) return order.error();
        if (const Status put = work_.PutOrder(key, *order); !put.ok()) return put;
        ++submissions;
      }
    }
    std::vector<std::string> command = options_.task_command;
    command.insert(command.end(), {work_.path(), std::to_string(array.number)});
    if (const Status put = work_.PutScript(array.number, command); !put.ok()) return put;
    if (const Status put = work_.PutArray(array); !put.ok()) return put;
    const Result<Submitted> submitted =
        Submit(options_.run,
               {array.name, work_.ScriptPath(array.number), work_.path(), work_.LogPattern(array.number), tasks.size()},
               options_.settings);
    if (!submitted || submitted->state == Submitted::State::kRefused) {
      work_.DropArray(array.number);
      if (!submitted) return submitted.error();
      return Error{ErrorKind::kUsage,
                   fmt::format("sbatch refuses the tasks: {}; correct 'slurm' in course.yaml", submitted->text)};
    }
    rounds_.Submitted(array);
    array.job = submitted->job;
    if (submitted->state == Submitted::State::kUnclear) {
      unclear_[array.number] = options_.seconds();
      options_.say(fmt::format("Slurm does not answer ({}); this goes on when it does", submitted->text));
      answers_ = false;
    } else {
      if (const Status put = work_.PutArray(array); !put.ok()) return put;
      options_.say(fmt::format("job {}: {} for {}", array.job, Counted(tasks.size(), "task"),
                               Counted(submissions, "submission")));
    }
    const int number = array.number;
    arrays_.emplace(number, std::move(array));
    return Status();
  }

  void TellLosses() {
    for (const auto& [reason, count] : rounds_.TakeNewLosses()) {
      options_.say(fmt::format("{} lost: {}", Counted(count, "submission"), reason));
    }
  }

  void Show() {
    const Rounds::Counts counts = rounds_.Count();
    std::string where = fmt::format("{} running", Counted(counts.running, "task"));
    if (!counts.on_node.empty()) {
      std::vector<std::string> nodes;
      for (const auto& [node, tasks] : counts.on_node) nodes.push_back(node);
      where += " on " + (nodes.size() == 1 ? nodes[0] : Counted(nodes.size(), "node"));
    }
    if (counts.waiting > 0) where += fmt::format(", {} waiting", counts.waiting);
    if (counts.waiting > 0 && !counts.why_waiting.empty()) where += fmt::format(" ({})", counts.why_waiting);
    if (!answers_) where += ", Slurm does not answer";
    options_.show(where);
  }

  std::vector<std::string> JobsAlive() const {
    const std::vector<std::string> alive = rounds_.Alive();
    std::vector<std::string> jobs;
    for (const auto& [number, array] : arrays_) {
      if (std::find(alive.begin(), alive.end(), array.name) == alive.end()) continue;
      jobs.push_back(array.job.empty() ? array.name : array.job);
    }
    return jobs;
  }

  const WorkFolder& work_;
  const FollowOptions& options_;
  Rounds rounds_;
  std::set<std::string> wanted_;   // the keys without a result
  std::map<int, Array> arrays_;    // by number
  std::map<int, double> unclear_;  // arrays of which we do not know whether sbatch has accepted them, and since when
  int last_number_ = 0;
  bool answers_ = true;
};

}  // namespace

Result<FollowResult> Follow(const WorkFolder& work, const FollowOptions& options) {
  return Follower(work, options).Run();
}

Result<size_t> CancelTasks(const WorkFolder& work, const FollowOptions& options) {
  size_t ended = 0;
  for (const Array& array : work.Arrays()) {
    const Result<Answer> answer = Tasks(options.run, {array.name});
    if (!answer) return answer.error();
    const Result<bool> cancelled = Cancel(options.run, array.name);
    if (!cancelled) return cancelled.error();
    if (!answer->answered || !*cancelled) {
      return Error{ErrorKind::kMachine, "Slurm does not answer, so the tasks go on; run the same command again later"};
    }
    for (const Task& task : answer->tasks) ended += task.state != Task::State::kEnded ? 1 : 0;
  }
  if (const Status gathered = Follower(work, options).Gather(); !gathered.ok()) return gathered.error();
  work.Clean(/*logs=*/true);
  return ended;
}

}  // namespace warpgrade::slurm
