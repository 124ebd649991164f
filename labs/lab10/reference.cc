// A radix sort with 11 bits in each pass. Tested by tests/course/lab10/lab10_judge_test.cc, which holds it against
// std::stable_sort.
#include "labs/lab10/reference.h"

#include <array>

namespace lab10 {

std::vector<uint32_t> Sorted(const Problem& p, const uint32_t* in) {
  constexpr int kDigitBits = 11;
  constexpr uint32_t kDigits = 1u << kDigitBits;
  std::vector<uint32_t> from(in, in + p.n), to(p.n);
  for (int shift = 0; shift < p.bits; shift += kDigitBits) {
    const auto digit_of = [&](uint32_t element) { return (element & p.KeyMask()) >> shift & (kDigits - 1); };
    std::array<size_t, kDigits> next{};
    for (const uint32_t element : from) ++next[digit_of(element)];
    size_t before = 0;
    for (size_t& place : next) {
      const size_t count = place;
      place = before;
      before += count;
    }
    for (const uint32_t element : from) to[next[digit_of(element)]++] = element;
    from.swap(to);
  }
  return from;
}

}  // namespace lab10
