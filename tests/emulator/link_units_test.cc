// Links units written here as PTX, and runs what comes out.
#include "grader/emulator/link_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/emulator/device.h"

namespace warpgrade::emulator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A kernel k that stores a number at its parameter; `compute` puts the number into %r1.
std::string KernelThat(const std::string& compute, const std::string& name = "k") {
  return ".visible .entry " + name + "(.param .u64 out)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n" + compute +
         "\nld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
}

// `call` of a function without parameters, whose result goes into %r1.
std::string CallOf(const std::string& function) {
  return "{\n.param .b32 result;\ncall.uni (result), " + function + ", ();\nld.param.b32 %r1, [result];\n}\n";
}

// A function without parameters that returns `number`; `linkage` such as ".visible".
std::string FunctionThat(const std::string& linkage, const std::string& name, int number) {
  return linkage + " .func (.param .b32 r) " + name + "()\n{\nst.param.b32 [r], " + std::to_string(number) +
         ";\nret;\n}\n";
}

std::string Declared(const std::string& function) { return ".extern .func (.param .b32 r) " + function + "();\n"; }

class LinkUnitsTest : public ::testing::Test {
 protected:
  LinkUnitsTest() : device_(Options()) {}
  static DeviceOptions Options() {
    DeviceOptions options;
    options.host_threads = 1;
    options.global_memory_bytes = 64 << 20;
    return options;
  }

  // The units are a.cu, b.cu and so on.
  Result<ModuleId> Load(const std::vector<std::string>& texts) {
    std::vector<PtxUnit> units;
    for (size_t k = 0; k < texts.size(); ++k) {
      std::string name(1, static_cast<char>('a' + k));
      name += ".cu";
      units.push_back({name, ".version 8.0\n.target sm_75\n.address_size 64\n" + texts[k]});
    }
    return device_.LoadProgram(units, "program");
  }

  std::string ErrorOf(const std::vector<std::string>& texts) {
    const Result<ModuleId> loaded = Load(texts);
    EXPECT_FALSE(loaded.ok());
    return loaded.ok() ? "" : loaded.error().message;
  }

  // What kernel `name` stores.
  int ResultOf(ModuleId module, const std::string& name = "k") {
    const Result<KernelId> kernel = device_.FindKernel(module, name);
    EXPECT_TRUE(kernel.ok()) << kernel.error().message;
    const Result<DevicePtr> out = device_.Allocate(4);
    LaunchRequest request;
    request.kernel = *kernel;
    request.grid = request.block = {1, 1, 1};
    const auto* bytes = reinterpret_cast<const std::byte*>(&*out);
    request.parameters.assign(bytes, bytes + sizeof(DevicePtr));
    EXPECT_EQ(device_.Launch(request), LaunchStatus::kOk);
    for (const Finding& f : device_.Findings()) ADD_FAILURE() << f.message;
    int result = 0;
    EXPECT_TRUE(device_.CopyFromDevice(&result, *out, 4).ok());
    return result;
  }

  int ResultOf(const std::vector<std::string>& texts) {
    const Result<ModuleId> module = Load(texts);
    EXPECT_TRUE(module.ok()) << module.error().message;
    return module.ok() ? ResultOf(*module) : -1;
  }

  Device device_;
};

TEST_F(LinkUnitsTest, AFunctionOfAnotherUnitIsCalled) {
  EXPECT_EQ(ResultOf({Declared("f") + KernelThat(CallOf("f")), FunctionThat(".visible", "f", 42)}), 42);
}

TEST_F(LinkUnitsTest, AVariableOfAnotherUnitIsRead) {
  EXPECT_EQ(ResultOf({".extern .global .u32 x;\n.extern .const .u32 y;\n" +
                          KernelThat("ld.global.u32 %r2, [x];\nld.const.u32 %r3, [y];\nadd.u32 %r1, %r2, %r3;"),
                      ".visible .const .u32 y = 5;\n.visible .global .u32 x = 7;\n"}),
            12);
}

TEST_F(LinkUnitsTest, AnInitialiserMayNameAVariableOfAnotherUnit) {
  EXPECT_EQ(ResultOf({".extern .global .u32 x;\n.visible .global .u64 p = generic(x);\n" +
                          KernelThat("ld.global.u64 %rd2, [p];\nld.u32 %r1, [%rd2];"),
                      ".visible .global .u32 x = 9;\n"}),
            9);
}

TEST_F(LinkUnitsTest, EachUnitKeepsWhatIsItsOwn) {
  const std::string kFirst = ".global .u32 x = 1;\n" + FunctionThat("", "f", 10);
  const std::string kSecond = ".global .u32 x = 2;\n" + FunctionThat("", "f", 20);
  const auto kernel = [](const std::string& name) {
    return KernelThat(CallOf("f") + "ld.global.u32 %r2, [x];\nadd.u32 %r1, %r1, %r2;", name);
  };
  const Result<ModuleId> module = Load({kFirst + kernel("k"), kSecond + kernel("second")});
  ASSERT_TRUE(module.ok()) << module.error().message;
  EXPECT_EQ(ResultOf(*module), 11);
  EXPECT_EQ(ResultOf(*module, "second"), 22);
}

TEST_F(LinkUnitsTest, ALocalNameDoesNotHideTheProgramsSymbol) {
  EXPECT_EQ(
      ResultOf({Declared("f") + KernelThat(CallOf("f")), FunctionThat("", "f", 1), FunctionThat(".visible", "f", 2)}),
      2);
}

TEST_F(LinkUnitsTest, OfWeakDefinitionsOneStays) {
  const std::string kUse = Declared("f") + KernelThat(CallOf("f"));
  EXPECT_EQ(ResultOf({kUse, FunctionThat(".weak", "f", 1), FunctionThat(".weak", "f", 2)}), 1);
  EXPECT_EQ(ResultOf({kUse, FunctionThat(".weak", "f", 1), FunctionThat(".visible", "f", 2)}), 2);
  EXPECT_EQ(ResultOf({kUse, FunctionThat(".visible", "f", 2), FunctionThat(".weak", "f", 1)}), 2);
}

TEST_F(LinkUnitsTest, DynamicSharedMemoryIsThatOfTheLaunch) {
  const std::string kShared = ".extern .shared .align 16 .b8 s[];\n";
  const Result<ModuleId> module =
      Load({kShared + KernelThat("mov.u32 %r1, s;"), kShared + KernelThat("mov.u32 %r1, s;", "second")});
  ASSERT_TRUE(module.ok()) << module.error().message;
  EXPECT_EQ(ResultOf(*module, "second"), ResultOf(*module));
}

TEST_F(LinkUnitsTest, AFindingNamesTheFileOfItsOwnUnit) {
  const std::string kFault =
      ".visible .func f()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.loc 1 77 3\n"
      "mov.u64 %rd1, 0;\nld.global.u32 %r1, [%rd1];\nret;\n}\n.file 1 \"b.cu\"\n";
  const Result<ModuleId> module =
      Load({".extern .func f();\n" + KernelThat(".loc 1 5 1\ncall.uni f, ();") + ".file 1 \"a.cu\"\n", kFault});
  ASSERT_TRUE(module.ok()) << module.error().message;
  LaunchRequest request;
  request.kernel = *device_.FindKernel(*module, "k");
  request.grid = request.block = {1, 1, 1};
  request.parameters.resize(8);
  EXPECT_EQ(device_.Launch(request), LaunchStatus::kIllegalAddress);
  ASSERT_EQ(device_.Findings().size(), 2u);  // k stores at address 0, too
  EXPECT_EQ(device_.Findings()[0].file, "a.cu");
  EXPECT_EQ(device_.Findings()[0].line, 5);
  EXPECT_EQ(device_.Findings()[1].file, "b.cu");
  EXPECT_EQ(device_.Findings()[1].line, 77);
}

TEST_F(LinkUnitsTest, WhatNoUnitDefinesIsNamedWithTheUnitThatUsesIt) {
  EXPECT_THAT(ErrorOf({FunctionThat(".visible", "g", 1),
                       ".extern .const .u32 y;\n" + Declared("_Z5Twicei") + KernelThat(CallOf("_Z5Twicei"))}),
              AllOf(HasSubstr("the __constant__ variable y (used in b.cu)"),
                    HasSubstr("the device function Twice(int) (used in b.cu)")));
}

TEST_F(LinkUnitsTest, OfManyMissingSymbolsTheFirstAreNamed) {
  std::string many;
  for (int k = 0; k < 9; ++k) many += Declared("f" + std::to_string(k));
  EXPECT_THAT(ErrorOf({many}), AllOf(HasSubstr("function f4 (used in a.cu) and 4 more"), Not(HasSubstr("f5"))));
}

TEST_F(LinkUnitsTest, TwoDefinitionsAreRefused) {
  EXPECT_THAT(ErrorOf({FunctionThat(".visible", "f", 1), FunctionThat(".visible", "f", 2)}),
              HasSubstr("f is defined in a.cu and in b.cu"));
  EXPECT_THAT(ErrorOf({".visible .global .u32 x;\n", ".visible .global .u32 x;\n"}),
              HasSubstr("x is defined in a.cu and in b.cu"));
}

TEST_F(LinkUnitsTest, ADeclarationOfAnotherKindIsRefused) {
  EXPECT_THAT(ErrorOf({".extern .const .u32 x;\n", ".visible .global .u32 x;\n"}),
              HasSubstr("x is a __constant__ variable in a.cu, but __device__ in b.cu"));
  EXPECT_THAT(ErrorOf({".extern .global .u32 f;\n", FunctionThat(".visible", "f", 1)}),
              HasSubstr("f is a __device__ variable in a.cu, but a function in b.cu"));
}

TEST_F(LinkUnitsTest, AnErrorInAUnitNamesIt) { EXPECT_THAT(ErrorOf({"", "nonsense"}), HasSubstr("b.cu: ptx:4")); }

}  // namespace
}  // namespace warpgrade::emulator
