// Spreads chunks of work over host threads, for drawing and checking inputs of up to a gigabyte.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpgrade::lab1 {

// Elements per chunk: large enough that claiming one costs nothing, small enough for 2^20 elements to use all cores.
inline constexpr size_t kChunk = size_t{1} << 16;

// Calls work(chunk, begin, end) for every chunk [begin, end) of [0, n), in any order, on several threads. What a chunk
// does must depend on nothing but its arguments, so that the outcome does not depend on the number of threads.
template <typename Work>
void ForEachChunk(size_t n, const Work& work) {
  const size_t chunks = (n + kChunk - 1) / kChunk;
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t c; (c = next.fetch_add(1)) < chunks;) work(c, c * kChunk, std::min(n, (c + 1) * kChunk));
  };
  const size_t most = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<std::jthread> helpers;
  for (size_t t = 1; t < std::min(most, chunks); ++t) helpers.emplace_back(run);
  run();
}

}  // namespace warpgrade::lab1
