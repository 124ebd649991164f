// A case for which `grade` has no time without a GPU: more elements than an int, and if they fit more than an unsigned,
// can count. All are 0 but for a few marks, powers of two at the places where an index of too few bits goes wrong; the
// sum says which of them were added.
//
//   place   0   ...   2^31 - 1   2^31   ...   2^32 - 1   2^32   ...   n - 1
//   value   1             2        4              8        16          32
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab1 {

struct Mark {
  size_t place = 0;
  int32_t value = 0;
};

// Beyond 2^32 when `bytes` of memory hold that many ints and what d_work takes, else beyond 2^31; 0: not even those.
inline size_t HugeCount(size_t bytes) {
  for (const size_t past : {size_t{1} << 32, size_t{1} << 31}) {
    const size_t n = past + 7;
    if ((n + n / 16) * sizeof(int32_t) + (size_t{1} << 20) <= bytes) return n;
  }
  return 0;
}

// The marks for n elements, in order. REQUIRES: n > 2^31 + 1.
inline std::vector<Mark> HugeMarks(size_t n) {
  std::vector<Mark> marks;
  for (const size_t place :
       {size_t{0}, (size_t{1} << 31) - 1, size_t{1} << 31, (size_t{1} << 32) - 1, size_t{1} << 32, n - 1}) {
    if (place < n) marks.push_back({place, int32_t{1} << marks.size()});
  }
  return marks;
}

// What is wrong with `sum`, or "".
inline std::string ExplainHugeSum(size_t n, int32_t sum) {
  int32_t expected = 0;
  std::string lost;
  for (const Mark& mark : HugeMarks(n)) {
    expected += mark.value;
    if ((sum & mark.value) == 0) lost += (lost.empty() ? "d_in[" : ", d_in[") + std::to_string(mark.place) + "]";
  }
  if (sum == expected) return "";
  std::string text = "n = " + std::to_string(n) + ", int, sum: d_out[0] is " + std::to_string(sum) + ", should be " +
                     std::to_string(expected);
  if (sum > expected || sum < 0 || lost.empty())
    return text + ": some elements were added twice, or what is no element";
  return text + ", as if " + lost + " had been left out; an int counts to 2^31 - 1, a size_t as far as you need";
}

}  // namespace lab1
