#include "grader/emulator/machine/handlers/isa.h"

#include <gtest/gtest.h>

namespace warpgrade::emulator {
namespace {

constexpr IsaSet kBoth = {true, true};
constexpr IsaSet kAvx2Only = {true, false};
constexpr IsaSet kAvx512Only = {false, true};
constexpr IsaSet kNeither = {false, false};

TEST(IsaTest, TheWidestThatMachineAndBuildHaveIsChosen) {
  EXPECT_EQ(*ChooseIsa("", kBoth, kBoth, "b"), Isa::kAvx512);
  EXPECT_EQ(*ChooseIsa("", kBoth, kAvx2Only, "b"), Isa::kAvx2);
  EXPECT_EQ(*ChooseIsa("", kAvx2Only, kBoth, "b"), Isa::kAvx2);
  EXPECT_EQ(*ChooseIsa("", kBoth, kAvx512Only, "b"), Isa::kAvx512);
}

TEST(IsaTest, TheEnvironmentNamesAnother) {
  EXPECT_EQ(*ChooseIsa("avx2", kBoth, kBoth, "b"), Isa::kAvx2);
  EXPECT_EQ(*ChooseIsa("avx512", kBoth, kBoth, "b"), Isa::kAvx512);
}

TEST(IsaTest, OneThatThisBuildLacksIsNamedWithTheCommandThatCompilesIt) {
  const Result<Isa> isa = ChooseIsa("avx2", kBoth, kAvx512Only, "/course/build");
  ASSERT_FALSE(isa.ok());
  EXPECT_EQ(isa.error().message,
            "WARPGRADE_EMULATOR_ISA=avx2: this build of the emulator was not compiled for avx2. Compile it for every "
            "processor with: cmake -DWARPGRADE_ISAS=all /course/build && cmake --build /course/build --parallel "
            "$(nproc) --target kit");
}

TEST(IsaTest, ABuildForAnotherProcessorSaysHowToCompileItForThisOne) {
  const Result<Isa> isa = ChooseIsa("", kAvx2Only, kAvx512Only, "/course/build");
  ASSERT_FALSE(isa.ok());
  EXPECT_EQ(isa.error().message,
            "this build of the emulator was not compiled for this processor. Compile it for every processor with: "
            "cmake -DWARPGRADE_ISAS=all /course/build && cmake --build /course/build --parallel $(nproc) --target kit");
}

TEST(IsaTest, OneThatTheProcessorLacksIsNotCompiledForIt) {
  EXPECT_EQ(ChooseIsa("avx512", kAvx2Only, kAvx2Only, "b").error().message,
            "WARPGRADE_EMULATOR_ISA=avx512: this processor does not have it; unset it");
  EXPECT_EQ(ChooseIsa("avx512", kNeither, kBoth, "b").error().message,
            "WARPGRADE_EMULATOR_ISA=avx512: this processor does not have it; unset it");
  EXPECT_EQ(ChooseIsa("", kNeither, kBoth, "b").error().message,
            "the emulator needs a processor with AVX2 and FMA (any x86 since about 2013)");
}

TEST(IsaTest, AnUnknownNameIsToldWhichThereAre) {
  EXPECT_EQ(ChooseIsa("sse2", kBoth, kBoth, "b").error().message,
            "WARPGRADE_EMULATOR_ISA=sse2: write avx2 or avx512, or unset it");
}

}  // namespace
}  // namespace warpgrade::emulator
