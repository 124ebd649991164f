#include "grader/cli/similar_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using similarity::Comparison;
using similarity::Source;
using testing::HasSubstr;
using testing::Not;

std::vector<Source> Two() {
  return {{.name = "ann", .files = {{"v1.cu", "// mine\nint a;\nint b;\n"}}},
          {.name = "bob", .files = {{"v1.cu", "int c;\r\n\x1b[2J;\n"}}}};
}

Comparison Alike() {
  Comparison comparison;
  comparison.pairs = {{.first = 0, .second = 1, .alike = 90, .shorter = 100, .matches = {{"v1.cu", 2, 3, 1, 2, 90}}}};
  comparison.groups = {{0, 1}};
  return comparison;
}

TEST(SimilarTextTest, ShowsGroupsAndPairsWithTheirLines) {
  EXPECT_THAT(SimilarText("lab2 Transpose", Two(), Alike(), {.width = 60}),
              testing::StartsWith(std::string("lab2 Transpose · 2 submissions\n\n"
                                              "Groups to look at:\n\n"
                                              "   1  ann, bob\n\n"
                                              "Pairs to look at, the most alike first:\n\n"
                                              "   1  ann and bob: 90% of the shorter one (90 of 100 tokens)\n\n"
                                              "      v1.cu, 90 tokens:\n") +
                                  "         2  int a;" + std::string(14, ' ') + "|    1  int c;\n" +
                                  "         3  int b;" + std::string(14, ' ') + "|    2  \\x1b[2J;\n\n"));
}

TEST(SimilarTextTest, PairsBeyondTheWantedNumberHaveNoLines) {
  const std::string text = SimilarText("lab2", Two(), Alike(), {.pairs = 0});
  EXPECT_THAT(text, HasSubstr("   1  ann and bob: 90%"));
  EXPECT_THAT(text, Not(HasSubstr("int a;")));
}

TEST(SimilarTextTest, ALongMatchIsCut) {
  std::vector<Source> sources = Two();
  sources[0].files["v1.cu"] = std::string(100, '\n');
  Comparison comparison = Alike();
  comparison.pairs[0].matches[0].last_line = 100;
  EXPECT_THAT(SimilarText("lab2", sources, comparison, {}), HasSubstr("      ... 87 more lines\n"));
}

TEST(SimilarTextTest, ALineThatIsNotThereIsEmpty) {
  Comparison comparison = Alike();
  comparison.pairs[0].matches = {{"v1.cu", 3, 2'000'000'000, -5, 7, 90}};
  EXPECT_THAT(SimilarText("lab2", Two(), comparison, {}), HasSubstr("         3  int b;"));
}

TEST(SimilarTextTest, NamesEqualFilesAndWhoIsLeftOut) {
  std::vector<Source> sources = Two();
  sources.push_back({.name = "c\x1b"});
  Comparison comparison;
  comparison.equal = {{"v1.cu", {0, 1}, true}, {"v2.cu", {0, 1}, false}};
  comparison.left_out = {{0, similarity::LeftOut::Why::kTooLittle},
                         {1, similarity::LeftOut::Why::kTooLittle},
                         {2, similarity::LeftOut::Why::kNoFile}};
  EXPECT_THAT(SimilarText("lab2", sources, comparison, {}),
              testing::StartsWith("lab2 · 3 submissions\n\n"
                                  "Left out, because fewer than 60 tokens differ from what the course has given:\n"
                                  "      ann, bob\n"
                                  "Left out, because they have no file of the lab:\n"
                                  "      c\\x1b\n\n"
                                  "Equal files, apart from comments and layout:\n\n"
                                  "   v1.cu, which is also the course's solution:\n"
                                  "      ann, bob\n"
                                  "   v2.cu:\n"
                                  "      ann, bob\n\n"
                                  "No two submissions are alike"));
}

TEST(SimilarTextTest, WithoutPairsItSaysWhatWasLookedFor) {
  Comparison none;
  none.notes = {"v1.cu of \x1b is not compared"};
  std::vector<Source> sources = Two();
  sources[1].older = true;
  EXPECT_EQ(SimilarText("lab2", sources, none, {.least_share = 0.5}),
            "lab2 · 1 submission, and 1 older\n\nnote: v1.cu of \\x1b is not compared\n\n"
            "No two submissions are alike in 50% of the shorter one or more, without what the course has given.\n");
}

}  // namespace
}  // namespace warpgrade::cli
