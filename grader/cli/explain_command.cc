// `warpgrade explain LAB RUNG`: runs one case on the emulator and draws the worst request to memory of a line. With
// --steps it draws the values of one block, from barrier to barrier. Tests: tests/cli/explain_command_test.cc,
// tests/course/explain_test.cc, tests/course/steps_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/home_sandbox.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/config/kit.h"
#include "grader/judge/measurement_json.h"
#include "grader/report/explain_text.h"
#include "grader/report/file.h"
#include "grader/report/html_steps.h"
#include "grader/report/steps_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/score/visibility.h"

namespace warpgrade::cli {
namespace {

struct ExplainOptions {
  std::string lab, rung, submission, course_yaml;
  std::string only_case;  // as typed
  std::optional<int> line;
  bool steps = false;
  std::optional<size_t> step;  // from 1
  judge::BlockToRecord of;
  std::string html;
  std::string measurement;  // a file for all that was measured
};

// By the variables that decide the characters of a program's output, as the C library reads them.
bool IsUtf8Locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string_view locale = value;
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
           locale.find("utf-8") != std::string_view::npos;
  }
  return false;
}

report::PictureStyle StyleOfTerminal() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return {.utf8 = IsUtf8Locale(), .colour = isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0')};
}

Result<SessionResult> RunOneCase(const ExplainOptions& options, Progress& progress) {
  SessionOptions session;
  session.paths = {options.submission};
  session.labs = {options.lab};
  session.rungs = {options.rung};
  session.device = Device::kEmulator;
  session.course_yaml = options.course_yaml;
  session.only_case = options.only_case;
  session.delay_seed = 0;
  session.who.at_home = true;
  session.keep_objects = true;
  session.parts = {};
  session.parts.public_cases = true;
  session.parts.hidden_cases = session.parts.technique = session.parts.throughput = false;
  session.parts.only_pictures = true;
  if (options.steps) session.parts.steps = options.of;
  session.cancel = &CatchInterrupts();
  session.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  Result<SessionResult> result = RunAtHome(session);
  progress.Clear();
  return result;
}

Error NothingIn(int line, const ExplainOptions& options, const score::Pictures& pictures) {
  return {ErrorKind::kUsage,
          fmt::format("--line {}: there is nothing to draw in this line of {} {}, which makes no request to memory in "
                      "this case and at which no warp diverges; there is something in {}",
                      line, options.lab, options.rung, report::LinesWithPictures(pictures))};
}

// Why there are no steps to draw, or nullopt.
std::optional<Error> WhyNoSteps(const ExplainOptions& options, const score::Pictures& pictures) {
  const auto no = [&options](const std::string& why) {
    return Error{ErrorKind::kUsage, fmt::format("{} {} has no steps to draw: {}", options.lab, options.rung, why)};
  };
  if (pictures.steps.empty()) {
    const std::string launch = options.of.launch > 0 ? fmt::format("--launch {}", options.of.launch) : "";
    const std::string block = options.of.block > 0 ? fmt::format("--block {}", options.of.block) : "";
    if (launch.empty() && block.empty()) return no("in this case no block reads or writes memory");
    const uint64_t launches = pictures.launches_with_steps;
    if (options.of.launch > launches && launches > 0) {
      return no(fmt::format("{}: there {} in this case, {}", launch,
                            launches == 1 ? "is 1 launch" : fmt::format("are {} launches", launches),
                            launches == 1 ? "number 1" : fmt::format("1 to {}", launches)));
    }
    return no(fmt::format("{}{}{}: no launch has such a block that reads or writes memory; try it without", launch,
                          launch.empty() || block.empty() ? "" : " ", block));
  }
  const score::BlockSteps& block = pictures.steps[0];
  if (block.steps.empty() || !report::IsDrawable(block)) return no("none of its values could be recorded");
  if (options.step && *options.step > block.steps.size()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--step {}: this block has {} steps", *options.step, block.steps.size())};
  }
  return std::nullopt;
}

// Whoever wants a file must learn from the exit status that there is none.
int EndWithoutPage(const ExplainOptions& options, const std::string& why) {
  if (options.html.empty()) return kDone;
  return Fail({ErrorKind::kUsage, fmt::format("--html: {} was not written, because {} {} has no steps to draw ({})",
                                              options.html, options.lab, options.rung, why)});
}

int DrawSteps(const ExplainOptions& options, const score::RungMeasurement& measurement,
              const report::ExplainedRung& rung, const std::string& heading) {
  const score::Pictures& pictures = measurement.pictures;
  if (const auto why = WhyNoSteps(options, pictures)) return Fail(*why);
  const std::string title = options.lab + " " + rung.file.substr(0, rung.file.rfind('.'));
  if (!options.html.empty()) {
    const Status written = report::WriteFile(
        options.html, report::StepsPage(pictures.steps[0], {title, pictures.case_name, rung.source, WARPGRADE_VERSION,
                                                            options.step.value_or(1)}));
    if (!written.ok()) return Fail(written.error());
  }
  std::string text = heading + "\n";
  if (measurement.status != score::RungStatus::kPassed) {
    text += fmt::format("This run is not right. `{}` says what is wrong.\n\n", rung.check);
  }
  text += report::StepsText(pictures.steps[0], rung.source, options.step, StyleOfTerminal());
  const Status printed = PrintText(text);
  return printed.ok() ? kDone : Fail(printed.error());
}

int Draw(const ExplainOptions& options, const score::GradingReport& report) {
  const score::GradingReport seen = score::ReportFor(score::Reader::kStudents, std::time(nullptr), report);
  const score::SubmissionScore& submission = seen.submissions.at(0);
  if (submission.labs.empty() || submission.labs[0].rungs.empty()) {
    const Status printed = PrintReport(report, true, score::Reader::kStudents);
    return printed.ok() ? EndWithoutPage(options, "not shown now") : Fail(printed.error());
  }
  const score::LabScore& lab = submission.labs[0];
  const score::RungScore& rung = lab.rungs[0];
  const score::RungMeasurement& measurement = rung.measurement;
  const score::Pictures& pictures = measurement.pictures;
  if (!options.measurement.empty()) {
    const Status written = report::WriteFile(options.measurement, judge::SerializeMeasurement(measurement));
    if (!written.ok()) return Fail(written.error());
  }
  const bool is_empty = options.steps
                            ? pictures.steps.empty()
                            : pictures.requests.empty() && pictures.branches.empty() && pictures.races.empty();
  if (is_empty && measurement.status != score::RungStatus::kPassed) {
    const Status printed = PrintReport(report, true, score::Reader::kStudents);
    return printed.ok() ? EndWithoutPage(options, report::CorrectnessCell(measurement)) : Fail(printed.error());
  }
  if (is_empty && !options.steps) {
    return Fail({ErrorKind::kUsage,
                 fmt::format("{} {} makes no request to memory in its own file, and no warp diverges, so there is "
                             "nothing to draw",
                             options.lab, rung.rung)});
  }
  const auto source = submission.sources.find(lab.lab + "/" + rung.rung + ".cu");
  const report::ExplainedRung explained{rung.rung + ".cu", source == submission.sources.end() ? "" : source->second,
                                        report::CheckCommand(report, lab.lab, rung.rung)};
  const report::PictureStyle style = StyleOfTerminal();
  const std::string heading = report::HeadingText({lab.lab, rung.rung, pictures.case_name}, {}, style.colour);
  if (options.steps) return DrawSteps(options, measurement, explained, heading);
  if (report::ChooseRequests(pictures, options.line).empty() &&
      report::ChooseBranches(pictures, options.line) == nullptr &&
      report::ChooseRaces(pictures, options.line).empty()) {
    return Fail(NothingIn(*options.line, options, pictures));
  }
  const Status printed = PrintText(heading + "\n" + report::ExplainText(measurement, explained, options.line, style));
  return printed.ok() ? kDone : Fail(printed.error());
}

// The page of explain is that of the steps. The pictures without steps are on the page of check.
Error NoPageWithoutSteps(const ExplainOptions& options) {
  std::string rest = fmt::format("{} {}", options.lab, options.rung);
  if (!options.submission.empty()) rest += " --submission " + WordForShell(options.submission);
  return {
      ErrorKind::kUsage,
      fmt::format("--html writes a page of the steps, so it needs --steps: warpgrade explain {0} --steps --html {1}; "
                  "for a page with the picture of each line, type: warpgrade check {0} --html {1}",
                  rest, WordForShell(options.html))};
}

int Explain(ExplainOptions options) {
  if (options.rung == config::kQuizName) {
    return Fail({ErrorKind::kUsage, "a quiz makes no request to memory; name a rung, such as v1"});
  }
  if (!options.html.empty() && !options.steps) return Fail(NoPageWithoutSteps(options));
  if (!options.html.empty()) {
    if (const Status can = CheckFile(options.html, "--html"); !can.ok()) return Fail(can.error());
  }
  const std::string check_options =
      options.submission.empty() ? "" : " --submission " + WordForShell(options.submission);
  if (options.submission.empty()) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return Fail(kit.error());
    options.submission = StarterFolder(*kit, options.course_yaml, options.lab);
  }
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  Result<SessionResult> result = RunOneCase(options, progress);
  if (!result) return Fail(result.error());
  if (const int code = Conclude(*result); code != kDone) return code;
  result->report.check_program = LauncherPath();
  result->report.check_options = check_options;
  return Draw(options, result->report);
}

}  // namespace

void AddExplainCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("explain", "Draw what your rung asks of memory: banks, sectors, lanes");
  command->footer(
      "Examples:\n"
      "  warpgrade explain lab2 v3                        draw the line that costs most\n"
      "  warpgrade explain lab2 v3 --line 29              draw the worst request of line 29\n"
      "  warpgrade explain lab2 v3 --case 7               run this case instead of the one for technique\n"
      "  warpgrade explain lab2 v3 --submission my-work   draw files in another folder\n"
      "  warpgrade explain lab1 v2 --steps                draw the values of one block, step by step\n"
      "  warpgrade explain lab1 v2 --steps --step 3       draw only the third step\n"
      "  warpgrade explain lab1 v2 --steps --html v2.html write a page to go through the steps, too\n"
      "\n"
      "The rung runs once on the emulator, in the case for which technique is counted. The picture shows one request\n"
      "of one warp: its 32 lanes and the banks of shared memory, or the sectors of global memory that are moved.\n"
      "\n"
      "With --steps the picture shows what the threads of one block read and write between two barriers, with the\n"
      "values. Each shuffle, and what ends at a __syncwarp(), is a step, too. It is block 0 of the largest launch "
      "that\n"
      "uses shared memory or shuffles.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("lab", options->lab, "The lab, such as lab2")->required()->type_name("");
  command->add_option("rung", options->rung, "The rung: v3, or v3_padded")->required()->type_name("");
  command->add_option("--line", options->line, "Draw this line (default: the one that costs most)")->type_name("N");
  command->add_option("--case", options->only_case, "Run this case: a number that a report gives, or a name")
      ->type_name("N");
  CLI::Option* const steps = command->add_flag("--steps", options->steps, "Draw the values of one block, step by step");
  command->add_option("--step", options->step, "Draw only this step")
      ->type_name("N")
      ->needs(steps)
      ->check(CLI::PositiveNumber.description(""));
  command->add_option("--block", options->of.block, "Draw the block with this number (default: 0)")
      ->type_name("N")
      ->needs(steps)
      ->check(CLI::NonNegativeNumber.description(""));
  command->add_option("--launch", options->of.launch, "Draw a block of this launch, counted from 1")
      ->type_name("N")
      ->needs(steps)
      ->check(CLI::PositiveNumber.description(""));
  command->add_option("--html", options->html, "With --steps: write the steps into this page for a browser, too")
      ->type_name("FILE");
  command->add_option("--submission", options->submission, "The folder with your files (default: starter/)")
      ->type_name("DIR");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->add_option("--measurement", options->measurement)->group("");  // for tests
  command->callback([options, exit_code] { *exit_code = Explain(*options); });
}

}  // namespace warpgrade::cli
