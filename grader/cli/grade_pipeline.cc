// Several threads take rungs from one list, build and judge them, and store the measurements. A mutex guards the list
// and the results; a second one lets only one rung at a time be judged on a GPU. Tests:
// tests/cli/grade_pipeline_test.cc.
#include "grader/cli/grade_pipeline.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace warpgrade::cli {
namespace {

class Pipeline {
 public:
  Pipeline(std::vector<RungTask> tasks, size_t submission_count, const Stages& stages, const PipelineOptions& options)
      : tasks_(std::move(tasks)), stages_(stages), options_(options) {
    outcome_.submissions.resize(submission_count);
  }

  GradingOutcome Run() {
    const int workers = std::clamp(options_.jobs, 1, std::max(1, static_cast<int>(tasks_.size())));
    {
      std::vector<std::jthread> threads;
      threads.reserve(static_cast<size_t>(workers));
      for (int i = 0; i < workers; ++i) threads.emplace_back([this] { Work(); });
    }
    outcome_.interrupted = Cancelled();
    return std::move(outcome_);
  }

 private:
  bool Cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void Work() {
    while (const RungTask* task = Next()) {
      const Result<score::RungMeasurement> measurement = Grade(*task);
      if (Cancelled()) return;  // what was cut short says nothing
      Keep(*task, measurement);
    }
  }

  // The next task, announced; nullptr when there is none, or no reason to go on.
  const RungTask* Next() {
    const std::lock_guard lock(mutex_);
    if (next_ == tasks_.size() || broken_ || Cancelled()) return nullptr;
    const RungTask* task = &tasks_[next_++];
    if (options_.on_start) options_.on_start(finished_, static_cast<int>(tasks_.size()), *task);
    return task;
  }

  Result<score::RungMeasurement> Grade(const RungTask& task) {
    const Result<Built> built = stages_.build(task);
    if (!built) {
      broken_ = true;
      return built.error();
    }
    if (built->ended) return *built->ended;
    if (!stages_.judge_alone) return stages_.judge(task, built->program);
    const std::lock_guard alone(judge_mutex_);
    if (Cancelled()) return Error{ErrorKind::kMachine, "interrupted"};
    return stages_.judge(task, built->program);
  }

  void Keep(const RungTask& task, const Result<score::RungMeasurement>& measurement) {
    const std::lock_guard lock(mutex_);
    ++finished_;
    if (measurement) {
      outcome_.submissions[task.submission][task.lab->name][task.rung->name] = *measurement;
      return;
    }
    // Several threads may meet the same broken machine at once: say it once.
    const std::string& message = measurement.error().message;
    if (std::find(outcome_.failures.begin(), outcome_.failures.end(), message) == outcome_.failures.end()) {
      outcome_.failures.push_back(message);
    }
  }

  const std::vector<RungTask> tasks_;
  const Stages& stages_;
  const PipelineOptions& options_;
  std::mutex mutex_;  // guards next_, finished_ and outcome_
  size_t next_ = 0;
  int finished_ = 0;
  GradingOutcome outcome_;
  std::atomic<bool> broken_ = false;
  std::mutex judge_mutex_;
};

}  // namespace

GradingOutcome GradeRungs(size_t submission_count, const std::vector<config::Lab>& labs, const Stages& stages,
                          const PipelineOptions& options) {
  std::vector<RungTask> tasks;
  for (size_t submission = 0; submission < submission_count; ++submission) {
    for (const config::Lab& lab : labs) {
      for (const config::Rung& rung : lab.rungs) tasks.push_back({submission, &lab, &rung});
    }
  }
  return Pipeline(std::move(tasks), submission_count, stages, options).Run();
}

}  // namespace warpgrade::cli
