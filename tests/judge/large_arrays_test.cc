#include "grader/judge/large_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace warpgrade::judge {
namespace {

TEST(FirstDifferenceTest, ThereIsNoneInNothing) { EXPECT_EQ(FirstDifference({}, {}), std::nullopt); }

TEST(FirstDifferenceTest, OneByteAnywhereIsFound) {
  // One thread's, several threads', and a size that no number of threads divides.
  for (const size_t bytes : {size_t{1}, size_t{1000}, size_t{4097}, (size_t{64} << 20) + 7}) {
    std::vector<std::byte> a(bytes, std::byte{0x5A});
    std::vector<std::byte> b = a;
    EXPECT_EQ(FirstDifference(a, b), std::nullopt);
    for (const size_t at : {size_t{0}, bytes / 4, bytes / 2, bytes - 1}) {
      b[at] = std::byte{0x5B};
      EXPECT_EQ(FirstDifference(a, b), at) << bytes;
      b[at] = std::byte{0x5A};
    }
  }
}

TEST(FirstDifferenceTest, OfSeveralInDifferentThreadsPartsIsTheFirst) {
  constexpr size_t kBytes = size_t{64} << 20;
  std::vector<std::byte> a(kBytes), b(kBytes);
  for (const size_t at : {kBytes - 1, kBytes / 2 + 5, kBytes / 4 + 4099, size_t{9000}}) {
    b[at] = std::byte{1};
    EXPECT_EQ(FirstDifference(a, b), at);
  }
}

TEST(FirstDifferenceTest, LiesNearWhatSomeoneWritesMeanwhile) {
  constexpr size_t kBytes = size_t{1} << 16;
  std::vector<std::byte> a(kBytes), b(kBytes);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop)
      std::atomic_ref(b[kBytes - 1]).store(std::byte{1}), std::atomic_ref(b[kBytes - 1]).store(std::byte{0});
  });
  for (int i = 0; i < 2000; ++i) {
    if (const std::optional<size_t> at = FirstDifference(a, b)) {
      EXPECT_GE(*at, kBytes - 4096);
      EXPECT_LT(*at, kBytes);
    }
  }
  stop = true;
  writer.join();
}

TEST(CopyBytesTest, CopiesEachByteAndNoOther) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1000}, (size_t{64} << 20) + 7}) {
    std::vector<std::byte> from(bytes), to(bytes + 2, std::byte{0xEE});
    for (size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(i % 251);
    CopyBytes({to.data() + 1, bytes}, from);
    EXPECT_EQ(to.front(), std::byte{0xEE});
    EXPECT_EQ(to.back(), std::byte{0xEE});
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin() + 1)) << bytes;
  }
}

TEST(FillBytesTest, FillsEachByteAndNoOther) {
  for (const size_t bytes : {size_t{0}, size_t{1}, (size_t{16} << 20) + 3}) {
    std::vector<std::byte> to(bytes + 2, std::byte{0xEE});
    FillBytes({to.data() + 1, bytes}, std::byte{0x5A});
    EXPECT_EQ(to.front(), std::byte{0xEE});
    EXPECT_EQ(to.back(), std::byte{0xEE});
    EXPECT_EQ(std::count(to.begin(), to.end(), std::byte{0x5A}), static_cast<ptrdiff_t>(bytes));
  }
}

}  // namespace
}  // namespace warpgrade::judge
