// How long the commands on two large gradebooks take. Both have 10,000 attempts for 8 labs: in the one, 300 students
// handed in several times, so that 2400 attempts count; in the other each of 1250 students did so once.
//
//   build/bin/gradebook_bench [ATTEMPTS] [FOLDER]
//
// It makes the gradebooks in FOLDER (default: a temporary folder), unless they are there, and runs each command several
// times with the built warpgrade. It prints the median and the longest time, each of a whole process.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/gradebook/gradebook.h"
#include "grader/report/formats.h"
#include "tests/cli/program.h"
#include "tests/report/sample_report.h"

namespace warpgrade::gradebook {
namespace {

constexpr int kLabs = 8;
constexpr size_t kRuns = 7;
constexpr double kSlowSeconds = 1;  // what takes longer is run once

double SecondsOf(const std::vector<std::string>& command) {
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result = RunProgram(command);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (result.exit_code != 0) {
    fmt::print(stderr, "{}", result.err);
    std::exit(1);
  }
  return took.count();
}

score::LabScore ALab(const std::string& name) {
  score::LabScore lab = report::EmulatorLab();
  lab.lab = name;
  return lab;
}

// `students`: they take turns, so each hands in as often as the others, or once more.
bool Make(const std::string& path, int attempts, int students) {
  Result<Gradebook> book = Gradebook::Open(path, Access::kCreate, "0.1.0");
  if (!book) return false;
  const Conditions conditions = {"0.1.0", "rules", "emulator", "emulator"};
  for (int i = 0; i < attempts; ++i) {
    HandIn hand_in;
    hand_in.student = fmt::format("s{:05}", i / kLabs % students);
    hand_in.lab = fmt::format("lab{}", i % kLabs);
    hand_in.files[hand_in.lab + "/v1_naive.cu"] = fmt::format("// {}\n{}", i, std::string(4000, 'x'));
    hand_in.handed_in = "2026-11-22T10:15:00Z";
    hand_in.time_from = "file time";
    const auto plan = book->Plan({hand_in}, conditions, false, "batch");
    if (!plan) return false;
    const score::GradingReport result =
        report::EmulatorReport({report::Submission(hand_in.student, {ALab(hand_in.lab)})});
    if (const auto added = book->AddGrading(plan->at(0), conditions, result, "batch", "a log\n"); !added) return false;
  }
  return true;
}

void Time(const std::string& what, const std::vector<std::string>& command) {
  std::vector<double> seconds = {SecondsOf(command)};
  while (seconds.size() < kRuns && seconds[0] < kSlowSeconds) seconds.push_back(SecondsOf(command));
  std::sort(seconds.begin(), seconds.end());
  fmt::print("{:<40} {:8.3f} s {:8.3f} s\n", what, seconds[seconds.size() / 2], seconds.back());
  std::fflush(stdout);
}

bool Run(const std::string& book, int attempts, int students) {
  if (!std::filesystem::exists(book) && !Make(book, attempts, students)) return false;
  fmt::print("{} attempts of {} students, {:.1f} MB\n{:<40} {:>10} {:>10}\n", attempts, students,
             static_cast<double>(std::filesystem::file_size(book)) / 1e6, "command", "median", "longest");
  const std::string program = WARPGRADE_BINARY, out = book + ".out", student = "s00100";
  Time("book show ID", {program, "book", "show", book, student});
  Time("book history ID", {program, "book", "history", book, student});
  Time("book list", {program, "book", "list", book});
  Time("leaderboard --lab lab5", {program, "leaderboard", book, "--lab", "lab5"});
  for (const report::Format& format : report::Formats()) {
    const std::string name = format.flag.substr(2);
    std::vector<std::string> command = {program, "export", book, "--format", name, "--output", out};
    if (format.one_submission) command.insert(command.end(), {"--student", student});
    Time("export --format " + name, command);
    std::filesystem::remove(out);
  }
  return true;
}

}  // namespace
}  // namespace warpgrade::gradebook

int main(int argc, char** argv) {
  const int attempts = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const warpgrade::TemporaryFolder temporary;
  std::filesystem::create_directories(temporary.Path(""));
  const std::string folder = argc > 2 ? argv[2] : temporary.Path("");
  using warpgrade::gradebook::Run;
  return Run(folder + "/term.db", attempts, 300) && Run(folder + "/once.db", attempts, 1250) ? 0 : 1;
}
