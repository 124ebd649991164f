// Elements are made from a keyed mixing of their index. Tested by tests/course/lab8/lab8_judge_test.cc.
#include "labs/lab8/values.h"

#include "labs/support/noise.h"

namespace lab8 {
namespace {

constexpr uint64_t kLargest = 1000;  // of the elements of sums and matrices: 2^20 of them fit an int

// Six neurons in 1000 fire, so about half of the groups are quiet.
constexpr uint64_t kPotentials = 100, kCurrents = 10;

}  // namespace

int InputCount(Task task) { return task == kName ? 0 : task == kNeurons ? 2 : 1; }
int OutputCount(Task task) { return task == kNeurons ? 2 : 1; }

size_t OutputElements(const Problem& p, int output) {
  switch (p.task) {
    case kBlockSums:
      return p.Parts();
    case kTotal:
      return 1;
    case kTranspose:
      return p.InputElements();
    case kNeurons:
      return output == 0 ? p.first : p.Parts();
    case kName:
      break;
  }
  return 3;
}

void Draw(const Problem& p, int input, uint64_t seed, int* to) {
  lab::FillFromNoise(p.InputElements(), seed, to, [&](size_t, uint64_t noise) {
    if (p.task != kNeurons) return 1 + static_cast<int>(noise % kLargest);  // never 0: each one that is missing shows
    return static_cast<int>(noise % (input == 0 ? kPotentials : kCurrents));
  });
}

}  // namespace lab8
