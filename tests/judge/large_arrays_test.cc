#include "grader/judge/large_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
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
  constexpr size_t kBlock = 4096;
  std::vector<std::byte> a(16 * kBlock), b(16 * kBlock);
  std::atomic_ref<std::byte> written(b[2 * kBlock - 1]);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      written = std::byte{1};
      written = std::byte{0};
    }
  });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (int found = 0; found < 1000 && std::chrono::steady_clock::now() < deadline;) {
    if (const std::optional<size_t> at = FirstDifference(a, b)) {
      ++found;
      EXPECT_GE(*at, kBlock);
      EXPECT_LT(*at, 2 * kBlock);
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

TEST(AllBytesAreTest, OneOtherByteAnywhereIsSeen) {
  EXPECT_TRUE(AllBytesAre({}, std::byte{0x5A}));
  for (const size_t bytes : {size_t{1}, size_t{2}, size_t{4097}}) {
    std::vector<std::byte> all(bytes, std::byte{0x5A});
    EXPECT_TRUE(AllBytesAre(all, std::byte{0x5A})) << bytes;
    EXPECT_FALSE(AllBytesAre(all, std::byte{0x5B})) << bytes;
    for (const size_t other : {size_t{0}, bytes / 2, bytes - 1}) {
      all[other] = std::byte{0x5B};
      EXPECT_FALSE(AllBytesAre(all, std::byte{0x5A})) << bytes << ", " << other;
      all[other] = std::byte{0x5A};
    }
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
