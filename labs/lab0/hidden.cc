// The hidden cases of lab0: vectors, images, links and classes that nobody can have written down beforehand. The
// students' edition is linked without this file (labs/CMakeLists.txt). Tested by tests/course/lab0/lab0_judge_test.cc.
#include "labs/lab0/hidden.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "labs/lab0/lab0.h"
#include "labs/support/judging.h"

namespace lab0 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of a block's length, or one more, or one less.
size_t NearBlock(Random& random) {
  const size_t block = size_t{32} << Uniform(random, 0, 5);
  return block * Uniform(random, 1, 60) + Uniform(random, 0, 2) - 1;
}

}  // namespace

// Sizes that nobody can have written down beforehand.
std::vector<Problem> HiddenCases(std::string_view rung, Random& random) {
  const Task task = TaskOf(rung);
  std::vector<Problem> problems;
  const auto add = [&](size_t first, size_t second, Pattern pattern = kOrdinary) {
    problems.push_back({.task = task, .first = first, .second = second, .pattern = pattern});
  };
  for (int i = 0; i < 4; ++i) {
    switch (task) {
      case kVectorAdd:
        add(NearBlock(random), 0, i == 0 ? kSpoiled : kOrdinary);
        add(Uniform(random, 1, 300'000), 0);
        break;
      case kStreams:
        add(NearBlock(random), Uniform(random, 1, 9), i == 0 ? kSpoiled : kOrdinary);
        add(Uniform(random, 1, 600'000), Uniform(random, 1, kMostStreams));
        break;
      case kImage:
        add(Uniform(random, 1, 70), Uniform(random, 1, 70));
        add(Uniform(random, 100, 700), Uniform(random, 100, 700));
        break;
      case kLinks:
        add(NearBlock(random), 2 * Uniform(random, 0, 300) + 1);
        add(Uniform(random, 1, 60'000), Uniform(random, 1, kMostSegment));
        break;
      case kClasses:
        add(NearBlock(random), Uniform(random, 1, kMostClasses));
        add(Uniform(random, 1, 400'000), Uniform(random, 1, 50));
        break;
    }
  }
  if (task == kImage) add(Uniform(random, 2'097'121, 2'150'000), 1);
  if (task == kVectorAdd) add(kTooLarge, 0, kNoRoom);
  if (task == kVectorAdd || task == kStreams) {
    for (const Pattern pattern : {kSecondFails, kThirdFails}) {
      add(Uniform(random, 1, 5000), task == kStreams ? Uniform(random, 1, 4) : 0, pattern);
    }
  }
  return problems;
}

}  // namespace lab0
