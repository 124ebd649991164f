#include "grader/judge/crash_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace warpgrade::judge {
namespace {

using testing::HasSubstr;

protocol::Crashed Fault(uint64_t address, bool writes = false) {
  protocol::Crashed crashed;
  crashed.signal = SIGSEGV;
  crashed.address = address;
  crashed.writes = writes ? 1 : 0;
  return crashed;
}

std::string LineIn(const std::string& source, const std::string& printed) {
  const host_lines::SourceLine line = FirstLineOf(source, printed);
  return line.file + ":" + std::to_string(line.line);
}

TEST(CrashLineTest, IsTheFirstOfTheStudentsFile) {
  EXPECT_EQ(LineIn("v1.cu",
                   "/usr/include/c++/12/bits/stl_vector.h:706 (discriminator 1)\n"
                   "/build/x/v1.cu:12 (discriminator 1)\n"
                   "/build/x/v1.cu:30\n"),
            "v1.cu:12");
  EXPECT_EQ(LineIn("v1.cu", "v1.cu:7\n"), "v1.cu:7");
}

TEST(CrashLineTest, IsNoneWhereNothingFits) {
  for (const char* printed : {"", "??:0\n", "??:?\n", "v1.cu:?\n", "v1.cu\n", ":\n", "/x/other_v1.cu:3\n", "v1.cu:-4\n",
                              "v1.cu:99999999999999999999\n", "v1.cu/:3\n"}) {
    EXPECT_EQ(FirstLineOf("v1.cu", printed).file, "") << printed;
  }
}

TEST(CrashLineTest, IsNoneForNumbersThatMakeNoSense) {
  protocol::Crashed crashed = Fault(0);
  for (const int32_t count : {-1, 0, protocol::kMaxCrashCode + 1}) {
    crashed.code_count = count;
    EXPECT_EQ(FindCrashLine({.executable = "/proc/self/exe", .source = "v1.cu"}, crashed), "");
  }
  crashed.code_count = 1;
  crashed.code[0] = 0x1000;
  EXPECT_EQ(FindCrashLine({.executable = "/nowhere", .source = "v1.cu"}, crashed), "");
}

TEST(CrashTextTest, SaysWhatLiesAtTheAddress) {
  EXPECT_THAT(ExplainCrash(Fault(0x30000000010), "v1.cu:4", "d_in"),
              HasSubstr("v1.cu:4 reads 0x30000000010, which lies in device memory (d_in): host code cannot"));
  EXPECT_THAT(ExplainCrash(Fault(8, true), "v1.cu:4", ""), HasSubstr("v1.cu:4 writes to 0x8, a null pointer"));
  EXPECT_THAT(ExplainCrash(Fault(8), "", ""), HasSubstr("it reads 0x8, a null pointer"));
  EXPECT_THAT(ExplainCrash(Fault(0x7f0000000000), "v1.cu:4", ""), HasSubstr("which is not in host memory"));
}

TEST(CrashTextTest, DoesNotCallAPointerNullThatIsNone) {
  EXPECT_THAT(ExplainCrash(Fault(protocol::kNoAddress), "v1.cu:4", ""), HasSubstr("v1.cu:4 uses a pointer that"));
  EXPECT_EQ(ExplainCrash(Fault(protocol::kNoAddress), "", ""), "");
}

TEST(CrashTextTest, IsEmptyWhereTheSignalsNameSaysAsMuch) {
  EXPECT_EQ(ExplainCrash(Fault(0x7f0000000000), "", ""), "");
  protocol::Crashed division;
  division.signal = SIGFPE;
  EXPECT_EQ(ExplainCrash(division, "", ""), "");
  EXPECT_THAT(ExplainCrash(division, "v1.cu:4", ""), HasSubstr("v1.cu:4"));
}

}  // namespace
}  // namespace warpgrade::judge
