// Compares an answer with the reference and says in words how they differ. If a known mistake (the other kind of scan,
// a shift, a new start) gives the wrong sums, the message names it. It also says at which multiple of a block they
// begin. Tested by tests/course/lab5/lab5_judge_test.cc.
#include "labs/lab5/explain.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "labs/lab5/cases.h"
#include "labs/lab5/reference.h"

namespace lab5 {
namespace {

bool IsPoison(const void* out, size_t i) {
  const auto* const bytes = static_cast<const unsigned char*>(out) + i * kElementBytes;
  return std::all_of(bytes, bytes + kElementBytes, [](unsigned char byte) { return byte == kPoisonByte; });
}

// True when the first wrong elements, up to a few, are what `value(i)` says.
template <typename Value>
bool LooksLike(const Problem& p, const void* out, size_t first, const Value& value) {
  constexpr size_t kEnough = 8;
  const size_t end = std::min(p.n, first + kEnough);
  for (size_t i = first; i < end; ++i) {
    if (ElementOf(p, out, i) != value(i)) return false;
  }
  return true;
}

// The mistake that gives the wrong values. Only for exact values.
std::string Likeness(const Problem& p, const void* in, const void* out, size_t first) {
  if (p.pattern == kFractions) return "";
  Problem other = p;
  other.variant ^= 1;  // the other kind
  if (p.n > 1 && LooksLike(p, out, first, [&](size_t i) { return ScanAt(other, in, i); })) {
    return std::string(": that is the ") + (p.is_inclusive() ? "exclusive" : "inclusive") + " scan";
  }
  if (!p.is_inclusive() && first + 1 < p.n && LooksLike(p, out, first, [&](size_t i) {
        return i + 1 < p.n ? ScanAt(other, in, i + 1) : ElementOf(p, out, i);
      })) {
    return ": shifted to the left instead of to the right";
  }
  if (p.n > 1 && LooksLike(p, out, first, [&](size_t i) { return ElementOf(p, in, i); })) {
    return ": the elements themselves, not their sums";
  }
  // Does the scan start again at the first wrong element? An exclusive scan may start one element before it.
  for (const size_t start : {first, first > 0 ? first - 1 : first}) {
    if (start == 0) continue;
    const double before = ScanAt({.n = p.n, .variant = p.variant | 1, .pattern = p.pattern}, in, start);
    if (!std::isfinite(before)) continue;
    if (LooksLike(p, out, first, [&](size_t i) { return ScanAt(p, in, i) - before; })) {
      return ": as if nothing came before element " + std::to_string(start);
    }
  }
  return "";
}

// " 512 is a multiple of 512.": 512 may be the size of a block or of a tile.
std::string Border(size_t first) {
  for (const size_t block : {8192, 4096, 2048, 1024, 512, 256, 32}) {
    if (first == 0 || first % block != 0) continue;
    std::string words = " ";
    words += std::to_string(first);
    words += " is a multiple of ";
    words += std::to_string(block);
    words += '.';
    return words;
  }
  return "";
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.count == 1) return " (the only one)";
  if (d.count == p.n) return " (first of " + std::to_string(d.count) + ", which is all of them)";
  if (d.last + 1 == p.n && d.count == p.n - d.first) {
    return " (first of " + std::to_string(d.count) + ", all from there to the end)";
  }
  return " (first of " + std::to_string(d.count) + ", the last one is d_out[" + std::to_string(d.last) + "])";
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const void* in, const void* out) {
  const Difference d = Compare(p, in, out);
  if (d.count == 0) return std::nullopt;
  const bool never_written = IsPoison(out, d.first);

  Explanation e;
  e.index = d.first;
  e.count = d.count;
  e.got = never_written ? "never written" : lab::Print(ElementOf(p, out, d.first));
  e.want = lab::Print(ScanAt(p, in, d.first));
  e.message = Name(p) + ": d_out[" + std::to_string(d.first) + "]" +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(p, d);
  if (!never_written) e.message += Likeness(p, in, out, d.first);
  e.message += ".";
  // An element that is 0 + a sum in d_work holds the poison, though it was written.
  if (never_written && d.first > 0 && (d.count == 1 || !IsPoison(out, d.last))) {
    e.message += " Or it was computed from a sum in d_work that nobody wrote.";
  }
  e.message += Border(d.first);
  return e;
}

}  // namespace lab5
