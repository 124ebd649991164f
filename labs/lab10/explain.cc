// Compares an answer with the reference and says in words how they differ. If a known mistake gives exactly this
// answer (signed keys, another order of equal keys, parts that were never merged), the message names it; else it says
// whether elements were lost. Tested by tests/course/lab10/lab10_judge_test.cc.
#include "labs/lab10/explain.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "labs/lab10/reference.h"

namespace lab10 {
namespace {

constexpr uint32_t kPoison = 0x01010101u * kPoisonByte;

std::string Hex(uint32_t element) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", element);
  return text;
}

// What a student wrote, and what was wanted.
struct Answer {
  Answer(const Problem& problem, const uint32_t* input, const uint32_t* output)
      : p(problem), in(input, problem.n), got(output, problem.n), want(Sorted(problem, input)) {}

  uint32_t Key(uint32_t element) const { return element & p.KeyMask(); }
  bool Is(const std::vector<uint32_t>& other) const { return std::equal(got.begin(), got.end(), other.begin()); }
  // Whether `sort`, done to a copy of the input, gives what the student has.
  bool IsInputAfter(const std::function<void(std::vector<uint32_t>&)>& sort) const {
    std::vector<uint32_t> copy(in.begin(), in.end());
    sort(copy);
    return Is(copy);
  }
  bool KeysAscend() const {
    return std::is_sorted(got.begin(), got.end(), [&](uint32_t a, uint32_t b) { return Key(a) < Key(b); });
  }

  Problem p;
  std::span<const uint32_t> in, got;
  std::vector<uint32_t> want;
};

// Elements of the input that the output lacks, with their multiplicity.
size_t Missing(const Answer& a) {
  std::vector<uint32_t> have(a.got.begin(), a.got.end()), need(a.in.begin(), a.in.end()), missing;
  std::sort(have.begin(), have.end());
  std::sort(need.begin(), need.end());
  std::set_difference(need.begin(), need.end(), have.begin(), have.end(), std::back_inserter(missing));
  return missing.size();
}

// The size of the parts, if each part of 2^k elements is in order by itself, for the largest such k; else 0.
size_t SortedParts(const Answer& a) {
  const auto less = [&](uint32_t x, uint32_t y) { return a.Key(x) < a.Key(y); };
  size_t part = 32;
  while (2 * part < a.p.n) part *= 2;
  for (; part >= 32 && part < a.p.n; part /= 2) {
    bool fits = true;
    for (size_t begin = 0; begin < a.p.n && fits; begin += part) {
      const std::span<const uint32_t> elements = a.got.subspan(begin, std::min(part, a.p.n - begin));
      fits = std::is_sorted(elements.begin(), elements.end(), less);
    }
    if (fits) return part;
  }
  return 0;
}

// v1's network for the next power of two, of which each step compares only the first `pairs` pairs.
void CompareFirstPairs(size_t pairs, std::vector<uint32_t>* elements) {
  const size_t n = elements->size();
  const auto step = [&](size_t part, bool mirror) {
    const size_t distance = part / 2;
    for (size_t pair = 0; pair < pairs; ++pair) {
      const size_t place = pair % distance, begin = 2 * (pair - place), left = begin + place;
      const size_t right = mirror ? begin + part - 1 - place : left + distance;
      if (right < n && (*elements)[left] > (*elements)[right]) std::swap((*elements)[left], (*elements)[right]);
    }
  };
  for (size_t phase = 2; phase < 2 * n; phase *= 2) {
    step(phase, true);
    for (size_t part = phase / 2; part >= 2; part /= 2) step(part, false);
  }
}

// A launch of n / 2 threads, in whole blocks, where the network for the next power of two has more pairs. "": not so.
std::string TooFewPairs(const Answer& a) {
  constexpr size_t kMostTried = size_t{1} << 16;  // elements, since each trial takes a second for a million
  if (a.p.bits != kKeyBits || a.p.n < 3 || a.p.n > kMostTried) return "";
  const size_t all = std::bit_ceil(a.p.n);
  constexpr size_t kBlocks[] = {1024, 512, 256, 128, 64, 32, 1};
  size_t last = all / 2;
  for (const size_t block : kBlocks) {
    const size_t pairs = (a.p.n / 2 + block - 1) / block * block;
    if (pairs >= last || pairs == 0) continue;
    last = pairs;
    if (!a.IsInputAfter([&](std::vector<uint32_t>& elements) { CompareFirstPairs(pairs, &elements); })) continue;
    return ": as if only the first " + std::to_string(pairs) +
           " pairs of each step had been compared; the network for " + std::to_string(all) + " elements has " +
           std::to_string(all / 2);
  }
  return "";
}

// The mistake that gives exactly this answer, or "".
std::string Likeness(const Answer& a) {
  const auto by = [](const auto& less) {
    return [&less](std::vector<uint32_t>& elements) { std::stable_sort(elements.begin(), elements.end(), less); };
  };
  const auto by_key_down = [&](uint32_t x, uint32_t y) { return a.Key(x) > a.Key(y); };
  const auto by_element = [](uint32_t x, uint32_t y) { return x < y; };
  const auto by_sign = [](uint32_t x, uint32_t y) { return static_cast<int32_t>(x) < static_cast<int32_t>(y); };
  if (a.IsInputAfter([](std::vector<uint32_t>&) {})) return ": the elements in the order of the input";
  if (a.IsInputAfter(by(by_key_down))) return ": the largest key is first";
  if (a.p.bits == kKeyBits && a.IsInputAfter(by(by_sign))) return ": as if keys were signed numbers";
  if (const size_t missing = Missing(a); missing > 0) {
    const bool one = missing == 1;
    return ": " + std::to_string(missing) + (one ? " element of the input is" : " elements of the input are") +
           " not in the output at all";
  }
  if (a.p.bits < kKeyBits && a.IsInputAfter(by(by_element))) {
    return ": as if all 32 bits were the key, and not only the lowest " + std::to_string(a.p.bits);
  }
  if (a.KeysAscend()) return ": the keys are in order, but elements with the same key are not: this sort is not stable";
  for (int bits = a.p.bits - 1; bits > 0; --bits) {
    Problem fewer = a.p;
    fewer.bits = bits;
    if (a.Is(Sorted(fewer, a.in.data()))) {
      return ": as if only the lowest " + std::to_string(bits) + (bits == 1 ? " bit was" : " bits were") + " the key";
    }
  }
  if (std::string pairs = TooFewPairs(a); !pairs.empty()) return pairs;
  if (const size_t part = SortedParts(a); part > 0) {
    return ": each part of " + std::to_string(part) + " elements is in order, but the parts are not merged";
  }
  return ": no element is lost, but their order is wrong";
}

std::string HowMany(const Explanation& e, size_t n) {
  if (e.count == 1) return " (the only wrong element)";
  return " (first of " + std::to_string(e.count) + " wrong elements" + (e.count == n ? ", which is all of them)" : ")");
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const uint32_t* in, const uint32_t* out) {
  const Answer a(p, in, out);
  Explanation e;
  for (size_t i = p.n; i-- > 0;) {
    if (a.got[i] == a.want[i]) continue;
    ++e.count;
    e.index = i;
  }
  if (e.count == 0) return std::nullopt;
  const bool never_written = a.got[e.index] == kPoison;
  e.got = never_written ? "never written" : Hex(a.got[e.index]);
  e.want = Hex(a.want[e.index]);
  e.message = Size(p) + ": d_out[" + std::to_string(e.index) + "]" +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(e, p.n);
  if (!never_written) e.message += Likeness(a);
  e.message += ".";
  return e;
}

}  // namespace lab10
