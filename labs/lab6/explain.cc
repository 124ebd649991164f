// Compares an answer with the reference and says in words how they differ. If another number of steps gives the wrong
// values, the message says so. It also says whether the wrong elements lie in the ring or at the edges of tiles.
// Tested by tests/course/lab6/lab6_judge_test.cc.
#include "labs/lab6/explain.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "labs/lab6/reference.h"

namespace lab6 {
namespace {

constexpr size_t kTiles[] = {128, 120, 64, 32, 30, 16, 8};  // sides of tiles and strips that rungs have
constexpr size_t kMostElementsToGuess = 1 << 20;            // for a larger field no second reference is computed
constexpr int kMostStepsToGuess = 64;

bool IsPoison(float element) {
  unsigned char bytes[sizeof(element)];
  std::memcpy(bytes, &element, sizeof(element));
  return std::all_of(bytes, bytes + sizeof(bytes), [](unsigned char byte) { return byte == kPoisonByte; });
}

// "out[70] (row 2, column 4)".
std::string Place(const Problem& p, size_t index) {
  return "out[" + std::to_string(index) + "] (row " + std::to_string(index / p.columns) + ", column " +
         std::to_string(index % p.columns) + ")";
}

std::string Steps(int steps) { return std::to_string(steps) + (steps == 1 ? " step" : " steps"); }

// Another number of steps, for which the whole field would be right.
std::string Likeness(const Problem& p, const float* in, const float* out) {
  if (p.Elements() > kMostElementsToGuess || p.steps > kMostStepsToGuess) return "";
  const auto fits = [&](const Problem& other, int steps) {
    return Compare(other, Compute(other, in, steps), out).count == 0;
  };
  for (int steps = 0; steps <= p.steps + 1; ++steps) {
    if (steps == p.steps || !fits(p, steps)) continue;
    return steps == 0 ? ": what was there before the first step"
                      : ": as if " + Steps(steps) + " had been done instead of " + Steps(p.steps);
  }
  return "";
}

bool NearEdge(size_t position, size_t tile, size_t reach) {
  return position % tile < reach || position % tile >= tile - std::min(tile, reach);
}

// Whether all wrong elements are so near to where tiles meet that a wrong halo may have reached them in p.steps steps.
// `width` or `height` may be 0: then tiles are taken for as wide or as high as the field.
bool AllAtTileEdges(const Problem& p, const std::vector<double>& want, const float* out, size_t width, size_t height) {
  const auto reach = static_cast<size_t>(p.steps);
  const auto fits = [&](size_t tile, size_t side) { return tile == 0 || (4 * reach <= tile && side > tile); };
  if (!fits(width, p.columns) || !fits(height, p.rows)) return false;
  for (size_t i = 0; i < p.Elements(); ++i) {
    if (IsRight(p, out[i], want[i])) continue;
    const bool near =
        (width > 0 && NearEdge(i % p.columns, width, reach)) || (height > 0 && NearEdge(i / p.columns, height, reach));
    if (!near) return false;
  }
  return true;
}

std::string AtTileEdges(const Problem& p, const std::vector<double>& want, const float* out) {
  for (const size_t tile : kTiles) {
    const std::string size = std::to_string(tile);
    if (AllAtTileEdges(p, want, out, tile, 0)) return " All of them lie where tiles " + size + " columns wide meet.";
    if (AllAtTileEdges(p, want, out, 0, tile)) return " All of them lie where tiles " + size + " rows high meet.";
  }
  for (const size_t height : {32, 16, 8}) {
    if (AllAtTileEdges(p, want, out, 32, height)) {
      return " All of them lie where tiles 32 columns wide and " + std::to_string(height) + " rows high meet.";
    }
  }
  return "";
}

std::string Region(const Problem& p, const Difference& d, const std::vector<double>& want, const float* out) {
  const std::string who = d.count == 1 ? " It lies" : " All of them lie";
  if (d.in_ring == d.count) return who + " in the outermost ring, which keeps its values.";
  if (p.pattern == kSpoiled && d.count > 1) {
    bool all_nan = true;
    for (size_t i = 0; i < p.Elements(); ++i) {
      if (!IsRight(p, out[i], want[i])) all_nan = all_nan && std::isnan(out[i]) && std::isfinite(want[i]);
    }
    if (all_nan) {
      return " All of them are NaN, but should be numbers: something was read that takes no part in the step.";
    }
  }
  const auto lie_in = [&](const char* lines, size_t first, size_t tile) {
    return who + lines + std::to_string(first) + " and up, past the last multiple of " + std::to_string(tile) + ".";
  };
  for (const size_t tile : kTiles) {
    const size_t full_rows = p.rows / tile * tile, full_columns = p.columns / tile * tile;
    if (full_columns > 0 && d.min_column >= full_columns) return lie_in(" in columns ", full_columns, tile);
    if (full_rows > 0 && d.min_row >= full_rows) return lie_in(" in rows ", full_rows, tile);
  }
  return p.steps > 0 && d.count > 1 ? AtTileEdges(p, want, out) : "";
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.count == 1) return " (the only one)";
  if (d.count == p.Elements()) return " (first of " + std::to_string(d.count) + ", which is all of them)";
  return " (first of " + std::to_string(d.count) + ")";
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const float* in, const float* out) {
  if (IsRight(p, in, out)) return std::nullopt;
  const std::vector<double> want = Compute(p, in, p.steps);
  const Difference d = Compare(p, want, out);
  if (d.count == 0) return std::nullopt;
  const float got = out[d.first];
  const bool never_written = IsPoison(got);

  Explanation e;
  e.index = d.first;
  e.count = d.count;
  e.got = never_written ? "never written" : lab::Print(static_cast<double>(got));
  e.want = lab::Print(want[d.first]);
  e.message = Size(p) + ": " + Place(p, d.first) +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(p, d);
  const std::string likeness = never_written ? "" : Likeness(p, in, out);
  e.message += likeness + ".";
  if (likeness.empty()) e.message += Region(p, d, want, out);
  return e;
}

}  // namespace lab6
