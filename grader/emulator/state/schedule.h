// Decides whose turn it is. A seed other than 0 shuffles the blocks, the warps of a block and the length of their
// turns, so that a program that depends on their order shows it. The same seed gives the same order. Also here: how the
// host threads of one launch find out that all of them wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace warpgrade::emulator {

// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
class Random {
 public:
  explicit Random(uint64_t seed = 0) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>((Next() >> 32) * n >> 32); }
  template <typename T>
  void Shuffle(std::vector<T>& v) {
    for (size_t k = v.size(); k > 1; --k) std::swap(v[k - 1], v[Below(static_cast<uint32_t>(k))]);
  }

 private:
  uint64_t state_;
};

// The order in which blocks start. Blocks are shuffled within runs of at most `window` blocks, one run after another.
// So if at most `window` blocks are in flight, a block that waits for a lower-numbered one finds that it has started or
// can start. No run begins with its lowest number or ends with its highest one: programs that rely on an order mostly
// rely on these, and a shuffle alone leaves them in their places once in so many times. In a grid of more than `window`
// blocks, the first run has a random length.
class BlockSequence {
 public:
  BlockSequence(uint64_t seed, uint64_t blocks, uint64_t window)
      : seed_(seed), blocks_(blocks), window_(window), first_run_(LengthOfFirstRun(seed, blocks, window)) {}
  uint64_t At(uint64_t position) {
    if (seed_ == 0) return position;
    const uint64_t run = position < first_run_ ? 0 : 1 + (position - first_run_) / window_;
    const uint64_t begin = run == 0 ? 0 : first_run_ + (run - 1) * window_;
    if (run != run_ || order_.empty()) {
      run_ = run;
      order_.resize(static_cast<size_t>(std::min(run == 0 ? first_run_ : window_, blocks_ - begin)));
      std::iota(order_.begin(), order_.end(), begin);
      Random random(seed_ ^ (run * 0xD1342543DE82EF95));
      random.Shuffle(order_);
      if (order_.size() > 1) MoveEnds(begin, random);
    }
    return order_[static_cast<size_t>(position - begin)];
  }

 private:
  static uint64_t LengthOfFirstRun(uint64_t seed, uint64_t blocks, uint64_t window) {
    constexpr uint64_t kMost = ~uint32_t{0};  // that Below can take
    if (blocks <= window || window == 1) return window;
    const uint64_t length = 2 + Random(~seed).Below(static_cast<uint32_t>(std::min(window, kMost) - 1));
    if ((blocks - length) % window != 1) return length;
    return length == window ? length - 1 : length + 1;  // otherwise the last block would be a run of its own
  }
  // `lowest`: of the run.
  void MoveEnds(uint64_t lowest, Random& random) {
    const auto others = static_cast<uint32_t>(order_.size() - 1);
    if (order_.back() == lowest + others) std::swap(order_.back(), order_[random.Below(others)]);
    if (order_.front() == lowest) std::swap(order_.front(), order_[1 + random.Below(others)]);
  }

  const uint64_t seed_, blocks_, window_, first_run_;
  uint64_t run_ = 0;
  std::vector<uint64_t> order_;
};

// Tells host threads that only poll whether any other host thread still works. Each thread counts the beginning and the
// end of its turns. If a round of polls is in vain, and it began after the last turn of every thread, nobody works any
// more.
class Activity {
 public:
  explicit Activity(size_t threads) : threads_(threads), of_(std::make_unique<Thread[]>(threads)) {}

  void Worked(size_t thread) {
    if (threads_ == 1) return;
    std::atomic<uint64_t>& turns = of_[thread].turns;
    turns.store(turns.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void Began(size_t thread) { of_[thread].finished.store(false); }
  void Finished(size_t thread) { of_[thread].finished.store(true); }
  uint64_t Turns() const {
    uint64_t sum = 0;
    for (size_t t = 0; t < threads_; ++t) sum += of_[t].turns.load(std::memory_order_acquire);
    return sum;
  }
  // Call this when `thread` has only polled in vain since Turns() returned `since`. True if that holds for all threads
  // that have not finished.
  bool NobodyWorks(size_t thread, uint64_t since) {
    of_[thread].idle_since.store(since);
    if (Turns() != since) return false;
    for (size_t t = 0; t < threads_; ++t) {
      if (!of_[t].finished.load() && of_[t].idle_since.load() != since) return false;
    }
    return true;
  }

 private:
  struct alignas(64) Thread {
    std::atomic<uint64_t> turns{0};
    std::atomic<uint64_t> idle_since{~uint64_t{0}};
    std::atomic<bool> finished{false};
  };
  const size_t threads_;
  std::unique_ptr<Thread[]> of_;
};

}  // namespace warpgrade::emulator
