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
#include "grader/described/texts.h"
#include "grader/quiz/sheet.h"
#include "grader/starter/starter.h"

namespace warpgrade::cli {
namespace {

struct MakeStarterOptions {
  std::string solutions, starter;  // "": the kit's
  std::string course_yaml;         // set: its labs outside of the kit, and no others
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

// The sheet of a lab outside of the kit, empty and answered.
Status MakeSheetsOf(const config::Kit& kit, const config::Course& course, const std::string& lab, bool check_only) {
  std::error_code ignored;
  const std::string folder = kit.LabFolder(lab);
  if (!std::filesystem::exists(folder + "/quiz.yaml", ignored)) return Status();
  const auto quiz = FindQuiz(kit, lab);
  if (!quiz) return quiz.error();
  const std::string file = lab + "/" + quiz::kAnswersFile;
  const std::string blank = quiz::BlankSheet(*quiz, std::nullopt, "warpgrade make-starter");
  const std::string answered = quiz::AnsweredSheet(*quiz, StudentOf(course, "solutions"), "warpgrade make-starter");
  if (Status made = starter::MakeFiles(folder + "/starter", {{file, blank}}, check_only); !made.ok()) return made;
  return starter::MakeFiles(folder + "/solutions", {{file, answered}}, check_only);
}

int MakeStarterOfOutsideLabs(const MakeStarterOptions& options) {
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const auto course = config::LoadCourse(options.course_yaml, MetricNames());
  if (!course) return Fail(course.error());
  config::AddOutsideLabs(*course, &*kit);
  if (kit->outside.empty()) {
    return Fail({ErrorKind::kUsage, fmt::format("{}: it has no lab outside of the kit; without --course, the starter "
                                                "files of the kit are made",
                                                options.course_yaml)});
  }
  for (const auto& [lab, outside] : kit->outside) {
    const std::string starter = outside.folder + "/starter";
    const auto description = described::ReadDescription(outside.folder);
    if (!description) return Fail(description.error());
    const Status header =
        starter::MakeFiles(outside.folder, {{lab + ".h", described::HeaderText(*description)}}, options.check);
    if (!header.ok()) return Fail(header.error());
    const Status made = starter::MakeStarterTree(outside.folder + "/solutions", starter, options.check);
    if (!made.ok()) return Fail(made.error());
    if (const Status sheets = MakeSheetsOf(*kit, *course, lab, options.check); !sheets.ok())
      return Fail(sheets.error());
    fmt::print("{} {}\n", starter, options.check ? "is up to date" : "now matches the solutions");
  }
  return kDone;
}

int MakeStarter(MakeStarterOptions options) {
  if (!options.course_yaml.empty()) return MakeStarterOfOutsideLabs(options);
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
  CLI::Option* course = command->add_option("--course", options->course_yaml,
                                            "Make the starter files of the labs that this course.yaml brings from "
                                            "outside of the kit");
  course->type_name("FILE");
  command->add_option("--solutions", options->solutions, "The folder with the solutions (default: the one of the kit)")
      ->type_name("DIR")
      ->excludes(course);
  command->add_option("--starter", options->starter, "The folder to write to (default: the one of the kit)")
      ->type_name("DIR")
      ->excludes(course);
  command->callback([options, exit_code] { *exit_code = MakeStarter(*options); });
}

}  // namespace warpgrade::cli
