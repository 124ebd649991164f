// `warpgrade make-starter`: makes starter/ from solutions/ and the answers.yaml of each quiz. The file in starter/ is
// empty. The one in solutions/ has the right answers for the student "solutions", so that grading the solutions shows
// that the quizzes can be answered. Tests: tests/starter/ and tests/course/.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/quiz_session.h"
#include "grader/config/kit.h"
#include "grader/quiz/sheet.h"
#include "grader/starter/starter.h"

namespace warpgrade::cli {
namespace {

struct MakeStarterOptions {
  std::string solutions, starter;  // "": the kit's
  bool check = false;
};

Status MakeSheets(const config::Kit& kit, const MakeStarterOptions& options) {
  namespace fs = std::filesystem;
  const auto course = config::LoadCourse(kit.course_yaml, MetricNames());
  if (!course) return course.error();
  const std::string name = fs::path(options.solutions + "/").lexically_normal().parent_path().filename().string();
  const quiz::Student ours = StudentOf(*course, name);
  std::map<std::string, std::string> blank, answered;
  for (const fs::directory_entry& lab : fs::directory_iterator(kit.labs_dir)) {
    if (!fs::exists(lab.path() / "quiz.yaml")) continue;
    const auto quiz = FindQuiz(kit, lab.path().filename().string());
    if (!quiz) return quiz.error();
    const std::string file = quiz->lab + "/" + quiz::kAnswersFile;
    blank[file] = quiz::BlankSheet(*quiz, std::nullopt, "warpgrade make-starter");
    answered[file] = quiz::AnsweredSheet(*quiz, ours, "warpgrade make-starter");
  }
  const Status in_starter = starter::MakeFiles(options.starter, blank, options.check);
  const Status in_solutions = starter::MakeFiles(options.solutions, answered, options.check);
  return in_starter.ok() ? in_solutions : in_starter;
}

int MakeStarter(MakeStarterOptions options) {
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  if (options.solutions.empty()) options.solutions = kit->solutions_dir;
  if (options.starter.empty()) options.starter = kit->starter_dir;
  const Status made = starter::MakeStarterTree(options.solutions, options.starter, options.check);
  if (!made.ok()) return Fail(made.error());
  if (const Status sheets = MakeSheets(*kit, options); !sheets.ok()) return Fail(sheets.error());
  fmt::print("{} {}\n", options.starter, options.check ? "is up to date" : "now matches the solutions");
  return kDone;
}

}  // namespace

void AddMakeStarterCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("make-starter", "Make the starter files of the students from the solutions");
  command->footer(
      "Examples:\n"
      "  warpgrade make-starter          run it after a change below solutions/ or in a lab's quiz.yaml\n"
      "  warpgrade make-starter --check  fail if a starter file is not up to date (for a test)\n"
      "\n"
      "Markers in a solution say what the students write themselves. Each marker stands on a line of its own:\n"
      "\n"
      "    const int i = blockIdx.x * blockDim.x + threadIdx.x;   both files have this line\n"
      "    // BEGIN SOLUTION\n"
      "    if (i < n) d_out[i] = d_in[i];                         only the solution has this line\n"
      "    // ELSE STARTER\n"
      "    //| // TODO: copy element i.                           the starter has it without the \"//| \"\n"
      "    //| NOT_WRITTEN_YET();\n"
      "    // END SOLUTION\n"
      "\n"
      "A block needs no ELSE STARTER if the starter has nothing in its place (a helper function, for example). At\n"
      "least one block of each file must have one with NOT_WRITTEN_YET(), so that the grader can tell a rung that is\n"
      "not written yet from a wrong one.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<MakeStarterOptions>();
  command->add_flag("--check", options->check, "Write nothing; exit with status 2 if a file is not up to date");
  command->add_option("--solutions", options->solutions, "The folder with the solutions (default: the one of the kit)")
      ->type_name("DIR");
  command->add_option("--starter", options->starter, "The folder to write to (default: the one of the kit)")
      ->type_name("DIR");
  command->callback([options, exit_code] { *exit_code = MakeStarter(*options); });
}

}  // namespace warpgrade::cli
