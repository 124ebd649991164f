// A mistake of v4 is a list of ranges that one block adds. All launches are played with it, on the values and on a
// random number for each element. Two mistakes with the same random sum add the same elements equally often.
// Tested by tests/course/lab1/wrong_sums_test.cc.
#include "labs/lab1/wrong_sums.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "labs/lab1/reference.h"
#include "labs/support/noise.h"

namespace lab1 {
namespace {

constexpr size_t kMostPlayed = size_t{1} << 17;  // elements
constexpr size_t kThreadsOfBlocks[] = {256, 128, 512};

struct Part {
  double value = 0;
  uint64_t taken = 0;
  Part& operator+=(const Part& other) {
    value += other.value;
    taken += other.taken;
    return *this;
  }
};

// Sums of the first elements, so that any range is a difference.
class Prefixes {
 public:
  void Add(const Part& next) {
    Part sum = sums_.back();
    sums_.push_back(sum += next);
  }
  size_t size() const { return sums_.size() - 1; }
  // What lies past the end is left out.
  Part Range(size_t begin, size_t count) const {
    const Part &from = sums_[std::min(begin, size())], &to = sums_[std::min(begin + count, size())];
    return {to.value - from.value, to.taken - from.taken};
  }

 private:
  std::vector<Part> sums_ = {Part{}};
};

// What block `b` of `t` threads adds of `in`.
using AddBlock = Part (*)(const Prefixes& in, size_t b, size_t t);

Part PlayPasses(Prefixes in, size_t threads, size_t per_block, AddBlock add) {
  while (true) {
    const size_t blocks = (in.size() + per_block - 1) / per_block;
    Prefixes partials;
    for (size_t b = 0; b < blocks; ++b) partials.Add(add(in, b, threads));
    if (blocks <= 1) return partials.Range(0, 1);
    in = std::move(partials);
  }
}

// The tree ends before its last step. REQUIRES: `begin` is even.
constexpr const char* kEveryOther = "as if every second thread of each block had been left out";
Part EvenOnes(const Prefixes& in, size_t begin, size_t count) {
  Part sum;
  for (size_t i = begin; i < std::min(begin + count, in.size()); i += 2) sum += in.Range(i, 1);
  return sum;
}

struct Mistake {
  size_t elements;  // of a thread, as the number of blocks is computed
  AddBlock add;
  const char* words;  // N stands for the number of threads of a block, and 2N for twice as many
};

constexpr Mistake kMistakes[] = {
    {2, [](const Prefixes& in, size_t b, size_t t) { return in.Range(b * t, 2 * t); },
     "as if each block had added 2N elements, but had begun only N after the block before it: some are added twice, "
     "and the last ones not at all"},
    {1, [](const Prefixes& in, size_t b, size_t t) { return in.Range(b * t, 2 * t); },
     "as if each block had added 2N elements, but had begun only N after the block before it: all but the first N are "
     "added twice or more"},
    {2, [](const Prefixes& in, size_t b, size_t t) { return in.Range(2 * b * t, t); },
     "as if each block had added only the first N of its 2N elements"},
    {2, [](const Prefixes& in, size_t b, size_t t) { return in.Range(b * t, t); },
     "as if each block had added N elements, but there had been only one block for each 2N"},
    {2,
     [](const Prefixes& in, size_t b, size_t t) {
       Part sum = in.Range(2 * b * t, t);
       return sum += in.Range(2 * b * t + 1, t);
     },
     "as if each thread had added its first element and the next one, instead of the one N further on"},
    {2,
     [](const Prefixes& in, size_t b, size_t t) {
       Part sum = in.Range(2 * b * t, t);
       return sum += in.Range(2 * b * t + 2 * t, t);
     },
     "as if each thread had added two elements that are 2N apart, instead of N"},
    {2,
     [](const Prefixes& in, size_t b, size_t t) {
       Part sum = in.Range(2 * b * t, t);
       return sum += in.Range(2 * b * t, t);
     },
     "as if each thread had added its first element twice, and the one N further on not at all"},
    {2,
     [](const Prefixes& in, size_t b, size_t t) {
       const size_t begin = 2 * b * t, second = std::min(begin + t, in.size());
       Part sum = in.Range(begin, std::min(t, in.size() - second));
       return sum += in.Range(second, t);
     },
     "as if a thread whose second element lies past the end had not added its first one either"},
    {2,
     [](const Prefixes& in, size_t b, size_t t) {
       Part sum = in.Range(2 * b * t, t / 2);
       return sum += in.Range(2 * b * t + t, t / 2);
     },
     "as if the second half of the threads of each block had been left out"},
    {2, [](const Prefixes& in, size_t b, size_t t) { return EvenOnes(in, 2 * b * t, 2 * t); }, kEveryOther},
    {1, [](const Prefixes& in, size_t b, size_t t) { return EvenOnes(in, b * t, t); }, kEveryOther},
};

std::string WithNumbers(std::string words, size_t threads) {
  for (size_t at = 0; (at = words.find('N', at)) != std::string::npos;) {
    const bool twice = at > 0 && words[at - 1] == '2';
    words.replace(at - (twice ? 1 : 0), twice ? 2 : 1, std::to_string(twice ? 2 * threads : threads));
  }
  return words;
}

}  // namespace

std::string Elements(size_t count) { return count == 1 ? "element" : std::to_string(count) + " elements"; }

template <typename T>
std::vector<WrongSum> WrongSums(std::span<const T> input, double sum) {
  const size_t n = input.size();
  Prefixes prefixes;
  const bool played = n <= kMostPlayed;
  for (size_t i = 0; played && i < n; ++i) prefixes.Add({static_cast<double>(input[i]), lab::Noise(n, i)});
  // Of a large input, only beginnings are told apart. Their length is enough for that.
  const auto first = [&](size_t count) {
    if (played) return prefixes.Range(0, count);
    const double left_out = count < n / 2 ? 0 : Reduce(Operation::kSum, input.subspan(count)).value;
    return Part{count < n / 2 ? Reduce(Operation::kSum, input.first(count)).value : sum - left_out, count};
  };
  const Part all = first(n), one = first(1);
  std::vector<WrongSum> found = {{0, 0, "as if no element had been added at all"}};
  std::vector<size_t> tails = {1};
  for (const size_t block : kBlockSizes) tails.push_back(n % block);
  for (const size_t tail : tails) {
    if (tail == 0 || tail >= n) continue;
    const Part left = first(n - tail);
    found.push_back({left.value, left.taken, "as if the last " + Elements(tail) + " had been left out"});
  }
  for (const size_t block : kBlockSizes) {
    if (block >= n) break;
    const Part part = first(block);
    found.push_back({part.value, part.taken, "as if only the first " + Elements(block) + " had been combined"});
  }
  found.push_back({2 * sum, 2 * all.taken, "as if two threads had added each element"});
  if (n > 1) {
    found.push_back(
        {2 * sum - one.value, 2 * all.taken - one.taken, "as if two threads had added each element but the first"});
  }
  if (!played) return found;
  for (const size_t threads : kThreadsOfBlocks) {
    for (const Mistake& mistake : kMistakes) {
      const Part part = PlayPasses(prefixes, threads, mistake.elements * threads, mistake.add);
      if (part.taken != all.taken) found.push_back({part.value, part.taken, WithNumbers(mistake.words, threads)});
    }
  }
  return found;
}

template std::vector<WrongSum> WrongSums(std::span<const int32_t>, double);
template std::vector<WrongSum> WrongSums(std::span<const float>, double);
template std::vector<WrongSum> WrongSums(std::span<const double>, double);

}  // namespace lab1
