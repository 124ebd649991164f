// The side of `batch` and `book regrade` on the cluster. Tests: tests/slurm/cluster_test.cc.
#include "grader/cli/slurm_engine.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "grader/cli/choice.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/slurm_files.h"
#include "grader/config/students_text.h"
#include "grader/digest/digest.h"
#include "grader/judge/judge.h"
#include "grader/report/json_reader.h"
#include "grader/result/counted.h"
#include "grader/slurm/follow.h"

namespace warpgrade::cli {
namespace {

constexpr size_t kKeyDigits = 32, kIdDigits = 12;
constexpr std::chrono::milliseconds kNap(100);  // how soon Ctrl-C is noticed

// The device of the nodes, as their results will name it.
Result<score::DeviceDescription> DeviceOfNodes(const config::Slurm& settings, Device wanted) {
  if (wanted == Device::kGpu && settings.gpu.empty()) {
    return Error{ErrorKind::kUsage,
                 "--device gpu: course.yaml does not say which GPU the nodes have; add 'gpu: NAME' to 'slurm', as "
                 "nvidia-smi prints the name, and 'gres'"};
  }
  if (wanted == Device::kEmulator || settings.gpu.empty()) {
    return judge::DescribeDevice(judge::DeviceChoice::kEmulator);
  }
  score::DeviceDescription device;
  device.kind = "gpu";
  device.name = settings.gpu;
  return device;
}

class SlurmSession {
 public:
  SlurmSession(SlurmEngine engine, Batch* batch, BatchProgress* progress, const SessionOptions& session)
      : engine_(std::move(engine)), batch_(*batch), progress_(*progress), session_(session) {}

  Result<SessionResult> Grade(const SessionFacts& facts, const std::vector<submission::Submission>& submissions) {
    Digest id;
    id.Add("gradebook", std::to_string(engine_.book_seed));
    id.Add("lab", engine_.lab);
    const std::string name = fmt::format("{}-{}", engine_.lab, id.Hex().substr(0, kIdDigits));
    Result<slurm::WorkFolder> work = slurm::WorkFolder::Lock(engine_.settings.folder + "/" + name);
    if (!work) return work.error();
    if (const Status prepared = MakeOrders(*work, facts, submissions); !prepared.ok()) return prepared.error();
    return Follow(*work, Options("warpgrade-" + name));
  }

 private:
  // Keeps what an order is made from until it is written.
  Status MakeOrders(const slurm::WorkFolder& work, const SessionFacts& facts,
                    const std::vector<submission::Submission>& submissions) {
    const Result<gradebook::Conditions> conditions = ConditionsOf(facts, engine_.lab);
    if (!conditions) return conditions.error();
    // The tasks read a copy, so that a change meanwhile does not reach half of them.
    const Result<std::string> course = config::CourseForACopy(facts.course_yaml);
    if (!course) return course.error();
    const std::string copy = fmt::format("course-{}.yaml", conditions->rules.substr(0, kIdDigits));
    if (Status put = work.PutFile(copy, *course); !put.ok()) return put;
    order_.lab = engine_.lab;
    order_.course_yaml = work.path() + "/" + copy;
    order_.conditions = *conditions;
    order_.jobs = session_.jobs > 0 ? session_.jobs : engine_.settings.cores;
    order_.sandbox = session_.sandbox;
    order_.use_cache = session_.use_cache;
    submissions_ = &submissions;
    for (size_t i = 0; i < submissions.size(); ++i) {
      SlurmOrder order = OrderOf(i);
      order.course_yaml.clear();  // the rules are in the conditions
      order.jobs = 0;             // no result depends on it, nor on the cache
      order.use_cache = true;
      Digest digest;
      digest.Add("order", PackOrder(order));
      digest.Add("attempt", batch_.NameOf(i));
      std::string key = digest.Hex().substr(0, kKeyDigits);
      index_[key] = i;
      keys_.push_back(std::move(key));
    }
    return Status();
  }

  // Of the gradebook's secret it has only a seed that is made from it.
  SlurmOrder OrderOf(size_t index) const {
    SlurmOrder order = order_;
    order.submission = (*submissions_)[index];
    order.delay_seed = session_.delay_seed_of(index, engine_.lab, order.submission);
    return order;
  }

  slurm::FollowOptions Options(const std::string& name) {
    slurm::FollowOptions options;
    options.settings = engine_.settings;
    options.name = name;
    options.keys = keys_;
    options.task_command = {ExecutablePath(), kSlurmTaskCommand};
    options.order = [this](const std::string& key) -> Result<std::string> {
      return PackOrder(OrderOf(index_.at(key)));
    };
    options.take = [this](const std::string& key, const std::string& result) { return Take(key, result); };
    options.show = [this](const std::string& where) { progress_.Where(where); };
    options.say = [this](const std::string& line) { progress_.Say(line); };
    options.seconds = [] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    options.sleep = [this](double seconds) { return Sleep(seconds); };
    return options;
  }

  bool Sleep(double seconds) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      if (session_.cancel != nullptr && *session_.cancel) return false;
      std::this_thread::sleep_for(kNap);
    }
    return session_.cancel == nullptr || !*session_.cancel;
  }

  // "" if the result is in the gradebook, else why the machine failed.
  Result<std::string> Take(const std::string& key, const std::string& result) {
    const Result<SlurmAnswer> answer = UnpackAnswer(result);
    if (!answer) return answer.error().message;
    if (!answer->failed.empty()) return fmt::format("node {}: {}", answer->node, answer->failed);
    const Result<score::GradingReport> report = report::ParseReport(answer->report, "the result from " + answer->node);
    if (!report) return report.error().message;
    if (report->submissions.size() != 1) return std::string("its result is not of one submission");
    const size_t index = index_.at(key);
    batch_.Note(index, fmt::format("graded by Slurm on node {}", answer->node));
    const Status kept = session_.on_submission(index, *report);
    return kept.ok() ? Result<std::string>("") : Result<std::string>(kept.error());
  }

  Result<SessionResult> Follow(const slurm::WorkFolder& work, const slurm::FollowOptions& options) {
    SessionResult result;
    if (engine_.cancel || engine_.afresh) {
      slurm::FollowOptions cancel = options;
      if (engine_.afresh) cancel.keys.clear();  // nothing of it is wanted
      const Result<size_t> ended = slurm::CancelTasks(work, cancel);
      if (!ended) return ended.error();
      if (engine_.cancel) {
        progress_.Say(fmt::format("{} cancelled; the gradebook has all that they finished", Counted(*ended, "task")));
        work.Remove();
        return result;
      }
    }
    const Result<slurm::FollowResult> followed = slurm::Follow(work, options);
    if (!followed) return followed.error();
    result.interrupted = followed->interrupted;
    if (!followed->jobs.empty()) {
      progress_.Say(fmt::format("the tasks go on (job {}); the same command with --cancel ends them",
                                fmt::join(followed->jobs, ", ")));
    }
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const auto& [key, reason] : followed->not_finished) {
      const size_t index = index_.at(key);
      score::GradingReport report;
      report.submissions.emplace_back();
      report.submissions[0].id = (*submissions_)[index].id;
      report.submissions[0].unfinished.push_back({engine_.lab, "", reason});
      if (const Status kept = session_.on_submission(index, report); !kept.ok()) return kept.error();
      by_reason[reason].push_back((*submissions_)[index].id);
    }
    for (const auto& [reason, ids] : by_reason) {
      result.failures.push_back(fmt::format("not finished: {}: {}", fmt::join(ids, ", "), reason));
    }
    if (!result.interrupted && by_reason.empty()) work.Remove();
    return result;
  }

  const SlurmEngine engine_;
  Batch& batch_;
  BatchProgress& progress_;
  const SessionOptions& session_;
  SlurmOrder order_;  // without the submission
  const std::vector<submission::Submission>* submissions_ = nullptr;
  std::vector<std::string> keys_;
  std::map<std::string, size_t> index_;  // of the submission of a key
};

}  // namespace

void AddEngineOptions(CLI::App* command, EngineOptions* options) {
  static const std::map<std::string, bool> kEngines = {{"local", false}, {"slurm", true}};
  command
      ->add_option("--engine", options->on_slurm,
                   "Who grades: local (the default: this machine) or slurm (a cluster, see the examples)")
      ->transform(OneOf(kEngines))
      ->type_name("ENGINE");
  command->add_flag("--cancel", options->cancel, "With --engine slurm: end the tasks of this command");
}

Status CheckEngine(const EngineOptions& options, const config::Course& course, Device device) {
  if (!options.on_slurm) {
    if (options.cancel) return Error{ErrorKind::kUsage, "--cancel ends the tasks of --engine slurm; name both options"};
    return Status();
  }
  if (!course.slurm) {
    return Error{ErrorKind::kUsage,
                 "--engine slurm: course.yaml does not describe the cluster; add 'slurm: {folder: /PATH}', where /PATH "
                 "is a folder that this machine and all nodes share"};
  }
  return CheckSlurm(*course.slurm, device);
}

Status CheckSlurm(const config::Slurm& settings, Device device) {
  if (const auto known = DeviceOfNodes(settings, device); !known) return known.error();
  const Result<slurm::Output> version = slurm::RunCommand({"sbatch", "--version"});
  return version ? Status() : Status(version.error());
}

Status GradeOnSlurm(const SlurmEngine& engine, Batch* batch, BatchProgress* progress, SessionOptions* session) {
  const Result<score::DeviceDescription> device = DeviceOfNodes(engine.settings, session->device);
  if (!device) return device.error();
  session->elsewhere =
      Elsewhere{*device, [engine, batch, progress, session](const SessionFacts& facts,
                                                            const std::vector<submission::Submission>& submissions) {
                  return SlurmSession(engine, batch, progress, *session).Grade(facts, submissions);
                }};
  return Status();
}

}  // namespace warpgrade::cli
