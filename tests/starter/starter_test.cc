#include "grader/starter/starter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace warpgrade::starter {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kName[] = "solutions/lab1/v1.cu";
constexpr char kFirstLine[] = "// Generated from solutions/lab1/v1.cu by `warpgrade make-starter`; yours to edit.";

// The starter without its first line; or the error.
std::string Made(std::string_view solution) {
  const auto starter = MakeStarter(kName, solution);
  if (!starter) return "ERROR " + starter.error().message;
  EXPECT_THAT(*starter, StartsWith(kFirstLine));
  return starter->substr(std::string_view(kFirstLine).size());
}

TEST(StarterTest, ReplacesTheSolutionByTheStarterLines) {
  EXPECT_EQ(Made("void f() {\n"
                 "  // BEGIN SOLUTION\n"
                 "  answer();\n"
                 "  // ELSE STARTER\n"
                 "  //| NOT_WRITTEN_YET();\n"
                 "  // END SOLUTION\n"
                 "}\n"),
            "\nvoid f() {\n"
            "  NOT_WRITTEN_YET();\n"
            "}\n");
}

TEST(StarterTest, KeepsIndentationAndTurnsABareMarkerIntoAnEmptyLine) {
  EXPECT_EQ(Made("// BEGIN SOLUTION\n"
                 "// ELSE STARTER\n"
                 "  //|   deeper();\n"
                 "  //|\n"
                 "  //| \n"
                 "\t//|tight();\n"
                 "  //| //| twice\n"
                 "// END SOLUTION\n"),
            "\n    deeper();\n"
            "\n"
            "\n"
            "\ttight();\n"
            "  //| twice\n");
}

TEST(StarterTest, HandlesSeveralBlocks) {
  EXPECT_EQ(Made("a\n// BEGIN SOLUTION\nx\n// ELSE STARTER\n//| 1\n// END SOLUTION\n"
                 "b\n// BEGIN SOLUTION\ny\n// ELSE STARTER\n//| 2\n// END SOLUTION\nc\n"),
            "\na\n1\nb\n2\nc\n");
}

TEST(StarterTest, ABlockMayGoWithoutAnythingInItsPlace) {
  EXPECT_EQ(Made("// BEGIN SOLUTION\nhelper\n// END SOLUTION\n"
                 "// BEGIN SOLUTION\nother helper\n// ELSE STARTER\n// END SOLUTION\n"
                 "// BEGIN SOLUTION\nx\n// ELSE STARTER\n//| 1\n// END SOLUTION\n"),
            "\n1\n");
}

TEST(StarterTest, KeepsCarriageReturns) {
  const auto starter =
      MakeStarter(kName, "a\r\n// BEGIN SOLUTION\r\nx\r\n// ELSE STARTER\r\n//| 1\r\n//|\r\n// END SOLUTION\r\nb\r\n");
  ASSERT_TRUE(starter) << starter.error().message;
  EXPECT_EQ(*starter, std::string(kFirstLine) + "\r\na\r\n1\r\n\r\nb\r\n");
}

TEST(StarterTest, KeepsAMissingNewlineAtTheEnd) {
  EXPECT_EQ(Made("// BEGIN SOLUTION\n// ELSE STARTER\n//| 1\n// END SOLUTION\nlast"), "\n1\nlast");
  EXPECT_EQ(Made("// BEGIN SOLUTION\n// ELSE STARTER\n//| 1\n// END SOLUTION"), "\n1");
}

struct Mistake {
  const char* situation;
  const char* solution;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.situation; }

class StarterMistakeTest : public testing::TestWithParam<Mistake> {};

TEST_P(StarterMistakeTest, IsNamedWithFileAndLine) {
  const auto starter = MakeStarter(kName, GetParam().solution);
  ASSERT_FALSE(starter) << *starter;
  EXPECT_EQ(starter.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(starter.error().message, StartsWith(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, StarterMistakeTest,
    testing::Values(
        Mistake{"NoMarkers", "int x;\n", "solutions/lab1/v1.cu:1: no \"// BEGIN SOLUTION\" in this file"},
        Mistake{"EmptyFile", "", "solutions/lab1/v1.cu:1: no \"// BEGIN SOLUTION\" in this file"},
        Mistake{"NeverEnded", "a\n// BEGIN SOLUTION\n// ELSE STARTER\n//| 1\n",
                "solutions/lab1/v1.cu:2: this BEGIN SOLUTION has no END SOLUTION"},
        Mistake{"Nested", "// BEGIN SOLUTION\n\n// BEGIN SOLUTION\n",
                "solutions/lab1/v1.cu:3: BEGIN SOLUTION inside the block of line 1"},
        Mistake{"BeginInStarter", "// BEGIN SOLUTION\n// ELSE STARTER\n// BEGIN SOLUTION\n",
                "solutions/lab1/v1.cu:3: BEGIN SOLUTION inside the block of line 1"},
        Mistake{"ElseAlone", "a\n// ELSE STARTER\n", "solutions/lab1/v1.cu:2: ELSE STARTER without a BEGIN SOLUTION"},
        Mistake{"EndAlone", "a\n// END SOLUTION\n", "solutions/lab1/v1.cu:2: END SOLUTION without a BEGIN SOLUTION"},
        Mistake{"SecondElse", "// BEGIN SOLUTION\n// ELSE STARTER\n// ELSE STARTER\n",
                "solutions/lab1/v1.cu:3: a second ELSE STARTER in the block of line 1"},
        Mistake{"NothingInItsPlace", "// BEGIN SOLUTION\nx\n// ELSE STARTER\n// END SOLUTION\n",
                "solutions/lab1/v1.cu:1: no block has lines for the starter"},
        Mistake{"CodeInStarter", "// BEGIN SOLUTION\n// ELSE STARTER\n  code();\n// END SOLUTION\n",
                "solutions/lab1/v1.cu:3: a line between ELSE STARTER and END SOLUTION must begin with \"//|\""},
        Mistake{"StarterLineOutside", "a\n//| 1\n",
                "solutions/lab1/v1.cu:2: this \"//|\" line is not between ELSE STARTER and END SOLUTION"},
        Mistake{"Misspelt", "//BEGIN SOLUTION\n",
                "solutions/lab1/v1.cu:1: \"//BEGIN SOLUTION\" is not exactly a marker"},
        Mistake{"MoreAfterIt", "// BEGIN SOLUTION (short)\n",
                "solutions/lab1/v1.cu:1: \"// BEGIN SOLUTION (short)\" is not exactly a marker"}),
    [](const auto& info) { return std::string(info.param.situation); });

}  // namespace
}  // namespace warpgrade::starter
