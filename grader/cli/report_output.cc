// Prints a report and writes it to files. The table of formats (grader/report/formats.h) says which options and files
// there are. Tests: tests/cli/command_line_test.cc and accept_command_test.cc.
#include "grader/cli/report_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "grader/cli/choice.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/progress.h"
#include "grader/report/batch_table.h"
#include "grader/report/case_text.h"
#include "grader/report/leaderboard.h"
#include "grader/report/table.h"

namespace warpgrade::cli {

void AddFormatOptions(CLI::App& command, const std::function<bool(const report::Format&)>& is_offered,
                      ReportFiles* files) {
  for (const report::Format& format : report::Formats()) {
    if (is_offered(format)) command.add_option(format.flag, (*files)[format.flag], format.help)->type_name("FILE");
  }
}

void AddReaderOption(CLI::App& command, const char* otherwise, std::optional<score::Reader>* reader) {
  static const std::map<std::string, score::Reader> kReaders = {{"staff", score::Reader::kStaff},
                                                                {"students", score::Reader::kStudents}};
  command
      .add_option("--for", *reader,
                  fmt::format("Who reads this, students or staff: students get only what course.yaml shows them now "
                              "(default: {})",
                              otherwise))
      ->transform(OneOf(kReaders))
      ->type_name("WHO");
}

void AddSimilarOption(CLI::App& command, std::vector<std::string>* paths) {
  command
      .add_option("--similar", *paths,
                  "Show in the page of the class which submissions are alike, from this file of `warpgrade similar "
                  "--json`; repeat the option for several labs")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

report::View ViewOf(std::optional<score::Reader> reader) { return {std::time(nullptr), reader}; }

std::string OptionForOneSubmission(const ReportFiles& files) {
  for (const report::Format& format : report::Formats()) {
    const auto file = files.find(format.flag);
    if (format.one_submission && file != files.end() && !file->second.empty()) return format.flag;
  }
  return "";
}

Status CheckFolderOf(const std::string& path, const std::string& option) {
  std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (!normal.has_filename()) normal = normal.parent_path();
  const std::filesystem::path folder = normal.has_parent_path() ? normal.parent_path() : ".";
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return Status();
  return Error{ErrorKind::kUsage, fmt::format("{} {}: there is no folder {}; make it, or name another one", option,
                                              path, folder.string())};
}

Status CheckFile(const std::string& path, const std::string& option) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{ErrorKind::kUsage, fmt::format("{} {}: this is a folder; name a file", option, path)};
  }
  return CheckFolderOf(path, option);
}

Status CheckFiles(const ReportFiles& files) {
  for (const auto& [flag, file] : files) {
    if (file.empty()) continue;
    if (Status can = CheckFile(file, flag); !can.ok()) return can;
  }
  return Status();
}

namespace {

report::TableOptions OptionsOfTerminal() {
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  report::TableOptions options;
  if (terminal) options.width = TerminalColumns(stdout);
  options.colour = terminal && (no_colour == nullptr || *no_colour == '\0');
  return options;
}

score::Reader ReaderOfTable(const ReportFiles& files) {
  for (const report::Format& format : report::Formats()) {
    const auto file = files.find(format.flag);
    const bool wanted = file != files.end() && !file->second.empty();
    if (wanted && format.reader == score::Reader::kStudents && !format.compares_submissions &&
        !format.class_is_for_staff)
      return format.reader;
  }
  return score::Reader::kStaff;
}

}  // namespace

Status PrintText(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("the results cannot be printed: {}; send the output to another place, or write the results "
                           "to a file with --json FILE",
                           std::strerror(errno))};
}

Status PrintReport(const score::GradingReport& report, bool details, score::Reader reader) {
  report::TableOptions options = OptionsOfTerminal();
  options.details = details;
  return PrintText(report::Table(score::ReportFor(reader, std::time(nullptr), report), options));
}

Status PrintMarks(const score::GradingReport& report) {
  const score::GradingReport for_staff = score::ReportFor(score::Reader::kStaff, std::time(nullptr), report);
  return PrintText(report::BatchTable(for_staff, OptionsOfTerminal()));
}

Status PrintLeaderboards(const score::GradingReport& report) {
  std::string text;
  for (const score::Leaderboard& leaderboard : report.leaderboards) {
    text += (text.empty() ? "" : "\n") + report::LeaderboardTable(leaderboard, OptionsOfTerminal());
  }
  return PrintText(text);
}

Status PrintCase(const score::GradingReport& report, const std::string& title) {
  const score::GradingReport for_student = score::ReportFor(score::Reader::kStudents, std::time(nullptr), report);
  return PrintText(report::CaseText(for_student, title, OptionsOfTerminal()));
}

Status WriteReportFiles(const score::GradingReport& report, const ReportFiles& files, const report::View& view) {
  Status first;
  for (const report::Format& format : report::Formats()) {
    const auto file = files.find(format.flag);
    if (file == files.end() || file->second.empty()) continue;
    const Status written = report::WriteReport(report, format, view, file->second);
    if (first.ok()) first = written;
  }
  return first;
}

void WriteUnfinishedReports(const score::GradingReport& so_far, const ReportFiles& files, const report::View& view) {
  ReportFiles replaceable;
  for (const auto& [flag, file] : files) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(file, ignored).type();
    const bool plain = kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
    if (!file.empty() && plain) replaceable[flag] = file;
  }
  static_cast<void>(WriteReportFiles(so_far, replaceable, view));
}

Status HandOut(const score::GradingReport& report, const ReportFiles& files, bool details, const report::View& view) {
  const Status written = WriteReportFiles(report, files, view);
  const Status printed = PrintReport(report, details, view.reader.value_or(ReaderOfTable(files)));
  return written.ok() ? printed : written;
}

int Conclude(const SessionResult& result) {
  for (const std::string& remark : result.remarks) fmt::print(stderr, "warpgrade: {}\n", remark);
  for (const std::string& failure : result.failures) fmt::print(stderr, "warpgrade: {}\n", failure);
  if (result.interrupted) {
    fmt::print(stderr, "warpgrade: interrupted; the results above are of the rungs that were finished\n");
    return kInterrupted;
  }
  if (!result.failures.empty()) {
    fmt::print(stderr, "warpgrade: the machine failed, so some rungs are not graded; see the messages above\n");
    return kMachineFailed;
  }
  return kDone;
}

}  // namespace warpgrade::cli
