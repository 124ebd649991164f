// One grading run: reads the kit, course.yaml and the submissions, runs the pipeline over all rungs, then computes
// points, hints, quiz marks and leaderboards. Tests: tests/cli/command_line_test.cc, tests/course/*.
#include "grader/cli/grading_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <random>
#include <thread>
#include <utility>

#include "grader/cli/assignment_option.h"
#include "grader/cli/case_choice.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/finding_advice.h"
#include "grader/cli/grade_pipeline.h"
#include "grader/cli/grade_stages.h"
#include "grader/cli/lab_files.h"
#include "grader/cli/limit_hints.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/pace.h"
#include "grader/cli/rung_work.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/emulator/counters/counters.h"
#include "grader/judge/judge.h"
#include "grader/report/one_submission.h"
#include "grader/sandbox/confinement.h"
#include "grader/score/counting.h"
#include "grader/score/leaderboard.h"
#include "grader/score/score.h"
#include "grader/score/throughput.h"
#include "grader/score/visibility.h"
#include "grader/submission/submission.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

// `lab` without the rungs that were not reached.
config::Lab Reached(const config::Lab& lab, const std::map<std::string, score::RungMeasurement>& measured) {
  config::Lab reached = lab;
  std::erase_if(reached.rungs, [&](const config::Rung& rung) { return measured.count(rung.name) == 0; });
  return reached;
}

// Adds advice to findings, and hints to each right rung that missed limits: the line to look at, and the hint of its
// lab. The judge writes all other messages, but it does not know the limits.
void AddHints(score::LabScore* scored) {
  const Lab* lab = FindLab(scored->lab);
  if (lab == nullptr) return;
  for (score::RungScore& rung : scored->rungs) {
    CompleteFindings(&rung.measurement.findings);
    if (rung.measurement.status != score::RungStatus::kPassed) continue;
    const std::vector<std::string> hints =
        LimitHints(rung, [&](std::string_view metric) { return lab->Hint(rung.rung, metric); });
    rung.measurement.messages.insert(rung.measurement.messages.end(), hints.begin(), hints.end());
  }
}

// The rungs of `lab` without a measurement. `why` is for those that were not tried.
void AddUnfinished(const config::Lab& lab, const std::map<std::string, score::RungMeasurement>& measured,
                   const Reasons& reasons, const std::string& why, std::vector<score::UnfinishedRung>* unfinished) {
  for (const config::Rung& rung : lab.rungs) {
    if (measured.count(rung.name) != 0) continue;
    const auto of_lab = reasons.find(lab.name);
    const bool tried = of_lab != reasons.end() && of_lab->second.count(rung.name) != 0;
    unfinished->push_back({lab.name, rung.name, tried ? of_lab->second.at(rung.name) : why});
  }
}

// What is known of one submission.
struct Known {
  const Measurements& measured;
  const Reasons& reasons;
  const std::map<std::string, quiz::Marks>& marks;
  const std::string& why_not_more;  // rungs were not tried
};

// An unfinished lab gets the marks of its quiz if at least one of its rungs was graded.
score::SubmissionScore ScoreOf(const submission::Submission& submission, const std::vector<config::Lab>& labs,
                               const Known& known, const score::ScoringContext& context) {
  std::vector<score::LabScore> scores;
  std::vector<score::UnfinishedRung> unfinished;
  const std::map<std::string, score::RungMeasurement> none;
  for (const config::Lab& lab : labs) {
    const auto of_lab = known.measured.find(lab.name);
    const auto& measurements = of_lab == known.measured.end() ? none : of_lab->second;
    AddUnfinished(lab, measurements, known.reasons, known.why_not_more, &unfinished);
    if (measurements.empty() && !lab.rungs.empty()) continue;
    scores.push_back(score::ScoreLab(Reached(lab, measurements), measurements, context));
    AddHints(&scores.back());
    if (const auto quiz = known.marks.find(lab.name); quiz != known.marks.end()) {
      score::AddRung(score::ScoreQuiz(*lab.quiz, quiz::MeasurementOf(quiz->second)), &scores.back());
    }
    score::CountPoints(lab.counting, &scores.back());
  }
  score::SubmissionScore score = score::ScoreSubmission(submission.id, std::move(scores));
  score.messages = submission.messages;
  score.unfinished = std::move(unfinished);
  return score;
}

// One leaderboard for each lab that has a contest, if all rungs of the contest were graded.
std::vector<score::Leaderboard> LeaderboardsOf(const std::vector<config::Lab>& labs,
                                               const std::vector<score::SubmissionScore>& submissions, bool on_gpu) {
  std::vector<score::Leaderboard> leaderboards;
  for (const config::Lab& lab : labs) {
    if (!lab.leaderboard) continue;
    const auto is_chosen = [&lab](const std::string& name) {
      return std::any_of(lab.rungs.begin(), lab.rungs.end(), [&](const config::Rung& r) { return r.name == name; });
    };
    if (!std::all_of(lab.leaderboard->rungs.begin(), lab.leaderboard->rungs.end(), is_chosen)) continue;
    leaderboards.push_back(score::MakeLeaderboard(lab, submissions, on_gpu));
  }
  return leaderboards;
}

// 64 bits, so that nobody can find the names behind the pseudonyms by trying all seeds.
uint64_t RandomSeed() {
  std::random_device entropy;
  return uint64_t{entropy()} << 32 | entropy();
}

// Never more than there is to do: the emulator gives a rung the cores that no other rung wants.
int JobsFor(int wanted, size_t rungs) {
  const int most = wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return static_cast<int>(std::clamp<size_t>(rungs, 1, static_cast<size_t>(most)));
}

// Everything that must be right before the first rung.
struct Preparation {
  config::Kit kit;
  std::string course_yaml;
  config::Course course;
  std::vector<config::Lab> labs;
  Quizzes quizzes;
  std::vector<submission::Submission> submissions;
  std::map<std::string, score::AssignmentFacts> assignments;
  ChosenCase only_case;
  std::map<std::string, std::string> unbuilt;  // labs that the kit cannot grade, and why
  int gpu_arch = 0;                            // 0: the emulator
  bool on_gpu() const { return gpu_arch > 0; }
  score::DeviceDescription device;
};

// Finds out before grading what would only fail after it.
Status CanExport(const SessionOptions& options, Preparation* ready) {
  if (!options.one_submission.empty() && ready->submissions.size() != 1) {
    return report::NotOneSubmission(options.one_submission, ready->submissions.size());
  }
  std::vector<std::string> labs;
  for (const config::Lab& lab : ready->course.labs) labs.push_back(lab.name);
  auto assignments = AssignmentsOf(options.canvas_assignments, labs, "course.yaml");
  if (!assignments) return assignments.error();
  ready->assignments = std::move(*assignments);
  return Status();
}

Result<std::vector<submission::Submission>> Submissions(const SessionOptions& options,
                                                        const std::vector<submission::LabFiles>& files) {
  if (options.as_student.empty()) return submission::Discover(options.paths, files);
  auto one = submission::ReadOne(options.paths.at(0), options.as_student, files);
  if (!one) return one.error();
  return std::vector{std::move(*one)};
}

void LowerMemory(int64_t most_mb, config::Course* course) {
  if (most_mb <= 0) return;
  for (int64_t* limit : {&course->build_limits.memory_mb, &course->run_limits.memory_mb}) {
    *limit = std::min(*limit, most_mb);
  }
}

SessionFacts FactsOf(const Preparation& ready) {
  return {ready.kit, ready.course, ready.course_yaml, ready.labs, ready.device};
}

// Finds the device, and whether submissions can be graded on it.
Status PrepareDevice(const SessionOptions& options, Preparation* ready) {
  if (options.elsewhere) {
    ready->device = options.elsewhere->device;
    return Status();
  }
  if (options.sandbox == Sandbox::kBubblewrap && !options.sandbox_is_tried) {
    if (Status works = sandbox::CheckConfinement(); !works.ok()) return works;
  }
  if (options.sandbox == Sandbox::kUser) {
    if (Status works = sandbox::CheckOtherUser(); !works.ok()) return works;
  }
  const auto choice = ChooseDevice(options.device);
  if (!choice) return choice.error();
  ready->gpu_arch = choice->gpu_arch;
  auto device = judge::DescribeDevice(ready->on_gpu() ? judge::DeviceChoice::kGpu : judge::DeviceChoice::kEmulator);
  if (!device) return device.error();
  ready->device = std::move(*device);
  return Status();
}

// A lab that is not built costs only its own rungs, unless there is nothing else to grade.
Status CheckBuilt(Preparation* ready) {
  if (const Status common = ready->kit.CheckBuilt({}); !common.ok()) return common.error();
  std::vector<std::string> names;
  for (const config::Lab& lab : ready->labs) {
    names.push_back(lab.name);
    if (const Status built = ready->kit.CheckBuilt({lab.name}); !built.ok()) {
      ready->unbuilt[lab.name] = fmt::format("{} cannot be graded: {}", lab.name, built.error().message);
    }
  }
  return ready->unbuilt.size() < names.size() ? Status() : ready->kit.CheckBuilt(names);
}

Result<Preparation> Prepare(const SessionOptions& options) {
  Preparation ready;
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  ready.kit = std::move(*kit);
  ready.course_yaml = options.course_yaml.empty() ? ready.kit.course_yaml : options.course_yaml;
  auto course =
      config::LoadCourse(ready.course_yaml, MetricNames(), ready.kit.Rungs(), options.labs, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  ready.course = std::move(*course);
  OpenOutsideLabs(ready.course, &ready.kit);
  if (const Status known = CheckNamedCases(ready.course_yaml, ready.course); !known.ok()) return known.error();
  LowerMemory(options.most_memory_mb, &ready.course);
  auto labs = SelectRungs(ready.course, options.labs, options.rungs);
  if (!labs) return labs.error();
  ready.labs = std::move(*labs);
  auto quizzes = FindQuizzes(ready.kit, ready.labs);
  if (!quizzes) return quizzes.error();
  ready.quizzes = std::move(*quizzes);
  auto submissions = Submissions(options, FilesOf(ready.course.labs));
  if (!submissions) return submissions.error();
  ready.submissions = std::move(*submissions);
  if (const Status can = CanExport(options, &ready); !can.ok()) return can.error();
  if (!options.only_case.empty()) {
    auto chosen = ChooseCase(ready.labs.at(0), options.only_case);
    if (!chosen) return chosen.error();
    ready.only_case = std::move(*chosen);
  }

  if (!options.elsewhere) {
    PrepareOutsideLabs(ready.labs, ready.course, &ready.kit, options.use_cache, options.cancel,
                       options.sandbox == Sandbox::kUser);
  }
  if (const Status built = CheckBuilt(&ready); !built.ok()) return built.error();
  if (const Status found = PrepareDevice(options, &ready); !found.ok()) return found.error();
  if (options.choose) {
    auto chosen = options.choose(FactsOf(ready), std::move(ready.submissions));
    if (!chosen) return chosen.error();
    ready.submissions = std::move(*chosen);
  }
  return ready;
}

const char* SandboxName(Sandbox sandbox) {
  switch (sandbox) {
    case Sandbox::kBubblewrap:
      return "bubblewrap";
    case Sandbox::kUser:
      return "user";
    case Sandbox::kNone:
      return "none";
  }
  return "";
}

constexpr const char* kNotYet = "grading was still going on when this report was written";
constexpr const char* kWasInterrupted = "grading was interrupted";

// Makes the report of a run, as often as it is asked to.
class ReportMaker {
 public:
  ReportMaker(const Preparation& ready, const SessionOptions& options, const score::ScoringContext& context)
      : ready_(ready), options_(options), context_(context) {}

  score::GradingReport Make(const GradingOutcome& outcome, const std::string& why_not_more) const {
    score::GradingReport report = WithoutSubmissions();
    if (options_.on_submission) return report;
    for (size_t i = 0; i < ready_.submissions.size(); ++i) {
      report.submissions.push_back(Score(i, outcome.submissions[i], outcome.unfinished[i], why_not_more));
    }
    report.leaderboards = LeaderboardsOf(ready_.labs, report.submissions, ready_.on_gpu());
    if (options_.hide_names) score::HideNames(seed_, &report.leaderboards);
    return report;
  }

  // Of one submission, without leaderboards.
  score::GradingReport MakeOne(size_t submission, const Measurements& measured, const Reasons& unfinished) const {
    score::GradingReport report = WithoutSubmissions();
    report.submissions.push_back(Score(submission, measured, unfinished, kWasInterrupted));
    return report;
  }

 private:
  score::GradingReport WithoutSubmissions() const {
    score::GradingReport report;
    report.kit_version = WARPGRADE_VERSION;
    report.course = ready_.course.name;
    report.assignments = ready_.assignments;
    report.visibility = visibility_;
    report.device = ready_.device;
    report.sandbox = SandboxName(options_.sandbox);
    return report;
  }

  score::SubmissionScore Score(size_t i, const Measurements& measured, const Reasons& unfinished,
                               const std::string& why_not_more) const {
    std::map<std::string, quiz::Marks> marks;
    for (const auto& [lab, quiz] : ready_.quizzes) {
      marks[lab] = MarkSubmission(quiz, ready_.course, ready_.submissions[i], options_.who);
    }
    score::SubmissionScore score =
        ScoreOf(ready_.submissions[i], ready_.labs, {measured, unfinished, marks, why_not_more}, context_);
    // The sources of a class would take much memory, and no page of a class shows them.
    if (ready_.submissions.size() != 1) return score;
    score.sources = ready_.submissions[i].files;
    AddRooflines(ready_.device, &score);
    return score;
  }

  const Preparation& ready_;
  const SessionOptions& options_;
  const score::ScoringContext& context_;
  const std::map<std::string, score::LabVisibility> visibility_ = score::VisibilityOf(ready_.course);
  const uint64_t seed_ = RandomSeed();  // one for all reports, so that they agree
};

// Whether it ends sooner if the rungs of each lab are compiled together, by one thread. On an AMD EPYC, a compiler
// takes 1.75 s for an empty file and 0.5 s for what a rung has beyond it.
bool CompilingTogetherPays(size_t rungs, size_t groups, int jobs) {
  constexpr double kEmptyFile = 1.75, kRung = 0.5;  // seconds, but only their ratio counts
  const auto rounds = [jobs](size_t n) { return std::ceil(static_cast<double>(n) / std::max(1, jobs)); };
  const double rungs_of_group = groups > 0 ? static_cast<double>(rungs) / static_cast<double>(groups) : 0;
  return rounds(groups) * (kEmptyFile + kRung * rungs_of_group) <= rounds(rungs) * (kEmptyFile + kRung);
}

StageOptions StagesFor(const Preparation& ready, const SessionOptions& options, const std::string& target_id, int jobs,
                       size_t rungs) {
  StageOptions stages;
  stages.gpu_arch = ready.gpu_arch;
  stages.built_for = options.built_for;
  stages.target_id = target_id;
  stages.jobs = jobs;
  // Only root gets into the folder of the cache. Without namespaces, programs of another user must run where they are.
  stages.use_cache = options.use_cache && options.sandbox != Sandbox::kUser;
  stages.keep_objects = options.keep_objects;
  stages.build_together = options.built_for == 0 && !options.compile_alone &&
                          CompilingTogetherPays(rungs, ready.labs.size() * ready.submissions.size(), jobs);
  stages.believe_together = options.believe_together;
  stages.second_look = options.second_look;
  stages.confine = options.sandbox != Sandbox::kNone;
  stages.namespaces = options.sandbox != Sandbox::kUser;
  stages.only_case = ready.only_case.number;
  stages.delay_seed_of = options.delay_seed_of;
  stages.delay_seed = options.delay_seed ? *options.delay_seed : DelaySeedFrom(RandomSeed());
  stages.parts = options.parts;
  stages.plain_speeds = options.plain_speeds;
  stages.cancel = options.cancel;
  stages.running = options.running;
  return stages;
}

// Tells the caller of the session what the pipeline does. All but `pipeline` must live as long as the pipeline runs.
void Observe(const Preparation& ready, const SessionOptions& options, const ReportMaker& reports, Pace* pace,
             PipelineOptions* pipeline) {
  pipeline->on_start = [&](int finished, int total, const RungTask& task) {
    const std::string& id = ready.submissions[task.submission].id;
    if (options.on_progress) {
      options.on_progress(finished, total, fmt::format("{} {} {}", id, task.lab->name, task.rung->name));
    }
    if (options.on_event) options.on_event({task.submission, task.lab->name, task.rung->name, false});
  };
  pipeline->on_end = [&](const RungTask& task) {
    if (options.on_event) options.on_event({task.submission, task.lab->name, task.rung->name, true});
  };
  if (options.on_submission) {
    pipeline->on_submission = [&](size_t submission, const Measurements& measured, const Reasons& unfinished) {
      return options.on_submission(submission, reports.MakeOne(submission, measured, unfinished));
    };
  }
  if (options.on_report) {
    pipeline->on_result = [&, pace](const GradingOutcome& so_far) {
      const Pace::TimePoint begin = std::chrono::steady_clock::now();
      if (!pace->IsDue(begin)) return;
      try {
        options.on_report(reports.Make(so_far, kNotYet));
      } catch (const std::exception&) {  // no memory: the next time, or at the end
      }
      pace->Wrote(begin, std::chrono::steady_clock::now());
    };
  }
}

// The rungs of labs that are not built become unfinished, with the reason.
void RefuseUnbuilt(const std::map<std::string, std::string>& unbuilt, Stages* stages) {
  if (unbuilt.empty()) return;
  stages->build = [&unbuilt, build = stages->build](const RungTask& task) -> Result<Built> {
    const auto why = unbuilt.find(task.lab->name);
    return why == unbuilt.end() ? build(task) : Error{ErrorKind::kMachine, why->second};
  };
}

std::vector<std::string> RemarksOn(const Preparation& ready, const std::string& target_id) {
  if (!ready.on_gpu()) return {};
  const score::WithoutScale without = score::RungsWithoutScale(ready.labs, target_id);
  if (without.rungs.empty()) return {};
  return {fmt::format(
      "{}: {} of {} rungs with throughput points have no scale for {}, so their {} points cannot be earned here; "
      "`warpgrade validate` lists the rungs",
      ready.course_yaml, without.rungs.size(), without.of, ready.device.name, without.points.ToString())};
}

}  // namespace

score::ScoringContext ContextFor(const config::Course& course, const score::DeviceDescription& device, bool on_gpu) {
  score::ScoringContext context;
  context.on_gpu = on_gpu;
  context.peaks = device.peaks;  // course.yaml's own figures go before them
  if (const config::Target* target = course.FindTarget(device.name); on_gpu && target != nullptr) {
    context.target_id = target->id;
    if (target->peak_bandwidth_gb_s) context.peaks.gb_s = target->peak_bandwidth_gb_s;
    if (target->peak_gflop_s) context.peaks.gflop_s = target->peak_gflop_s;
    if (target->peak_tensor_gflop_s) context.peaks.tensor_gflop_s = target->peak_tensor_gflop_s;
  }
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) context.metric_units[metric.name] = metric.unit;
  return context;
}

Result<SessionResult> RunSession(const SessionOptions& options) {
  const Result<Preparation> ready = Prepare(options);
  if (!ready) return ready.error();
  if (options.elsewhere) return options.elsewhere->grade(FactsOf(*ready), ready->submissions);
  size_t rungs = 0;
  for (const config::Lab& lab : ready->labs) rungs += lab.rungs.size() * ready->submissions.size();
  PipelineOptions pipeline;
  // Programs of the same user that run at the same time could reach each other's memory.
  pipeline.jobs = JobsFor(options.sandbox == Sandbox::kUser ? 1 : options.jobs, rungs);
  pipeline.cancel = options.cancel;
  const score::ScoringContext context = ContextFor(ready->course, ready->device, ready->on_gpu());
  // Quizzes alone need no compiler.
  auto stages = rungs == 0 ? Result<Stages>(Stages())
                           : MakeStages(ready->kit, ready->course, ready->submissions,
                                        StagesFor(*ready, options, context.target_id, pipeline.jobs, rungs));
  if (!stages) return stages.error();
  RefuseUnbuilt(ready->unbuilt, &*stages);
  const ReportMaker reports(*ready, options, context);
  Pace pace;
  Observe(*ready, options, reports, &pace, &pipeline);
  GradingOutcome outcome = GradeRungs(ready->submissions.size(), ready->labs, *stages, pipeline);
  if (!outcome.error.ok()) return outcome.error.error();

  SessionResult result;
  result.failures = std::move(outcome.failures);
  if (options.labs.empty()) {
    for (const config::BrokenLab& lab : ready->course.broken) {
      result.failures.push_back(fmt::format("{} cannot be graded: {}", lab.name, lab.why));
    }
  }
  result.remarks = RemarksOn(*ready, context.target_id);
  result.interrupted = outcome.interrupted;
  result.only_case = ready->only_case.title;
  result.report = reports.Make(outcome, kWasInterrupted);
  return result;
}

}  // namespace warpgrade::cli
