// `warpgrade quiz LAB`: prints the questions of a quiz with the numbers of one student, or answers.yaml, empty or with
// the right answers. grader/quiz makes the texts. Tests: tests/cli/quiz_command_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/edition.h"
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
  bool sheet = false, answers = false, explain = false, functions = false;
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

// Checks that the lab has a quiz.yaml. course.yaml need not give points for it.
Status CheckLab(const config::Kit& kit, const std::string& lab) {
  std::vector<std::string> known;
  std::error_code error;
  for (const auto& [name, from] : kit.outside) {
    if (std::filesystem::exists(from.folder + "/quiz.yaml", error)) known.push_back(name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(kit.labs_dir, error)) {
    if (std::filesystem::exists(entry.path() / "quiz.yaml", error)) known.push_back(entry.path().filename().string());
  }
  std::sort(known.begin(), known.end());
  if (std::find(known.begin(), known.end(), lab) != known.end()) return {};
  const auto nearest = config::NearestName(lab, known);
  return Error{ErrorKind::kUsage, fmt::format("there is no quiz for '{}'; {}", report::PrintableLine(lab),
                                              nearest ? "did you mean '" + *nearest + "'?"
                                                      : "the labs with a quiz are " + config::ListNames(known))};
}

// Only the staff's edition, in a kit with the solutions, prints answers.
Status CheckMayAnswer(const config::Kit& kit, const QuizOptions& options) {
  if (ThisEdition().for_students) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--answers is not in the students' edition; `warpgrade check {} quiz` says which of your "
                             "answers are right",
                             options.lab)};
  }
  if (options.student.empty()) {
    return Error{ErrorKind::kUsage, "--answers are one student's; add --student ID"};
  }
  if (std::filesystem::is_directory(kit.SolutionsOf(options.lab))) return {};
  return Error{ErrorKind::kUsage,
               "--answers is for instructors, and this kit was installed without the solutions; install them with "
               "`cmake --install BUILD --component solutions`"};
}

int PrintQuiz(const QuizOptions& options) {
  if (options.functions) return PrintFunctions();
  if (options.lab.empty())
    return Fail(Error{ErrorKind::kUsage, "no lab is named; write its name, as in `warpgrade quiz lab1`"});
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const auto course = config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml,
                                         MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return Fail(course.error());
  config::AddOutsideLabs(*course, &*kit);
  for (const config::BrokenLab& lab : course->broken) {
    if (lab.name == options.lab) return Fail({ErrorKind::kUsage, lab.why});
  }
  if (const Status known = CheckLab(*kit, options.lab); !known.ok()) return Fail(known.error());
  const auto quiz = FindQuiz(*kit, options.lab);
  if (!quiz) return Fail(quiz.error());

  std::optional<quiz::Student> student;
  if (!options.student.empty()) student = StudentOf(*course, options.student);
  const std::string made_by = fmt::format("warpgrade quiz {}", options.lab);
  if (options.answers) {
    if (const Status may = CheckMayAnswer(*kit, options); !may.ok()) return Fail(may.error());
    fmt::print("{}",
               quiz::AnsweredSheet(*quiz, *student, made_by, options.explain ? ThisEdition().explain_answer : nullptr));
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
  CLI::App* command = app.add_subcommand("quiz", "Show the questions of a lab's quiz, with the numbers of one student");
  command->footer(
      "Examples:\n"
      "  warpgrade quiz lab1 --student s1042            show the questions\n"
      "  warpgrade quiz lab1 --student s1042 --sheet > starter/lab1/answers.yaml\n"
      "                                                 make the file for your answers\n"
      "  warpgrade check lab1 quiz                      check which answers are right\n"
      "  warpgrade quiz lab1 --student s1042 --answers  show the right answers (for instructors)\n"
      "  warpgrade quiz lab1 --student s1042 --answers --explain\n"
      "                                                 show them with their arithmetic (for instructors)\n"
      "  warpgrade quiz --functions                     list the functions for quiz.yaml (for instructors)\n"
      "\n"
      "Each student gets different numbers. They depend on the student's id, which is the name of the submission: the\n"
      "submission s1042.zip belongs to the student s1042.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<QuizOptions>();
  command->add_option("lab", options->lab, "The lab, such as lab1")->type_name("");
  command
      ->add_option(
          "--student", options->student,
          "The id of the student (default: none, and <...> stands for the numbers that differ from student to student)")
      ->type_name("ID");
  CLI::Option* sheet = command->add_flag("--sheet", options->sheet, "Print an empty answers.yaml");
  CLI::Option* answers = command
                             ->add_flag("--answers", options->answers,
                                        "Print answers.yaml with the right answers; the kit must have the solutions")
                             ->excludes(sheet);
  command->add_flag("--explain", options->explain, "With --answers: show the arithmetic above each answer")
      ->needs(answers);
  command->add_flag("--functions", options->functions, "List the functions that can compute an answer in quiz.yaml");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = PrintQuiz(*options); });
}

}  // namespace warpgrade::cli
