// The two stages of grading: builds a rung with grader/build, and judges it in a child process (grader/judge). Both
// are functions that share one RealStages object. Tests: tests/cli/command_line_test.cc and tests/course/.
#include "grader/cli/grade_stages.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "grader/build/files.h"
#include "grader/build/toolchain.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/gpu_pool.h"
#include "grader/cli/solution_programs.h"
#include "grader/judge/findings.h"
#include "grader/judge/judge.h"
#include "grader/judge/machine_speed.h"
#include "grader/judge/second_look.h"
#include "grader/score/score.h"
#include "grader/score/throughput.h"
#include "grader/score/visibility.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

using score::RungMeasurement;
using score::RungStatus;

Built EndedBy(RungStatus status, const std::string& message) {
  RungMeasurement measurement;
  measurement.status = status;
  measurement.out_of_time = status == RungStatus::kTimeout;
  if (!message.empty()) measurement.messages.push_back(message);
  return Built{"", nullptr, std::move(measurement), false};
}

RungStatus StatusOf(build::BuildResult::Status status) {
  switch (status) {
    case build::BuildResult::Status::kTimeout:
      return RungStatus::kTimeout;
    case build::BuildResult::Status::kLimit:
      return RungStatus::kLimit;
    case build::BuildResult::Status::kRefused:
      return RungStatus::kRefused;
    case build::BuildResult::Status::kCompileError:
    case build::BuildResult::Status::kNoArrays:
    case build::BuildResult::Status::kOk:
      break;
  }
  return RungStatus::kCompileError;
}

constexpr char kNotWrittenYet[] = "NOT_WRITTEN_YET();";  // what a starter file has in each function to write

// The folders that a submission must not see.
std::vector<std::string> HiddenFrom(const config::Kit& kit) {
  std::vector<std::string> folders = {kit.solutions_dir};
  for (const auto& [name, lab] : kit.outside) folders.push_back(lab.folder);
  return folders;
}

// How many rungs are judged at the same time with each GPU. One of them uses it. Meanwhile the emulator looks at the
// others, so that they are ready when the GPU is free. Chosen: more would wait.
constexpr int kJudgedWithAGpu = 4;

// The GPUs to judge with. What is measured for a comparison is measured on one.
std::vector<std::string> GpusFor(const StageOptions& options) {
  if (options.gpu_arch == 0 || options.plain_speeds) return {};
  return judge::GpusLikeTheFirst();
}

// "case 7 of 51"; "" before and after the cases.
std::string CaseWords(const judge::CaseProgress* progress) {
  if (progress == nullptr) return "";
  const judge::CaseProgress::At at = progress->Now();
  return at.number > 0 ? "case " + std::to_string(at.number) + " of " + std::to_string(at.of) : "";
}

// The data of both stages. The functions of the stages keep it alive.
class RealStages {
 public:
  RealStages(const config::Kit& kit, const config::Course& course,
             const std::vector<submission::Submission>& submissions, const StageOptions& options,
             build::BuildOptions build_options)
      : kit_(kit),
        course_(course),
        submissions_(submissions),
        options_(options),
        slowness_(judge::MeasureSlowness()),
        run_limits_(judge::Stretched(course.run_limits, slowness_)),
        gpu_runtime_folder_(build_options.toolchain.cudart_dir()),
        builder_(WithLimits(std::move(build_options), judge::Stretched(course.build_limits, slowness_))) {}

  Result<Built> Build(const RungTask& task) {
    const auto request = RequestFor(task, *task.rung);
    if (!request) return EndedBy(RungStatus::kMissing, "");
    if (IsUntouched(*request)) return EndedBy(RungStatus::kNotWritten, "");
    const auto running = Begin(task, [] { return std::string("compiling"); });
    if (const auto built = BuiltTogether(task)) return Built{built->executable, built->keeps_executable, {}, true};
    auto built = builder_.Build(*request, options_.cancel);
    if (!built) return built.error();
    if (built->status == build::BuildResult::Status::kOk)
      return Built{built->executable, built->keeps_executable, {}, false};
    return EndedBy(StatusOf(built->status), built->diagnostics);
  }

  Result<RungMeasurement> Judge(const RungTask& task, const std::string& program) {
    judge::JudgeRequest request = JudgeRequestFor(task, program);
    if (request.lab == nullptr) {
      return Error{ErrorKind::kUsage, "course.yaml names the lab '" + task.lab->name +
                                          "', but this kit has no such lab; its labs are the folders labs/lab*"};
    }
    const Result<score::Timing> timing = TimingFor(task, &request);
    if (!timing) return timing.error();
    if (options_.running != nullptr) request.progress = judge::CaseProgress::Make();
    const auto running = Begin(task, [progress = request.progress] { return CaseWords(progress.get()); });
    const std::shared_ptr<const std::string> gpu = gpus_.Take();
    request.gpu = *gpu;
    Result<RungMeasurement> measured = judge::JudgeRungInChild(executable_, request);
    gpus_.Report(*gpu, !measured.ok());
    if (measured) judge::HideForeignPlaces(task.lab->name, task.rung->name, LinesOf(task), &*measured);
    if (measured && *timing == score::Timing::kNot) measured->throughput.reason = SolutionPrograms::kNone;
    return measured;
  }

  // If there is a GPU.
  int JudgedAtOnce() const { return std::clamp(options_.jobs, 1, kJudgedWithAGpu * gpus_.size()); }

  // As Stages::look_again. Whatever goes wrong here leaves the measurement as it is.
  void LookAgain(const RungTask& task, RungMeasurement* measurement) {
    const judge::MeasuredParts& parts = options_.parts;
    if (parts.only_pictures || !parts.sizes.empty()) return;
    auto request = RequestFor(task, *task.rung);
    if (!request || !judge::NeedsSecondLook(*measurement)) return;
    request->gpu_arch = 0;
    request->keep_object = false;
    request->unoptimised = true;
    const auto running = Begin(task, [] { return std::string("second look"); });
    const auto built = builder_.Build(*request, options_.cancel);
    if (!built || built->status != build::BuildResult::Status::kOk) return;
    Result<RungMeasurement> look = judge::JudgeRungInChild(
        executable_, judge::RequestForSecondLook(JudgeRequestFor(task, built->executable), *measurement));
    if (!look) return;
    judge::HideForeignPlaces(task.lab->name, task.rung->name, LinesOf(task), &*look);
    judge::AddSecondLook(std::move(*look), measurement);
  }

 private:
  // All but how it is timed. `lab` is nullptr if the kit has no such lab.
  judge::JudgeRequest JudgeRequestFor(const RungTask& task, const std::string& program) const {
    judge::JudgeRequest request;
    request.lab = FindLab(task.lab->name);
    request.rung = task.rung->name;
    request.executable = program;
    request.calibrator = kit_.calibrator;
    request.device = options_.gpu_arch > 0 ? judge::DeviceChoice::kGpu : judge::DeviceChoice::kEmulator;
    request.limits = run_limits_;
    request.isolation = {options_.confine, options_.namespaces, HiddenFrom(kit_), task.alone};
    request.parts = options_.parts;
    request.parts.throughput &= score::IsTimed(*task.lab, *task.rung);
    request.emulator_runtime_folder = kit_.emulator_library_dir;
    request.gpu_runtime_folder = gpu_runtime_folder_;
    request.emulator_threads = EmulatorThreads();
    request.only_case = options_.only_case;
    request.hides_cases = score::HidesCases(task.rung->case_visibility);
    request.delay_seed = DelaySeedFor(task);
    // Otherwise it is judged again, compiled by itself, and should not use the GPU twice.
    if (task.together && !options_.believe_together && request.parts.technique) {
      request.wanted_counts = score::BoundsOfTechnique(*task.rung);
    }
    request.cancel = options_.cancel;
    return request;
  }

  uint64_t DelaySeedFor(const RungTask& task) const {
    return options_.delay_seed_of
               ? options_.delay_seed_of(task.submission, task.lab->name, submissions_[task.submission])
               : options_.delay_seed;
  }

  // Tells Running that this is worked on until the result is destroyed.
  std::shared_ptr<const void> Begin(const RungTask& task, std::function<std::string()> where) const {
    if (options_.running == nullptr) return nullptr;
    std::string what = task.lab->name;
    what.append(" ").append(task.rung->name);
    return options_.running->Begin(std::move(what), std::move(where), std::chrono::steady_clock::now());
  }

  // nullopt if the submission has no file for it.
  std::optional<build::BuildRequest> RequestFor(const RungTask& task, const config::Rung& rung) const {
    const auto& files = submissions_[task.submission].files;
    const auto file = files.find(task.lab->name + "/" + rung.name + ".cu");
    if (file == files.end()) return std::nullopt;
    const int arch = options_.gpu_arch > 0 ? options_.gpu_arch : options_.built_for;
    return build::BuildRequest{task.lab->name, rung.name, file->second, arch, rung.allow, options_.keep_objects};
  }

  // The rung's part of what was built of its lab with one run of the compiler. The first rung of the lab that asks has
  // it done, and the others wait. nullopt: the rung must be built alone.
  std::optional<build::BuildResult> BuiltTogether(const RungTask& task) {
    if (!options_.build_together || task.alone || task.compile_alone) return std::nullopt;
    Together* together = nullptr;
    {
      const std::lock_guard lock(together_mutex_);
      together = &together_[{task.submission, task.lab->name}];
    }
    const std::lock_guard lock(together->mutex);
    if (!std::exchange(together->was_tried, true)) {
      std::vector<build::BuildRequest> requests;
      for (const config::Rung& rung : task.lab->rungs) {
        auto request = RequestFor(task, rung);
        if (request && !IsUntouched(*request)) requests.push_back(std::move(*request));
      }
      together->built = builder_.BuildTogether(requests, options_.cancel);
    }
    const auto mine = together->built.extract(task.rung->name);
    return mine.empty() ? std::nullopt : std::optional(std::move(mine.mapped()));
  }

  // True for a starter file that says that it is not written yet. What it gets is known: nothing. Half of a class's
  // rungs may be of this kind, so they are neither compiled nor judged. An object that somebody wants is compiled all
  // the same.
  bool IsUntouched(const build::BuildRequest& request) {
    if (request.keep_object || request.source.find(kNotWrittenYet) == std::string::npos) return false;
    const std::lock_guard lock(starters_mutex_);
    const auto [starter, is_new] = starters_.try_emplace(request.lab + "/" + request.rung);
    if (is_new) {
      starter->second = build::ReadWholeFile(kit_.StarterOf(request.lab) + "/" + request.rung + ".cu").value_or("");
    }
    return request.source == starter->second;
  }

  // Says in `request` how the rung is timed, if it is timed at all.
  Result<score::Timing> TimingFor(const RungTask& task, judge::JudgeRequest* request) {
    const auto* const scale = score::FindScale(*task.rung, options_.target_id);
    const bool can_time = request->device == judge::DeviceChoice::kGpu && request->parts.throughput;
    if (scale == nullptr || !can_time) return score::Timing::kAlone;
    const bool is_share = scale->unit == config::ThroughputScale::Unit::kShareOfSolution;
    if (is_share && (!options_.plain_speeds || score::IsComparedWithSolution(*task.rung))) {
      const build::BuildRequest of{task.lab->name, task.rung->name, "", options_.gpu_arch, task.rung->allow};
      const std::lock_guard lock(solutions_mutex_);
      const Result<std::optional<std::string>> solution = solutions_.Of(of);
      if (!solution) return solution.error();
      request->solution = solution->value_or("");
    }
    const score::Timing timing = score::TimingOf(*task.rung, options_.target_id, !request->solution.empty());
    request->parts.throughput = timing != score::Timing::kNot;
    // A share of the solution's speed is no edge for a program that is timed alone: it gets no points for its speed.
    if (timing == score::Timing::kInPairs || !is_share) request->timing.edges = judge::EdgesOf(*scale);
    return timing;
  }

  // The number of lines of the rung's file.
  int LinesOf(const RungTask& task) const {
    const auto& files = submissions_[task.submission].files;
    const auto file = files.find(task.lab->name + "/" + task.rung->name + ".cu");
    if (file == files.end()) return 0;
    return static_cast<int>(std::count(file->second.begin(), file->second.end(), '\n')) + 1;
  }

  // The emulator runs one kernel on several threads. The threads of all rungs together use each core once. Where
  // several rungs wait for a GPU there is no such hurry: with a quarter of the cores they take a fifth less processor
  // time, and are still ready when the GPU is free (BENCHMARKS.md).
  int EmulatorThreads() const {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const int rungs = options_.gpu_arch > 0 ? JudgedAtOnce() : std::max(1, options_.jobs);
    const bool others_wait = options_.gpu_arch > 0 && rungs > 1;
    return std::max(1, (others_wait ? cores / 4 : cores) / rungs);
  }

  const config::Kit& kit_;
  const config::Course& course_;
  const std::vector<submission::Submission>& submissions_;
  static build::BuildOptions WithLimits(build::BuildOptions options, const config::BuildLimits& limits) {
    options.limits = limits;
    return options;
  }

  const StageOptions options_;
  const double slowness_;  // of this machine
  const config::RunLimits run_limits_;
  const std::string gpu_runtime_folder_;
  const std::string executable_ = ExecutablePath();
  build::Builder builder_;
  GpuPool gpus_{GpusFor(options_)};
  // The rungs of one lab of one submission that were built together and not yet asked for.
  struct Together {
    std::mutex mutex;
    bool was_tried = false;
    std::map<std::string, build::BuildResult> built;
  };
  std::mutex starters_mutex_;
  std::map<std::string, std::string> starters_;  // the texts of starter files that were asked for, by "lab1/v1_naive"
  std::mutex together_mutex_;                    // guards the map, not what is in it
  std::map<std::pair<size_t, std::string>, Together> together_;
  std::mutex solutions_mutex_;
  SolutionPrograms solutions_{[this](const std::string& lab) { return kit_.SolutionsOf(lab); },
                              [this](const build::BuildRequest& r) { return builder_.Build(r, options_.cancel); }};
};

}  // namespace

Result<build::BuildOptions> BuildOptionsFor(const config::Kit& kit, const config::Course& course, bool confine,
                                            bool use_cache) {
  build::BuildOptions options;
  if (!use_cache) options.cache_dir.clear();
  // The launcher puts a compiler that it fetched on PATH.
  auto toolchain = build::FindToolchain("", options.cache_dir);
  if (!toolchain) return toolchain.error();
  options.toolchain = std::move(*toolchain);
  options.include_dirs = kit.HeaderFolders();
  for (const auto& [name, lab] : kit.outside) options.adapters[name] = kit.adapter_archive(name);
  options.worker_archive = kit.worker_archive;
  options.adapter_pattern = kit.adapter_pattern;
  options.emulator_library_dir = kit.emulator_library_dir;
  options.limits = course.build_limits;
  options.confine = confine;
  options.hidden = HiddenFrom(kit);
  return options;
}

Result<Stages> MakeStages(const config::Kit& kit, const config::Course& course,
                          const std::vector<submission::Submission>& submissions, const StageOptions& options) {
  auto build_options = BuildOptionsFor(kit, course, options.confine, options.use_cache);
  if (!build_options) return build_options.error();
  build_options->namespaces = options.namespaces;

  auto real = std::make_shared<RealStages>(kit, course, submissions, options, std::move(*build_options));
  Stages stages;
  stages.build = [real](const RungTask& task) { return real->Build(task); };
  stages.judge = [real](const RungTask& task, const std::string& program) { return real->Judge(task, program); };
  // On a machine with a GPU it would use the processor while other rungs are timed.
  if (options.second_look && options.gpu_arch == 0) {
    stages.look_again = [real](const RungTask& task, RungMeasurement* measurement) {
      real->LookAgain(task, measurement);
    };
  }
  if (options.gpu_arch > 0) stages.judged_at_once = real->JudgedAtOnce();
  // In a unit, a rung may mean something else than alone (build/rungs_together.h). With full marks, nobody is harmed. A
  // rung that only lacks speed counts, too: its machine code is the same (tests/course/machine_code_test.cc).
  if (!options.believe_together) {
    stages.counts = [](const RungTask& task, const RungMeasurement& measurement) {
      // The emulator could not run the program, so a person must look at its speed. Another rung may be the reason.
      const bool is_flagged = measurement.throughput.status == score::ThroughputMeasurement::Status::kFlagged;
      if (is_flagged && !measurement.technique_measured) return false;
      const score::RungScore score = score::ScoreRung(*task.rung, measurement, {});
      return score.points == score.measurable_points;
    };
  }
  return stages;
}

}  // namespace warpgrade::cli
