// Several threads take rungs from one list, build and judge them, and store the measurements. A mutex guards the list
// and the results; a semaphore bounds how many rungs are judged at the same time on a GPU. What the machine failed at
// is tried again at the end, on one thread. Tests: tests/cli/grade_pipeline_test.cc,
// tests/faults/failing_calls_test.cc.
#include "grader/cli/grade_pipeline.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

namespace warpgrade::cli {
namespace {

// How many rungs of a submission may run out of time twice, before others get no second try.
constexpr int kMostFutileTries = 2;

class Pipeline {
 public:
  Pipeline(std::vector<RungTask> tasks, size_t submission_count, const Stages& stages, const PipelineOptions& options)
      : total_(static_cast<int>(tasks.size())),
        tasks_(std::move(tasks)),
        stages_(stages),
        options_(options),
        judge_places_(stages.judged_at_once) {
    outcome_.submissions.resize(submission_count);
    outcome_.unfinished.resize(submission_count);
    rungs_left_.resize(submission_count);
    futile_tries_.resize(submission_count);
    for (const RungTask& task : tasks_) ++rungs_left_[task.submission];
  }

  GradingOutcome Run() {
    RunOnThreads(std::clamp(options_.jobs, 1, std::max(1, total_)));
    tasks_ = std::move(again_);
    next_ = 0;
    for (RungTask& task : tasks_) task.alone = true;
    Work();
    outcome_.interrupted = options_.cancel != nullptr && *options_.cancel;
    return std::move(outcome_);
  }

 private:
  bool Cancelled() const { return stopped_ || (options_.cancel != nullptr && *options_.cancel); }

  // On fewer threads if the machine has no room for more: this one works in any case.
  void RunOnThreads(int workers) {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<size_t>(workers));
    try {
      for (int i = 1; i < workers; ++i) threads.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
    }
    Work();
  }

  void Work() {
    while (const RungTask* task = Next()) {
      Tried tried = task->first_try == nullptr ? Grade(*task) : TryAgain(*task);
      if (Cancelled()) return;  // what was cut short says nothing
      Keep(*task, std::move(tried));
    }
  }

  struct Tried {
    Result<score::RungMeasurement> measurement;
    bool together = false;  // compiled together with other rungs
  };

  // A rung that ran out of time at the first try. Only one thread is left.
  Tried TryAgain(const RungTask& task) {
    int& futile_tries = futile_tries_[task.submission];
    if (!task.first_together && futile_tries >= kMostFutileTries) {
      score::RungMeasurement first = *task.first_try;
      first.messages.push_back(
          "it was not tried again, because two other rungs of this submission ran out of time twice");
      return {std::move(first)};
    }
    Tried tried = Grade(task);
    if (!tried.measurement) return tried;
    if (tried.measurement->out_of_time) {
      ++futile_tries;
      tried.measurement->messages.push_back("it ran out of time twice; the second time, nothing else was graded");
    } else {
      tried.measurement->messages.push_back(
          "at the first try it ran out of time; this is the second try, while nothing else was graded");
    }
    return tried;
  }

  // The next task, announced; nullptr when there is none, or no reason to go on.
  const RungTask* Next() {
    const std::lock_guard lock(mutex_);
    if (next_ == tasks_.size() || Cancelled()) return nullptr;
    const RungTask* task = &tasks_[next_++];
    if (options_.on_start) options_.on_start(finished_, total_, *task);
    return task;
  }

  // An exception, most often for want of memory, is a failure of the machine like any other.
  Tried Grade(const RungTask& task) {
    try {
      return BuildAndJudge(task);
    } catch (const std::exception& error) {
      return {Error{ErrorKind::kMachine, std::string("the grader itself failed: ") + error.what()}};
    }
  }

  Tried BuildAndJudge(const RungTask& task) {
    const Result<Built> built = stages_.build(task);
    if (!built) return {built.error()};
    if (built->ended) return {*built->ended};
    Result<score::RungMeasurement> measurement = Judge(task, *built);
    // Out of time: the second try, which compiles it by itself, is still to come.
    if (!measurement || !built->together || measurement->out_of_time || !stages_.counts ||
        stages_.counts(task, *measurement)) {
      if (measurement) LookAgain(task, &*measurement);
      return {std::move(measurement), built->together};
    }
    RungTask by_itself = task;
    by_itself.compile_alone = true;
    return BuildAndJudge(by_itself);
  }

  // What fails in it costs nothing: the measurement stays as it was.
  void LookAgain(const RungTask& task, score::RungMeasurement* measurement) const {
    if (!stages_.look_again || measurement->out_of_time) return;
    try {
      score::RungMeasurement looked_at = *measurement;
      stages_.look_again(task, &looked_at);
      *measurement = std::move(looked_at);
    } catch (const std::exception&) {  // most often for want of memory
    }
  }

  Result<score::RungMeasurement> Judge(RungTask task, const Built& built) {
    task.together = built.together;
    if (stages_.judged_at_once == 0) return stages_.judge(task, built.program);
    judge_places_.acquire();
    const std::unique_ptr<std::counting_semaphore<>, void (*)(std::counting_semaphore<>*)> place(
        &judge_places_, [](std::counting_semaphore<>* places) { places->release(); });
    if (Cancelled()) return Error{ErrorKind::kMachine, "interrupted"};
    return stages_.judge(task, built.program);
  }

  void Keep(const RungTask& task, Tried tried) {
    const std::lock_guard lock(mutex_);
    Result<score::RungMeasurement>& measurement = tried.measurement;
    if (!task.alone && (!measurement || measurement->out_of_time)) {
      again_.push_back(task);
      if (!measurement) return;
      again_.back().first_try = std::make_shared<const score::RungMeasurement>(std::move(*measurement));
      again_.back().first_together = tried.together;
      return;
    }
    ++finished_;
    if (measurement) {
      outcome_.submissions[task.submission][task.lab->name][task.rung->name] = std::move(*measurement);
    } else {
      // Several rungs may meet the same broken machine: say it once.
      const std::string& message = measurement.error().message;
      outcome_.unfinished[task.submission][task.lab->name][task.rung->name] = message;
      if (std::find(outcome_.failures.begin(), outcome_.failures.end(), message) == outcome_.failures.end()) {
        outcome_.failures.push_back(message);
      }
    }
    if (options_.on_end) options_.on_end(task);
    if (--rungs_left_[task.submission] == 0 && options_.on_submission) HandOver(task.submission);
    if (options_.on_result && finished_ < total_) options_.on_result(outcome_);
  }

  // REQUIRES: the lock.
  void HandOver(size_t submission) {
    const Measurements measured = std::exchange(outcome_.submissions[submission], {});
    const Reasons unfinished = std::exchange(outcome_.unfinished[submission], {});
    const Status taken = options_.on_submission(submission, measured, unfinished);
    if (taken.ok() || stopped_) return;
    outcome_.error = taken;
    stopped_ = true;
  }

  const int total_;
  std::vector<RungTask> tasks_;
  const Stages& stages_;
  const PipelineOptions& options_;
  std::counting_semaphore<> judge_places_;
  std::mutex mutex_;  // guards all below
  size_t next_ = 0;
  int finished_ = 0;
  std::vector<RungTask> again_;
  std::vector<int> rungs_left_;    // by submission
  std::vector<int> futile_tries_;  // by submission: of rungs that ran out of time twice
  GradingOutcome outcome_;
  std::atomic<bool> stopped_{false};  // on_submission failed
};

// The first rungs of `jobs` groups, then their second rungs, and so on; then those of the next groups. The rungs of a
// group may be compiled by the first of them. Then each of `jobs` threads has a group to compile, and none waits for
// another one.
std::vector<RungTask> InTurns(const std::vector<std::vector<RungTask>>& groups, int jobs) {
  const size_t width = static_cast<size_t>(std::max(1, jobs));
  std::vector<RungTask> tasks;
  for (size_t begin = 0; begin < groups.size(); begin += width) {
    const size_t end = std::min(groups.size(), begin + width);
    size_t most_rungs = 0;
    for (size_t g = begin; g < end; ++g) most_rungs = std::max(most_rungs, groups[g].size());
    for (size_t turn = 0; turn < most_rungs; ++turn) {
      for (size_t g = begin; g < end; ++g) {
        if (turn < groups[g].size()) tasks.push_back(groups[g][turn]);
      }
    }
  }
  return tasks;
}

}  // namespace

GradingOutcome GradeRungs(size_t submission_count, const std::vector<config::Lab>& labs, const Stages& stages,
                          const PipelineOptions& options) {
  std::vector<std::vector<RungTask>> groups;  // the rungs of one lab of one submission
  for (size_t submission = 0; submission < submission_count; ++submission) {
    for (const config::Lab& lab : labs) {
      if (lab.rungs.empty()) continue;
      groups.emplace_back();
      for (const config::Rung& rung : lab.rungs) groups.back().push_back({submission, &lab, &rung, false});
    }
  }
  return Pipeline(InTurns(groups, options.jobs), submission_count, stages, options).Run();
}

}  // namespace warpgrade::cli
