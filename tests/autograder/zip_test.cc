// A zip is read back with python3.
#include "grader/autograder/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::autograder {
namespace {

TEST(ZipTest, HasTheNamesTheBytesAndTheRightsOfItsEntries) {
  const TemporaryFolder folder;
  const std::string zip = folder.Path("a.zip");
  const std::string bytes("\0\1\xff text", 8);
  folder.Write("a.zip", ZipText({{"run", "#!/bin/sh\n", true}, {"kit/lib/x.a", bytes, false}}).value());
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
  const std::vector<ZipEntry> entries = {{"a", "1", false}, {"b", std::string(100'000, 'x'), true}};
  EXPECT_EQ(ZipText(entries).value(), ZipText(entries).value());
}

}  // namespace
}  // namespace warpgrade::autograder
