#include "grader/judge/large_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace warpgrade::judge {
namespace {

TEST(SameBytesTest, NothingIsTheSameAsNothing) { EXPECT_TRUE(SameBytes({}, {})); }

TEST(SameBytesTest, OneByteAnywhereMakesADifference) {
  // One thread's, several threads', and a size that no number of threads divides.
  for (const size_t bytes : {size_t{1}, size_t{1000}, (size_t{64} << 20) + 7}) {
    std::vector<std::byte> a(bytes, std::byte{0x5A});
    std::vector<std::byte> b = a;
    EXPECT_TRUE(SameBytes(a, b));
    for (const size_t at : {size_t{0}, bytes / 4, bytes / 2, bytes - 1}) {
      b[at] = std::byte{0x5B};
      EXPECT_FALSE(SameBytes(a, b)) << at << " of " << bytes;
      b[at] = std::byte{0x5A};
    }
  }
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
