// `warpgrade new lab`, `new rung`, `new question`: writes what grader/desk makes, and the starter files and answer
// sheets that follow from it. A file that is there is never replaced, unless an entry is added to it. Tests:
// tests/cli/author_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/lab_to_author.h"
#include "grader/cli/quiz_session.h"
#include "grader/config/students_text.h"
#include "grader/described/texts.h"
#include "grader/desk/new_files.h"
#include "grader/quiz/marks.h"
#include "grader/quiz/sheet.h"
#include "grader/report/text.h"
#include "grader/starter/starter.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string lab, name, folder, course_yaml;
};

// All of the files or none: a folder that cannot be written to is found before the first one.
Status WriteAll(const fs::path& folder, const desk::Files& files) {
  for (const auto& [name, text] : files) {
    std::error_code error;
    fs::path there = fs::absolute(folder / name);
    while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
    if (access(there.c_str(), W_OK) == 0) continue;
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: you may not write there ({}); change its permissions, or work on a copy of the lab",
                             there.string(), std::strerror(errno))};
  }
  for (const auto& [name, text] : files) {
    if (Status written = build::WriteWholeFile(folder / name, text); !written.ok()) return written;
  }
  return Status();
}

// Makes the header, the starter files and the empty answer sheet of the lab in `folder`, and its table of points.
Status MakeTheRest(const std::string& folder) {
  const Result<LabToAuthor> lab = FindLabToAuthor(folder, "");
  if (!lab) return lab.error();
  const auto description = described::ReadDescription(folder);
  if (!description) return description.error();
  const std::string header = described::HeaderText(*description);
  if (Status made = build::WriteWholeFile(folder + "/" + lab->lab + ".h", header); !made.ok()) return made;
  const std::string starter = folder + "/starter";
  if (Status made = starter::MakeStarterTree(folder + "/solutions", starter, false); !made.ok()) return made;
  std::error_code ignored;
  if (fs::exists(folder + "/quiz.yaml", ignored)) {
    const auto quiz = FindQuiz(lab->kit, lab->lab);
    if (!quiz) return quiz.error();
    const std::string sheet = quiz::BlankSheet(*quiz, std::nullopt, "warpgrade make-starter");
    Status made = starter::MakeFiles(starter, {{lab->lab + "/" + quiz::kAnswersFile, sheet}}, false);
    if (!made.ok()) return made;
  }
  const auto readme = build::ReadWholeFile(folder + "/README.md");
  if (!readme) return Status();
  return build::WriteWholeFile(folder + "/README.md", desk::WithPointsTable(*readme, *lab->course.FindLab(lab->lab)));
}

// A path as it is typed into a shell.
std::string InShell(const std::string& path) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_./-", c) != nullptr; };
  return std::all_of(path.begin(), path.end(), is_plain) ? path : report::ShellQuoted(path);
}

Status NewLab(const NewOptions& options) {
  const auto files = desk::NewLab(options.name);
  if (!files) return files.error();
  if (IsLabOfTheKit(options.name)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("the kit has a lab '{}' of its own; choose another name", options.name)};
  }
  const std::string folder = options.folder.empty() ? options.name : options.folder;
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    return Error{ErrorKind::kUsage, folder + ": it is there already; name a folder that is new or empty: --dir DIR"};
  }
  if (Status written = WriteAll(folder, *files); !written.ok()) return written;
  const std::string whole = fs::absolute(folder).lexically_normal().string();
  if (Status made = MakeTheRest(whole); !made.ok()) return made;
  fmt::print(
      "{0}: a small lab that works; search it for TODO\n"
      "  warpgrade prove {0}\n"
      "  warpgrade check {1} --course {3}\n"
      "and in your course.yaml, below labs:\n"
      "  {1}: {{from: {2}}}\n",
      InShell(folder), options.name, config::YamlScalar(whole), InShell(folder + "/course.yaml"));
  return Status();
}

// The folder of the lab to which something is added.
Result<LabToAuthor> OutsideLab(const NewOptions& options) {
  Result<LabToAuthor> lab = FindLabToAuthor(options.lab, options.course_yaml);
  if (!lab || lab->kit.outside.contains(lab->lab)) return lab;
  return Error{ErrorKind::kUsage,
               fmt::format("{} is a lab of the kit, with parts in C++; docs/contributing.md has the steps", lab->lab)};
}

Status NewRung(const NewOptions& options) {
  const Result<LabToAuthor> lab = OutsideLab(options);
  if (!lab) return lab.error();
  const std::string folder = lab->kit.LabFolder(lab->lab);
  const auto description = described::ReadDescription(folder);
  if (!description) return description.error();
  const auto files = desk::NewRung({*description, *lab->course.FindLab(lab->lab)}, options.name);
  if (!files) return files.error();
  if (Status written = WriteAll(folder, *files); !written.ok()) return written;
  if (Status made = MakeTheRest(folder); !made.ok()) return made;
  fmt::print(
      "{0}/solutions/{1}/{2}.cu: the solution of the new rung, a copy of the one before; search the lab for TODO\n"
      "  warpgrade prove {3}\n",
      folder, lab->lab, options.name, InShell(folder));
  return Status();
}

Status NewQuestion(const NewOptions& options) {
  const Result<LabToAuthor> lab = OutsideLab(options);
  if (!lab) return lab.error();
  const std::string folder = lab->kit.LabFolder(lab->lab);
  const auto files = desk::NewQuestion(folder, options.name);
  if (!files) return files.error();
  if (Status written = WriteAll(folder, *files); !written.ok()) return written;
  if (Status made = MakeTheRest(folder); !made.ok()) return made;
  fmt::print("{}/quiz.yaml: the question '{}' is the last one\n", folder, options.name);
  if (!lab->course.FindLab(lab->lab)->quiz)
    fmt::print("Students get points for it with 'quiz: {{points: 6}}' in {}/lab.yaml.\n", folder);
  return Status();
}

CLI::App* AddPart(CLI::App* command, const char* name, const char* help, const std::shared_ptr<NewOptions>& options,
                  Status (*run)(const NewOptions&), int* exit_code) {
  CLI::App* part = command->add_subcommand(name, help);
  part->callback([options, run, exit_code] {
    const Status done = run(*options);
    *exit_code = done.ok() ? kDone : Fail(done.error());
  });
  return part;
}

}  // namespace

void AddNewCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("new", "Write the files of a new lab outside of the kit, of a rung or of a question");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  warpgrade new lab dot --dir ../dot     a complete small lab, to be changed into yours\n"
      "  warpgrade new rung ../dot v2_shared    one more rung, which starts as a copy of the last one\n"
      "  warpgrade new question ../dot traffic  one more question of the quiz\n"
      "  warpgrade prove ../dot                 everything still works\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<NewOptions>();
  CLI::App* lab = AddPart(command, "lab", "Write a folder with a new lab", options, NewLab, exit_code);
  lab->add_option("name", options->name, "The name of the lab, which is also that of the students' function")
      ->required()
      ->type_name("NAME");
  lab->add_option("--dir", options->folder, "The folder to write (default: NAME, in this folder)")->type_name("DIR");
  struct Addition {
    const char *name, *help;
    Status (*run)(const NewOptions&);
  };
  for (const Addition& one : {Addition{"rung", "Add a rung to a lab", NewRung},
                              Addition{"question", "Add a question to the quiz of a lab", NewQuestion}}) {
    CLI::App* part = AddPart(command, one.name, one.help, options, one.run, exit_code);
    part->add_option("lab", options->lab, "The folder of the lab, or its name in course.yaml")
        ->required()
        ->type_name("LAB");
    part->add_option("name", options->name, "The name of what is new")->required()->type_name("NAME");
    part->add_option("--course", options->course_yaml,
                     "The course.yaml in which the lab is (default: the one of the kit)")
        ->type_name("FILE");
  }
}

}  // namespace warpgrade::cli
