// Writes a long text on all cores: the submissions of a class are cut into ranges, and each range gives a piece.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/lab/parallel.h"
#include "grader/report/sink.h"

namespace warpgrade::report {

// To write one submission takes 0.1 ms or more, so a thread pays from the second on (kWorkPerThread).
inline constexpr size_t kWorkOfASubmission = kWorkPerThread;

// Hands out pieces in order, whatever the order in which they come. Thread-safe.
class InOrder {
 public:
  // `take` is called by one thread at a time.
  InOrder(size_t count, const Sink& take) : take_(take), pieces_(count) {}

  // The piece of the range [begin, end). Hands out all that comes next and is there, unless another thread does so now.
  void Add(size_t begin, size_t end, std::string text) {
    std::unique_lock lock(mutex_);
    pieces_[begin] = {std::move(text), end};
    if (is_taking_) return;
    is_taking_ = true;
    while (next_ < pieces_.size() && pieces_[next_].end > 0) {
      std::string piece = std::move(pieces_[next_].text);
      next_ = pieces_[next_].end;
      lock.unlock();
      take_(std::move(piece));
      lock.lock();
    }
    is_taking_ = false;
  }

 private:
  struct Piece {
    std::string text;
    size_t end = 0;  // 0: it is not there yet
  };
  const Sink& take_;
  std::mutex mutex_;
  std::vector<Piece> pieces_;  // by `begin`
  size_t next_ = 0;
  bool is_taking_ = false;
};

// Gives the pieces that make(begin, end) gives for ranges of [0, count) to `take`, in order, while later ones are still
// being made. Several threads call `make` at the same time, and one at a time `take`. Empty pieces are left out.
template <typename Make>
void ForPieces(size_t count, const Make& make, const Sink& take) {
  if (count == 0) return;
  const Sink take_text = [&take](std::string piece) {
    if (!piece.empty()) take(std::move(piece));
  };
  InOrder in_order(count, take_text);
  ParallelFor(
      count, count * kWorkOfASubmission, [&](size_t begin, size_t end) { in_order.Add(begin, end, make(begin, end)); },
      kManyRangesPerThread);
}

// These pieces, all of them.
template <typename Make>
std::vector<std::string> InPieces(size_t count, const Make& make) {
  std::vector<std::string> pieces;
  ForPieces(count, make, [&pieces](std::string piece) { pieces.push_back(std::move(piece)); });
  return pieces;
}

// Gives `before`, these pieces with `between` between them, and `after` to `take`.
template <typename Make>
void TakeAll(std::string before, size_t count, const Make& make, std::string_view between, std::string after,
             const Sink& take) {
  take(std::move(before));
  bool is_first = true;
  ForPieces(count, make, [&](std::string piece) {
    if (!is_first && !between.empty()) take(std::string(between));
    is_first = false;
    take(std::move(piece));
  });
  take(std::move(after));
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

// The whole text that write(sink) gives to the sink.
template <typename Write>
std::string Collected(const Write& write) {
  std::vector<std::string> pieces;
  write([&pieces](std::string piece) { pieces.push_back(std::move(piece)); });
  return Joined("", pieces, "", "");
}

}  // namespace warpgrade::report
