// Tests: tests/judge/bytes_test.cc.
#include "grader/judge/bytes.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

constexpr size_t kBytesOfAThread = size_t{16} << 20;  // fewer are dealt with sooner than a thread starts

// Calls body(begin, end) for consecutive ranges that cover [0, bytes).
template <typename Body>
void ForEachPart(size_t bytes, const Body& body) {
  const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(bytes / kBytesOfAThread, 1, cores);
  const auto deal_with = [bytes, parts, &body](size_t part) {
    const size_t begin = bytes / parts * part;
    body(begin, part + 1 == parts ? bytes : begin + bytes / parts);
  };
  std::vector<std::thread> threads;
  size_t next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(deal_with, next);
  } catch (const std::system_error&) {  // no more threads to be had: the rest is done here
  }
  for (; next < parts; ++next) deal_with(next);
  deal_with(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  WARPGRADE_CHECK(a.size() == b.size());
  std::atomic<bool> same{true};
  ForEachPart(a.size(), [&](size_t begin, size_t end) {
    if (end > begin && std::memcmp(a.data() + begin, b.data() + begin, end - begin) != 0) same = false;
  });
  return same;
}

void CopyBytes(std::span<const std::byte> from, std::span<std::byte> to) {
  WARPGRADE_CHECK(from.size() == to.size());
  ForEachPart(from.size(), [&](size_t begin, size_t end) {
    if (end > begin) std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  });
}

}  // namespace warpgrade::judge
