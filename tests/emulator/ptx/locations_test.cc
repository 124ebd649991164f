// .loc: source positions and chains of inlined frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;
using Frames = std::vector<SourceFrame>;

// Where the n-th instruction of the first function comes from.
Frames LocationOf(const Module& module, size_t instruction) {
  const int32_t location = module.functions[0].body.at(instruction).location;
  return location < 0 ? Frames{} : module.locations.at(location);
}

TEST(LocationTest, EachInstructionHasTheLocBeforeIt) {
  const Module module = Parsed(".entry k() { ret; .loc 1 5 3\nret; ret; .loc 2 6 1\nret; }");
  EXPECT_EQ(module.functions[0].body[0].location, -1);
  EXPECT_EQ(LocationOf(module, 1), (Frames{{1, 5, 3}}));
  EXPECT_EQ(LocationOf(module, 2), (Frames{{1, 5, 3}}));
  EXPECT_EQ(LocationOf(module, 3), (Frames{{2, 6, 1}}));
}

TEST(LocationTest, EqualLocationsAreOne) {
  const Module module = Parsed(".entry k() { .loc 1 5 3\nret; .loc 1 6 3\nret; .loc 1 5 3\nret; }");
  EXPECT_EQ(module.locations.size(), 2u);
  EXPECT_EQ(module.functions[0].body[0].location, module.functions[0].body[2].location);
}

TEST(LocationTest, LineZeroKeepsTheLocationBefore) {
  const Module module = Parsed(".entry k() { .loc 1 5 3\n.loc 1 0 3\nret; }");
  EXPECT_EQ(LocationOf(module, 0), (Frames{{1, 5, 3}}));
}

TEST(LocationTest, ChainsRunFromTheInnermostFrameOutwards) {
  const Module module = Parsed(
      ".entry k() { .loc 1 31 3\n.loc 2 20 5, function_name $L__info_string1, inlined_at 1 31 3\n"
      ".loc 3 9 8, function_name $L__info_string2+12, inlined_at 2 20 5\nret; }");
  EXPECT_EQ(LocationOf(module, 0), (Frames{{3, 9, 8}, {2, 20, 5}, {1, 31, 3}}));
}

TEST(LocationTest, TheLatestLocAtThePositionIsTheCaller) {
  const Module module = Parsed(
      ".entry k() {\n.loc 1 10 1\n.loc 2 20 5, function_name f, inlined_at 1 10 1\n"
      ".loc 3 9 8, function_name g, inlined_at 2 20 5\nret;\n"
      ".loc 1 11 1\n.loc 2 20 5, function_name f, inlined_at 1 11 1\n"
      ".loc 3 9 8, function_name g, inlined_at 2 20 5\nret; }");
  EXPECT_EQ(LocationOf(module, 0), (Frames{{3, 9, 8}, {2, 20, 5}, {1, 10, 1}}));
  EXPECT_EQ(LocationOf(module, 1), (Frames{{3, 9, 8}, {2, 20, 5}, {1, 11, 1}}));
}

TEST(LocationTest, ACallerWithoutALocIsAFrameOfItsOwn) {
  const Module module = Parsed(".entry k() { .loc 2 20 5, function_name f, inlined_at 1 31 3\nret; }");
  EXPECT_EQ(LocationOf(module, 0), (Frames{{2, 20, 5}, {1, 31, 3}}));
}

TEST(LocationTest, FunctionsDoNotShareFrames) {
  const Module module = Parsed(
      ".func f() { .loc 1 5 1\n.loc 2 6 1, function_name h, inlined_at 1 5 1\n}\n"
      ".entry k() { ret; .loc 3 7 1, function_name g, inlined_at 2 6 1\nret; }");
  EXPECT_EQ(module.functions[1].body[0].location, -1);
  const int32_t location = module.functions[1].body[1].location;
  EXPECT_EQ(module.locations[location], (Frames{{3, 7, 1}, {2, 6, 1}}));
}

TEST(LocationTest, EndlessRecursionOfFramesIsCut) {
  std::string text = ".entry k() { .loc 1 5 1\n";
  for (int i = 0; i < 1000; ++i) text += ".loc 1 5 1, function_name f, inlined_at 1 5 1\n";
  const Module module = Parsed(text + "ret; }");
  EXPECT_EQ(LocationOf(module, 0).size(), 128u);
}

// testdata/inlined.cu: line 3 is inlined into line 6, which is inlined into line 9.
TEST(LocationTest, NvccsChainsNameEveryLineOfTheSource) {
  const Module module = Parsed(CompiledPtx("inlined_75"));
  ASSERT_EQ(module.functions.size(), 1u);
  int loads = 0;
  for (const Instruction& instruction : module.functions[0].body) {
    if (instruction.opcode != "ld" || instruction.modifiers[0] != "global") continue;
    ASSERT_GE(instruction.location, 0);
    const Frames& frames = module.locations[instruction.location];
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_THAT(module.files.at(frames[0].file), ::testing::EndsWith("inlined.cu"));
    EXPECT_EQ(frames[0].line, 3);
    EXPECT_EQ(frames[1].line, 6);
    EXPECT_EQ(frames[2].line, 9);
    ++loads;
  }
  EXPECT_EQ(loads, 2);
}

TEST(LocationErrors, AreNamedWithTheirPlace) {
  EXPECT_EQ(KernelError(".loc 1 x 3"), "ptx:2:8: found 'x', expected a line number");
  EXPECT_EQ(KernelError(".loc 1 2 3, somewhere 4"),
            "ptx:2:13: found 'somewhere', expected function_name or inlined_at");
  EXPECT_EQ(KernelError(".loc 1 99999999999 3"),
            "ptx:2:8: found '99999999999', expected a line number of at most 2147483647");
}

}  // namespace
}  // namespace warpgrade::ptx
