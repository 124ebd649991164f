// `warpgrade quiz LAB`: the questions with a student's own numbers. Tests: tests/cli/quiz_command_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/progress.h"
#include "grader/cli/quiz_session.h"
#include "grader/config/nearest.h"
#include "grader/quiz/sheet.h"
#include "grader/report/text.h"

namespace warpgrade::cli {
namespace {

struct QuizOptions {
  std::string lab, student, course_yaml;
  bool sheet = false, answers = false, functions = false;
};

int PrintFunctions() {
  for (const quiz::Function& function : quiz::AllFunctions()) {
    std::vector<std::string> names;
    for (const quiz::Parameter& parameter : function.parameters) {
      names.push_back(parameter.otherwise ? fmt::format("[{}]", parameter.name) : parameter.name);
    }
    fmt::print("{}({})\n    {}\n", function.name, fmt::join(names, ", "), function.description);
  }
  return kDone;
}

// A lab with a quiz.yaml, whether or not course.yaml gives points for it.
Status CheckLab(const config::Kit& kit, const std::string& lab) {
  std::vector<std::string> known;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kit.labs_dir, error)) {
    if (std::filesystem::exists(entry.path() / "quiz.yaml", error)) known.push_back(entry.path().filename().string());
  }
  std::sort(known.begin(), known.end());
  if (std::find(known.begin(), known.end(), lab) != known.end()) return {};
  const auto nearest = config::NearestName(lab, known);
  return Error{ErrorKind::kUsage,
               fmt::format("there is no quiz of '{}'; {}", report::PrintableLine(lab),
                           nearest ? "did you mean '" + *nearest + "'?" : "there are " + config::ListNames(known))};
}

// Answers are for those who have the solutions anyway.
Status CheckMayAnswer(const config::Kit& kit, const QuizOptions& options) {
  if (options.student.empty()) {
    return Error{ErrorKind::kUsage, "--answers are one student's; add --student ID"};
  }
  if (std::filesystem::is_directory(kit.solutions_dir)) return {};
  return Error{ErrorKind::kUsage,
               "--answers is for instructors: this kit was installed without the solutions; install them with "
               "'cmake --install BUILD --component solutions'"};
}

int PrintQuiz(const QuizOptions& options) {
  if (options.functions) return PrintFunctions();
  if (options.lab.empty()) return Fail(Error{ErrorKind::kUsage, "which lab's quiz? Write e.g. 'warpgrade quiz lab1'"});
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  if (const Status known = CheckLab(*kit, options.lab); !known.ok()) return Fail(known.error());
  const auto course =
      config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml, MetricNames());
  if (!course) return Fail(course.error());
  const auto quiz = FindQuiz(*kit, options.lab);
  if (!quiz) return Fail(quiz.error());

  std::optional<quiz::Student> student;
  if (!options.student.empty()) student = StudentOf(*course, options.student);
  const std::string made_by = fmt::format("warpgrade quiz {}", options.lab);
  if (options.answers) {
    if (const Status may = CheckMayAnswer(*kit, options); !may.ok()) return Fail(may.error());
    fmt::print("{}", quiz::AnsweredSheet(*quiz, *student, made_by));
  } else if (options.sheet) {
    fmt::print("{}", quiz::BlankSheet(*quiz, student, made_by));
  } else {
    const int width = isatty(STDOUT_FILENO) != 0 ? TerminalColumns(stdout) : 100;
    fmt::print("{}", quiz::QuestionsText(*quiz, student, width));
  }
  return kDone;
}

}  // namespace

void AddQuizCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("quiz", "Show the questions of a lab's quiz with your own numbers");
  command->footer(
      "Examples:\n"
      "  warpgrade quiz lab1 --student s1042                                      your questions\n"
      "  warpgrade quiz lab1 --student s1042 --sheet > starter/lab1/answers.yaml  the file to write your answers in\n"
      "  warpgrade check lab1 quiz                                                which of them are right\n"
      "  warpgrade quiz lab1 --student s1042 --answers                            for instructors\n"
      "\n"
      "The id is what the submission is called: s1042.zip is handed in by s1042.");
  auto options = std::make_shared<QuizOptions>();
  command->add_option("lab", options->lab, "A lab: lab1")->type_name("");
  command->add_option("--student", options->student, "Whose numbers (default: leave open what is drawn)")
      ->type_name("ID");
  CLI::Option* sheet = command->add_flag("--sheet", options->sheet, "Print answers.yaml, to be filled in");
  command->add_flag("--answers", options->answers, "Print answers.yaml filled in; needs the solutions")
      ->excludes(sheet);
  command->add_flag("--functions", options->functions, "List what a question of quiz.yaml can have computed");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the kit's)")->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = PrintQuiz(*options); });
}

}  // namespace warpgrade::cli
