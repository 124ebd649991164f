// Variables of a thread that are moved apart: an index past one of them is found, also where another one of the thread
// lies there. Kernels from nvcc run; the rewriting itself is checked on functions written in PTX.
#include "grader/emulator/program/guarded_locals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int LineOf(const std::string& mark) {
  const std::string text = TextOf(LOCAL_VARIABLES_SOURCE);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + text.find("// " + mark), '\n'));
}

class LocalVariablesTest : public ::testing::Test {
 protected:
  Ran Launch(const std::string& kernel, uint64_t n) {
    harness_.Load(TextOf(ptx_), kernel);
    out_ = harness_.Allocate(64);
    const DevicePtr in = harness_.Upload<float>({10, 20, 30, 40, 50});
    return harness_.Launch({1}, {32}, {in, out_, n});
  }
  void ExpectOutside(const std::string& kernel, uint64_t n, const std::string& message, const std::string& mark) {
    const Ran ran = Launch(kernel, n);
    ASSERT_THAT(ran.findings, SizeIs(1)) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kOutOfBounds);
    EXPECT_THAT(ran.findings[0].message, HasSubstr(message));
    if (!mark.empty()) {
      EXPECT_EQ(ran.findings[0].line, LineOf(mark));
    }
    EXPECT_TRUE(IsInLocalMemory(ran.findings[0]));
  }
  void ExpectNothing(const std::string& kernel, uint64_t n) {
    const Ran ran = Launch(kernel, n);
    EXPECT_THAT(ran.findings, SizeIs(0)) << Describe(ran.findings);
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
  }

  std::string ptx_ = LOCAL_VARIABLES_PTX;
  KernelHarness harness_;
  DevicePtr out_ = 0;
};

TEST_F(LocalVariablesTest, AnIndexThatReachesTheNextVariableIsFound) {
  ExpectNothing("loop", 3);
  ExpectOutside("loop", 4, "wrote 4 bytes just past the end of array (12 bytes), a local variable", "LOOP");
}

TEST_F(LocalVariablesTest, AFunctionThatGetsTheArrayIsFollowed) {
  ExpectNothing("function", 3);
  ExpectOutside("function", 4, "read 4 bytes just past the end of array (12 bytes)", "SUM");
}

TEST_F(LocalVariablesTest, TheLastArrayOfAStructureIsBounded) {
  ExpectNothing("member", 3);
  ExpectOutside("member", 4, "wrote 4 bytes just past the end of array (64 bytes)", "");
  ExpectOutside("member", 6, "wrote 4 bytes 8 bytes past the end of array (64 bytes)", "");
}

TEST_F(LocalVariablesTest, ANegativeIndexIsBeforeTheStart) {
  ExpectNothing("negative", 0);
  ExpectOutside("negative", 1, "wrote 4 bytes 4 bytes before the start of array (12 bytes)", "NEGATIVE");
}

TEST_F(LocalVariablesTest, AWideAccessMayNotEndBehindItsVariable) {
  ExpectNothing("wide", 2);
  ExpectOutside("wide", 3, "wrote 8 bytes at byte 24 of array (28 bytes), past its end", "WIDE");
}

TEST_F(LocalVariablesTest, AnIndexOfTwiceTheLengthIsFound) {
  ExpectNothing("far", 3);
  ExpectOutside("far", 8, "wrote 4 bytes 16 bytes past the end of array (16 bytes)", "FAR");
  ExpectOutside("far", static_cast<uint32_t>(-1), "wrote 4 bytes 4 bytes before the start of array (16 bytes)", "FAR");
}

TEST_F(LocalVariablesTest, ValuesWithoutANameBehindAVariableAreNotOutsideOfIt) {
  ExpectNothing("temporaries", 4);
  EXPECT_EQ(harness_.Download<float>(out_, 1)[0], 10 + (6 + 10 + 14 + 18) + 4 * (10 + 1));
}

TEST_F(LocalVariablesTest, GuardsTakeNoStackFromARecursion) {
  ExpectNothing("deep", 300);
  EXPECT_EQ(harness_.Download<float>(out_, 1)[0], 300);
  ExpectNothing("count", 2000);
  EXPECT_EQ(harness_.Download<float>(out_, 1)[0], 2000);
}

TEST_F(LocalVariablesTest, OptimisedCodeWithDebugDataIsLeftAsItIs) {
  ptx_ = OPTIMISED_VARIABLES_PTX;
  ExpectNothing("right", 3);
  ExpectNothing("temporaries", 4);
  ExpectNothing("member", 3);
  ExpectNothing("function", 3);
}

TEST_F(LocalVariablesTest, AnElementThatNothingHasWrittenIsNamed) {
  ExpectNothing("unwritten", 4);
  const Ran ran = Launch("unwritten", 3);
  ASSERT_THAT(ran.findings, SizeIs(1)) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kUninitialisedRead);
  EXPECT_EQ(ran.findings[0].message, "read element 3 of array, which nothing has written yet");
  EXPECT_EQ(ran.findings[0].line, LineOf("SUM"));
}

TEST_F(LocalVariablesTest, RightUsesOfAddressesStillWork) {
  ExpectNothing("right", 3);
  EXPECT_EQ(harness_.Download<float>(out_, 4), (std::vector<float>{63, 60, 3, 10}));
}

// A function with one .local variable of 40 bytes, and what the debug data says of it.
struct Guarded {
  Guarded(const std::string& body, std::vector<ptx::SourceVariable> parts) {
    auto parsed = ptx::Parse(
        ".entry k() { .local .align 8 .b8 depot[40]; .reg .b64 %SP, %SPL, %rd<9>; .reg .b32 %r<9>; mov.u64 %SPL, "
        "depot; "
        "cvta.local.u64 %SP, %SPL; " +
        body + " ret; }");
    EXPECT_TRUE(parsed.ok()) << parsed.error().message;
    module = std::move(*parsed);
    depot().parts = std::move(parts);
    GuardLocals(&module);
  }
  ptx::Variable& depot() { return module.functions[0].variables[0]; }
  // Where the constant of the k-th instruction of `body` points to.
  uint64_t Place(size_t k) const {
    const ptx::Operand& last = module.functions[0].body[2 + k].operands.back();
    if (last.kind == ptx::OperandKind::kImmediate) return last.bits;
    return static_cast<uint64_t>(module.functions[0].body[2 + k].operands[0].kind == ptx::OperandKind::kAddress
                                     ? module.functions[0].body[2 + k].operands[0].offset
                                     : last.offset);
  }
  ptx::Module module;
};

TEST(GuardLocalsTest, EachConstantFollowsItsVariable) {
  Guarded g("st.u32 [%SP+4], %r1; add.u64 %rd1, %SP, 12; ld.u32 %r1, [%SP+20]; add.u64 %rd2, %SP, 24;",
            {{"b", 12, 12}, {"a", 0, 12}, {"c", 24, 16}});
  ASSERT_THAT(g.depot().parts, SizeIs(3));
  const auto& parts = g.depot().parts;
  EXPECT_EQ(parts[0].name, "a");
  EXPECT_EQ(g.Place(0), parts[0].offset + 4);
  EXPECT_EQ(g.Place(1), parts[1].offset);
  EXPECT_EQ(g.Place(2), parts[1].offset + 8);
  EXPECT_EQ(g.Place(3), parts[2].offset);
  EXPECT_GE(parts[0].offset, 64u) << "at least the narrowest guard";
  EXPECT_GE(parts[1].offset, parts[0].offset + 12 + 64);
  EXPECT_GE(g.depot().size, parts[2].offset + 16 + 64) << "and one behind the last";
  EXPECT_EQ(g.depot().guards, g.depot().size - 40);
  EXPECT_EQ(parts[1].offset % 16, 12u) << "alignment is what it was";
}

// nvcc computes an end from the start, so this is the start of something else.
TEST(GuardLocalsTest, AnAddressRightBehindAVariableIsThatOfAnotherOne) {
  Guarded g("add.u64 %rd1, %SP, 12; st.u32 [%SP], %r1;", {{"a", 0, 12}, {"c", 24, 16}});
  ASSERT_THAT(g.depot().parts, SizeIs(3));
  EXPECT_EQ(g.Place(0), g.depot().parts[1].offset);
  EXPECT_EQ(g.depot().parts[1].bytes, 12u);
}

TEST(GuardLocalsTest, APointerThatIsNotStoredShowsThatTheCodeIsOptimised) {
  const std::vector<ptx::SourceVariable> parts = {{"a", 0, 12}, {"this", 24, 8, true}};
  EXPECT_THAT(Guarded("add.u64 %rd1, %SP, 24;", parts).depot().parts, SizeIs(0));
  EXPECT_THAT(Guarded("st.u32 [%SP+24], %r1;", parts).depot().parts, SizeIs(0));
  EXPECT_THAT(Guarded("st.u64 [%SP+24], %rd1;", parts).depot().parts, SizeIs(2));
}

TEST(GuardLocalsTest, NothingIsDoneWithoutARoom) {
  auto parsed = ptx::Parse(
      ".entry k() { .local .align 8 .b8 depot[0]; .reg .b64 %SP, %SPL; .reg .b32 %r1; mov.u64 %SPL, depot; "
      "cvta.local.u64 %SP, %SPL; st.u32 [%SP+0], %r1; ret; }");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  ptx::Variable& depot = parsed->functions[0].variables[0];
  depot.parts = {{"a", 0, 8}};
  GuardLocals(&*parsed);
  EXPECT_THAT(depot.parts, SizeIs(0));
}

// nvcc makes one for all variables of a function. Looking for the places of each would take its time for each.
TEST(GuardLocalsTest, TwoLocalVariablesWithPartsAreNotNvccs) {
  auto parsed = ptx::Parse(
      ".entry k() { .local .align 8 .b8 depot[40]; .local .align 8 .b8 other[40]; .reg .b64 %SP, %SPL; .reg .b32 %r1; "
      "mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; st.u32 [%SP+0], %r1; ret; }");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  for (ptx::Variable& v : parsed->functions[0].variables) v.parts = {{"a", 0, 8}};
  GuardLocals(&*parsed);
  for (const ptx::Variable& v : parsed->functions[0].variables) EXPECT_THAT(v.parts, SizeIs(0));
}

TEST(GuardLocalsTest, WhatTheCodeUsesBetweenVariablesIsAPartWithoutAName) {
  Guarded g("st.u32 [%SP+16], %r1;", {{"a", 0, 12}, {"c", 24, 16}});
  ASSERT_THAT(g.depot().parts, SizeIs(3));
  EXPECT_EQ(g.depot().parts[1].name, "");
  EXPECT_EQ(g.depot().parts[1].bytes, 12u) << "as much as there is room for";
  EXPECT_EQ(g.Place(0), g.depot().parts[1].offset + 4);
}

TEST(GuardLocalsTest, VariablesOfDifferentScopesInOnePlaceStayTogether) {
  Guarded g("add.u64 %rd1, %SP, 8;", {{"a", 0, 12}, {"b", 8, 8}, {"c", 24, 16}});
  ASSERT_THAT(g.depot().parts, SizeIs(2));
  EXPECT_EQ(g.depot().parts[0].bytes, 16u);
  EXPECT_EQ(g.depot().parts[0].name, "");
  EXPECT_EQ(g.Place(0), g.depot().parts[0].offset + 8);
}

TEST(GuardLocalsTest, AnAddressThatIsUsedInAnotherWayLeavesTheFunctionAsItIs) {
  for (const char* body :
       {"mov.u64 %rd1, %SP;", "add.u64 %SP, %SP, 8;", "st.u64 [%rd1], %SP;", "add.u64 %rd1, %SP, %rd2;",
        "sub.u64 %rd1, %SP, 8;", "mov.u64 %rd1, depot+8;", "ld.local.u32 %r1, [%SPL+20];", "add.u64 %rd1, %SPL, 8;",
        "st.u32 [%SP+40], %r1;", "add.u64 %rd1, %SP, 40;", "st.local.u32 [depot+8], %r1;", "add.u64 %rd1, %SP, -8;",
        "st.u32 [%SP+48], %r1;", "@%p1 mov.u64 %rd1, depot;", "mov.b64 {%r1, %r2}, %SP;"}) {
    SCOPED_TRACE(body);
    const std::string predicate = std::string(body).find("%p1") != std::string::npos ? ".reg .pred %p<2>; " : "";
    Guarded g(predicate + body, {{"a", 0, 12}, {"c", 24, 16}});
    EXPECT_THAT(g.depot().parts, SizeIs(0));
    EXPECT_EQ(g.depot().size, 40u);
  }
}

TEST(GuardLocalsTest, PartsThatAreNotInTheVariableDoNotCount) {
  Guarded g("st.u32 [%SP+4], %r1;", {{"a", 0, 12}, {"b", 36, 8}, {"c", uint64_t{1} << 40, 16}, {"d", 16, UINT64_MAX}});
  ASSERT_THAT(g.depot().parts, SizeIs(1));
  EXPECT_EQ(g.depot().parts[0].name, "a");
}

// In the chain a -> b -> c with c -> b, and in d, whose address is taken.
TEST(GuardLocalsTest, FunctionsThatMayCallThemselvesAreLeftAsTheyAre) {
  const auto function = [](const std::string& head, const std::string& calls) {
    return head +
           "{ .local .align 8 .b8 depot[40]; .reg .b64 %SP, %SPL, %rd1; .reg .b32 %r1; mov.u64 %SPL, depot; "
           "cvta.local.u64 %SP, %SPL; st.u32 [%SP+4], %r1; " +
           calls + " ret; }\n";
  };
  auto parsed = ptx::Parse(".func c(); .func b(); .func d(); .func e();\n" + function(".func a()", "call b;") +
                           function(".func b()", "call c;") + function(".func c()", "call b; call e;") +
                           function(".func d()", "") + function(".func e()", "") +
                           function(".entry k()", "call a; call e; mov.u64 %rd1, d;") + ".func b();\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  for (ptx::Function& f : parsed->functions) {
    for (ptx::Variable& v : f.variables) v.parts = {{"x", 0, 16}};
  }
  GuardLocals(&*parsed);
  std::string guarded;
  for (const ptx::Function& f : parsed->functions) {
    if (f.has_body && !f.variables.at(0).parts.empty()) guarded += f.prototype.name;
  }
  EXPECT_EQ(guarded, "aek");
}

TEST(GuardLocalsTest, TooManyBytesAreLeftAsTheyAre) {
  auto parsed = ptx::Parse(
      ".entry k() { .local .align 8 .b8 depot[65536]; .reg .b64 %SP, %SPL; .reg .b32 %r1; mov.u64 %SPL, depot; "
      "cvta.local.u64 %SP, %SPL; st.u32 [%SP+8], %r1; ret; }");
  ASSERT_TRUE(parsed.ok());
  ptx::Variable& depot = parsed->functions[0].variables[0];
  depot.parts = {{"a", 0, 8}, {"b", 8, 65528}};
  GuardLocals(&*parsed);
  EXPECT_EQ(depot.size, 65536u);
  EXPECT_THAT(depot.parts, SizeIs(0));
}

}  // namespace
}  // namespace warpgrade::emulator
