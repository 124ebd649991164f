// What it costs a graded call that the device is the judge's: each program is run in turn with the emulator in its own
// process and with the emulator in this one, over the socket, and its own times are compared. Part of no test;
// BENCHMARKS.md has the command and its figures.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cudart/program_runner.h"

namespace warpgrade::cudart {
namespace {

constexpr int kRounds = 9;
constexpr const char* kPrograms[] = {"lab1_v1", "lab1_v3", "lab1_v9", "lab3_v1", "lab3_v3", "lab3_v6"};

std::vector<double> TimesOf(const ProgramResult& result) {
  std::vector<double> times;
  std::istringstream lines(result.output);
  for (double time = 0; lines >> time;) times.push_back(time);
  return times;
}

// REQUIRES: not empty.
double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

bool Compare(const std::string& program) {
  std::vector<double> own, served, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<double> alone = TimesOf(RunProgram(program, Mode::kInProcess));
    const std::vector<double> forwarded = TimesOf(RunProgram(program, Mode::kServed));
    if (alone.empty() || forwarded.empty()) return false;
    ratios.push_back(Quantile(forwarded, 0.5) / Quantile(alone, 0.5));
    own.insert(own.end(), alone.begin(), alone.end());
    served.insert(served.end(), forwarded.begin(), forwarded.end());
  }
  std::printf("%-8s in-process %8.0f us, forwarded %8.0f us, ratio %.3f (rounds: %.3f to %.3f)\n", program.c_str(),
              Quantile(own, 0.5), Quantile(served, 0.5), Quantile(ratios, 0.5), Quantile(ratios, 0),
              Quantile(ratios, 1));
  return true;
}

}  // namespace
}  // namespace warpgrade::cudart

int main(int argc, char** argv) {
  using warpgrade::cudart::kPrograms;
  std::vector<std::string> programs(std::begin(kPrograms), std::end(kPrograms));
  CLI::App app(
      "What forwarding to the judge's device costs a graded call, on idle cores.\n\n"
      "Examples:\n  forwarding_bench            all programs\n  forwarding_bench lab1_v9    one of them");
  app.add_option("PROGRAM", programs, "which to run; all of them when none is named")->check(CLI::IsMember(programs));
  CLI11_PARSE(app, argc, argv);
  for (const std::string& program : programs) {
    if (!warpgrade::cudart::Compare(program)) {
      std::fprintf(stderr, "%s: printed no times; does it run under `warpgrade run`?\n", program.c_str());
      return 1;
    }
  }
  return 0;
}
