#include "grader/judge/findings.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

score::Finding At(const std::string& kind, const std::string& file, int line, uint64_t count) {
  score::Finding finding;
  finding.kind = kind;
  finding.kernel = "reduce_v2_kernel";
  finding.file = file;
  finding.line = line;
  finding.count = count;
  finding.message = "read 4 bytes at 0x1000, 4 bytes past the end of d_in";
  return finding;
}

TEST(FindingsTest, TheRungsOwnFileIsCutToItsName) {
  EXPECT_EQ(ShortFile("/home/ta/.cache/x/v2_strided.cu", "v2_strided"), "v2_strided.cu");
  EXPECT_EQ(ShortFile("v2_strided.cu", "v2_strided"), "v2_strided.cu");
  EXPECT_EQ(ShortFile("/opt/kit/labs/lab1/lab1.h", "v2_strided"), "lab1/lab1.h");
  EXPECT_EQ(ShortFile("/lab1.h", "v2_strided"), "lab1.h");
  EXPECT_EQ(ShortFile("", "v2_strided"), "");
}

TEST(FindingsTest, TheSameFaultInTwoCasesCountsUp) {
  std::vector<score::Finding> findings;
  MergeFinding(At("out-of-bounds", "v2.cu", 31, 3), &findings);
  MergeFinding(At("out-of-bounds", "v2.cu", 31, 4), &findings);
  MergeFinding(At("out-of-bounds", "v2.cu", 32, 1), &findings);
  MergeFinding(At("shared-memory-race", "v2.cu", 31, 1), &findings);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].count, 7u);
}

TEST(FindingsTest, ASentenceNamesKernelFaultAndLine) {
  EXPECT_EQ(Sentence(At("out-of-bounds", "v2.cu", 31, 1)),
            "kernel reduce_v2_kernel: read 4 bytes at 0x1000, 4 bytes past the end of d_in; v2.cu:31");
  EXPECT_EQ(Sentence(At("out-of-bounds", "", 0, 1)),
            "kernel reduce_v2_kernel: read 4 bytes at 0x1000, 4 bytes past the end of d_in");
  score::Finding of_a_copy = At("uninitialised-read", "", 0, 1);
  of_a_copy.kernel = "";
  EXPECT_EQ(Sentence(of_a_copy), "read 4 bytes at 0x1000, 4 bytes past the end of d_in");
}

}  // namespace
}  // namespace warpgrade::judge
