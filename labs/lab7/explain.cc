// Compares an answer with the reference and says in words how they differ. The message also says whether all counts are
// too large by the same factor, and where in the input the counting seems to have ended.
// Tested by tests/course/lab7/lab7_judge_test.cc.
#include "labs/lab7/explain.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "labs/lab7/reference.h"

namespace lab7 {
namespace {

constexpr uint32_t kPoison = 0x01010101u * kPoisonByte;
constexpr size_t kMostTimes = 1024;  // in "counted N times"

// What a student counted, and what was wanted. Each likeness looks at every bin, so that none fits by chance.
struct Answer {
  Answer(const Problem& problem, const void* input, const unsigned* counts)
      : p(problem), in(input), got(counts, counts + problem.bins), want(Count(problem, input)) {}

  // Whether rule(want) gives what the student has, in every bin.
  template <typename Rule>
  bool Is(const Rule& rule) const {
    for (size_t bin = 0; bin < want.size(); ++bin) {
      if (got[bin] != static_cast<uint32_t>(rule(want[bin]))) return false;
    }
    return true;
  }
  bool IsWrong(size_t bin) const { return got[bin] != want[bin]; }
  template <typename Rule>
  bool AllWrong(const Rule& rule) const {
    for (size_t bin = 0; bin < want.size(); ++bin) {
      if (IsWrong(bin) && !rule(bin)) return false;
    }
    return true;
  }

  Problem p;
  const void* in;
  std::vector<uint32_t> got;
  std::vector<uint64_t> want;
};

// How many times too often each element was counted, if that is the same for all bins; else "".
std::string Times(const Answer& a) {
  const auto most = static_cast<size_t>(std::max_element(a.want.begin(), a.want.end()) - a.want.begin());
  const uint64_t times = a.want[most] == 0 ? 0 : a.got[most] / a.want[most];
  if (times < 2 || times > kMostTimes || !a.Is([&](uint64_t want) { return want * times; })) return "";
  return ": as if every element had been counted " + std::to_string(times) + " times";
}

// Where the input seems to end, at a multiple of what a load, a warp or a block takes; else "".
std::string Tail(const Answer& a) {
  for (size_t step = 2; step <= 8192; step *= 2) {
    const size_t end = a.p.n - a.p.n % step;
    if (end == a.p.n) continue;
    const std::vector<uint64_t> tail = Count(a.p, a.in, end, a.p.n);
    bool fits = true;
    for (size_t bin = 0; bin < tail.size() && fits; ++bin) fits = a.got[bin] == a.want[bin] - tail[bin];
    if (fits) {
      return ": as if the last " + std::to_string(a.p.n - end) + " elements, past the last multiple of " +
             std::to_string(step) + ", had not been counted";
    }
  }
  return "";
}

std::string Added(const Answer& a) {
  if (!a.Is([](uint64_t want) { return want + kPoison; })) return "";
  if (a.Is([](uint64_t) { return kPoison; })) return "";  // then the bins were never written
  return ": as if the counts had been added to what the bins held before";
}

std::string Likeness(const Answer& a) {
  if (a.Is([](uint64_t want) { return want % 256; })) return ": as if it had been counted in 8 bits";
  if (a.Is([](uint64_t want) { return want % 65536; })) return ": as if it had been counted in 16 bits";
  if (a.Is([](uint64_t) { return 0; })) return ": as if nothing had been counted";
  if (std::string times = Times(a); !times.empty()) return times;
  if (std::string tail = Tail(a); !tail.empty()) return tail;
  if (a.p.variant == kByte && a.AllWrong([&](size_t bin) { return bin >= 128 && a.got[bin] == 0; })) {
    return ": as if bytes from 128 on had been taken for negative numbers";
  }
  const size_t last = a.want.size() - 1;
  if (a.p.pattern == kOutside &&
      a.AllWrong([&](size_t bin) { return (bin == 0 || bin == last) && a.got[bin] > a.want[bin]; })) {
    return ": as if elements that belong to no bin had been counted in the first or the last one";
  }
  return "";
}

std::string Sums(const Answer& a) {
  const uint64_t got = std::accumulate(a.got.begin(), a.got.end(), uint64_t{0});
  const uint64_t want = std::accumulate(a.want.begin(), a.want.end(), uint64_t{0});
  if (got == want) return " The sum of all counts is right.";
  return " All counts together are " + std::to_string(got) + ", want " + std::to_string(want) + ".";
}

std::string HowMany(const Answer& a, size_t count) {
  if (count == 1) return " (the only wrong one)";
  const std::string of = " (first of " + std::to_string(count) + " wrong bins";
  return of + (count == a.want.size() ? ", which is all of them)" : ")");
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const void* in, const unsigned* counts) {
  const Answer a(p, in, counts);
  Explanation e;
  for (size_t bin = a.want.size(); bin-- > 0;) {
    if (!a.IsWrong(bin)) continue;
    ++e.count;
    e.index = bin;
  }
  if (e.count == 0) return std::nullopt;
  const uint32_t got = a.got[e.index];
  const std::string added = Added(a);
  const bool never_written = got == kPoison && added.empty();
  e.got = never_written ? "never written" : std::to_string(got);
  e.want = std::to_string(a.want[e.index]);
  e.message = Size(p) + ": bin " + std::to_string(e.index) +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(a, e.count);
  if (never_written) {
    e.message += ".";
    return e;
  }
  const std::string likeness = added.empty() ? Likeness(a) : added;
  e.message += likeness + "." + (likeness.empty() ? Sums(a) : "");
  return e;
}

}  // namespace lab7
