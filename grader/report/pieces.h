// Writes a long text on all cores: the submissions of a class are cut into ranges, and each range gives a piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/parallel.h"

namespace warpgrade::report {

// To write one submission takes 0.1 ms or more, so a thread pays from the second on (kWorkPerThread).
inline constexpr size_t kWorkOfASubmission = kWorkPerThread;

// The pieces that make(begin, end) gives for ranges of [0, count), in order. Several threads call `make` at the same
// time.
template <typename Make>
std::vector<std::string> InPieces(size_t count, const Make& make) {
  std::vector<std::string> pieces(count);  // by `begin`; the others stay empty
  if (count == 0) return pieces;
  ParallelFor(
      count, count * kWorkOfASubmission, [&](size_t begin, size_t end) { pieces[begin] = make(begin, end); },
      kManyRangesPerThread);
  std::erase_if(pieces, [](const std::string& piece) { return piece.empty(); });
  return pieces;
}

// `before`, the pieces with `between` between them, and `after`. The result may have 100 MB and is copied once.
inline std::string Joined(std::string_view before, const std::vector<std::string>& pieces, std::string_view between,
                          std::string_view after) {
  size_t bytes = before.size() + after.size();
  for (const std::string& piece : pieces) bytes += piece.size() + between.size();
  std::string text;
  text.reserve(bytes);
  text += before;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) text += between;
    text += pieces[i];
  }
  text += after;
  return text;
}

}  // namespace warpgrade::report
