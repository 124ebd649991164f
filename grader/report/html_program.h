// The page of `warpgrade run --html`: the findings in one CUDA program, what the emulator counted at each line of its
// sources, and its kernels under the roofline. In one file, without the network, like the pages of html.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// All text may be hostile.
struct ProgramFinding {
  std::string title;   // "race in shared memory (shared-race)"
  std::string kernel;  // "": in host code
  std::string file;    // "": not known
  int line = 0;
  std::string other_file;  // of a race: the other access; "": none
  int other_line = 0;
  std::string who;              // "block (0,0,0), thread (33,0,0); seen 62 times"
  std::string message, advice;  // advice "": none
};

struct ProgramKernel {
  std::string name;
  uint64_t launches = 0, model_ns = 0, instructions = 0;
  double flop = 0;
  // nullopt: the kernel has no such accesses.
  std::optional<double> active_lanes, load_percent, store_percent, bank_conflicts;
  std::vector<std::pair<std::string, std::string>> facts;  // {"global loads", "64 requests, ..."}
};

struct ProgramSource {
  std::string file, text;
  std::vector<score::LineCounts> counts;            // `line` 0: all that is at no line of this file
  std::vector<std::pair<int, std::string>> costly;  // lines to look at, and why
};

struct ProgramPage {
  std::string kit_version, program, device;  // device: the GPU that was emulated
  std::vector<std::string> notes;            // how the program ended, and what is not in the page
  std::vector<ProgramFinding> findings;      // the worst first
  std::vector<ProgramKernel> kernels;        // the one with the most model time first
  std::optional<plot::Chart> roofline;
  std::vector<ProgramSource> sources;  // those to look at first
};

// At most so many of each are in the page; a note says how many are not.
inline constexpr size_t kMostFindings = 100, kMostKernels = 200, kMostSources = 24;

std::string ProgramPageText(const ProgramPage& page);

// The data for the scripts; see html.h.
std::string ProgramData(const ProgramPage& page);

}  // namespace warpgrade::report
