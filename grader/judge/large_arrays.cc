// Tests: tests/judge/large_arrays_test.cc.
#include "grader/judge/large_arrays.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

constexpr size_t kBytesOfAThread = size_t{4} << 20;  // fewer are done sooner than a thread starts

// work(begin, bytes) for parts that make up the whole, at once.
template <typename Work>
void InParts(size_t bytes, Work work) {
  const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(bytes / kBytesOfAThread, 1, cores);
  const auto do_part = [&](size_t part) {
    const size_t begin = bytes / parts * part;
    const size_t end = part + 1 == parts ? bytes : bytes / parts * (part + 1);
    if (end > begin) work(begin, end - begin);
  };
  std::vector<std::thread> threads;
  size_t next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(do_part, next);
  } catch (const std::system_error&) {  // no more threads to be had: the rest is done here
  }
  for (; next < parts; ++next) do_part(next);
  do_part(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  WARPGRADE_CHECK(a.size() == b.size());
  std::atomic<bool> same{true};
  InParts(a.size(), [&](size_t begin, size_t bytes) {
    if (std::memcmp(a.data() + begin, b.data() + begin, bytes) != 0) same = false;
  });
  return same;
}

void CopyBytes(std::span<std::byte> to, std::span<const std::byte> from) {
  WARPGRADE_CHECK(to.size() == from.size());
  InParts(to.size(), [&](size_t begin, size_t bytes) { std::memcpy(to.data() + begin, from.data() + begin, bytes); });
}

void FillBytes(std::span<std::byte> bytes, std::byte value) {
  InParts(bytes.size(),
          [&](size_t begin, size_t count) { std::memset(bytes.data() + begin, std::to_integer<int>(value), count); });
}

}  // namespace warpgrade::judge
