// `warpgrade grade`: submissions in, marks out. Tests: tests/cli/command_line_test.cc, tests/course/*.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"

namespace warpgrade::cli {
namespace {

struct GradeOptions {
  SessionOptions session;
  ReportFiles files;
  bool details = false, no_cache = false;
};

int Grade(GradeOptions options) {
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  options.session.use_cache = !options.no_cache;
  options.session.cancel = &CatchInterrupts();
  options.session.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  const Result<SessionResult> result = RunSession(options.session);
  progress.Clear();
  if (!result) return Fail(result.error());
  const Status handed_out = HandOut(result->report, options.files, options.details);
  if (options.session.sandbox == Sandbox::kNone) {
    std::puts("\nGraded without a sandbox: what ran could read and change all that you can.");
  }
  if (!handed_out.ok()) return Fail(handed_out.error());
  return Conclude(*result);
}

}  // namespace

void AddGradeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("grade", "Grade submissions: folders, archives, or folders of them");
  command->footer(
      "Examples:\n"
      "  warpgrade grade submissions/ --csv marks.csv --json results.json\n"
      "  warpgrade grade submissions/ --lab lab5 --leaderboard board.csv --hide-names\n"
      "  warpgrade grade alice.zip --lab lab2 --rung v3 --details\n"
      "  warpgrade grade solutions --device gpu          must be full marks\n"
      "\n"
      "A submission holds LAB/RUNG.cu, such as lab1/v3_sequential.cu, and LAB/answers.yaml, the quiz; only the files "
      "that course.yaml names are taken.");
  auto options = std::make_shared<GradeOptions>();
  SessionOptions& session = options->session;
  command->add_option("path", session.paths, "A submission, or a folder of submissions")->required();
  command->add_option("--lab", session.labs, "Grade this lab only (may be repeated)")->type_name("LAB");
  command->add_option("--rung", session.rungs, "Grade this rung only: v3, or v3_sequential (may be repeated)")
      ->type_name("RUNG");
  AddDeviceOption(*command, &session.device);
  command->add_option("--jobs,-j", session.jobs, "Rungs at a time (default: one per core)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  session.sandbox = Sandbox::kBubblewrap;
  static const std::map<std::string, Sandbox> kSandboxes = {{"bubblewrap", Sandbox::kBubblewrap},
                                                            {"none", Sandbox::kNone}};
  command
      ->add_option("--sandbox", session.sandbox, "bubblewrap (default), or none: submissions run with all your rights")
      ->envname("WARPGRADE_SANDBOX")
      ->transform(CLI::CheckedTransformer(kSandboxes).description(""))
      ->type_name("KIND");
  command
      ->add_option("--student", session.who.named,
                   "Mark quizzes with this student's numbers (default: the submission's name)")
      ->type_name("ID");
  AddFormatOptions(
      *command, [](const report::Format&) { return true; }, &options->files);
  command->add_flag("--hide-names", session.hide_names, "Give leaderboards pseudonyms; --json knows whose they are");
  command->add_flag("--details", options->details,
                    "Show every rung of every submission, and the GPU's clocks while it was timed");
  command->add_flag("--no-cache", options->no_cache, "Compile every rung, also those compiled before");
  command->add_option("--course", session.course_yaml, "Use this course.yaml (default: the kit's)")->type_name("FILE");
  // An option such as --lab takes one name each time, so that `--lab lab1 solutions` leaves the path alone.
  for (const char* repeated : {"--lab", "--rung"}) {
    command->get_option(repeated)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  command->callback([options, exit_code] { *exit_code = Grade(*options); });
}

}  // namespace warpgrade::cli
