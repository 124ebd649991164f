// Compares an answer with the reference and says in words how they differ. The message also says whether a wrong value
// is the sum of the first products only, or belongs to another place. And it says whether all wrong elements lie past
// the last full tile.
// Tested by tests/course/lab3/lab3_judge_test.cc.
#include "labs/lab3/explain.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "labs/lab3/elements.h"
#include "labs/lab3/reference.h"

namespace lab3 {
namespace {

constexpr size_t kTiles[] = {128, 64, 32, 16};  // sides of tiles that rungs have

bool IsPoison(float element) {
  unsigned char bytes[sizeof(element)];
  std::memcpy(bytes, &element, sizeof(element));
  return std::all_of(bytes, bytes + sizeof(bytes), [](unsigned char byte) { return byte == kPoisonByte; });
}

// "C[70] (row 2, column 4)".
std::string Place(const Problem& p, size_t index) {
  return "C[" + std::to_string(index) + "] (row " + std::to_string(index / p.n) + ", column " +
         std::to_string(index % p.n) + ")";
}

double Product(const Problem& p, const void* a, const void* b, size_t row, size_t column, size_t l) {
  const auto element = [&p](const void* matrix, size_t i) {
    return static_cast<double>(p.variant == kHalf ? HalfToFloat(static_cast<const uint16_t*>(matrix)[i])
                                                  : static_cast<const float*>(matrix)[i]);
  };
  return element(a, row * p.k + l) * element(b, l * p.n + column);
}

// The mistake that gives this wrong value: only a part of its products, or the value of another place.
std::string Likeness(const Problem& p, const void* a, const void* b, size_t index, double got) {
  if (p.pattern != kExact) return "";
  const size_t row = index / p.n, column = index % p.n;
  double sum = 0;
  for (size_t l = 0; l < p.k; ++l) {
    if (sum == got && l == 0) return ": as if no product had been added";
    if (sum == got) {
      return ": as if only the first " + std::to_string(l) + " of " + std::to_string(p.k) + " products had been added";
    }
    sum += Product(p, a, b, row, column, l);
  }
  if (column < p.m && row < p.n && ComputeRow(p, a, b, column).sum[row] == got) {
    return ": what belongs to row " + std::to_string(column) + ", column " + std::to_string(row);
  }
  return "";
}

// What the wrong elements have in common: all past the last full tile.
std::string Region(const Problem& p, const Difference& d) {
  const std::string who = d.count == 1 ? " It lies" : " All of them lie";
  const auto lie_in = [&](const char* lines, size_t first, size_t tile) {
    return who + lines + std::to_string(first) + " and up, past the last multiple of " + std::to_string(tile) + ".";
  };
  for (const size_t tile : kTiles) {
    const size_t full_rows = p.m / tile * tile, full_columns = p.n / tile * tile;
    if (full_columns > 0 && d.min_column >= full_columns) return lie_in(" in columns ", full_columns, tile);
    if (full_rows > 0 && d.min_row >= full_rows) return lie_in(" in rows ", full_rows, tile);
  }
  return "";
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.there_are_more) return " (first of more than " + std::to_string(d.count) + ")";
  if (d.count == 1) return " (the only one)";
  if (d.count == p.m * p.n) return " (first of " + std::to_string(d.count) + ", which is all of them)";
  return " (first of " + std::to_string(d.count) + ")";
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const void* a, const void* b, const float* c) {
  const Difference d = Compare(p, a, b, c);
  if (d.count == 0) return std::nullopt;
  const float got = c[d.first];
  const bool never_written = IsPoison(got);

  Explanation e;
  e.index = d.first;
  e.count = d.count;
  e.got = never_written ? "never written" : lab::Print(static_cast<double>(got));
  e.want = lab::Print(ComputeRow(p, a, b, d.first / p.n).sum[d.first % p.n]);
  e.message = Size(p) + ": " + Place(p, d.first) +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(p, d);
  if (!never_written) e.message += Likeness(p, a, b, d.first, static_cast<double>(got));
  e.message += ".";
  e.message += Region(p, d);
  return e;
}

}  // namespace lab3
