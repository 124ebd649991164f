#include "grader/judge/bytes.h"

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

TEST(CopyBytesTest, CopiesEveryByteHoweverManyThreadsShareTheWork) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1000}, (size_t{64} << 20) + 7}) {
    std::vector<std::byte> from(bytes), to(bytes);
    for (size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(i * 2654435761u >> 24 | 1);
    CopyBytes(from, to);
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin())) << bytes;
  }
}

}  // namespace
}  // namespace warpgrade::judge
