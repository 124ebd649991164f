// Wrong programs of the kit's own labs are the same as labs/mutant.sh prints them, and mistakes are told.
#include "grader/desk/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade::desk {
namespace {

using testing::HasSubstr;

const std::string kSource = WARPGRADE_SOURCE_DIR;

TEST(MutantsTest, AMutantOfTheKitIsWhatTheScriptPrints) {
  const std::string folder = kSource + "/labs/lab7/mutants";
  const auto mutants = ReadMutants(folder);
  ASSERT_TRUE(mutants) << mutants.error().message;
  ASSERT_GE(mutants->size(), 20u);
  int compared = 0;
  for (size_t i = 0; i < mutants->size(); i += 5) {
    const std::string& name = (*mutants)[i].name;
    const auto text = MutantText(folder, name, kSource);
    ASSERT_TRUE(text) << text.error().message;
    const ProgramResult script = RunProgram({"/usr/bin/env", "bash", kSource + "/labs/mutant.sh", "lab7", name});
    EXPECT_EQ(*text, script.out) << name;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST(MutantsTest, TheMutantsOfAllLabsOfTheKitAreReadAndHaveTheirTexts) {
  size_t all = 0;
  for (const auto& lab : std::filesystem::directory_iterator(kSource + "/labs")) {
    const std::string folder = lab.path().string() + "/mutants";
    if (!std::filesystem::exists(folder)) continue;
    const auto mutants = ReadMutants(folder);
    ASSERT_TRUE(mutants) << mutants.error().message;
    for (const Mutant& mutant : *mutants) {
      const auto text = MutantText(folder, mutant.name, kSource);
      EXPECT_TRUE(text) << text.error().message;
    }
    all += mutants->size();
  }
  EXPECT_GE(all, 200u);
}

class MutantFilesTest : public testing::Test {
 protected:
  std::string Text(const std::string& diff) const {
    folder_.Write("solutions/x/v1.cu",
                  "// opening\nint a;\n// BEGIN SOLUTION\nint b;\nint b2;\n// ELSE STARTER\n//| int s;\n// END "
                  "SOLUTION\nint c;\nint c;\n");
    folder_.Write("mutants/v1__m.diff", diff);
    const auto text = MutantText(folder_.Path("mutants"), "v1__m", folder_.Path(""));
    return text ? *text : text.error().message;
  }
  std::string Rows(const std::string& yaml) const {
    folder_.Write("mutants/mutants.yaml", yaml);
    const auto rows = ReadMutants(folder_.Path("mutants"));
    return rows ? "none" : rows.error().message;
  }
  TemporaryFolder folder_;
};

TEST_F(MutantFilesTest, AnEditChangesItsLinesAndNothingElse) {
  EXPECT_EQ(Text("// wrong\n--- solutions/x/v1.cu\n@@\n int a;\n-int b;\n+int B;\n"),
            "// wrong\nint a;\nint B;\nint b2;\nint c;\nint c;\n");
  EXPECT_EQ(Text("--- solutions/x/v1.cu\n"), "int a;\nint b;\nint b2;\nint c;\nint c;\n");
}

TEST_F(MutantFilesTest, AnEditThatDoesNotFitIsAnErrorWithItsLine) {
  EXPECT_THAT(Text("--- solutions/x/v1.cu\n@@\n-int z;\n"),
              HasSubstr("v1__m.diff:2: solutions/x/v1.cu does not have these lines"));
  EXPECT_THAT(Text("--- solutions/x/v1.cu\n@@\n-int c;\n"), HasSubstr("more than once"));
  EXPECT_THAT(Text("--- solutions/x/v1.cu\n@@\n-int b2;\n@@\n-int a;\n"),
              HasSubstr(":4: these lines stand in solutions/x/v1.cu before those of the edit above"));
  EXPECT_THAT(Text("--- solutions/x/v1.cu\n@@\n+int b2;\n"), HasSubstr("no line that stays or goes"));
  EXPECT_THAT(Text("--- solutions/x/v1.cu\n@@\n int a;\n"), HasSubstr("changes nothing"));
  EXPECT_THAT(Text("--- solutions/x/v1.cu\nint a;\n"), HasSubstr(":2: an edit begins with a line @@"));
  EXPECT_THAT(Text("int a;\n"), HasSubstr(":1: before the line --- there are only lines of a comment"));
  EXPECT_THAT(Text("// nothing\n"), HasSubstr("it has no line '--- SOLUTION'"));
  EXPECT_THAT(Text("--- solutions/x/v2.cu\n"), HasSubstr("solutions/x/v2.cu cannot be read"));
}

TEST_F(MutantFilesTest, AFileWithoutARowAndARowWithoutAFileAreMistakes) {
  folder_.Write("mutants/v1__a.cu", "");
  EXPECT_EQ(Rows("mutants:\n  - {name: v1__a, lost: correctness, message: x}\n"), "none");
  EXPECT_THAT(Rows("mutants:\n  - {name: v1__b, lost: correctness, message: x}\n"),
              testing::AllOf(HasSubstr("mutants.yaml:2:5: there is neither v1__b.cu nor v1__b.diff"),
                             HasSubstr("there is no row for v1__a.cu")));
  EXPECT_THAT(Rows("mutants:\n  - {name: v1__a, lost: all, message: '('}\n"),
              testing::AllOf(HasSubstr("lost is 'all'"), HasSubstr("'(' is no regular expression")));
  EXPECT_THAT(Rows("mutants: 5\n"), HasSubstr("mutants is not a list"));
  EXPECT_EQ(Rows("mutants:\n  - {name: v1__a, lost: nothing, message: ''}\n"), "none");
  EXPECT_THAT(Rows("mutants:\n  - {name: v1__a, lost: technique, message: ''}\n"), HasSubstr("message is empty"));
}

}  // namespace
}  // namespace warpgrade::desk
