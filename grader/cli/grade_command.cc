// `warpgrade grade`: grades submissions, prints the table and writes the files. grading_session.cc does the work; this
// file has the options. Tests: tests/cli/command_line_test.cc, tests/course/*.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/assignment_option.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/place_options.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/similar_file.h"

namespace warpgrade::cli {
namespace {

struct GradeOptions {
  SessionOptions session;
  ReportFiles files;
  std::vector<std::string> similar;
  std::optional<score::Reader> reader;
  bool details = false, no_cache = false;
};

int Grade(GradeOptions options) {
  if (const Status can = CheckFiles(options.files); !can.ok()) return Fail(can.error());
  score::ClassNotes notes;
  if (const Status read = AddAlike(options.similar, &notes); !read.ok()) return Fail(read.error());
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  options.session.use_cache = !options.no_cache;
  options.session.cancel = &CatchInterrupts();
  options.session.one_submission = OptionForOneSubmission(options.files);
  options.session.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  options.session.on_report = [&options](const score::GradingReport& so_far) {
    WriteUnfinishedReports(so_far, options.files, ViewOf(options.reader));
  };
  Result<SessionResult> result = RunSession(options.session);
  progress.Clear();
  if (!result) return Fail(result.error());
  result->report.class_notes = std::move(notes);
  const Status handed_out = HandOut(result->report, options.files, options.details, ViewOf(options.reader));
  if (options.session.sandbox == Sandbox::kNone) {
    std::puts("\nGraded without a sandbox: the submissions could read and change everything that you can.");
  }
  if (!handed_out.ok()) return Fail(handed_out.error());
  return Conclude(*result);
}

// How rungs are compiled and run.
void AddBuildOptions(CLI::App& command, GradeOptions* options) {
  command
      .add_option("--seed", options->session.delay_seed,
                  "Delay asynchronous work as a report with this number did; 0: no delays (default: drawn)")
      ->type_name("N");
  command.add_flag("--no-cache", options->no_cache, "Compile every rung again, even if it was compiled before");
  command.add_flag("--compile-alone", options->session.compile_alone,
                   "Compile every rung by itself (default: all rungs of a lab together, where this is possible and "
                   "saves time)");
}

}  // namespace

// Long because each option of the command has a line or more here.
void AddGradeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("grade", "Grade one submission, or a folder of submissions");
  command->footer(
      "Examples:\n"
      "  warpgrade grade submissions/ --csv marks.csv --json results.json\n"
      "                                         grade a class and keep the results\n"
      "  warpgrade grade alice.zip --lab lab2 --rung v3\n"
      "                                         grade one rung of one student\n"
      "  warpgrade grade submissions/ --lab lab5 --leaderboard board.csv --hide-names\n"
      "                                         rank a class without its names\n"
      "  warpgrade grade solutions --device gpu grade the course's solutions: they must get all points\n"
      "\n"
      "A submission is a folder or an archive (.zip, .tar, .tar.gz, .tgz). It holds files such as\n"
      "lab1/v3_sequential.cu, and lab1/answers.yaml for the quiz. Only files that course.yaml names are read.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<GradeOptions>();
  SessionOptions& session = options->session;
  command->add_option("path", session.paths, "A submission, or a folder of submissions")->required();
  command->add_option("--lab", session.labs, "Grade only this lab; repeat the option for several labs")
      ->type_name("LAB");
  command
      ->add_option("--rung", session.rungs,
                   "Grade only this rung: v3, or v3_sequential; repeat the option for several rungs")
      ->type_name("RUNG");
  AddPlaceOptions(command, &session);
  command
      ->add_option("--student", session.who.named,
                   "Mark the quiz with the numbers that this student got (default: the name of the submission)")
      ->type_name("ID");
  AddFormatOptions(
      *command, [](const report::Format&) { return true; }, &options->files);
  AddSimilarOption(*command, &options->similar);
  AddReaderOption(*command, "by the format", &options->reader);
  AddAssignmentOption(*command, &session.canvas_assignments);
  command->add_flag("--hide-names", session.hide_names,
                    "Show pseudonyms in leaderboards; the file that --json writes says who has which pseudonym");
  command->add_flag("--details", options->details,
                    "Show every rung of every submission, and the clocks of the GPU during the timing");
  AddBuildOptions(*command, options.get());
  command->add_option("--course", session.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  // For tests with many wrong rungs, whose text is known.
  command->add_flag("--believe-together", session.believe_together)->group("");
  // For tests with many wrong rungs, about which a second look would say nothing that they ask for.
  command->add_flag_callback("--no-second-look", [&session] { session.second_look = false; })->group("");
  // For the audit of the limits (tests/course/adversaries_test.cc), whose programs give right answers for sure.
  command
      ->add_flag_callback(
          "--technique-alone",
          [&session] { session.parts.public_cases = session.parts.hidden_cases = session.parts.throughput = false; })
      ->group("");
  // For tests that grade many wrong rungs: most are caught in small cases (tests/course/mutants_test.cc).
  command->add_option("--most-elements", session.parts.most_elements)->group("");
  // An option such as --lab takes one name each time, so that `--lab lab1 solutions` leaves the path alone.
  for (const char* repeated : {"--lab", "--rung"}) {
    command->get_option(repeated)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  command->callback([options, exit_code] { *exit_code = Grade(*options); });
}

}  // namespace warpgrade::cli
