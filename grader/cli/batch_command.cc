// `warpgrade batch`: grades a class into a gradebook. batch_run.cc and batch.cc do the work; this file has the options.
// Tests: tests/cli/batch_command_test.cc.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/cli/batch_run.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/report_output.h"
#include "grader/cli/similar_file.h"
#include "grader/cli/slurm_engine.h"

namespace warpgrade::cli {
namespace {

struct BatchOptions {
  SessionOptions session;
  std::string lab, gradebook, roster, html;
  std::vector<std::string> similar;
  bool fresh = false;
  EngineOptions engine;
};

// The course at `path`, which has the lab and describes the cluster if one is wanted.
Result<config::Course> CourseToGradeBy(const BatchOptions& options, const std::string& path) {
  Result<config::Course> course = CourseAt(path);
  if (!course) return course;
  if (const Status known = CheckLab(*course, options.lab); !known.ok()) return known.error();
  if (const Status can = CheckEngine(options.engine, *course, options.session.device); !can.ok()) return can.error();
  return course;
}

int GradeClass(BatchOptions options) {
  BatchRun run;
  if (!options.html.empty()) {
    if (const Status can = CheckFile(options.html, "--html"); !can.ok()) return Fail(can.error());
  }
  if (const Status read = AddAlike(options.similar, &run.notes); !read.ok()) return Fail(read.error());
  std::vector<roster::Student> students;
  if (!options.roster.empty()) {
    Result<std::vector<roster::Student>> read = roster::ReadRoster(options.roster);
    if (!read) return Fail(read.error());
    students = std::move(*read);
  }
  // Before a gradebook is made, or remembers it.
  std::error_code ignored;
  if (!options.session.course_yaml.empty() || !std::filesystem::exists(options.gradebook, ignored)) {
    const Result<config::Course> course = CourseToGradeBy(options, options.session.course_yaml);
    if (!course) return Fail(course.error());
  }
  Result<gradebook::Gradebook> book =
      gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kCreate, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  Result<std::string> course_yaml = CoursePathToGradeBy(&*book, options.session.course_yaml);
  if (!course_yaml) return Fail(course_yaml.error());
  options.session.course_yaml = std::move(*course_yaml);
  const Result<config::Course> course = CourseToGradeBy(options, options.session.course_yaml);
  if (!course) return Fail(course.error());
  run.lab = options.lab;
  run.html = options.html;
  run.again = options.fresh;
  run.roster = options.roster.empty() ? nullptr : &students;
  run.prepare = [](Batch* batch, SessionOptions* session) { return batch->Prepare(session); };
  if (options.engine.on_slurm) {
    const Result<uint64_t> seed = book->Seed();
    if (!seed) return Fail(seed.error());
    run.engine = [&, seed = *seed](Batch* batch, BatchProgress* progress, SessionOptions* session) {
      return GradeOnSlurm({*course->slurm, options.lab, seed, options.engine.cancel, options.fresh}, batch, progress,
                          session);
    };
  }
  return RunBatch(run, options.session, &*book);
}

constexpr char kBatchFooter[] =
    "Examples:\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db\n"
    "                                         grade a class, or go on after an interruption\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db --roster roster.csv\n"
    "                                         the same, and list who handed nothing in\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db --html class.html\n"
    "                                         the same, and write a page with what to look at\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db --engine slurm\n"
    "                                         the same on a cluster, which 'slurm' in course.yaml describes\n"
    "  warpgrade batch submissions/ --lab lab3 --gradebook marks.db --engine slurm --cancel\n"
    "                                         end its tasks, and keep what they have finished\n"
    "  warpgrade export marks.db --format csv --output marks.csv\n"
    "                                         write the marks for a spreadsheet\n"
    "\n"
    "The gradebook keeps every attempt, its sources and every grading of it. Nothing in it is overwritten.\n"
    "Submissions that have not changed since they were graded are neither built nor run again. They may be\n"
    "named as Canvas, Gradescope and GitHub Classroom export them, or by the ids of the students.\n"
    "\n"
    "On a cluster, Ctrl-C ends this command and leaves the tasks running. Run the same command again to follow them.\n"
    "The gradebook stays on a local disk of this machine.\n"
    "\n"
    "The roster is a CSV file with a line of headings: id,name,e-mail,section,extension. Only id must be there.\n"
    "\n";

}  // namespace

void AddBatchCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("batch", "Grade a class into a gradebook; go on after an interruption");
  command->footer(std::string(kBatchFooter) + kExitStatusHelp);
  auto options = std::make_shared<BatchOptions>();
  command->add_option("path", options->session.paths, "A folder of submissions, or one submission")
      ->required()
      ->type_name("DIR");
  command->add_option("--lab", options->lab, "The lab that was handed in")->required()->type_name("LAB");
  command->add_option("--gradebook", options->gradebook, "The gradebook; it is made if there is none")
      ->required()
      ->type_name("FILE");
  command->add_option("--roster", options->roster, "The students of the course, as CSV")->type_name("FILE");
  command->add_flag("--fresh", options->fresh, "Grade every submission again, even if it has not changed");
  command->add_option("--html", options->html, "Write the page of the class for a browser")->type_name("FILE");
  AddSimilarOption(*command, &options->similar);
  AddEngineOptions(command, &options->engine);
  AddSessionOptions(command, &options->session);
  AddBookCourseOption(command, &options->session.course_yaml);
  command->callback([options, exit_code] { *exit_code = GradeClass(*options); });
}

}  // namespace warpgrade::cli
