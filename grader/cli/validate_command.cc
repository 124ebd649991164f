// `warpgrade validate`: checks course.yaml as `grade` would, and says what is unwise in it. The file itself is checked
// in grader/config/advice.h. This file asks the kit for what belongs to it: labs, solutions, mutants, cases and
// quizzes. Tests: tests/cli/validate_command_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/case_choice.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/quiz_session.h"
#include "grader/config/advice.h"
#include "grader/config/kit.h"
#include "grader/emulator/counters/counters.h"
#include "grader/report/json_reader.h"
#include "grader/result/counted.h"
#include "grader/score/throughput.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using ThroughputUnit = config::ThroughputScale::Unit;

struct ValidateOptions {
  std::string course_yaml, measured, today;
  bool json = false, strict = false;
};

// A line of the answer. `line` 0: the whole file.
struct Remark {
  std::string file;
  config::Place place;
  bool is_error = false;
  std::string what;
};

// "FILE:LINE:COLUMN: what", as other parts of the kit report mistakes, for each line of `message`.
void AddErrors(const Error& error, const std::string& file, std::vector<Remark>* remarks) {
  std::string_view rest = error.message;
  while (!rest.empty()) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    Remark remark{file, {}, true, line};
    int end = 0;
    const size_t colon = line.find(':', line.find(".yaml"));
    if (colon != std::string::npos &&
        std::sscanf(line.c_str() + colon, ":%d:%d: %n", &remark.place.line, &remark.place.column, &end) == 2 &&
        end > 0) {
      remark.file = line.substr(0, colon);
      remark.what = line.substr(colon + static_cast<size_t>(end));
    }
    remarks->push_back(std::move(remark));
  }
}

// What is wrong with a lab outside of the kit: with a place, or "FILE: what" about a reference and a compiler's lines.
void AddOutsideError(const std::string& message, const std::string& folder, std::vector<Remark>* remarks) {
  const size_t colon = message.find(": ", folder.size());
  if (!message.starts_with(folder) || colon == std::string::npos ||
      std::isdigit(static_cast<unsigned char>(message[colon - 1]))) {
    return AddErrors({ErrorKind::kUsage, message}, folder + "/" + config::kLabFileName, remarks);
  }
  remarks->push_back({message.substr(0, colon), {}, true, message.substr(colon + 2)});
}

void Add(const config::Problems& problems, const std::string& file, bool is_error, std::vector<Remark>* remarks) {
  for (const config::Problem& problem : problems.Sorted()) {
    remarks->push_back({file, problem.place, is_error, problem.what});
  }
}

// The rungs for which `folder`/LAB, or `folder`/LAB/`inside`, has a file. The name of the rung ends at "__" or at the
// extension.
config::RungNamesByLab RungsOfFiles(const config::KitRungs& labs, const std::string& folder, const char* inside) {
  config::RungNamesByLab rungs;
  std::error_code ignored;
  for (const auto& [lab, names] : labs) {
    for (const fs::directory_entry& file : fs::directory_iterator(fs::path(folder) / lab / inside, ignored)) {
      const std::string extension = file.path().extension().string();
      if (extension != ".cu" && extension != ".diff") continue;
      const std::string stem = file.path().stem().string();
      rungs[lab].insert(stem.substr(0, stem.find("__")));
    }
  }
  return rungs;
}

config::MeasuredSolution MeasuredOf(const score::RungScore& rung) {
  const score::RungMeasurement& measurement = rung.measurement;
  config::MeasuredSolution solution{measurement.metrics, measurement.answer_metrics, {}};
  for (const score::TechniqueResult& limit : rung.technique) {  // of kits that did not write all metrics
    if (limit.value) solution.metrics.emplace(limit.metric, *limit.value);
    for (const score::BoundsResult& bound : limit.provided) {
      if (bound.value) solution.metrics.emplace(bound.metric, *bound.value);
    }
  }
  const score::ThroughputMeasurement& speed = measurement.throughput;
  if (speed.status != score::ThroughputMeasurement::Status::kMeasured) return solution;
  solution.speeds[speed.unit == "GFLOP/s" ? ThroughputUnit::kGigaflopsPerSecond : ThroughputUnit::kGigabytesPerSecond] =
      speed.value;
  if (const auto share = score::ShareOfCeiling(speed);
      share && speed.ceiling_of == score::ThroughputMeasurement::Ceiling::kCopy) {
    solution.speeds[ThroughputUnit::kShareOfCopy] = *share;
  }
  return solution;
}

// Reads what a grading of the solutions measured.
Status ReadMeasured(const std::string& path, config::AdviceFacts* facts) {
  const Result<score::GradingReport> report = report::ReadJson(path);
  if (!report) return report.error();
  facts->measured_by = path;
  if (report->device.kind == "gpu") facts->measured_on = report->device.name;
  for (const score::SubmissionScore& submission : report->submissions) {
    for (const score::LabScore& lab : submission.labs) {
      for (const score::RungScore& rung : lab.rungs) {
        if (rung.measurement.status != score::RungStatus::kPassed) continue;
        facts->measured[lab.lab][rung.rung] = MeasuredOf(rung);
      }
    }
  }
  if (!facts->measured.empty()) return Status();
  return Error{ErrorKind::kUsage, fmt::format("{}: it has no right rung; name the file that `warpgrade grade solutions "
                                              "--json FILE` wrote",
                                              path)};
}

// The rungs that have a solution, and those that have a wrong program. An installed kit has neither for its own labs.
void AddProofs(const config::Kit& kit, config::AdviceFacts* facts) {
  const config::KitRungs labs = kit.Rungs();
  if (fs::exists(kit.solutions_dir)) facts->solutions = RungsOfFiles(labs, kit.solutions_dir, "");
  config::RungNamesByLab mutants = RungsOfFiles(labs, kit.labs_dir, "mutants");
  if (!mutants.empty()) facts->mutants = std::move(mutants);
  for (const auto& [lab, outside] : kit.outside) {
    const config::KitRungs one = {{lab, {}}}, here = {{".", {}}};
    if (facts->solutions) facts->solutions->merge(RungsOfFiles(one, outside.folder + "/solutions", ""));
    if (facts->mutants) (*facts->mutants)[lab] = RungsOfFiles(here, outside.folder, "mutants")["."];
  }
}

Result<config::AdviceFacts> FactsFor(const config::Kit& kit, const ValidateOptions& options) {
  config::AdviceFacts facts;
  facts.now = std::time(nullptr);
  if (!options.today.empty()) {
    const std::optional<int64_t> today = ParseTime(options.today);
    if (!today) {
      return Error{ErrorKind::kUsage, fmt::format("--today '{}' is not a date; write 2026-11-22", options.today)};
    }
    facts.now = *today;
  }
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) {
    if (std::string_view(metric.unit) == "share") facts.shares.insert(metric.name);
  }
  AddProofs(kit, &facts);
  if (!options.measured.empty()) {
    if (const Status read = ReadMeasured(options.measured, &facts); !read.ok()) return read.error();
  }
  return facts;
}

// What grading needs beside course.yaml.
void CheckKit(const config::Kit& kit, const config::Course& course, const std::string& file,
              std::vector<Remark>* remarks) {
  if (const Status cases = CheckNamedCases(file, course); !cases.ok()) AddErrors(cases.error(), file, remarks);
  for (const config::Lab& lab : course.labs) {
    if (!lab.quiz) continue;
    if (const auto quiz = FindQuiz(kit, lab.name); !quiz) AddErrors(quiz.error(), file, remarks);
  }
  std::vector<std::string> labs;
  for (const config::Lab& lab : course.labs) {
    if (lab.from.empty()) {
      labs.push_back(lab.name);
    } else if (const Status built = kit.CheckBuilt({lab.name}); !built.ok()) {
      AddOutsideError(built.error().message, lab.from, remarks);
    }
  }
  if (const Status built = kit.CheckBuilt(labs); !built.ok()) AddErrors(built.error(), file, remarks);
}

std::string JsonOf(const std::vector<Remark>& remarks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Remark& remark : remarks) {
    list.push_back({{"file", remark.file},
                    {"line", remark.place.line},
                    {"column", remark.place.column},
                    {"kind", remark.is_error ? "error" : "warning"},
                    {"message", remark.what}});
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string TextOf(const std::vector<Remark>& remarks) {
  std::string text;
  for (const Remark& remark : remarks) {
    text += remark.file + ":";
    if (remark.place.line > 0) text += fmt::format("{}:{}:", remark.place.line, remark.place.column);
    text += fmt::format(" {}: {}\n", remark.is_error ? "error" : "warning", remark.what);
  }
  return text;
}

// What was compared with what, so that silence is not taken for more than it is.
std::string SummaryOf(const std::string& file, size_t errors, size_t warnings, const config::AdviceFacts& facts) {
  std::string text = file + ": " + Counted(errors, "error") + ", " + Counted(warnings, "warning") + "\n";
  if (facts.measured.empty()) {
    return text +
           "Limits and thresholds were not compared with the solutions; see --measured in `warpgrade validate "
           "--help`\n";
  }
  return text + fmt::format("Technique limits {}were compared with the solutions, as {} says\n",
                            facts.measured_on.empty() ? "" : "and thresholds for " + facts.measured_on + " ",
                            facts.measured_by);
}

int Validate(const ValidateOptions& options) {
  Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const std::string file = options.course_yaml.empty() ? kit->course_yaml : options.course_yaml;
  if (const auto course = config::LoadCourse(file, MetricNames(), {}, {}, config::BrokenLabs::kKeep)) {
    OpenOutsideLabs(*course, &*kit);
    PrepareOutsideLabs(course->labs, *course, &*kit, true, nullptr);
  }
  const Result<config::AdviceFacts> facts = FactsFor(*kit, options);
  if (!facts) return Fail(facts.error());
  const config::CheckedCourse checked = config::CheckCourse(file, {MetricNames(), kit->Rungs(), {}, file}, *facts);
  std::vector<Remark> remarks;
  Add(checked.mistakes, file, true, &remarks);
  for (const std::string& broken : checked.broken) AddErrors({ErrorKind::kUsage, broken}, file, &remarks);
  if (checked.course) CheckKit(*kit, *checked.course, file, &remarks);
  Add(checked.remarks, file, false, &remarks);
  for (const auto& [lab_file, doubts] : checked.outside) Add(doubts, lab_file, false, &remarks);
  const auto errors = static_cast<size_t>(
      std::count_if(remarks.begin(), remarks.end(), [](const Remark& remark) { return remark.is_error; }));
  fmt::print("{}", options.json ? JsonOf(remarks) : TextOf(remarks));
  if (!options.json) fmt::print("{}", SummaryOf(file, errors, remarks.size() - errors, *facts));
  return errors > 0 || (options.strict && !remarks.empty()) ? kUsage : kDone;
}

}  // namespace

void AddValidateCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("validate", "Check course.yaml: what is wrong in it, and what is unwise");
  command->footer(
      "Examples:\n"
      "  warpgrade validate my-course.yaml         list mistakes and doubts, each with line and column\n"
      "  warpgrade validate --strict               the kit's own course.yaml; fail on doubts, too\n"
      "  warpgrade grade solutions --json solutions.json\n"
      "  warpgrade validate my-course.yaml --measured solutions.json\n"
      "                                            also compare limits with what the solutions need\n"
      "\n"
      "An error is what `grade` would refuse. A warning is what it would take, but what is unwise: points that nobody\n"
      "can get, a limit that the solution misses, a rung without a wrong program that proves it, a date in the past.\n"
      "With results of the emulator, technique limits are compared. With results of the course's GPU, thresholds are\n"
      "compared, too.\n"
      "\n"
      "Exit status: 0 `grade` takes the file; 2 it has errors, or warnings with --strict; 3 the machine failed.");
  auto options = std::make_shared<ValidateOptions>();
  command->add_option("course", options->course_yaml, "The file to check (default: the course.yaml of the kit)")
      ->type_name("FILE");
  command
      ->add_option("--measured", options->measured,
                   "Compare limits and thresholds with these results of the solutions, a file of `grade --json`")
      ->type_name("FILE");
  command->add_option("--today", options->today, "Compare dates with this day (default: now)")->type_name("DATE");
  command->add_flag("--strict", options->strict, "Fail on warnings, too");
  command->add_flag("--json", options->json, "Print a JSON list for programs");
  command->callback([options, exit_code] { *exit_code = Validate(*options); });
}

}  // namespace warpgrade::cli
