// Compares an answer with the reference and says in words how they differ. If a known mistake (another input, swapped
// colors, another link or counter) would give the wrong values, the message names it. It also says where the wrong
// elements lie.
// Tested by tests/course/lab0/lab0_judge_test.cc.
#include "labs/lab0/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "grader/lab/parallel.h"
#include "labs/lab0/cases.h"
#include "labs/lab0/reference.h"

namespace lab0 {
namespace {

using Inputs = std::array<const void*, kInputs>;

constexpr size_t kBlocks[] = {1024, 512, 256, 128, 64, 32};  // lengths of blocks that solutions have

// Where an answer differs. Indices count elements.
struct Difference {
  size_t count = 0;
  size_t first = 0, last = 0;
  size_t unwritten = 0;  // of `count`: the poison is still there
};

template <typename T>
bool IsPoison(T element) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &element, sizeof(T));
  return std::all_of(bytes, bytes + sizeof(T), [](unsigned char byte) { return byte == kPoisonByte; });
}

// The same value; NaN where NaN belongs, and -0 apart from 0 only where a sign was copied (doubles).
template <typename T>
bool IsSame(T got, T want) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want)) return std::isnan(got);
  }
  return got == want;
}

template <typename T, typename Want>
Difference Compare(const T* got, size_t count, Want want) {
  Difference all;
  std::mutex mutex;
  warpgrade::ParallelFor(count, count, [&](size_t begin, size_t end) {
    Difference part;
    for (size_t i = begin; i < end; ++i) {
      if (IsSame<T>(got[i], want(i))) continue;
      if (part.count++ == 0) part.first = i;
      part.last = i;
      if (IsPoison(got[i])) ++part.unwritten;
    }
    if (part.count == 0) return;
    const std::lock_guard lock(mutex);
    all.first = all.count == 0 ? part.first : std::min(all.first, part.first);
    all.last = std::max(all.last, part.last);
    all.count += part.count;
    all.unwritten += part.unwritten;
  });
  return all;
}

template <typename T>
std::string Print(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "nan";
    char text[64];
    std::snprintf(text, sizeof(text), sizeof(T) == 4 ? "%.9g" : "%.17g", static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

const char* ArrayName(Task task) {
  switch (task) {
    case kImage:
      return "d_grey";
    case kLinks:
      return "d_out";
    case kClasses:
      return "d_counts";
    default:
      return "h_c";
  }
}

// "d_grey[70] (row 2, column 4)".
std::string Place(const Problem& p, size_t index) {
  std::string place = std::string(ArrayName(p.task)) + "[" + std::to_string(index) + "]";
  if (p.task == kImage) {
    place += " (row " + std::to_string(index / p.second) + ", column " + std::to_string(index % p.second) + ")";
  } else if (p.task == kLinks) {
    place += " (segment " + std::to_string(index / p.second) + ", place " + std::to_string(index % p.second) + ")";
  }
  return place;
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.count == 1) return " (the only one)";
  const std::string count = std::to_string(d.count);
  if (d.count == p.Outputs()) return " (first of " + count + ", which is all of them)";
  return " (first of " + count + ")";
}

// What the wrong elements have in common.
std::string Region(const Problem& p, const Difference& d) {
  const size_t outputs = p.Outputs();
  // A byte may be right by chance: about one byte in a hundred has the poison's value.
  const size_t from_first = outputs - d.first, by_chance = p.task == kImage ? 1 + from_first / 50 : 0;
  const bool to_the_end = outputs - 1 - d.last <= by_chance && d.count + by_chance >= from_first;
  if (to_the_end && d.count == outputs && d.unwritten == outputs) {
    return " Was the kernel launched, and its answer copied to where it belongs?";
  }
  if (p.task == kImage && d.first >= p.second && d.first % p.second == 0 && to_the_end) {
    return " All of them lie in rows " + std::to_string(d.first / p.second) + " and up, down to the last row.";
  }
  if (!to_the_end || d.first == 0) return "";
  for (const size_t block : kBlocks) {
    if (d.first % block != 0) continue;
    return " All of them lie at the end, from a multiple of " + std::to_string(block) + " on" +
           (d.count <= block ? ": as if the last block were missing." : ".");
  }
  return " They are the last ones.";
}

std::string VectorLikeness(const Inputs& inputs, size_t i, float got) {
  const float a = static_cast<const float*>(inputs[0])[i], b = static_cast<const float*>(inputs[1])[i];
  if (std::isnan(got)) return "";
  if (got == a) return ": the element of h_a alone";
  if (got == b) return ": the element of h_b alone";
  if (got == a - b) return ": the difference, not the sum";
  if (got == 0) return ": as if zeros had been copied back, or added";
  return "";
}

std::string ImageLikeness(const Problem& p, const Inputs& inputs, size_t i, uint8_t got) {
  const auto* const rgb = static_cast<const uint8_t*>(inputs[0]);
  const auto grey_at = [rgb](size_t pixel) { return Grey(rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]); };
  if (got == Grey(rgb[3 * i + 2], rgb[3 * i + 1], rgb[3 * i])) return ": what blue, green, red would give";
  const unsigned sum = 299u * rgb[3 * i] + 587u * rgb[3 * i + 1] + 114u * rgb[3 * i + 2];
  if (got == sum / 1000) return ": the + 500 that rounds is missing";
  const size_t turned = i % p.second * p.first + i / p.second;
  if (p.first != p.second && turned < p.Outputs() && got == grey_at(turned)) {
    return ": the grey of pixel " + std::to_string(turned) + ", where rows and columns have changed places";
  }
  // Planes of one channel each, instead of pixels of three.
  const size_t pixels = p.Outputs();
  if (got == Grey(rgb[i], rgb[pixels + i], rgb[2 * pixels + i])) {
    return ": as if all reds came first, then all greens, then all blues";
  }
  return "";
}

std::string LinksLikeness(const Problem& p, const Inputs& inputs, size_t i, double got) {
  const auto* const flag = static_cast<const uint8_t*>(inputs[0]);
  const auto* const next = static_cast<const uint16_t*>(inputs[1]);
  const auto* const value = static_cast<const double*>(inputs[2]);
  const size_t start = i / p.second * p.second;
  const size_t one = start + next[i], two = start + next[one];
  if (got == -TwoLinksOn(p.second, flag, next, value, i)) return ": the right value with the wrong sign";
  if (std::fabs(got) == value[one]) return ": the value one link on";
  if (std::fabs(got) == value[start + next[two]]) return ": the value three links on";
  if (std::fabs(got) == value[i]) return ": its own value, no link on";
  return "";
}

std::string CountsLikeness(const Problem& p, const void* output) {
  const auto* const counts = static_cast<const unsigned long long*>(output);
  unsigned long long sum = 0;
  for (size_t c = 0; c < p.second; ++c) sum += counts[c];
  const std::string n = std::to_string(p.first);
  const unsigned long long poison = 0xcbcbcbcbcbcbcbcbull;
  if (counts[0] - poison <= p.first) return ": as if the counts had been added to what was in d_counts before";
  if (sum == p.first) return ". The counts sum to n, so that some were counted as another class";
  return ". The counts sum to " + std::to_string(sum) + " of " + n;
}

template <typename T, typename Want, typename Likeness>
std::optional<Explanation> ExplainElements(const Problem& p, const void* output, Want want_at, Likeness likeness) {
  const T* const got = static_cast<const T*>(output);
  const Difference d = Compare<T>(got, p.Outputs(), want_at);
  if (d.count == 0) return std::nullopt;
  const T value = got[d.first];
  Explanation e;
  e.index = d.first;
  e.count = d.count;
  e.want = Print<T>(want_at(d.first));
  // A single byte can have the poison's value by chance. So it counts as unwritten only if most wrong bytes have it.
  const bool unwritten = IsPoison(value) && (sizeof(T) > 1 || d.unwritten * 2 > d.count);
  e.got = unwritten ? "never written" : Print<T>(value);
  e.message = Name(p) + ": " + Place(p, d.first) + (unwritten ? " was never written" : " is " + e.got) + ", want " +
              e.want + HowMany(p, d) + (unwritten ? "" : likeness(d.first, value)) + "." + Region(p, d);
  return e;
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, Inputs inputs, const void* output) {
  switch (p.task) {
    case kVectorAdd:
    case kStreams: {
      const auto *a = static_cast<const float*>(inputs[0]), *b = static_cast<const float*>(inputs[1]);
      return ExplainElements<float>(
          p, output, [a, b](size_t i) { return Sum(a[i], b[i]); },
          [&](size_t i, float got) { return VectorLikeness(inputs, i, got); });
    }
    case kImage: {
      const auto* const rgb = static_cast<const uint8_t*>(inputs[0]);
      return ExplainElements<uint8_t>(
          p, output, [rgb](size_t i) { return Grey(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]); },
          [&](size_t i, uint8_t got) { return ImageLikeness(p, inputs, i, got); });
    }
    case kLinks: {
      const auto* const flag = static_cast<const uint8_t*>(inputs[0]);
      const auto* const next = static_cast<const uint16_t*>(inputs[1]);
      const auto* const value = static_cast<const double*>(inputs[2]);
      return ExplainElements<double>(
          p, output, [&, flag, next, value](size_t i) { return TwoLinksOn(p.second, flag, next, value, i); },
          [&](size_t i, double got) { return LinksLikeness(p, inputs, i, got); });
    }
    case kClasses: {
      const std::vector<uint64_t> counts = Counts(p, static_cast<const uint8_t*>(inputs[0]));
      return ExplainElements<unsigned long long>(
          p, output, [&](size_t c) { return static_cast<unsigned long long>(counts[c]); },
          [&](size_t, unsigned long long) { return CountsLikeness(p, output); });
    }
  }
  return std::nullopt;
}

std::optional<Explanation> ExplainResult(const Problem& p, int result) {
  constexpr int kMemoryAllocation = 2;  // cudaErrorMemoryAllocation
  const bool wants_error = p.pattern == kNoRoom;
  // A function that allocates less often sees no failure.
  if (p.FailingAllocation() > 0 && (result == 0 || result == kMemoryAllocation)) return std::nullopt;
  if (p.FailingAllocation() == 0 && (result != 0) == wants_error) return std::nullopt;
  Explanation e;
  e.count = 1;
  e.got = std::to_string(result);
  e.want = wants_error ? "an error" : "0 (cudaSuccess)";
  if (p.FailingAllocation() > 0) e.want = "2 (cudaErrorMemoryAllocation), which was the first error";
  e.message = Name(p) + ": the function returned " + e.got + ", want " + e.want;
  if (wants_error)
    e.message += ". There is no room for this n: which call reports that, and what do you do with its error?";
  return e;
}

}  // namespace lab0
