// What the grader finds of each way to hand in.
#include "tests/class/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/submission/submission.h"
#include "tests/cli/program.h"

namespace warpgrade::classes {
namespace {

TEST(PackingTest, TheGraderFindsTheFilesWhereTheTableSaysSo) {
  const Files files = {{"lab2/v1_naive.cu", "first\n"}, {"lab2/v2_shared.cu", "second\n"}};
  for (const Packing packing : AllPackings()) {
    const TemporaryFolder folder;
    const std::string name = HandIn(folder.Path("class"), "s1", files, packing, 1'794'960'000);
    const auto found = submission::Discover({folder.Path("class")}, {{"lab2", {"v1_naive", "v2_shared"}, {}}});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 1u) << Name(packing) << " in " << name;
    EXPECT_EQ(found->front().id, "s1");
    EXPECT_EQ(found->front().files, IsFound(packing) ? files : Files()) << Name(packing);
  }
}

TEST(PackingTest, AZipIsOneForOtherProgramsToo) {
  const TemporaryFolder folder;
  const std::string zip = folder.Write("a.zip", ZipOf({{"lab2/v1.cu", "text"}, {"empty", ""}}, 1'794'960'000, false));
  const ProgramResult listed = RunProgram({"python3", "-c",
                                           "import sys, zipfile\n"
                                           "z = zipfile.ZipFile(sys.argv[1])\n"
                                           "print(z.testzip(), [(i.filename, i.date_time) for i in z.infolist()])",
                                           zip});
  EXPECT_EQ(listed.out, "None [('lab2/v1.cu', (2026, 11, 18, 0, 0, 0)), ('empty', (2026, 11, 18, 0, 0, 0))]\n")
      << listed.err;
}

}  // namespace
}  // namespace warpgrade::classes
