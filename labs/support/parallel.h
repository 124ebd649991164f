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

}  // namespace lab
