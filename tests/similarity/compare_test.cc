#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/similarity/similarity.h"

namespace warpgrade::similarity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two programs of about 80 tokens that share no run of 14.
std::string Loop(const std::string& sum, const std::string& i) {
  return "int loop(const int* values, int count) {\n  int " + sum + " = 0;\n  for (int " + i + " = 0; " + i +
         " < count; ++" + i + ") {\n    if (values[" + i + "] % 2 == 1) " + sum + " += values[" + i + "] * values[" +
         i + "];\n    else " + sum + " -= values[" + i + "] / 3;\n  }\n  return " + sum + " > 100 ? 100 : " + sum +
         ";\n}\n";
}
std::string Recursion(const std::string& left, const std::string& right) {
  return "double* walk(double* " + left + ", double* " + right + ", bool up) {\n  while (" + left + " != " + right +
         " && *" + left + " >= 0.5) { " + left + "++; --" + right + "; }\n  do { up = !up; } while (up || " + left +
         "[0] == " + right + "[1]);\n  return walk(&" + left + "[7], " + right + " - 9, (up ^ true) & false);\n}\n";
}

Comparison Compared(const std::vector<Source>& sources, const std::vector<std::string>& given = {},
                    double least_share = 0.5) {
  const auto comparison =
      Compare(sources, {.starter = {}, .others = given}, {.least_share = least_share, .least_tokens = 40});
  EXPECT_TRUE(comparison) << comparison.error().message;
  return comparison ? *comparison : Comparison();
}

Source Named(const std::string& name, const std::string& v1, bool older = false) {
  return {.name = name, .older = older, .files = {{"v1.cu", v1}}};
}

TEST(CompareTest, AWholeCopyWithOtherNamesIsAlikeInAllOfIt) {
  const Comparison comparison =
      Compared({Named("a", Loop("sum", "i")), Named("b", Recursion("x", "y")), Named("c", "\n\n" + Loop("s", "k"))});
  ASSERT_EQ(comparison.pairs.size(), 1u);
  const Pair& pair = comparison.pairs[0];
  EXPECT_EQ(pair.first, 0u);
  EXPECT_EQ(pair.second, 2u);
  EXPECT_EQ(pair.share(), 1);
  ASSERT_EQ(pair.matches.size(), 1u);
  EXPECT_EQ(pair.matches[0].file, "v1.cu");
  EXPECT_EQ(pair.matches[0].first_line, 1);
  EXPECT_EQ(pair.matches[0].other_first_line, 3) << "of the student's file";
  EXPECT_EQ(pair.matches[0].last_line, 8);
  EXPECT_THAT(comparison.groups, ElementsAre(ElementsAre(0, 2)));
}

TEST(CompareTest, TheShareIsThatOfTheShorterOne) {
  const std::string more = Loop("sum", "i") + Recursion("x", "y");
  const Comparison comparison = Compared({Named("a", more), Named("b", Loop("s", "k"))});
  ASSERT_EQ(comparison.pairs.size(), 1u);
  EXPECT_EQ(comparison.pairs[0].share(), 1);
  EXPECT_LT(comparison.pairs[0].shorter, 110);
}

TEST(CompareTest, WhatTheCourseHasGivenDoesNotCountUnderAnyName) {
  const Comparison comparison =
      Compared({Named("a", Loop("sum", "i")), Named("b", Loop("s", "k"))}, {Loop("total", "index")});
  EXPECT_THAT(comparison.pairs, IsEmpty());
  EXPECT_THAT(comparison.groups, IsEmpty());
}

TEST(CompareTest, EqualFilesAreNamedEvenIfTheyAreTheSolution) {
  const std::string solution = Loop("sum", "i"), commented = "// mine\n\n" + solution;
  const Comparison comparison = Compared(
      {Named("a", solution), Named("b", Recursion("x", "y")), Named("c", commented), Named("d", Loop("s", "k"))},
      {solution});
  EXPECT_THAT(comparison.pairs, IsEmpty());
  ASSERT_EQ(comparison.equal.size(), 1u);
  EXPECT_EQ(comparison.equal[0].file, "v1.cu");
  EXPECT_THAT(comparison.equal[0].sources, ElementsAre(0, 2)) << "d has other names";
  EXPECT_TRUE(comparison.equal[0].given);
  const Comparison other = Compared({Named("a", solution), Named("old", solution, true), Named("b", "int b;")});
  ASSERT_EQ(other.equal.size(), 1u);
  EXPECT_THAT(other.equal[0].sources, ElementsAre(0, 1));
  EXPECT_FALSE(other.equal[0].given);
  EXPECT_THAT(Compared({Named("old1", solution, true), Named("old2", solution, true)}).equal, IsEmpty());
}

TEST(CompareTest, UnchangedStarterFilesAreNotNamed) {
  const auto comparison = Compare({Named("a", "int todo;"), Named("b", "int todo; // mine\n")},
                                  {.starter = {"int todo;"}, .others = {}}, {});
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->equal, IsEmpty());
}

TEST(CompareTest, WhoIsInNoPairIsListedWithTheReason) {
  const Source nothing{.name = "c"};
  const Comparison comparison =
      Compared({Named("a", Loop("sum", "i")), Named("b", Recursion("x", "y")), nothing, Named("d", "int d;")},
               {Loop("total", "index")});
  ASSERT_EQ(comparison.left_out.size(), 3u);
  const std::pair<size_t, LeftOut::Why> expected[] = {
      {0, LeftOut::Why::kTooLittle}, {2, LeftOut::Why::kNoFile}, {3, LeftOut::Why::kTooLittle}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(comparison.left_out[i].source, expected[i].first);
    EXPECT_EQ(comparison.left_out[i].why, expected[i].second);
  }
}

TEST(CompareTest, PairsAreSortedAndGroupsAreTheirUnion) {
  const std::string both = Loop("s", "k") + Recursion("x", "y");
  const Comparison comparison =
      Compared({Named("a", Loop("sum", "i")), Named("b", both), Named("c", Recursion("p", "q")), Named("d", "int d;")});
  ASSERT_EQ(comparison.pairs.size(), 2u);
  EXPECT_GE(comparison.pairs[0].share(), comparison.pairs[1].share());
  EXPECT_THAT(comparison.groups, ElementsAre(ElementsAre(0, 1, 2))) << "a and c are linked through b";
}

TEST(CompareTest, OlderOnesAreComparedWithNewOnesOnly) {
  const Comparison comparison = Compared(
      {Named("old", Loop("o", "l"), true), Named("new", Loop("sum", "i")), Named("old2", Loop("u", "j"), true)});
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const Pair& pair : comparison.pairs) pairs.emplace_back(pair.first, pair.second);
  EXPECT_THAT(pairs, testing::UnorderedElementsAre(std::pair(0, 1), std::pair(1, 2)));
  for (const Pair& pair : comparison.pairs) EXPECT_EQ(pair.share(), 1);
}

TEST(CompareTest, DifferentRungsAreNotComparedWithEachOther) {
  const Source a{.name = "a", .files = {{"v1.cu", Loop("sum", "i")}, {"v2.cu", Recursion("x", "y")}}};
  const Source b{.name = "b", .files = {{"v2.cu", Loop("sum", "i")}}};
  EXPECT_THAT(Compared({a, b}).pairs, IsEmpty());
}

TEST(CompareTest, AFileThatRepeatsItselfIsANoteAndTheOthersAreCompared) {
  std::string repeats;
  for (int i = 0; i < 3000; ++i) repeats += "a += " + std::string(static_cast<size_t>(i % 40), '-') + "b;\n";
  const Comparison comparison =
      Compared({Named("a", Loop("sum", "i")), Named("b", repeats), Named("c", Loop("s", "k")), Named("d", repeats)});
  ASSERT_EQ(comparison.pairs.size(), 1u);
  EXPECT_EQ(comparison.pairs[0].second, 2u);
  ASSERT_EQ(comparison.notes.size(), 2u);
  EXPECT_THAT(comparison.notes[0], HasSubstr("v1.cu of b is not compared"));
}

TEST(CompareTest, TooManySubmissionsAreRefused) {
  const auto comparison = Compare(std::vector<Source>(kMostSources + 1), {}, {});
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(comparison.error().message, HasSubstr("at most 2000 are compared"));
}

TEST(CompareTest, NothingIsNothing) {
  EXPECT_THAT(Compared({}).pairs, IsEmpty());
  EXPECT_THAT(Compared({Named("a", ""), Named("b", "")}).pairs, IsEmpty());
}

}  // namespace
}  // namespace warpgrade::similarity
