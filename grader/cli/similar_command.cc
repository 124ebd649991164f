// `warpgrade similar`: shows which submissions of a lab are alike. grader/similarity compares; this file reads the
// submissions and what the course has given. Tests: tests/class/similar_test.cc, tests/cli/command_line_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/lab_files.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/cli/similar_file.h"
#include "grader/cli/similar_text.h"
#include "grader/config/kit.h"
#include "grader/report/file.h"
#include "grader/report/html_similar.h"
#include "grader/similarity/similarity.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {
namespace {

struct SimilarOptions {
  std::vector<std::string> paths, older_paths;
  std::string lab, course_yaml, json_file, html_file;
  int least_percent = 50;
  size_t pairs = 10;
};

// Adds the sources of the lab in `paths` to `sources`.
Status AddSources(const std::vector<std::string>& paths, const config::Lab& lab, bool older,
                  const std::vector<submission::LabFiles>& wanted, std::vector<similarity::Source>* sources) {
  if (paths.empty()) return Status();
  const auto found = submission::Discover(paths, wanted);
  if (!found) return found.error();
  for (const submission::Submission& submission : *found) {
    similarity::Source source{.name = older ? submission.id + " (older)" : submission.id, .older = older, .files = {}};
    for (const config::Rung& rung : lab.rungs) {
      const auto file = submission.files.find(lab.name + "/" + rung.name + ".cu");
      if (file != submission.files.end()) source.files[rung.name + ".cu"] = file->second;
    }
    sources->push_back(std::move(source));
  }
  return Status();
}

// The files of a folder, if it is there: an installed kit may have no solutions.
void AddTexts(const std::filesystem::path& folder, std::vector<std::string>* texts) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".cu" && entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts->emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
}

Status CheckFilesOf(const SimilarOptions& options) {
  for (const auto& [path, option] : {std::pair(options.json_file, "--json"), std::pair(options.html_file, "--html")}) {
    if (path.empty()) continue;
    if (Status can = CheckFile(path, option); !can.ok()) return can;
  }
  return Status();
}

// Writes the files that are wanted.
Status WriteFilesOf(const SimilarOptions& options, const std::string& lab, const report::SimilarPage& page) {
  if (!options.json_file.empty()) {
    const std::string json = SimilarJson(lab, page.sources, page.comparison, page.least_share);
    if (Status written = report::WriteFile(options.json_file, json); !written.ok()) return written;
  }
  if (options.html_file.empty()) return Status();
  return report::WriteFile(options.html_file, report::SimilarPageText(page));
}

Result<int> ShowSimilar(const SimilarOptions& options) {
  if (const Status can = CheckFilesOf(options); !can.ok()) return can.error();
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  const auto course = config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml,
                                         MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  config::AddOutsideLabs(*course, &*kit);
  const auto labs = SelectRungs(*course, {options.lab}, {});
  if (!labs) return labs.error();
  const config::Lab& lab = labs->front();
  std::vector<similarity::Source> sources;
  const std::vector<submission::LabFiles> wanted = FilesOf(course->labs);
  if (const Status added = AddSources(options.paths, lab, false, wanted, &sources); !added.ok()) return added.error();
  if (const Status added = AddSources(options.older_paths, lab, true, wanted, &sources); !added.ok()) {
    return added.error();
  }
  similarity::Given given;
  AddTexts(kit->StarterOf(lab.name), &given.starter);
  AddTexts(kit->SolutionsOf(lab.name), &given.others);
  AddTexts(kit->LabFolder(lab.name), &given.others);
  similarity::CompareOptions compare;
  compare.least_share = options.least_percent / 100.0;
  compare.cancel = &CatchInterrupts();
  const auto comparison = similarity::Compare(sources, given, compare);
  if (!comparison && *compare.cancel) return kInterrupted;
  if (!comparison) return comparison.error();
  const std::string heading = lab.name + " " + lab.title;
  const report::SimilarPage page{.kit_version = WARPGRADE_VERSION,
                                 .course = course->term.empty() ? course->name : course->name + ", " + course->term,
                                 .title = heading,
                                 .sources = sources,
                                 .comparison = *comparison,
                                 .least_share = compare.least_share,
                                 .least_tokens = compare.least_tokens};
  if (const Status written = WriteFilesOf(options, lab.name, page); !written.ok()) return written.error();
  SimilarTextOptions text;
  if (isatty(STDOUT_FILENO) != 0) text.width = TerminalColumns(stdout);
  text.pairs = options.pairs;
  text.least_share = compare.least_share;
  text.least_tokens = compare.least_tokens;
  fmt::print("{}", SimilarText(heading, sources, *comparison, text));
  return kDone;
}

}  // namespace

void AddSimilarCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("similar", "Show which submissions of a lab are alike");
  command->footer(
      "Examples:\n"
      "  warpgrade similar submissions/ --lab lab3\n"
      "  warpgrade similar submissions/ --lab lab3 --html alike.html\n"
      "  warpgrade similar submissions/ --lab lab3 --with last-years/ --least 70\n"
      "\n"
      "It compares each rung of each submission with the same rung of all others. Comments, layout, and the names,\n"
      "numbers and strings do not count. What stands in the starter files or in the course's solutions is left out.\n"
      "Files that are equal apart from comments and layout are always listed, but not unchanged starter files.\n"
      "It lists pairs to look at, and proves nothing. It needs the program sim_c++ of the package similarity-tester.\n"
      "\n"
      "Exit status: 0 the work is done, whether any are alike or not; 2 the command line is wrong; 3 the machine "
      "failed.");
  auto options = std::make_shared<SimilarOptions>();
  command->add_option("path", options->paths, "A folder of submissions")->required();
  command->add_option("--lab", options->lab, "Compare the files of this lab")->required()->type_name("LAB");
  command
      ->add_option("--with", options->older_paths,
                   "Compare also with the submissions in this folder, but not these with each other; repeat the option "
                   "for several folders")
      ->type_name("DIR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--least", options->least_percent,
                   "List pairs that are alike in at least this share of the shorter one (default: 50)")
      ->check(CLI::Range(1, 100).description(""))
      ->type_name("PERCENT");
  command->add_option("--pairs", options->pairs, "Print the lines of this many pairs side by side (default: 10)")
      ->type_name("N");
  command
      ->add_option("--html", options->html_file,
                   "Write a page for a browser, too: groups, pairs, and the files of each pair side by side")
      ->type_name("FILE");
  command->add_option("--json", options->json_file, "Write all of it as JSON, too; --similar of `batch` reads it")
      ->type_name("FILE");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] {
    const Result<int> status = ShowSimilar(*options);
    *exit_code = status ? *status : Fail(status.error());
  });
}

}  // namespace warpgrade::cli
