#include "grader/report/text.h"

#include <gtest/gtest.h>

namespace warpgrade::report {
namespace {

using Lines = std::vector<std::string>;

TEST(TextTest, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(Printable("tile[y][x] != 3; naïve, 転置 · ±"), "tile[y][x] != 3; naïve, 転置 · ±");
  EXPECT_EQ(Printable("two\nlines"), "two\nlines");
  EXPECT_EQ(PrintableLine("two\nlines"), "two lines");
}

TEST(TextTest, SpellsOutControlCharacters) {
  EXPECT_EQ(Printable("\x1b[2J\x1b]0;title\x07"), "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(Printable("back\bspace\rreturn\x7f"), "back\\x08space\\x0dreturn\\x7f");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Printable("\xC2\x9B[31m"), "\\x9b[31m");  // CSI as one character of UTF-8
  EXPECT_EQ(Printable("\ta"), "    a");
}

TEST(TextTest, SpellsOutWhatHidesOrTurnsText) {
  EXPECT_EQ(Printable("a\u202e/b"), "a\\u202e/b");
  EXPECT_EQ(Printable("a\u2066b\u2069"), "a\\u2066b\\u2069");
  EXPECT_EQ(Printable("a\u2028b"), "a\\u2028b");
}

TEST(TextTest, SpellsOutInvalidUtf8) {
  EXPECT_EQ(Printable("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(Printable("\xC0\xAF"), "\\xc0\\xaf");                    // overlong '/'
  EXPECT_EQ(Printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(Printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past U+10FFFF
}

TEST(TextTest, SpellsOutWhatStandsBetweenOrdinaryText) {
  EXPECT_EQ(Printable("a\nb\tc\x1b[1m d\xff é\r"), "a\nb    c\\x1b[1m d\\xff é\\x0d");
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("\xc3"), "\\xc3");
}

TEST(TextTest, EscapesWhatIsMarkup) {
  EXPECT_EQ(MarkupEscaped("<a href=\"x\">'b' & c</a>"), "&lt;a href=&quot;x&quot;&gt;&apos;b&apos; &amp; c&lt;/a&gt;");
  EXPECT_EQ(MarkupEscaped("plain"), "plain");
  EXPECT_EQ(MarkupEscaped("&"), "&amp;");
  EXPECT_EQ(MarkupEscaped(""), "");
}

TEST(TextTest, MeasuresColumns) {
  EXPECT_EQ(DisplayWidth(""), 0);
  EXPECT_EQ(DisplayWidth("naïve ±"), 7);
  EXPECT_EQ(DisplayWidth("転置"), 4);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1);
}

TEST(TextTest, PadsToColumns) {
  EXPECT_EQ(PadRight("ï", 3), "ï  ");
  EXPECT_EQ(PadLeft("転", 3), " 転");
  EXPECT_EQ(PadRight("long", 2), "long");
}

TEST(TextTest, ShortensToColumns) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("abcdef", 4), "abc…");
  EXPECT_EQ(Shorten("転置転置", 4), "転…");
  EXPECT_EQ(Shorten("abc", 1), "…");
}

TEST(TextTest, WrapsAtSpaces) {
  EXPECT_EQ(Wrap("the quick brown fox", 9), (Lines{"the quick", "brown fox"}));
  EXPECT_EQ(Wrap("the quick brown fox", 10), (Lines{"the quick", "brown fox"}));
  EXPECT_EQ(Wrap("one\ntwo\n", 9), (Lines{"one", "two"}));
  EXPECT_EQ(Wrap("", 9), (Lines{""}));
}

TEST(TextTest, CutsAWordThatIsTooWide) {
  EXPECT_EQ(Wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(Wrap("転置転", 4), (Lines{"転置", "転"}));
  EXPECT_EQ(Wrap("転置", 1), (Lines{"転", "置"}));
}

TEST(TextTest, RepeatsTheIndentationOfAWrappedLine) {
  EXPECT_EQ(Wrap("  aa bb cc", 7), (Lines{"  aa bb", "  cc"}));
  EXPECT_EQ(Wrap("          a b", 8), (Lines{"    a b"}));
  EXPECT_EQ(Wrap("   ", 8), (Lines{"   "}));
}

TEST(ShellQuotedTest, AShellTakesItAsOneWordWithTheSameBytes) {
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b$c"), "'a b$c'");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace warpgrade::report
