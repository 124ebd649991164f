// `warpgrade poll LAB`: asks the quick questions of a lab, and says after each answer why. With --count it counts the
// lines that students have handed in. Tests: tests/cli/poll_command_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/poll.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/config/nearest.h"
#include "grader/report/file.h"
#include "grader/report/text.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct PollOptions {
  std::string lab, course_yaml;
  std::string save;                // the file for the line with the answers
  std::vector<std::string> count;  // files with such lines, and folders of them
};

constexpr int kPollColumns = 100;
constexpr size_t kMostPollBytes = size_t{1} << 20;  // of one file
constexpr size_t kMostPollFiles = 10'000;

// Polls are of the kit's labs. `course_yaml`: and of its labs outside of the kit; "": there are none.
Result<Poll> FindPoll(const std::string& lab, const std::string& course_yaml) {
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  if (!course_yaml.empty()) {
    const auto course = config::LoadCourse(course_yaml, MetricNames(), {}, {}, config::BrokenLabs::kKeep);
    if (!course) return course.error();
    config::AddOutsideLabs(*course, &*kit);
  }
  std::vector<std::string> known;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(kit->labs_dir, ignored)) {
    if (fs::exists(entry.path() / "poll.yaml", ignored)) known.push_back(entry.path().filename().string());
  }
  for (const auto& [name, outside] : kit->outside) {
    if (fs::exists(outside.folder + "/poll.yaml", ignored)) known.push_back(name);
  }
  std::sort(known.begin(), known.end());
  if (std::find(known.begin(), known.end(), lab) != known.end()) {
    return LoadPoll(lab, kit->LabFolder(lab) + "/poll.yaml");
  }
  const auto nearest = config::NearestName(lab, known);
  return Error{ErrorKind::kUsage, fmt::format("there is no poll for '{}'; {}", report::PrintableLine(lab),
                                              nearest ? "did you mean '" + *nearest + "'?"
                                                      : "the labs with a poll are " + config::ListNames(known))};
}

// One answer from standard input. An empty line skips the question, and so does its end.
PollAnswer Ask(const config::PollQuestion& question) {
  constexpr int kTries = 3;
  const char last = LetterOf(question.choices.size() - 1);
  for (int i = 0; i < kTries; ++i) {
    fmt::print("    your answer (a to {}, or Enter to skip): ", last);
    std::fflush(stdout);
    std::string typed;
    if (!std::getline(std::cin, typed)) break;
    if (isatty(STDIN_FILENO) == 0) fmt::print("\n");
    if (typed.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
    if (const std::optional<size_t> choice = ChoiceOf(typed, question)) return choice;
    fmt::print("    Type one letter from a to {}.\n", last);
  }
  fmt::print("\n");
  return std::nullopt;
}

// Puts `line` into the file, in the place of an earlier line of this lab.
Status SaveLine(const std::string& path, const std::string& lab, const std::string& line) {
  std::string text;
  std::ifstream old(path);
  for (std::string one; std::getline(old, one);) {
    if (!one.starts_with("poll " + lab + " ")) text += one + "\n";
  }
  return report::WriteFile(path, text + line + "\n");
}

int AskAll(const Poll& poll, const PollOptions& options) {
  const int width = isatty(STDOUT_FILENO) != 0 ? TerminalColumns(stdout) : kPollColumns;
  fmt::print("{} {}: a poll. It costs no points.\n", poll.lab, poll.file.title);
  std::vector<PollAnswer> answers;
  for (const config::PollQuestion& question : poll.file.questions) {
    fmt::print("\n{}", PollQuestionText(question, answers.size() + 1, poll.file.questions.size(), width));
    answers.push_back(Ask(question));
    if (answers.back()) fmt::print("{}", PollReplyText(question, answers.back(), width));
  }
  if (std::none_of(answers.begin(), answers.end(), [](const PollAnswer& answer) { return answer.has_value(); })) {
    return kDone;
  }
  const std::string line = PollLine(poll, answers);
  fmt::print("\nYour answers in one line, without your name:\n  {}\n", line);
  if (options.save.empty()) return kDone;
  const Status saved = SaveLine(options.save, poll.lab, line);
  if (!saved.ok()) return Fail(saved.error());
  fmt::print("It is in {}, which you may hand in.\n", report::PrintableLine(options.save));
  return kDone;
}

// The files that are named, and those in the folders that are named.
Result<std::vector<std::string>> FilesToCount(const std::vector<std::string>& named) {
  std::vector<std::string> files;
  for (const std::string& path : named) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    for (auto entry = fs::recursive_directory_iterator(path, error); !error && entry != fs::end(entry);
         entry.increment(error)) {
      if (entry->is_regular_file(error)) files.push_back(entry->path().string());
      if (files.size() > kMostPollFiles) break;
    }
    if (error) return Error{ErrorKind::kUsage, fmt::format("{}: {}", report::PrintableLine(path), error.message())};
  }
  if (files.size() > kMostPollFiles) {
    return Error{ErrorKind::kUsage, fmt::format("these are more than {} files; name the folder that holds only the "
                                                "lines of the poll",
                                                kMostPollFiles)};
  }
  std::sort(files.begin(), files.end());
  return files;
}

int CountAll(const Poll& poll, const PollOptions& options) {
  const auto files = FilesToCount(options.count);
  if (!files) return Fail(files.error());
  PollCounts counts;
  CountPollLines(poll, "", &counts);
  for (const std::string& path : *files) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kMostPollBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad() || (file.gcount() == 0 && !file.eof())) {
      return Fail({ErrorKind::kUsage, fmt::format("cannot read {}", report::PrintableLine(path))});
    }
    text.resize(static_cast<size_t>(file.gcount()));
    if (text.size() > kMostPollBytes) {
      return Fail({ErrorKind::kUsage, fmt::format("{} is larger than 1 MB, so it holds no answers of a poll; leave it "
                                                  "out",
                                                  report::PrintableLine(path))});
    }
    CountPollLines(poll, text, &counts);
  }
  const Status printed = PrintText(PollCountsText(poll, counts, kPollColumns));
  return printed.ok() ? kDone : Fail(printed.error());
}

int RunPoll(const PollOptions& options) {
  const auto poll = FindPoll(options.lab, options.course_yaml);
  if (!poll) return Fail(poll.error());
  if (!options.save.empty()) {
    if (const Status can = CheckFile(options.save, "--save"); !can.ok()) return Fail(can.error());
  }
  return options.count.empty() ? AskAll(*poll, options) : CountAll(*poll, options);
}

}  // namespace

void AddPollCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("poll", "Ask the quick questions of a lab; they cost no points");
  command->footer(
      "Examples:\n"
      "  warpgrade poll lab1                       answer the questions, and read why\n"
      "  warpgrade poll lab1 --save poll.txt       keep the answers in a file to hand in; it has no name in it\n"
      "  warpgrade poll lab1 --count handed-in/    count the answers in these files (for instructors)\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<PollOptions>();
  command->add_option("lab", options->lab, "The lab, such as lab1")->required()->type_name("");
  CLI::Option* const save =
      command->add_option("--save", options->save, "Put the line with the answers into this file")->type_name("FILE");
  command->add_option("--count", options->count, "Count the answers in these files, and in all files of these folders")
      ->type_name("PATH")
      ->excludes(save);
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunPoll(*options); });
}

}  // namespace warpgrade::cli
