#include "tests/class/own_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace warpgrade::classes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(OwnWordsTest, NoTwoAreTheSameAndEachFillsAllItsHoles) {
  Random random(1);
  std::set<std::string> all;
  for (size_t i = 0; i < CountOfOwnWords(); ++i) {
    const std::string source = OwnWords(i, &random);
    EXPECT_TRUE(all.insert(source).second);
    EXPECT_THAT(source, Not(HasSubstr("@")));
  }
}

TEST(DisguisedTest, ChangesNamesCommentsAndTheOrderOfDeclarations) {
  Random random(1);
  const std::string copy = Disguised(
      "// mine\n"
      "template <typename T>\n"
      "void transpose(const T* d_in, size_t rows) {\n"
      "  const size_t row = threadIdx.x;\n"
      "  const size_t col = threadIdx.y;\n"
      "  const size_t both = row + col;\n"
      "  use(d_in, std::min(rows, both));\n"
      "}\n",
      &random);
  for (const char* gone : {"mine", "d_in", "rows", "row ", "both"}) EXPECT_THAT(copy, Not(HasSubstr(gone))) << copy;
  for (const char* kept : {"void transpose(const T* ", "use(", "std::min(", "threadIdx.x"}) {
    EXPECT_THAT(copy, HasSubstr(kept));
  }
  EXPECT_LT(copy.find("threadIdx.y"), copy.find("threadIdx.x")) << copy;
}

}  // namespace
}  // namespace warpgrade::classes
