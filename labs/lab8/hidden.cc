// The hidden cases of lab8: inputs that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab8/lab8_judge_test.cc.
#include "labs/lab8/hidden.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "labs/lab8/lab8.h"
#include "labs/support/judging.h"

namespace lab8 {

using lab::Uniform;
using warpgrade::Random;

// Sizes that no one can prepare for, of the kinds that the texts did not try. Small: a fault shows in few blocks.
std::vector<Problem> HiddenCases(std::string_view rung, Random& random) {
  const Task task = TaskOf(rung);
  std::vector<Problem> problems;
  const auto add = [&](size_t first, size_t second) {
    problems.push_back({.task = task, .first = first, .second = second});
  };
  switch (task) {
    case kBlockSums:
      for (const size_t threads : {64, 128, 256, 512, 1024}) {
        add(2 * threads * Uniform(random, 1, 4) + Uniform(random, 1, 2 * threads - 1), threads);
      }
      add(Uniform(random, 1, 60), 64);
      break;
    case kTotal:
      add(Uniform(random, 2, 255), 0);
      add(Uniform(random, 258, 3000), 0);
      add(256 * Uniform(random, 2, 20), 0);
      add(Uniform(random, 66'000, 90'000), 0);
      break;
    case kTranspose:
      add(Uniform(random, 2, 31), Uniform(random, 40, 200));
      add(Uniform(random, 40, 200), Uniform(random, 2, 31));
      add(32 * Uniform(random, 1, 3), 32 * Uniform(random, 4, 6));
      add(Uniform(random, 100, 200), Uniform(random, 30, 99));
      break;
    case kNeurons:
      add(Uniform(random, 2, 31), 0);
      add(128 * Uniform(random, 1, 8) + Uniform(random, 1, 127), 0);
      add(128 * Uniform(random, 1, 8) + 32 * Uniform(random, 1, 3), 0);
      add(Uniform(random, 3000, 9000), 0);
      break;
    case kName:
      break;
  }
  return problems;
}

}  // namespace lab8
