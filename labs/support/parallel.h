// Splits a loop over host threads. Small loops stay on the calling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace lab {

inline constexpr size_t kWorkPerThread = size_t{1} << 18;  // elements: about 0.1 ms, well above a thread's start

// Calls body(begin, end) for consecutive ranges that cover [0, count). `work` is the number of elements touched in all;
// it decides how many threads are worth starting.
template <typename Body>
void ParallelFor(size_t count, size_t work, const Body& body) {
  const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(work / kWorkPerThread, 1, std::max<size_t>(1, std::min(cores, count)));
  std::vector<std::jthread> threads;
  for (size_t part = 1; part < parts; ++part) {
    threads.emplace_back([&body, count, parts, part] { body(count * part / parts, count * (part + 1) / parts); });
  }
  body(0, count / parts);
}

// Elements of a chunk: few enough for 2^20 elements to use all cores.
inline constexpr size_t kChunk = size_t{1} << 16;

constexpr size_t Chunks(size_t n) { return (n + kChunk - 1) / kChunk; }

// Calls work(chunk, begin, end) for each of the Chunks(n) chunks [begin, end) of [0, n), in any order. Unlike the
// ranges of ParallelFor, chunks do not depend on how many cores there are, so what is kept for each is the same
// everywhere.
template <typename Work>
void ForEachChunk(size_t n, const Work& work) {
  ParallelFor(Chunks(n), n, [&work, n](size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) work(c, c * kChunk, std::min(n, (c + 1) * kChunk));
  });
}

}  // namespace lab
