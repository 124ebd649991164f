#include "grader/submission/printable.h"

#include <gtest/gtest.h>

namespace warpgrade::submission {
namespace {

TEST(PrintableTest, KeepsOrdinaryNamesInAnyScript) {
  EXPECT_EQ(Escaped("lab1/S\xC3\xB8ren \xE6\x9D\x8E \xF0\x9F\x98\x80.cu"),
            "lab1/S\xC3\xB8ren \xE6\x9D\x8E \xF0\x9F\x98\x80.cu");
}

TEST(PrintableTest, EscapesControlsAndWhatCannotBeSeen) {
  EXPECT_EQ(Escaped("a\tb\x1b\x7f"), "a\\x09b\\x1b\\x7f");
  EXPECT_EQ(Escaped("\xC2\x9B"), "\\xc2\\x9b");           // a control of Latin-1: starts terminal sequences
  EXPECT_EQ(Escaped("\xE2\x80\xAE"), "\\xe2\\x80\\xae");  // right-to-left override
  EXPECT_EQ(Escaped("\xE2\x80\x8B"), "\\xe2\\x80\\x8b");  // zero-width space
}

TEST(PrintableTest, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(Escaped("\xFC"), "\\xfc");
  EXPECT_EQ(Escaped("\xC0\xAF"), "\\xc0\\xaf");                    // an overlong slash
  EXPECT_EQ(Escaped("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");           // another
  EXPECT_EQ(Escaped("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
  EXPECT_EQ(Escaped("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(Escaped("a\xE2\x82"), "a\\xe2\\x82");                  // cut short
}

TEST(PrintableTest, CutsLongNamesBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 200; ++i) name += "\xC3\xB8";
  const std::string cut = Escaped(name);
  EXPECT_LT(cut.size(), 210u);
  EXPECT_NE(cut.find("\xC3\xB8...\xC3\xB8"), std::string::npos);
}

TEST(PrintableTest, IdsAreNeverEmptyTooLongOrSpaced) {
  EXPECT_EQ(IdFrom(""), "submission");
  EXPECT_EQ(IdFrom("   "), "submission");
  EXPECT_EQ(IdFrom("  ada  "), "ada");
  EXPECT_EQ(IdFrom("a\nb\xFF"), "a_b_");
  EXPECT_EQ(IdFrom(std::string(500, 'x')).size(), 100u);
}

}  // namespace
}  // namespace warpgrade::submission
