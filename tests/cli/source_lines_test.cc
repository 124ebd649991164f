#include "grader/cli/source_lines.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

TEST(SourceLinesTest, GivesALineFitForATerminal) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a.cu", "one\n\tx = \x1b[31m1;\r\n" + std::string(400, 'y'));
  SourceLines source;
  EXPECT_EQ(source.Text(file, 1), "one");
  EXPECT_EQ(source.Text(file, 2), "  x = ?[31m1;");
  EXPECT_EQ(source.Text(file, 3), std::string(160, 'y') + " ...");
}

TEST(SourceLinesTest, HasNothingForALineOrFileThatIsNotThere) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a.cu", "one\n");
  SourceLines source;
  EXPECT_FALSE(source.Text(file, 0));
  EXPECT_FALSE(source.Text(file, 2));
  EXPECT_FALSE(source.Text(folder.Path("b.cu"), 1));
  EXPECT_FALSE(source.Text(folder.Path(""), 1)) << "a folder";
  EXPECT_FALSE(source.Text("", 1));
}

TEST(SourceLinesTest, LooksForRelativePathsBesideTheProgramToo) {
  const TemporaryFolder folder;
  folder.Write("only-here.cu", "text\n");
  EXPECT_EQ(SourceLines(folder.Path("")).Text("only-here.cu", 1), "text");
  EXPECT_FALSE(SourceLines().Text("only-here.cu", 1));
}

TEST(SourceLinesTest, ShowsPathsBelowTheWorkingFolderAsRelative) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(ShownPath(here + "/src/../a.cu"), "a.cu");
  EXPECT_EQ(ShownPath("/no/such/a.cu"), "/no/such/a.cu");
  EXPECT_EQ(ShownPath("src/a.cu"), "src/a.cu");
}

}  // namespace
}  // namespace warpgrade::cli
