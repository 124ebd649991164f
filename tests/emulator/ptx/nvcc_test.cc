// What nvcc makes of testdata/*.cu parses, and means what the source means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

const Variable* FindVariable(const Module& module, const std::string& name) {
  for (const Variable& variable : module.variables) {
    if (variable.name == name) return &variable;
  }
  ADD_FAILURE() << "no variable " << name;
  static const Variable none;
  return &none;
}

const Function* FindKernel(const Module& module, const std::string& part) {
  for (const Function& function : module.functions) {
    if (function.has_body && function.prototype.name.find(part) != std::string::npos) return &function;
  }
  ADD_FAILURE() << "no function " << part;
  static const Function none;
  return &none;
}

std::set<std::string> Opcodes(const Module& module) {
  std::set<std::string> opcodes;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) opcodes.insert(instruction.opcode);
  }
  return opcodes;
}

void CheckOperand(const Function& function, const Operand& operand) {
  if (operand.kind == OperandKind::kRegister) {
    EXPECT_LT(static_cast<size_t>(operand.reg), function.registers.size());
  }
  if (operand.kind == OperandKind::kLabel) {
    EXPECT_LE(static_cast<size_t>(operand.target), function.body.size());
  }
  if (operand.variable >= 0) {
    EXPECT_EQ(function.variables.at(operand.variable).name, operand.name);
  }
  for (const Operand& element : operand.elements) CheckOperand(function, element);
}

class NvccTest : public ::testing::TestWithParam<const char*> {};

TEST_P(NvccTest, ParsesWithEveryIndexInRange) {
  const Module module = Parsed(CompiledPtx(GetParam()));
  EXPECT_EQ(module.version_major, 9);
  size_t instructions = 0;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) {
      ++instructions;
      EXPECT_LT(instruction.location, static_cast<int32_t>(module.locations.size()));
      for (const Operand& operand : instruction.operands) CheckOperand(function, operand);
      for (const Operand& operand : instruction.call_arguments) CheckOperand(function, operand);
      for (const Operand& operand : instruction.call_returns) CheckOperand(function, operand);
    }
  }
  EXPECT_GT(instructions, 5u);
  for (const std::vector<SourceFrame>& location : module.locations) {
    for (const SourceFrame& frame : location) {
      EXPECT_LT(static_cast<size_t>(frame.file), module.files.size());
      EXPECT_GT(frame.line, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NvccTest,
                         ::testing::Values("language_75", "language_80_fast", "language_90_debug",
                                           "language_75_separate", "language_90_unoptimised", "tensor_80", "tensor_90",
                                           "groups_80", "inlined_75"),
                         [](const auto& info) { return std::string(info.param); });

TEST(NvccLanguageTest, InitialisersMeanWhatTheSourceSays) {
  const Module module = Parsed(CompiledPtx("language_75"));
  const Variable* table = FindVariable(module, "d_table");
  ASSERT_EQ(table->relocations.size(), 2u);
  EXPECT_EQ(table->relocations[1].symbol, "_Z7Square1f");
  EXPECT_EQ(table->relocations[1].offset, 8u);

  const Variable* pointer = FindVariable(module, "d_pointer");
  ASSERT_EQ(pointer->relocations.size(), 1u);
  EXPECT_EQ(pointer->relocations[0].symbol, "d_array");
  EXPECT_EQ(pointer->relocations[0].addend, 12);
  EXPECT_TRUE(pointer->relocations[0].generic);

  const Variable* packed = FindVariable(module, "d_packed");
  EXPECT_EQ(packed->size, 9u);
  ASSERT_EQ(packed->relocations.size(), 8u) << "a pointer that is not aligned comes byte by byte";
  EXPECT_EQ(packed->relocations[7].mask, 0xFF00000000000000u);
  EXPECT_EQ(packed->relocations[7].offset, 8u);

  EXPECT_TRUE(FindVariable(module, "d_managed")->is_managed);
  EXPECT_THAT(FindVariable(module, "d_managed")->initial, ElementsAre(4, 0, 0, 0));
  EXPECT_EQ(FindVariable(module, "d_doubles")->size, 48u);
  EXPECT_EQ(FindVariable(module, "c_weights")->space, Space::kConst);
}

TEST(NvccLanguageTest, LaunchBoundsAndDynamicSharedMemory) {
  const Module module = Parsed(CompiledPtx("language_75"));
  const Function* kernel = FindKernel(module, "Memory");
  EXPECT_THAT(kernel->max_threads, ElementsAre(256, 1, 1));
  EXPECT_EQ(kernel->min_blocks_per_sm, 2);
  EXPECT_TRUE(kernel->is_entry);
  EXPECT_EQ(FindVariable(module, "s_dynamic")->size, 0u);
  EXPECT_TRUE(FindVariable(module, "s_dynamic")->is_extern);
}

TEST(NvccLanguageTest, CallsOfEveryKind) {
  const Module module = Parsed(CompiledPtx("language_75"));
  int direct = 0;
  int indirect = 0;
  for (const Instruction& instruction : FindKernel(module, "Calls")->body) {
    if (instruction.opcode != "call") continue;
    const bool is_indirect = instruction.callee.kind == OperandKind::kRegister;
    EXPECT_EQ(is_indirect, !instruction.call_prototype.empty());
    ++(is_indirect ? indirect : direct);
  }
  EXPECT_EQ(indirect, 2) << "the table and the virtual function";
  EXPECT_GE(direct, 5) << "Fibonacci, malloc, free, vprintf, __assertfail";
}

TEST(NvccTensorTest, TensorInstructionsKeepTheirVectors) {
  const Module module = Parsed(CompiledPtx("tensor_80"));
  EXPECT_THAT(Opcodes(module), IsSupersetOf({"mma", "wmma", "ldmatrix", "cp", "redux", "fma"}));
  for (const Instruction& instruction : FindKernel(module, "InlineTensor")->body) {
    if (instruction.opcode != "mma") continue;
    ASSERT_EQ(instruction.operands.size(), 4u);
    EXPECT_EQ(instruction.operands[1].elements.size(), 4u);
    EXPECT_EQ(instruction.operands[2].elements.size(), 2u);
  }
}

TEST(NvccGroupsTest, ChainsEndInTheKernelsOwnFile) {
  const Module module = Parsed(CompiledPtx("groups_80"));
  size_t deepest = 0;
  for (const std::vector<SourceFrame>& location : module.locations) {
    deepest = std::max(deepest, location.size());
    EXPECT_THAT(module.files.at(location.back().file), ::testing::EndsWith("groups.cu"));
  }
  EXPECT_GE(deepest, 5u);
}

}  // namespace
}  // namespace warpgrade::ptx
