#include "grader/cli/finding_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/emulator/checks/finding.h"
#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

SeenFinding Race(const std::string& file) {
  SeenFinding finding;
  finding.kind = "shared-race";
  finding.kernel = "sum(int*)";
  finding.place = {file, 2};
  finding.thread = {33, 0, 0};
  finding.count = 62;
  finding.message =
      "read byte 132 of shared memory that thread (1,0,0) wrote in line 1, with no __syncthreads() between";
  finding.other = SourcePlace{file, 1};
  return finding;
}

SeenFinding OfKind(const std::string& kind) {
  SeenFinding finding;
  finding.kind = kind;
  finding.message = "what " + kind;
  return finding;
}

TEST(FindingTextTest, ShowsWhereWhoWhatTheOtherAccessAndWhatToDo) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("sum.cu", "\ttile[t] = in[t];\r\n  tile[t] += tile[t + s];\n");
  SourceLines source;
  EXPECT_EQ(
      FindingText(Race(file), source, false),
      "warpgrade: race in shared memory (shared-race) in sum(int*)\n"
      "  " +
          file +
          ":2\n"
          "       2 |   tile[t] += tile[t + s];\n"
          "  who    block (0,0,0), thread (33,0,0); seen 62 times\n"
          "  what   read byte 132 of shared memory that thread (1,0,0) wrote in line 1, with no __syncthreads() "
          "between\n"
          "  other  " +
          file +
          ":1\n"
          "       1 |   tile[t] = in[t];\n"
          "  to do  put a __syncthreads() between the two accesses, where every thread of the block reaches it\n");
}

TEST(FindingTextTest, ShowsOnlyThePlaceWhenTheSourceCannotBeRead) {
  SourceLines source;
  const std::string text = FindingText(Race("/no/such/sum.cu"), source, false);
  EXPECT_THAT(text, HasSubstr("  /no/such/sum.cu:2\n  who "));
}

TEST(FindingTextTest, SaysHowToGetSourceLines) {
  SeenFinding finding = OfKind("out-of-bounds");
  finding.ptx_line = 44;
  SourceLines source;
  const std::string text = FindingText(finding, source, false);
  EXPECT_THAT(text, HasSubstr("line 44 of the PTX; compile with -lineinfo"));
  EXPECT_THAT(text, HasSubstr("who    block"));
}

TEST(FindingTextTest, NamesNoThreadForWhatTheHostDid) {
  SourceLines source;
  const std::string text = FindingText(OfKind("leak"), source, false);
  EXPECT_THAT(text, Not(HasSubstr("block")));
  EXPECT_THAT(text, HasSubstr("  what   what leak\n  to do  free it"));
}

TEST(FindingTextTest, SaysHowToGetTheLinesOfHostCalls) {
  SeenFinding finding = OfKind("stream-race");
  finding.host_places = {{16, 2}};
  SourceLines source;
  EXPECT_THAT(FindingText(finding, source, false),
              HasSubstr("  line not known; compile with -g to see the lines of host code\n  what "));
  finding.place = {"a.cu", 3};
  EXPECT_THAT(FindingText(finding, source, false), HasSubstr("  a.cu:3\n  what ")) << "the host has no block";
}

TEST(FindingTextTest, AdviceFollowsTheMessage) {
  SeenFinding finding = Race("x.cu");
  finding.message = "wrote byte 4, with no __syncwarp() between the two";
  SourceLines source;
  EXPECT_THAT(FindingText(finding, source, false), HasSubstr("to do  put a __syncwarp() between the two"));
}

TEST(FindingTextTest, TheAdviceForAMemberMaskNamesABranchOnlyWhereThereIsOne) {
  const auto advice = [](const std::string& message) {
    SeenFinding finding = OfKind("wrong-member-mask");
    finding.message = message;
    SourceLines source;
    return FindingText(finding, source, false);
  };
  EXPECT_THAT(advice("the member mask 0xffffffff names lane 16, which never reaches this call; name only lanes that "
                     "reach this call"),
              HasSubstr("before the branch"));
  // Another mask does not help a shuffle, since it takes values from the absent lanes.
  EXPECT_THAT(
      advice(
          "the member mask 0xffffffff names lane 16, which never reaches this call: this shuffle stands in a branch"),
      AllOf(HasSubstr("move the shuffle out of the branch"), Not(HasSubstr("__ballot_sync"))));
  for (const char* without :
       {"lane 16 executes this with member mask 0x0000ffff, which does not name it",
        "lane 8 takes a value from lane 16, which does not take part in this shuffle (it is not in the member mask)",
        "lane 8 takes a value from lane 16, which does not take part in this shuffle (it has returned from the kernel)",
        "lane 8 takes a value from lane 20, which does not take part in this shuffle (it does not exist, because the "
        "block",
        "a matrix instruction needs all 32 lanes of the warp"}) {
    EXPECT_THAT(advice(without), Not(HasSubstr("branch"))) << without;
    EXPECT_THAT(advice(without), HasSubstr("to do")) << without;
  }
}

TEST(FindingTextTest, TheAdviceForAnArrayThatIsTooSmallNamesWhatMayBeWrong) {
  EXPECT_THAT(
      AdviceFor("out-of-bounds", "wrote 4 bytes at 0x1: 0 bytes into d_a; the access goes 3 bytes past its end"),
      AllOf(HasSubstr("n * sizeof(T)"), HasSubstr("one at a time")));
  EXPECT_THAT(AdviceFor("out-of-bounds", "wrote 4 bytes at 0x1: 8 bytes past the end of d_out (4 bytes)"),
              AllOf(HasSubstr("compare it with the array's size"), HasSubstr("partial results of several blocks")));
  EXPECT_THAT(AdviceFor("out-of-bounds", "wrote 4 bytes at 0x1: 8 bytes past the end of d_out (40 bytes)"),
              Not(HasSubstr("partial results")));
  EXPECT_THAT(AdviceFor("uninitialised-read", "read element 3 of tile in shared memory"), HasSubstr("another element"));
}

TEST(FindingTextTest, AnAtomicOrAStoreWhereNoneMayBeIsNoIndex) {
  EXPECT_THAT(AdviceFor("out-of-bounds",
                        "did an atomic on the thread's own local memory; atomics are for global and shared memory"),
              AllOf(HasSubstr("needs no atomic"), Not(HasSubstr("index"))));
  EXPECT_THAT(AdviceFor("out-of-bounds", "wrote to a parameter of the kernel; parameters can only be read"),
              AllOf(HasSubstr("a variable of the kernel"), Not(HasSubstr("index"))));
}

TEST(FindingTextTest, WorkOutsideOfTheStreamOfACallIsToMoveIntoIt) {
  const std::string work = "the kernel in the default stream reads bytes 0 to 3 of d_in, which ";
  EXPECT_THAT(AdviceFor("stream-race", work + "are written in the stream that your function gets, before the call"),
              AllOf(HasSubstr("<<<grid, block, shared_bytes, stream>>>"), Not(HasSubstr("cudaStreamWaitEvent"))));
  EXPECT_THAT(AdviceFor("stream-race", work + "the copy in stream 1 writes"), HasSubstr("cudaStreamWaitEvent"));
  EXPECT_THAT(AdviceFor("stream-race",
                        "the kernel in stream 1 writes bytes 0 to 3 of d_out, and the stream that your function gets "
                        "does not wait for this when your function returns; put all work onto this stream"),
              HasSubstr("<<<grid, block, shared_bytes, stream>>>"));
}

TEST(FindingTextTest, TheAdviceForAMissInSharedMemoryNamesTheUsualTest) {
  EXPECT_THAT(
      AdviceFor("out-of-bounds", "read element -1 of s in shared memory, 4 bytes before its start: s has 16 bytes"),
      HasSubstr("if (tid >= step)"));
  for (const char* where : {"just past its end", "8 bytes past its end", "the access goes 8 bytes past its end"}) {
    EXPECT_THAT(
        AdviceFor("out-of-bounds", std::string("read element 4 of s in shared memory, ") + where + ": s has 16"),
        AllOf(HasSubstr("blockDim.x"), HasSubstr("if (tid + step < elements)")))
        << where;
  }
  EXPECT_THAT(AdviceFor("out-of-bounds",
                        "read element 4 of s in shared memory, just past its end: this launch gives s 16 bytes"),
              AllOf(HasSubstr("third launch argument"), HasSubstr("n * sizeof(T)")));
}

TEST(FindingTextTest, ColoursOnlyWhenAsked) {
  SourceLines source;
  EXPECT_THAT(FindingText(Race("x.cu"), source, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(FindingText(Race("x.cu"), source, true), HasSubstr("\x1b[1;31mrace in shared memory\x1b[0m"));
}

TEST(FindingTextTest, WhatAProgramNamedCannotDriveTheTerminal) {
  SeenFinding finding = Race("x.cu");
  finding.kernel = "evil\x1b[2Jname";
  finding.message = std::string(5000, 'x');
  SourceLines source;
  const std::string text = FindingText(finding, source, false);
  EXPECT_THAT(text, HasSubstr("evil?[2Jname"));
  EXPECT_LT(text.size(), 2000u);
}

TEST(FindingTextTest, SortsTheWorstFirst) {
  std::vector<SeenFinding> findings = {OfKind("leak"), OfKind("shared-race"), OfKind("a-new-kind"),
                                       OfKind("barrier-divergence"), OfKind("misaligned")};
  SortWorstFirst(&findings);
  EXPECT_EQ(findings[0].kind, "misaligned");
  EXPECT_EQ(findings[1].kind, "barrier-divergence") << "races follow from a barrier that some threads skip";
  EXPECT_EQ(findings[2].kind, "shared-race");
  EXPECT_EQ(findings[3].kind, "leak");
  EXPECT_EQ(findings[4].kind, "a-new-kind");
}

TEST(FindingTextTest, ShowsTheFirstTwentyAndCountsTheRest) {
  const std::vector<SeenFinding> findings(kFindingsShown + 3, OfKind("leak"));
  SourceLines source;
  EXPECT_THAT(FindingsText(findings, source, false),
              HasSubstr("warpgrade: 3 more findings are not shown; --json FILE writes all of them"));
  const std::vector<SeenFinding> one_more(kFindingsShown + 1, OfKind("leak"));
  EXPECT_THAT(FindingsText(one_more, source, false), HasSubstr("warpgrade: 1 more finding is not shown; --json FILE"));
  EXPECT_EQ(FindingsText({}, source, false), "");
}

TEST(FindingTextTest, SumsUpInOneLine) {
  EXPECT_EQ(FindingsSummary({}), "warpgrade: no findings\n");
  EXPECT_EQ(FindingsSummary({Race("x.cu"), Race("y.cu")}), "warpgrade: 2 findings in 1 kernel\n");
  EXPECT_EQ(FindingsSummary({OfKind("leak")}), "warpgrade: 1 finding in host code\n");
  EXPECT_EQ(FindingsSummary({OfKind("leak"), Race("x.cu")}), "warpgrade: 2 findings in 1 kernel and in host code\n");
}

// The emulator's kinds are the list; every one must have words and advice here.
TEST(FindingTextTest, HasWordsForEveryKindOfTheEmulator) {
  SourceLines source;
  for (int kind = 0;; ++kind) {
    const std::string name = emulator::Name(static_cast<emulator::FindingKind>(kind));
    if (name == "unknown") break;
    std::vector<SeenFinding> both = {OfKind("no such kind"), OfKind(name)};
    SortWorstFirst(&both);
    EXPECT_EQ(both[0].kind, name) << "has no words: add a row to kKinds in grader/cli/finding_text.cc";
    EXPECT_THAT(FindingText(OfKind(name), source, false), HasSubstr("\n  to do  ")) << name;
  }
}

}  // namespace
}  // namespace warpgrade::cli
