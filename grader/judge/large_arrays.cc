// Tests: tests/judge/large_arrays_test.cc.
#include "grader/judge/large_arrays.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "grader/lab/parallel.h"
#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

constexpr size_t kComparedAtOnce = 4096;

// Calls work(begin, bytes) for parts that make up the whole, in parallel.
template <typename Work>
void InParts(size_t bytes, Work work) {
  if (bytes == 0) return;  // there may be no pointer to it either
  ParallelFor(bytes, bytes / sizeof(float), [&work](size_t begin, size_t end) { work(begin, end - begin); });
}

// Uses the library's fast comparison as long as the bytes are equal.
std::optional<size_t> FirstDifferenceOfPart(std::span<const std::byte> a, std::span<const std::byte> b) {
  for (size_t at = 0; at < a.size(); at += kComparedAtOnce) {
    const size_t bytes = std::min(kComparedAtOnce, a.size() - at);
    if (std::memcmp(a.data() + at, b.data() + at, bytes) == 0) continue;
    size_t i = 0;
    while (i + 1 < bytes && a[at + i] == b[at + i]) ++i;  // stops at the last byte if no difference is left
    return at + i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<size_t> FirstDifference(std::span<const std::byte> a, std::span<const std::byte> b) {
  WARPGRADE_CHECK(a.size() == b.size());
  std::atomic<size_t> first{a.size()};
  InParts(a.size(), [&](size_t begin, size_t bytes) {
    const std::optional<size_t> found = FirstDifferenceOfPart(a.subspan(begin, bytes), b.subspan(begin, bytes));
    if (!found) return;
    size_t least = first;
    while (begin + *found < least && !first.compare_exchange_weak(least, begin + *found)) {
    }
  });
  return first < a.size() ? std::optional(first.load()) : std::nullopt;
}

void CopyBytes(std::span<std::byte> to, std::span<const std::byte> from) {
  WARPGRADE_CHECK(to.size() == from.size());
  InParts(to.size(), [&](size_t begin, size_t bytes) { std::memcpy(to.data() + begin, from.data() + begin, bytes); });
}

void FillBytes(std::span<std::byte> bytes, std::byte value) {
  InParts(bytes.size(),
          [&](size_t begin, size_t count) { std::memset(bytes.data() + begin, std::to_integer<int>(value), count); });
}

bool AllBytesAre(std::span<const std::byte> bytes, std::byte value) {
  if (bytes.empty()) return true;
  // If each byte equals the next one, all equal the first.
  return bytes[0] == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

}  // namespace warpgrade::judge
