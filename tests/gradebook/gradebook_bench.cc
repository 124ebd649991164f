// How long the commands on a large gradebook take: 10,000 attempts of 1250 students for 8 labs.
//
//   build/bin/gradebook_bench [ATTEMPTS] [FOLDER]
//
// It makes the gradebook in FOLDER (default: a temporary folder), unless it is there, and runs each command several
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

bool Make(const std::string& path, int attempts) {
  Result<Gradebook> book = Gradebook::Open(path, Access::kCreate, "0.1.0");
  if (!book) return false;
  const Conditions conditions = {"0.1.0", "rules", "emulator", "emulator"};
  for (int i = 0; i < attempts; ++i) {
    HandIn hand_in;
    hand_in.student = fmt::format("s{:05}", i / kLabs);
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

int Run(int attempts, const std::string& folder) {
  const std::string book = folder + "/marks.db", out = folder + "/out";
  if (!std::filesystem::exists(book) && !Make(book, attempts)) return 1;
  fmt::print("{} attempts, {:.1f} MB\n{:<40} {:>10} {:>10}\n", attempts,
             static_cast<double>(std::filesystem::file_size(book)) / 1e6, "command", "median", "longest");
  const std::string program = WARPGRADE_BINARY;
  Time("warpgrade --version", {program, "--version"});
  Time("book show ID", {program, "book", "show", book, "s00100"});
  Time("book history ID", {program, "book", "history", book, "s00100"});
  Time("book list", {program, "book", "list", book});
  Time("leaderboard --lab lab5", {program, "leaderboard", book, "--lab", "lab5"});
  for (const char* format : {"csv", "leaderboard", "junit", "json"}) {
    Time(fmt::format("export --format {}", format), {program, "export", book, "--format", format, "--output", out});
  }
  return 0;
}

}  // namespace
}  // namespace warpgrade::gradebook

int main(int argc, char** argv) {
  const int attempts = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const warpgrade::TemporaryFolder temporary;
  std::filesystem::create_directories(temporary.Path(""));
  return warpgrade::gradebook::Run(attempts, argc > 2 ? argv[2] : temporary.Path(""));
}
