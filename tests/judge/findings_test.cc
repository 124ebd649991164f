#include "grader/judge/findings.h"

#include <gmock/gmock.h>
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

// A case of so many elements; number 0: a case that only grading has.
Case ACase(uint64_t elements, int number) {
  Case c;
  c.name = "n = " + std::to_string(elements);
  c.elements = elements;
  c.number = number;
  return c;
}

TEST(FindingsTest, TheSameFaultInTwoCasesCountsUp) {
  std::vector<score::Finding> findings;
  AddFindings({At("out-of-bounds", "v2.cu", 31, 3)}, ACase(33, 5), &findings);
  AddFindings({At("out-of-bounds", "v2.cu", 31, 4), At("out-of-bounds", "v2.cu", 32, 1),
               At("shared-memory-race", "v2.cu", 31, 1)},
              ACase(1000, 6), &findings);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].count, 7u);
  EXPECT_EQ(findings[0].cases, 2);
  EXPECT_EQ(findings[1].cases, 1);
}

TEST(FindingsTest, InstancesOfATemplateShareTheirFaults) {
  std::vector<score::Finding> findings;
  score::Finding of_float = At("out-of-bounds", "v2.cu", 31, 4), of_int = of_float;
  of_float.kernel = "void reduce<float>(float*)";
  of_int.kernel = "void reduce<int>(int*)";
  AddFindings({of_int}, ACase(33, 5), &findings);
  AddFindings({of_float}, ACase(33, 6), &findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kernel, "void reduce<int>(int*)");
  EXPECT_EQ(findings[0].cases, 2);
  // Without lines, only the kernel tells two faults apart.
  findings.clear();
  of_float.file = of_int.file = "";
  AddFindings({of_int, of_float}, ACase(33, 5), &findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(FindingsTest, OneCaseIsCountedOnceHoweverManyOfItsKernelsShowTheFault) {
  std::vector<score::Finding> findings;
  AddFindings({At("misaligned", "v2.cu", 31, 3), At("misaligned", "v2.cu", 31, 4)}, ACase(33, 5), &findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 7u);
  EXPECT_EQ(findings[0].cases, 1);
}

TEST(FindingsTest, OneLineMayReachPastALocalArrayAndPastAnotherOne) {
  std::vector<score::Finding> findings;
  score::Finding local = At("out-of-bounds", "v2.cu", 31, 4);
  local.in_local = true;
  AddFindings({At("out-of-bounds", "v2.cu", 31, 4), local}, ACase(33, 5), &findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(FindingsTest, ARaceAtItsLineDoesNotExplainAReadOfUnwrittenLocalMemory) {
  score::Finding race = At("global-race", "v2.cu", 31, 4), read = At("uninitialised-read", "v2.cu", 31, 4);
  read.in_local = true;
  std::vector<score::Finding> findings = {race, read};
  DropConsequences(&findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(FindingsTest, TheDetailsAreThoseOfTheSmallestTypicalCase) {
  std::vector<score::Finding> findings;
  const auto add = [&findings](uint64_t elements, int number, const std::string& message) {
    score::Finding finding = At("out-of-bounds", "v2.cu", 31, 1);
    finding.message = message;
    AddFindings({finding}, ACase(elements, number), &findings);
    return findings.at(0);
  };
  EXPECT_EQ(add(5, 0, "hidden").message, "hidden");
  EXPECT_EQ(add(0, 1, "a null pointer").message, "a null pointer") << "a student can run this one";
  EXPECT_EQ(add(1000, 2, "far past the end").message, "far past the end") << "an empty array is special";
  EXPECT_EQ(add(33, 3, "past the end").message, "past the end");
  EXPECT_EQ(add(33, 4, "of the same size").message, "past the end") << "of equals, the first";
  const score::Finding last = add(7, 0, "hidden and small");
  EXPECT_EQ(last.message, "past the end");
  EXPECT_EQ(last.case_name, "n = 33");
  EXPECT_EQ(last.case_number, 3);
  EXPECT_EQ(last.cases, 6);
  EXPECT_EQ(last.count, 6u);
}

TEST(FindingsTest, TheAdviceForWarpsGivesWayToTheOneForTheBlock) {
  score::Finding in_warp = At("shared-race", "v2.cu", 31, 1), in_block = in_warp;
  in_warp.reach = "warp";
  in_warp.advice = "put a __syncwarp() before line 31";
  in_block.reach = "block";
  in_block.advice = "put a __syncthreads() before line 31";
  std::vector<score::Finding> findings;
  AddFindings({in_warp}, ACase(1, 5), &findings);
  AddFindings({in_block}, ACase(1000, 6), &findings);
  AddFindings({in_warp}, ACase(2, 7), &findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].advice, in_block.advice);
  EXPECT_EQ(findings[0].cases, 3);
}

TEST(FindingsTest, ARaceWhoseOtherAccessLeavesItsArrayIsLeftOut) {
  score::Finding race = At("global-race", "v2.cu", 17, 1);
  race.other_file = "v2.cu";
  race.other_line = 16;
  std::vector<score::Finding> findings = {At("out-of-bounds", "v2.cu", 16, 1), race};
  DropConsequences(&findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, "out-of-bounds");
}

TEST(FindingsTest, AReadOfUnwrittenMemoryStaysIfTheRaceIsOfALaterWrite) {
  score::Finding race = At("shared-race", "v2.cu", 31, 1);
  race.reads_first = true;
  std::vector<score::Finding> findings = {race, At("uninitialised-read", "v2.cu", 31, 1)};
  DropConsequences(&findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(FindingsTest, WhatOnlyFollowsFromAnotherFindingIsLeftOut) {
  score::Finding race = At("shared-race", "v2.cu", 31, 1);
  race.other_file = "v2.cu";
  race.other_line = 25;
  std::vector<score::Finding> findings = {At("uninitialised-read", "v2.cu", 25, 1),
                                          At("uninitialised-read", "v2.cu", 31, 1),
                                          race,
                                          At("uninitialised-read", "v2.cu", 40, 1),
                                          At("out-of-bounds", "v2.cu", 50, 1),
                                          At("use-after-free", "v2.cu", 50, 1),
                                          At("global-race", "v2.cu", 50, 1),
                                          At("use-after-free", "v2.cu", 51, 1)};
  DropConsequences(&findings);
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].kind, "shared-race");
  EXPECT_EQ(findings[1].line, 40);
  EXPECT_EQ(findings[2].kind, "out-of-bounds");
  EXPECT_EQ(findings[3].line, 51);
}

// An asm statement with .file and .loc gives an instruction any place.
TEST(FindingsTest, APlaceOutsideOfTheStudentsFileIsNotKnown) {
  score::RungMeasurement measurement;
  const auto add = [&measurement](const std::string& file, int line) {
    score::Finding& finding = measurement.findings.emplace_back();
    finding.kind = "out-of-bounds";
    finding.file = file;
    finding.line = line;
  };
  add("v1_naive.cu", 40);
  add("lab2/lab2.h", 7);
  add("v1_naive.cu", 41);
  add("lab2/grader.cc", 7);
  add("etc/shadow", 1);
  add("", 0);
  measurement.findings[0].other_file = "lab1/lab1.h";
  measurement.findings[0].other_line = measurement.findings[0].barrier_line = 3;
  measurement.metric_lines = {
      {"good", "v1_naive.cu:12: loads apart"},
      {"bad", "etc/passwd:1: loads apart"},
      {"worse", "a: etc/passwd:1: loads apart"},
      {"kernels", "these kernels ran: decoy(int*, int); but nothing of the answer comes from them"},
      {"copies", "copies and sets on the device load 64 bytes"}};
  measurement.line_counts = {{.line = 0}, {.line = 40}, {.line = 41}};
  measurement.pictures.requests = {{.line = 40}, {.line = 41}};
  measurement.pictures.branches = {{.line = 40}, {.line = 41}};
  HideForeignPlaces("lab2", "v1_naive", 40, &measurement);
  EXPECT_EQ(measurement.line_counts.size(), 2u);
  EXPECT_EQ(measurement.pictures.requests.size(), 1u);
  EXPECT_EQ(measurement.pictures.branches.size(), 1u);
  std::vector<std::string> places;
  for (const score::Finding& f : measurement.findings) places.push_back(f.file + ":" + std::to_string(f.line));
  EXPECT_THAT(places, testing::ElementsAre("v1_naive.cu:40", "lab2/lab2.h:7", "(line not known):0",
                                           "(line not known):0", "(line not known):0", ":0"));
  EXPECT_EQ(measurement.findings[0].other_file, "");
  EXPECT_EQ(measurement.findings[0].barrier_line, 0);
  EXPECT_EQ(measurement.metric_lines.size(), 3u);
  for (const char* kept : {"good", "kernels", "copies"}) EXPECT_EQ(measurement.metric_lines.count(kept), 1u) << kept;
}

TEST(FindingsTest, TheLinesOfHostCallsComeIntoTheMessageWhereTheyAreOfTheStudentsFile) {
  score::RungMeasurement measurement;
  const auto add = [&measurement](int line, const std::string& other_file, int other_line) {
    score::Finding& finding = measurement.findings.emplace_back();
    finding.message = "the kernel reads what the copy writes";
    finding.file = line > 0 ? "v1_naive.cu" : "";
    finding.line = line;
    finding.line_at = 10;
    finding.other_file = other_file;
    finding.other_line = other_line;
    finding.other_line_at = 30;
  };
  add(12, "v1_naive.cu", 9);
  add(41, "etc/shadow", 9);
  add(0, "", 0);
  measurement.findings.emplace_back().message = "a finding in a kernel";
  HideForeignPlaces("lab2", "v1_naive", 40, &measurement);
  std::vector<std::string> messages;
  for (const score::Finding& f : measurement.findings) messages.push_back(f.message);
  EXPECT_THAT(messages, testing::ElementsAre("the kernel (v1_naive.cu:12) reads what the copy (v1_naive.cu:9) writes",
                                             "the kernel (line not known) reads what the copy (line not known) writes",
                                             "the kernel (line not known) reads what the copy (line not known) writes",
                                             "a finding in a kernel"));
}

}  // namespace
}  // namespace warpgrade::judge
