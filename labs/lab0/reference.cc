#include "labs/lab0/reference.h"

namespace lab0 {

float Sum(float a, float b) { return static_cast<float>(static_cast<double>(a) + static_cast<double>(b)); }

std::vector<uint64_t> Counts(const Problem& p, const uint8_t* classes) {
  std::vector<uint64_t> counts(p.second);
  for (size_t i = 0; i < p.first; ++i) ++counts[classes[i]];
  return counts;
}

}  // namespace lab0
