// Runs sim_c++ of the package similarity-tester (Dick Grune's sim) and reads what it prints.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::similarity {

// A run of equal tokens: lines from 1 of two texts.
struct EqualRun {
  size_t first = 0, second = 0;  // places in the list of texts
  int first_line = 0, last_line = 0;
  int other_first_line = 0, other_last_line = 0;
  int tokens = 0;
};

struct Runs {
  std::vector<int> tokens;  // of each text, as sim counts them
  std::vector<EqualRun> runs;
  bool complete = true;  // false: it took too long or found too much, and `runs` is empty
};

// sim_c++ on PATH. Errors (kMachine): it is not installed, and which package has it.
Result<std::string> FindSim();

// The runs of at least `least_tokens` tokens that two texts share. Each text before `older` is compared with all after
// it; those from `older` on are not compared with each other. Errors (kMachine): the disk, or sim_c++ itself; kMachine
// also when `cancel` was set.
Result<Runs> RunSim(const std::string& sim, const std::vector<std::string>& texts, size_t older, int least_tokens,
                    const std::atomic<bool>* cancel);

// Reads the output of `sim_c++ -n`. `count`: of the texts, whose files are 0.c, 1.c, ... Lines of another form are
// passed over.
Runs ReadSimOutput(const std::string& output, size_t count);

}  // namespace warpgrade::similarity
