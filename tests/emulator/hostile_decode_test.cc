// Modules made to keep the decoder busy: each is about a megabyte and must decode in a moment. What takes time in the
// square of its size would run into a limit on processor time, which other work on the machine does not use up.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <string>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"

namespace warpgrade::emulator {
namespace {

constexpr const char kHead[] = ".version 8.3\n.target sm_90\n.address_size 64\n";

std::string KernelOf(const std::string& body) {
  return ".entry k(.param .u64 p) {\n.reg .pred %p; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f; .reg .f64 %fd;\n" +
         body + "\nret;\n}\n";
}

template <typename Line>
std::string Lines(int count, Line line) {
  std::string text;
  for (int k = 0; k < count; ++k) text += line(std::to_string(k));
  return text;
}

// Decodes the last function of the module; gives how many instructions it has for the interpreter.
size_t Decoded(const std::string& text) {
  const Result<ptx::Module> module = ptx::Parse(kHead + text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  if (!module.ok()) return 0;
  const std::unique_ptr<Program> program = Decode(*module, module->functions.back(), {}, MachineHandlers());
  return program->functions[0].code.size();
}

class HostileDecodeTest : public testing::Test {
 protected:
  void SetUp() override {
    constexpr rlim_t kSeconds = 60;
    rusage used;
    ASSERT_EQ(getrusage(RUSAGE_SELF, &used), 0);
    rlimit limit;
    ASSERT_EQ(getrlimit(RLIMIT_CPU, &limit), 0);
    limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + kSeconds;
    ASSERT_EQ(setrlimit(RLIMIT_CPU, &limit), 0);
  }
};

TEST_F(HostileDecodeTest, AsManyConstantsAsInstructions) {
  EXPECT_GT(Decoded(KernelOf(Lines(45000, [](std::string k) { return "add.u32 %r1,%r1," + k + ";\n"; }))), 45000u);
}

TEST_F(HostileDecodeTest, SharedVariablesByTheThousand) {
  auto declare = [](std::string k) { return ".shared .b32 s" + k + ";\n"; };
  auto use = [](std::string k) { return "mov.u32 %r1,s" + k + ";\n"; };
  EXPECT_GT(Decoded(KernelOf(Lines(15000, declare) + Lines(15000, use))), 15000u);
  EXPECT_GT(Decoded(Lines(15000, declare) + KernelOf(Lines(15000, use))), 15000u);
}

TEST_F(HostileDecodeTest, EveryBranchGoesBackToTheBeginning) {
  EXPECT_GT(Decoded(KernelOf("L:\n" + Lines(90000, [](std::string) { return "@%p bra L;\n"; }))), 90000u);
  EXPECT_GT(
      Decoded(KernelOf(
          "L:\n" + Lines(30000, [](const std::string& k) { return "M" + k + ": @%p bra M" + k + "; @%p bra L;\n"; }))),
      60000u);
}

TEST_F(HostileDecodeTest, ManyIndexedBranchesThroughOneTable) {
  const std::string table = "L:\nT: .branchtargets L" + Lines(60, [](std::string) { return ", L"; }) + ";\n";
  EXPECT_GT(Decoded(KernelOf(table + Lines(30000, [](std::string) { return "brx.idx %r1,T;\n"; }))), 30000u);
}

TEST_F(HostileDecodeTest, ManyIndirectCallsThroughManyPrototypes) {
  auto declare = [](std::string k) { return "P" + k + ": .callprototype _ ();\n"; };
  auto call = [](std::string k) { return "call %d1, (), P" + k + ";\n"; };
  EXPECT_GT(Decoded(KernelOf(Lines(18000, declare) + Lines(18000, call))), 18000u);
}

// One written constant may need three rows: as a single's bits, as 32 bits and as 64.
TEST_F(HostileDecodeTest, OneConstantAsEveryType) {
  EXPECT_GT(Decoded(KernelOf(Lines(2000,
                                   [](const std::string& k) {
                                     const std::string c = k + ".5";
                                     return "add.f32 %f,%f," + c + "; add.f64 %fd,%fd," + c + "; mov.b32 %r1," + c +
                                            ";\n";
                                   }))),
            6000u);
}

// Variables of the same name in scopes side by side are different variables, with addresses of their own.
TEST_F(HostileDecodeTest, OneNameInManyScopes) {
  auto scope = [](std::string) { return "{ .shared .b32 s; mov.u32 %r1, s; mov.u64 %d1, s; }\n"; };
  EXPECT_GT(Decoded(KernelOf(Lines(3000, scope))), 6000u);
}

}  // namespace
}  // namespace warpgrade::emulator
