// Splits a loop over host threads: the labs' references and the judge both work on arrays of gigabytes. Small loops
// stay on the calling thread. Tests: tests/lab/parallel_test.cc.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace warpgrade {

inline constexpr size_t kWorkPerThread = size_t{1} << 18;  // elements: about 0.1 ms, well above a thread's start
inline constexpr size_t kRangesPerThread = 4;

namespace internal {

// The cores that this thread may use, without the one where it is now.
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

// Work() in a thread that can only run on `core`. False when there is none to be had.
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

// Calls work() here and on each of `cores`, as far as threads are to be had, and waits for all.
//
// A thread is put on its core, because the scheduler takes its time: while there is one that gives way to all others on
// each core (so the judge keeps them awake), a new one may wait for some ticks of 4 ms behind another that is at work,
// with nobody on the core beside it.
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

// Calls body(begin, end) for ranges that make up [0, count), in any order. `work` is the number of elements touched in
// all; it decides how many threads are worth starting. Each takes the next range when it is done with one, so that none
// is waited for that had to share its core; where fewer threads are to be had, those do it all.
template <typename Body>
void ParallelFor(size_t count, size_t work, const Body& body) {
  const size_t threads = std::clamp<size_t>(work / kWorkPerThread, 1, std::max<size_t>(1, count));
  std::vector<int> cores;
  if (threads > 1) cores = internal::OtherCores();
  if (cores.size() >= threads) cores.resize(threads - 1);
  const size_t ranges = cores.empty() ? 1 : std::min(count, (cores.size() + 1) * kRangesPerThread);
  std::atomic<size_t> next{0};
  internal::OnCores(cores, [&body, &next, count, ranges] {
    for (size_t range = next++; range < ranges; range = next++) {
      body(count * range / ranges, count * (range + 1) / ranges);
    }
  });
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

}  // namespace warpgrade
