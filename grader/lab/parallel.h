// Splits a loop over host threads. The labs' references and the judge use it for arrays of gigabytes. Small loops stay
// on the calling thread. Tests: tests/lab/parallel_test.cc.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace warpgrade {

inline constexpr size_t kWorkPerThread = size_t{1} << 18;  // elements: about 0.1 ms, well above a thread's start
// Chosen: a thread that had to share its core leaves at most a quarter of its share to be waited for.
inline constexpr size_t kRangesPerThread = 4;
// For elements that take very different times.
inline constexpr size_t kManyRangesPerThread = 32;

namespace internal {

// The cores that this thread may use, except the one on which it runs now.
inline std::vector<int> OtherCores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return {};
  const int here = sched_getcpu();
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (core != here && CPU_ISSET(core, &usable)) cores.push_back(core);
  }
  return cores;
}

// Starts a thread that runs work() on `core` only. False when no such thread can be made.
template <typename Work>
bool StartOn(int core, const Work& work, pthread_t* thread) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const auto run = [](void* shared) -> void* {
    (*static_cast<const Work*>(shared))();
    return nullptr;
  };
  const bool started = pthread_attr_setaffinity_np(&attributes, sizeof(only), &only) == 0 &&
                       pthread_create(thread, &attributes, run, const_cast<Work*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

// Calls work() here and on each of `cores`, and waits for all of them. When no more threads can be made, fewer cores
// share the work.
//
// Each thread is bound to its core, because the scheduler spreads threads too slowly here. The judge keeps every core
// awake with a thread of the lowest class (awake_cores.h). The scheduler then may queue a new thread behind a busy one
// for several ticks of 4 ms, although the core beside it has nothing else to do.
template <typename Work>
void OnCores(const std::vector<int>& cores, const Work& work) {
  struct Threads {
    std::vector<pthread_t> started;
    ~Threads() {
      for (const pthread_t thread : started) pthread_join(thread, nullptr);
    }
  } threads;
  threads.started.reserve(cores.size());
  for (const int core : cores) {
    pthread_t thread;
    if (!StartOn(core, work, &thread)) break;
    threads.started.push_back(thread);
  }
  work();
}

}  // namespace internal

// Calls body(begin, end) for ranges that together are [0, count), in any order and on several threads. `work` is the
// number of elements touched in all; it decides how many threads are worth starting. A thread that is done with its
// range takes the next one, so a thread that has to share its core does not hold up the others.
template <typename Body>
void ParallelFor(size_t count, size_t work, const Body& body, size_t ranges_per_thread = kRangesPerThread) {
  const size_t threads = std::clamp<size_t>(work / kWorkPerThread, 1, std::max<size_t>(1, count));
  std::vector<int> cores;
  if (threads > 1) cores = internal::OtherCores();
  if (cores.size() >= threads) cores.resize(threads - 1);
  const size_t ranges = cores.empty() ? 1 : std::min(count, (cores.size() + 1) * ranges_per_thread);
  std::atomic<size_t> next{0};
  internal::OnCores(cores, [&body, &next, count, ranges] {
    for (size_t range = next++; range < ranges; range = next++) {
      body(count * range / ranges, count * (range + 1) / ranges);
    }
  });
}

// Elements of a chunk. Chosen: 2^20 elements make 16 chunks, enough to use all cores.
inline constexpr size_t kChunk = size_t{1} << 16;

constexpr size_t Chunks(size_t n) { return (n + kChunk - 1) / kChunk; }

// Calls work(chunk, begin, end) for each of the Chunks(n) chunks [begin, end) of [0, n), in any order and on several
// threads. Unlike the ranges of ParallelFor, chunks do not depend on the number of cores, so partial results that are
// kept for each chunk are the same on every machine.
template <typename Work>
void ForEachChunk(size_t n, const Work& work) {
  ParallelFor(Chunks(n), n, [&work, n](size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) work(c, c * kChunk, std::min(n, (c + 1) * kChunk));
  });
}

}  // namespace warpgrade
