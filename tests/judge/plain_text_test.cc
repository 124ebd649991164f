#include "grader/judge/plain_text.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(PlainTextTest, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(PlainText("a\x1b[2Jb\r\xff\x7f", 100), "a\\x1b[2Jb\\x0d\\xff\\x7f");
  EXPECT_EQ(PlainText("tab\tline\nend", 100), "tab line\nend");
}

TEST(PlainTextTest, IsCutAtItsLimit) {
  EXPECT_EQ(PlainText("abcdef", 3), "abc...");
  EXPECT_EQ(PlainText("abcdef", 6), "abcdef");
  EXPECT_EQ(PlainText("ab\x01", 4), "ab...");  // an escape is never cut in two
}

TEST(PlainTextTest, AFieldNeedsNoTerminator) {
  const char full[4] = {'a', 'b', '\n', 'd'};
  EXPECT_EQ(PlainField(full), "ab d");
  const char half[4] = {'a', '\0', 'c', 'd'};
  EXPECT_EQ(PlainField(half), "a");
}

TEST(FirstLinesTest, GivesTheFirstLinesAndSaysThatThereAreMore) {
  EXPECT_EQ(FirstLines("one\ntwo\nthree\n", 2, 100), "one\ntwo\n...");
  EXPECT_EQ(FirstLines("one\ntwo\n\n", 2, 100), "one\ntwo");
  EXPECT_EQ(FirstLines("\none", 1, 100), "\n...");
  EXPECT_EQ(FirstLines("a long line", 5, 6), "a long...");
  EXPECT_EQ(FirstLines(" \n\t", 5, 100), "");
}

TEST(LastLinesTest, GivesTheLastLinesOnly) {
  EXPECT_EQ(LastLines("one\ntwo\nthree\n", 2, 100), "two\nthree");
  EXPECT_EQ(LastLines("one\ntwo\nthree", 1, 100), "three");
  EXPECT_EQ(LastLines("one\n", 5, 100), "one");
  EXPECT_EQ(LastLines("one\n\n\n", 5, 100), "one");
  EXPECT_EQ(LastLines("\n\none", 1, 100), "one");
}

TEST(LastLinesTest, IsEmptyForWhiteSpace) {
  EXPECT_EQ(LastLines("", 5, 100), "");
  EXPECT_EQ(LastLines(" \n\t\n", 5, 100), "");
}

TEST(LastLinesTest, LeavesOutTheLineThatDoesNotFit) {
  EXPECT_EQ(LastLines("a long line\none\ntwo", 5, 10), "one\ntwo");
}

TEST(LastLinesTest, KeepsTheEndOfALongLine) { EXPECT_EQ(LastLines("abcdefgh", 3, 4), "efgh"); }

}  // namespace
}  // namespace warpgrade::judge
