// Prints a report and writes it to files: what `grade`, `check` and `accept` do at their end, and the options for it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/grading_session.h"
#include "grader/report/formats.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The files to write: the path for each format, by the format's flag. "" or no entry: not wanted.
using ReportFiles = std::map<std::string, std::string>;

// Adds an option for each of report::Formats() that `is_offered`. `files` must live as long as `command`.
void AddFormatOptions(CLI::App& command, const std::function<bool(const report::Format&)>& is_offered,
                      ReportFiles* files);

// Adds --similar FILE, which may be repeated. AddAlike (similar_file.h) reads the files. `paths` must live as long as
// `command`.
void AddSimilarOption(CLI::App& command, std::vector<std::string>* paths);

// Adds --for, which says who reads the files and the table. `otherwise`: who does without it. `reader` must live as
// long as `command`.
void AddReaderOption(CLI::App& command, const char* otherwise, std::optional<score::Reader>* reader);

// What `reader` may see at this moment; nullopt: the reader of each format.
report::View ViewOf(std::optional<score::Reader> reader);

// The option of a wanted format that is about one submission, or "".
std::string OptionForOneSubmission(const ReportFiles& files);

// Finds out before the work whether the file or folder at `path` can be made. Errors (kUsage): `option` names it, and
// the folder that it would be in is missing.
Status CheckFolderOf(const std::string& path, const std::string& option);
// The same for a file, which must not be a folder.
Status CheckFile(const std::string& path, const std::string& option);
// CheckFile for each of `files`.
Status CheckFiles(const ReportFiles& files);

// Prints `text` to standard output. Errors (kMachine): the disk that the output goes to is full, for example.
Status PrintText(const std::string& text);

// Prints the table to standard output, as far as `reader` may see it now, in colours on a terminal without NO_COLOR.
// Errors: as PrintText.
Status PrintReport(const score::GradingReport& report, bool details, score::Reader reader);

// Prints the table of marks for staff, with a row for each submission. Errors: as PrintReport.
Status PrintMarks(const score::GradingReport& report);

// Prints the leaderboards alone. Errors: as PrintReport.
Status PrintLeaderboards(const score::GradingReport& report);

// Prints a report of one case for its student: see report::CaseText. Errors: as PrintReport.
Status PrintCase(const score::GradingReport& report, const std::string& title);

// Writes the files that are wanted. An error names the file and the reason; the other files are still written.
Status WriteReportFiles(const score::GradingReport& report, const ReportFiles& files, const report::View& view);

// Writes what is known before the end of grading, so that it is there if this process is killed. Only to files that can
// be replaced as a whole: what a pipe or a terminal was given cannot be taken back. Ignores errors, because the files
// are written again at the end.
void WriteUnfinishedReports(const score::GradingReport& so_far, const ReportFiles& files, const report::View& view);

// Writes the files, then prints. In this order, because a reader of the output that goes away (`| head`) ends this
// process. Returns the first error of both. The table is for the reader of `view`. If that is nullopt, it is for staff,
// unless a file of one submission for students is wanted: then this runs where its student sees the output.
Status HandOut(const score::GradingReport& report, const ReportFiles& files, bool details, const report::View& view);

// The exit status of the command: interrupted, else a failure of the machine, else done. Prints failures and the
// interruption to standard error.
int Conclude(const SessionResult& result);

}  // namespace warpgrade::cli
