// A zip is read back with the reader of submissions, which is another part of libarchive, and with python3.
#include "grader/autograder/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::autograder {
namespace {

using testing::HasSubstr;

TEST(ZipTest, HasTheNamesTheBytesAndTheRightsOfItsEntries) {
  const TemporaryFolder folder;
  const std::string zip = folder.Path("a.zip");
  const std::string bytes("\0\1\xff text", 8);
  ASSERT_TRUE(WriteZip(zip, {{"run", "#!/bin/sh\n", true}, {"kit/lib/x.a", bytes, false}}).ok());
  const ProgramResult read = RunProgram({"/usr/bin/env", "python3", "-c", R"(
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for i in z.infolist(): print(i.filename, oct(i.external_attr >> 16 & 0o777), z.read(i).hex())
)",
                                         zip});
  EXPECT_EQ(read.out, "run 0o755 23212f62696e2f73680a\nkit/lib/x.a 0o644 0001ff2074657874\n") << read.err;
}

TEST(ZipTest, TheSameEntriesGiveTheSameBytes) {
  const TemporaryFolder folder;
  const std::vector<ZipEntry> entries = {{"a", "1", false}, {"b", std::string(100'000, 'x'), true}};
  ASSERT_TRUE(WriteZip(folder.Path("1.zip"), entries).ok());
  ASSERT_TRUE(WriteZip(folder.Path("2.zip"), entries).ok());
  EXPECT_EQ(ReadText(folder.Path("1.zip")), ReadText(folder.Path("2.zip")));
}

TEST(ZipTest, AFolderThatIsNotThereIsAnErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  const Status written = WriteZip(folder.Path("no/a.zip"), {{"a", "1", false}});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr(folder.Path("no/a.zip") + ": it cannot be written"));
}

}  // namespace
}  // namespace warpgrade::autograder
