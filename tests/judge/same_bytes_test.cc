#include "grader/judge/same_bytes.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warpgrade::judge
