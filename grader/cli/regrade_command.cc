// `warpgrade book regrade`: grades attempts again from the sources in the gradebook, lab by lab. batch_run.cc does the
// work. Tests: tests/cli/batch_command_test.cc.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/batch_run.h"
#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/selection.h"
#include "grader/cli/slurm_engine.h"

namespace warpgrade::cli {
namespace {

struct RegradeOptions {
  SessionOptions session;
  std::string gradebook, student, lab;
  bool changed = false, all = false;
  EngineOptions engine;
};

Result<std::map<std::string, std::vector<gradebook::Attempt>>> AttemptsByLab(gradebook::Gradebook* book,
                                                                             const RegradeOptions& options) {
  if (!options.changed && !options.all && options.student.empty()) {
    return Error{ErrorKind::kUsage, "say what to grade again: --changed, --all, or --student ID"};
  }
  if (!options.student.empty()) {
    if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  }
  Result<std::vector<gradebook::Attempt>> attempts = book->Attempts(options.student, options.lab);
  if (!attempts) return attempts.error();
  std::map<std::string, std::vector<gradebook::Attempt>> by_lab;
  for (gradebook::Attempt& attempt : *attempts) by_lab[attempt.lab].push_back(std::move(attempt));
  if (by_lab.empty()) return Error{ErrorKind::kUsage, book->path() + ": no attempt is to be graded again"};
  return by_lab;
}

int Regrade(RegradeOptions options) {
  Result<gradebook::Gradebook> book =
      gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kWrite, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  auto by_lab = AttemptsByLab(&*book, options);
  if (!by_lab) return Fail(by_lab.error());
  Result<std::string> course_yaml = CoursePathToGradeBy(&*book, options.session.course_yaml);
  if (!course_yaml) return Fail(course_yaml.error());
  options.session.course_yaml = std::move(*course_yaml);
  const Result<config::Course> course = CourseAt(options.session.course_yaml);
  if (!course) return Fail(course.error());
  if (const Status can = CheckEngine(options.engine, *course, options.session.device); !can.ok()) {
    return Fail(can.error());
  }
  const Result<uint64_t> seed = book->Seed();
  if (!seed) return Fail(seed.error());
  int worst = kDone;
  for (auto& of_lab : *by_lab) {
    std::vector<gradebook::Attempt>& attempts = of_lab.second;
    BatchRun run;
    run.lab = of_lab.first;
    run.student = options.student;
    run.again = !options.changed;
    run.prepare = [&attempts](Batch* batch, SessionOptions* session) {
      return batch->PrepareAgain(std::move(attempts), session);
    };
    if (options.engine.on_slurm) {
      run.engine = [&](Batch* batch, BatchProgress* progress, SessionOptions* session) {
        return GradeOnSlurm({*course->slurm, run.lab, *seed, options.engine.cancel, run.again}, batch, progress,
                            session);
      };
    }
    worst = std::max(worst, RunBatch(run, options.session, &*book));
    if (worst == kInterrupted) break;
  }
  return worst;
}

}  // namespace

void AddRegradeCommand(CLI::App* book, int* exit_code) {
  CLI::App* command = book->add_subcommand("regrade", "Grade attempts again, from the sources in the gradebook");
  command->footer(
      "Examples:\n"
      "  warpgrade book regrade marks.db --changed --lab lab3\n"
      "                                         after a change of course.yaml, the quiz or the kit\n"
      "  warpgrade book regrade marks.db --student s1042 --lab lab3\n"
      "                                         every attempt of one student\n"
      "  warpgrade book regrade marks.db --all --lab lab3 --engine slurm\n"
      "                                         on a cluster, which 'slurm' in course.yaml describes\n"
      "\n"
      "The older results stay in the gradebook, and the new ones count.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<RegradeOptions>();
  command->add_option("gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  CLI::Option* changed = command->add_flag(
      "--changed", options->changed,
      "Attempts whose latest result is out of date: course.yaml, the quiz, the kit or the device has changed since "
      "then. Also attempts that have no result");
  command->add_flag("--all", options->all, "All attempts, even if nothing has changed")->excludes(changed);
  command->add_option("--student", options->student, "The attempts of this student, even if nothing has changed")
      ->type_name("ID");
  command->add_option("--lab", options->lab, "Only this lab")->type_name("LAB");
  AddEngineOptions(command, &options->engine);
  AddSessionOptions(command, &options->session);
  AddBookCourseOption(command, &options->session.course_yaml);
  command->callback([options, exit_code] { *exit_code = Regrade(*options); });
}

}  // namespace warpgrade::cli
