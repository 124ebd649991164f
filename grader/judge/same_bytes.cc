// Tests: tests/judge/same_bytes_test.cc.
#include "grader/judge/same_bytes.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

constexpr size_t kBytesOfAThread = size_t{16} << 20;  // fewer are compared sooner than a thread starts

}  // namespace

bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  WARPGRADE_CHECK(a.size() == b.size());
  const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(a.size() / kBytesOfAThread, 1, cores);
  std::atomic<bool> same{true};
  const auto compare = [&](size_t part) {
    const size_t begin = a.size() / parts * part;
    const size_t end = part + 1 == parts ? a.size() : a.size() / parts * (part + 1);
    if (end > begin && std::memcmp(a.data() + begin, b.data() + begin, end - begin) != 0) same = false;
  };
  std::vector<std::thread> threads;
  size_t next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(compare, next);
  } catch (const std::system_error&) {  // no more threads to be had: the rest is done here
  }
  for (; next < parts; ++next) compare(next);
  compare(0);
  for (std::thread& thread : threads) thread.join();
  return same;
}

}  // namespace warpgrade::judge
