// `warpgrade slurm-task FOLDER ARRAY`: what a task of a batch runs on its node. It grades the submissions of this task
// that have no result yet, and writes each result as soon as it is there. Not for people: `batch --engine slurm` writes
// the orders. What it prints is the log of the task. Tests: tests/slurm/cluster_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/batch.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/slurm_files.h"
#include "grader/report/json.h"
#include "grader/slurm/work_folder.h"

namespace warpgrade::cli {
namespace {

std::string NodeName() {
  if (const char* const name = std::getenv("SLURMD_NODENAME")) return name;
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Result<size_t> TaskNumber() {
  const char* const text = std::getenv("SLURM_ARRAY_TASK_ID");
  char* end = nullptr;
  const unsigned long number = text == nullptr ? 0 : std::strtoul(text, &end, 10);
  if (text == nullptr || end == text || *end != '\0') {
    return Error{ErrorKind::kUsage, "slurm-task runs as a task of an array of Slurm; start `warpgrade batch` instead"};
  }
  return static_cast<size_t>(number);
}

// Differences between the conditions of the batch and ours, for the person who started the batch; "": none.
std::string DifferenceOf(const gradebook::Conditions& wanted, const gradebook::Conditions& here) {
  if (wanted.kit_version != here.kit_version || wanted.rules != here.rules) {
    return "the kit on this node is not the one that submitted the tasks (another version, or another quiz); let both "
           "be in a folder that all machines share, and do not change it meanwhile";
  }
  if (wanted.device_kind != here.device_kind || wanted.device_name != here.device_name) {
    return fmt::format(
        "this node has {}, but the batch is for {}; let slurm.gpu in course.yaml be the name of the GPU, and ask for "
        "it "
        "with slurm.gres or slurm.partition",
        here.device_name, wanted.device_name);
  }
  return "";
}

class SlurmTask {
 public:
  explicit SlurmTask(slurm::WorkFolder work) : work_(std::move(work)) {}

  int Run(int array_number) {
    fmt::print("node {}\n", NodeName());
    std::fflush(stdout);
    if (const Status read = ReadOrders(array_number); !read.ok()) return Fail(read.error());
    if (orders_.empty()) return kDone;
    const SlurmOrder& first = orders_.front();
    SessionOptions session;
    session.labs = {first.lab};
    session.course_yaml = first.course_yaml;
    session.device = first.conditions.device_kind == "gpu" ? Device::kGpu : Device::kEmulator;
    session.delay_seed_of = [this](size_t index, const std::string&, const submission::Submission&) {
      return orders_[index].delay_seed;
    };
    session.jobs = first.jobs;
    session.use_cache = first.use_cache;
    session.sandbox = first.sandbox;
    session.cancel = &CatchInterrupts();
    session.choose = [this](const SessionFacts& facts, const std::vector<submission::Submission>&) {
      return Submissions(facts);
    };
    session.on_submission = [this](size_t index, const score::GradingReport& report) { return Keep(index, report); };
    const Result<SessionResult> result = RunSession(session);
    if (!result) return FailAll(result.error());
    return result->interrupted ? kInterrupted : kDone;
  }

 private:
  Status ReadOrders(int array_number) {
    const Result<size_t> task = TaskNumber();
    if (!task) return task.error();
    const Result<slurm::Array> array = work_.ReadArray(array_number);
    if (!array) return array.error();
    if (*task >= array->tasks.size()) {
      return Error{ErrorKind::kMachine, fmt::format("array {} has no task {}", array_number, *task)};
    }
    for (const std::string& key : array->tasks[*task]) {
      if (work_.HasResult(key)) continue;
      const Result<std::string> text = work_.Order(key);
      if (!text) return text.error();
      Result<SlurmOrder> order = UnpackOrder(*text);
      if (!order) return order.error();
      orders_.push_back(std::move(*order));
      keys_.push_back(key);
    }
    return Status();
  }

  Result<std::vector<submission::Submission>> Submissions(const SessionFacts& facts) const {
    const Result<gradebook::Conditions> here = ConditionsOf(facts, orders_.front().lab);
    if (!here) return here.error();
    const std::string difference = DifferenceOf(orders_.front().conditions, *here);
    if (!difference.empty()) return Error{ErrorKind::kMachine, difference};
    std::vector<submission::Submission> submissions;
    for (const SlurmOrder& order : orders_) submissions.push_back(order.submission);
    return submissions;
  }

  Status Keep(size_t index, const score::GradingReport& report) {
    SlurmAnswer answer{NodeName(), "", report::JsonText(report)};
    const auto& unfinished = report.submissions.at(0).unfinished;
    if (!unfinished.empty()) answer.failed = unfinished[0].reason;
    fmt::print("{}: {}\n", orders_[index].submission.id, answer.failed.empty() ? "graded" : answer.failed);
    std::fflush(stdout);
    has_answer_ = true;
    return work_.PutResult(keys_[index], PackAnswer(answer));
  }

  // Without a first result, the error says why this node cannot grade, and the batch should hear that. Later, it is
  // about writing results.
  int FailAll(const Error& error) const {
    if (!has_answer_) {
      for (const std::string& key : keys_) {
        (void)work_.PutResult(key, PackAnswer({NodeName(), error.message, ""}));  // if it fails, the log says why
      }
    }
    return Fail(error);
  }

  const slurm::WorkFolder work_;
  std::vector<std::string> keys_;
  std::vector<SlurmOrder> orders_;  // of these keys
  bool has_answer_ = false;
};

int RunSlurmTask(const std::string& folder, int array) {
  Result<slurm::WorkFolder> work = slurm::WorkFolder::Open(folder);
  if (!work) return Fail(work.error());
  return SlurmTask(std::move(*work)).Run(array);
}

}  // namespace

void AddSlurmTaskCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(kSlurmTaskCommand, "Grade the submissions of one task (internal)");
  command->group("");
  auto folder = std::make_shared<std::string>();
  auto array = std::make_shared<int>(0);
  command->add_option("folder", *folder)->required();
  command->add_option("array", *array)->required();
  command->callback([folder, array, exit_code] { *exit_code = RunSlurmTask(*folder, *array); });
}

}  // namespace warpgrade::cli
