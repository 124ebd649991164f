#include "tests/structure/source_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade {
namespace {

std::vector<std::string> Found(std::string_view text) {
  std::vector<std::string> rows;
  for (const FunctionSpan& f : FindFunctions(text)) {
    rows.push_back(f.name + " line " + std::to_string(f.line) + " lines " + std::to_string(f.lines) +
                   (f.has_reason ? " reason" : ""));
  }
  return rows;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourceScanTest, MeasuresAFunctionFromItsNameToItsClosingBrace) {
  EXPECT_THAT(Found("int F() {\n  return 1;\n}\n"), ElementsAre("F line 1 lines 3"));
}

TEST(SourceScanTest, CountsLambdasLoopsAndInitialisersAsPartOfTheirFunction) {
  EXPECT_THAT(Found("void F(int n) {\n  auto g = [](int k) { return k; };\n  for (;;) {\n  }\n  P p{1, 2};\n}\n"),
              ElementsAre("F line 1 lines 6"));
}

TEST(SourceScanTest, FindsFunctionsInNamespacesAndClasses) {
  EXPECT_THAT(Found("namespace a {\nclass B final : public C {\n  B() : c_(0) {}\n  int D() const {\n  }\n};\n"
                    "Result<int> B::E(int x) {\n}\n}\n"),
              ElementsAre("B line 3 lines 1", "D line 4 lines 2", "B::E line 7 lines 2"));
}

TEST(SourceScanTest, BeginsWithTheTemplateLineAndTheReturnType) {
  EXPECT_THAT(Found("\ntemplate <typename T>\n__global__ void\nkernel(T* d_out) {\n}\n"),
              ElementsAre("kernel line 2 lines 4"));
}

TEST(SourceScanTest, TakesATestForAFunction) {
  EXPECT_THAT(Found("TEST(A, B) {\n  EXPECT_EQ(1, 1);\n}\n"), ElementsAre("TEST line 1 lines 3"));
}

TEST(SourceScanTest, IsNotMisledByBracesInCommentsLiteralsAndMacros) {
  EXPECT_THAT(Found("// {\n/* { */\n#define M(x) \\\n  {\nint F() {\n  char c = '{'; int n = 1'000;\n"
                    "  return g(\"}\\\"{\", R\"x(}}{)x\");\n}\n"),
              ElementsAre("F line 5 lines 4"));
}

TEST(SourceScanTest, IsNotMisledByTablesAndEnums) {
  EXPECT_THAT(Found("enum class E : int { kA, kB };\nconstexpr int kTable[] = {1, 2};\nstruct S { int a = 1; };\n"),
              IsEmpty());
}

TEST(SourceScanTest, SeesAReasonInTheCommentRightAboveOnly) {
  EXPECT_THAT(
      Found("// Long because each row is a case.\n// More.\nvoid F() {\n}\n\n// Long because.\n\nvoid G() {\n}\n"),
      ElementsAre("F line 3 lines 2 reason", "G line 8 lines 2"));
}

TEST(SourceScanTest, ReadsTheOpeningCommentAsOneLine) {
  EXPECT_EQ(OpeningComment("// Does this.\n// And that.\n#include <a>\n// not this"), "Does this. And that.");
  EXPECT_EQ(OpeningComment("#include <a>\n// late"), "");
}

TEST(SourceScanTest, CountsSentencesButNoFileNames) {
  EXPECT_EQ(CountSentences("Reads a.cc. Writes b.h: both are small. Tests: a_test.cc"), 4);
  EXPECT_EQ(CountSentences("No end"), 0);
}

}  // namespace
}  // namespace warpgrade
