// Kernels that launch kernels, written as PTX. Programs that nvcc compiled are in tests/programs/linked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "grader/emulator/device.h"
#include "grader/emulator/state/child_launches.h"

namespace warpgrade::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHead[] = R"(.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.visible .global .u32 ticket = 0;

// Notes its number in the order of children: out[number] = ticket++.
.visible .entry child(.param .u64 out, .param .u32 number)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [number];
  atom.global.add.u32 %r2, [ticket], 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

// A launch of `kernel` with %rd1 and `number` as parameters, in `stream`. %r1 gets the error, or 999 without a buffer.
std::string LaunchOf(const std::string& kernel, const std::string& number, int stream, int threads = 1) {
  static int labels = 0;
  const std::string label = "L" + std::to_string(++labels);
  const std::string block = std::to_string(threads);
  return "{\nmov.u64 %rd2, " + kernel + ";\n" +
         ".param .b64 p0; st.param.b64 [p0], %rd2;\n"
         ".param .align 4 .b8 p1[12]; st.param.b32 [p1], 1; st.param.b32 [p1+4], 1; st.param.b32 [p1+8], 1;\n"
         ".param .align 4 .b8 p2[12]; st.param.b32 [p2], " +
         block +
         "; st.param.b32 [p2+4], 1; st.param.b32 [p2+8], 1;\n"
         ".param .b32 p3; st.param.b32 [p3], 0;\n.param .b64 q;\n"
         "call.uni (q), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);\nld.param.b64 %rd3, [q];\n}\n"
         "mov.u32 %r1, 999;\nsetp.eq.u64 %p1, %rd3, 0;\n@%p1 bra " +
         label + ";\nst.u64 [%rd3], %rd1;\nmov.u32 %r2, " + number +
         ";\nst.u32 [%rd3+8], %r2;\n{\n.param .b64 p0; st.param.b64 [p0], %rd3;\n.param .b64 p1; st.param.b64 [p1], " +
         std::to_string(stream) +
         ";\n.param .b32 q;\ncall.uni (q), __cudaCDP2LaunchDeviceV2, (p0, p1);\nld.param.b32 %r1, [q];\n}\n" + label +
         ":\n";
}

// A kernel with the parameters of `child` around `body`: %rd1 is `out`, %r5 is `number`, %r4 the number of the block.
std::string KernelOf(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 out, .param .u32 number)\n{\n.reg .b64 %rd<8>;\n.reg .b32 %r<8>;\n.reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [out];\nld.param.u32 %r5, [number];\nmov.u32 %r4, %ctaid.x;\n" +
         body + "ret;\n}\n";
}

class ChildLaunchTest : public ::testing::Test {
 protected:
  explicit ChildLaunchTest(DeviceOptions options = Options()) : device_(options) {}
  static DeviceOptions Options() {
    DeviceOptions options;
    options.host_threads = 1;
    options.global_memory_bytes = 64 << 20;
    return options;
  }

  void Load(const std::string& kernels) {
    const Result<ModuleId> module = device_.LoadProgram({{"a.cu", kHead + kernels}}, "program");
    ASSERT_TRUE(module.ok()) << module.error().message;
    module_ = *module;
    out_ = *device_.Allocate(64 * 4);
    const std::vector<uint32_t> unset(64, 77);
    ASSERT_TRUE(device_.CopyToDevice(out_, unset.data(), 64 * 4).ok());
  }

  LaunchStatus Run(const std::string& kernel, uint32_t blocks = 1, uint64_t pending = 2048) {
    LaunchRequest request;
    request.kernel = *device_.FindKernel(module_, kernel);
    request.grid = {blocks, 1, 1};
    request.block = {1, 1, 1};
    request.parameters.resize(16);
    std::memcpy(request.parameters.data(), &out_, sizeof out_);
    request.pending_children = pending;
    return device_.Launch(request);
  }

  std::vector<uint32_t> Out(size_t count) {
    std::vector<uint32_t> values(count);
    EXPECT_TRUE(device_.CopyFromDevice(values.data(), out_, count * 4).ok());
    return values;
  }

  std::vector<std::string> Ran() const {
    std::vector<std::string> names;
    for (const LaunchRecord& r : device_.Launches()) names.push_back(r.kernel);
    return names;
  }

  std::string Messages() const {
    std::string all;
    for (const Finding& f : device_.Findings()) all += f.message + "\n";
    return all;
  }

  Device device_;
  ModuleId module_ = 0;
  DevicePtr out_ = 0;
};

TEST_F(ChildLaunchTest, ChildrenOfABlockRunInTheOrderOfTheirLaunches) {
  Load(KernelOf("parent", LaunchOf("child", "2", 0) + LaunchOf("child", "0", 0) + LaunchOf("child", "1", 0)));
  EXPECT_EQ(Run("parent"), LaunchStatus::kOk);
  EXPECT_THAT(Out(3), ElementsAre(1, 2, 0));
  EXPECT_THAT(Ran(), ElementsAre("parent", "child", "child", "child"));
  EXPECT_EQ(Messages(), "");
}

TEST_F(ChildLaunchTest, ATailLaunchComesAfterAllThatTheGridLaunched) {
  Load(KernelOf("middle", LaunchOf("child", "0", 0)) +
       KernelOf("parent", LaunchOf("child", "3", 3) + LaunchOf("child", "1", 4) + LaunchOf("middle", "9", 0) +
                              LaunchOf("child", "2", 0)));
  EXPECT_EQ(Run("parent"), LaunchStatus::kOk);
  EXPECT_THAT(Out(4), ElementsAre(1, 0, 2, 3));  // the middle's child before the parent's next one
}

TEST_F(ChildLaunchTest, TheTailOfAChildComesBeforeThatOfItsParent) {
  Load(KernelOf("middle", LaunchOf("child", "0", 3)) +
       KernelOf("parent", LaunchOf("child", "2", 3) + LaunchOf("middle", "9", 0) + LaunchOf("child", "1", 0)));
  EXPECT_EQ(Run("parent"), LaunchStatus::kOk);
  EXPECT_THAT(Out(3), ElementsAre(0, 1, 2));
}

TEST_F(ChildLaunchTest, BlocksComeInTheirOrderUnlessASeedSaysOtherwise) {
  Load(KernelOf("parent", LaunchOf("child", "%r4", 0)));
  EXPECT_EQ(Run("parent", 8), LaunchStatus::kOk);
  EXPECT_THAT(Out(8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  device_.SetSeed(3);
  EXPECT_EQ(Run("parent", 8), LaunchStatus::kOk);
  EXPECT_THAT(Out(8), ::testing::UnorderedElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_FALSE(std::is_sorted(Out(8).begin(), Out(8).end()));
}

TEST_F(ChildLaunchTest, TheOrderDoesNotDependOnTheNumberOfHostThreads) {
  DeviceOptions options = Options();
  options.host_threads = 4;
  Device device(options);
  const ModuleId module = *device.LoadProgram({{"a.cu", kHead + KernelOf("parent", LaunchOf("child", "%r4", 0))}}, "p");
  const DevicePtr out = *device.Allocate(64 * 4);
  LaunchRequest request;
  request.kernel = *device.FindKernel(module, "parent");
  request.grid = {64, 1, 1};
  request.block = {1, 1, 1};
  request.parameters.resize(16);
  std::memcpy(request.parameters.data(), &out, sizeof out);
  ASSERT_EQ(device.Launch(request), LaunchStatus::kOk);
  std::vector<uint32_t> values(64);
  ASSERT_TRUE(device.CopyFromDevice(values.data(), out, 64 * 4).ok());
  for (uint32_t k = 0; k < 64; ++k) EXPECT_EQ(values[k], k);
}

// Stores the error of a launch in out[10], and reads it, so that it is no finding.
std::string StoreError(const std::string& launch) {
  return launch +
         "st.global.u32 [%rd1+40], %r1;\n{\n.param .b32 q;\ncall.uni (q), __cudaCDP2GetLastError, ();\n"
         "ld.param.b32 %r2, [q];\n}\nst.global.u32 [%rd1+44], %r2;\n";
}

TEST_F(ChildLaunchTest, ALaunchThatCannotRunGivesItsError) {
  Load(KernelOf("too_many", StoreError(LaunchOf("child", "0", 0, 2000))) +
       KernelOf("no_stream", StoreError(LaunchOf("child", "0", 5))) +
       KernelOf("right", StoreError(LaunchOf("child", "0", 0))));
  const std::vector<std::pair<std::string, DeviceError>> kCases = {{"too_many", DeviceError::kInvalidConfiguration},
                                                                   {"no_stream", DeviceError::kInvalidResourceHandle},
                                                                   {"right", DeviceError::kNone}};
  for (const auto& [kernel, error] : kCases) {
    EXPECT_EQ(Run(kernel), LaunchStatus::kOk) << kernel;
    EXPECT_EQ(Out(12)[10], static_cast<uint32_t>(error)) << kernel;
    EXPECT_EQ(Out(12)[11], static_cast<uint32_t>(error)) << kernel;
  }
  EXPECT_EQ(Messages(), "");
}

TEST_F(ChildLaunchTest, AFunctionThatIsNoKernelCannotBeLaunched) {
  Load(".visible .func f() { ret; }\n" + KernelOf("parent", StoreError(LaunchOf("f", "0", 0))));
  EXPECT_EQ(Run("parent"), LaunchStatus::kOk);
  EXPECT_EQ(Out(12)[10], 999u);
}

TEST_F(ChildLaunchTest, AnErrorThatNobodyReadsIsAFinding) {
  Load(KernelOf("parent", LaunchOf("child", "0", 0) + LaunchOf("child", "1", 0) + LaunchOf("child", "2", 0)));
  EXPECT_EQ(Run("parent", 1, 2), LaunchStatus::kOk);
  EXPECT_THAT(Out(3), ElementsAre(0, 1, 77));
  ASSERT_EQ(device_.Findings().size(), 1u);
  EXPECT_EQ(device_.Findings()[0].kind, FindingKind::kUncheckedError);
  EXPECT_THAT(Messages(), HasSubstr("cudaErrorLaunchPendingCountExceeded"));
  EXPECT_THAT(Messages(), HasSubstr("; at most 2 grids that kernels launched may wait or run"));
}

TEST_F(ChildLaunchTest, WhatWaitsOrIsNotOverAboveCountsAsPending) {
  Load(KernelOf("middle", LaunchOf("child", "0", 0) + LaunchOf("child", "1", 0)) +
       KernelOf("parent", LaunchOf("middle", "9", 0) + LaunchOf("child", "2", 0)));
  EXPECT_EQ(Run("parent", 1, 3), LaunchStatus::kOk);
  // With itself and the parent's second child, the middle's second one is too many.
  EXPECT_THAT(Out(3), ElementsAre(0, 77, 1));
}

TEST_F(ChildLaunchTest, ARecursionEndsWhereTheGridsAboveItUseUpTheRoom) {
  Load(KernelOf("deeper", "st.global.u32 [%rd1], %r5;\nadd.u32 %r6, %r5, 1;\n" + LaunchOf("deeper", "%r6", 0)));
  EXPECT_EQ(Run("deeper", 1, 30), LaunchStatus::kOk);
  EXPECT_THAT(Out(1), ElementsAre(30));
  EXPECT_THAT(Messages(), HasSubstr("cudaErrorLaunchPendingCountExceeded"));
}

TEST_F(ChildLaunchTest, AChainOfTailLaunchesUsesNoRoom) {
  const std::string again = "st.global.u32 [%rd1], %r5;\nadd.u32 %r6, %r5, 1;\nsetp.eq.u32 %p2, %r5, 50;\n@%p2 ret;\n";
  Load(KernelOf("chain", again + LaunchOf("chain", "%r6", 3)));
  EXPECT_EQ(Run("chain", 1, 3), LaunchStatus::kOk);
  EXPECT_THAT(Out(1), ElementsAre(50));
  EXPECT_EQ(Messages(), "");
}

TEST_F(ChildLaunchTest, AFaultInAChildEndsTheLaunchOfTheHost) {
  Load(KernelOf("fault", "mov.u64 %rd2, 0;\nst.global.u32 [%rd2], %r4;\n") +
       KernelOf("parent", LaunchOf("child", "0", 0) + LaunchOf("fault", "0", 0) + LaunchOf("child", "1", 0)));
  EXPECT_EQ(Run("parent"), LaunchStatus::kIllegalAddress);
  EXPECT_THAT(Out(2), ElementsAre(0, 77));
  EXPECT_EQ(device_.Findings()[0].kernel, "fault");
}

TEST_F(ChildLaunchTest, AChildsWorkIsAmongTheTouchedBytes) {
  Load(KernelOf("parent", LaunchOf("child", "5", 0)));
  LaunchRequest request;
  TouchedBytes touched;
  request.kernel = *device_.FindKernel(module_, "parent");
  request.grid = request.block = {1, 1, 1};
  request.parameters.resize(16);
  std::memcpy(request.parameters.data(), &out_, sizeof out_);
  request.touched = &touched;
  ASSERT_EQ(device_.Launch(request), LaunchStatus::kOk);
  ASSERT_EQ(touched.writes.all().size(), 1u);
  EXPECT_EQ(touched.writes.all()[0].begin, out_ + 20);
}

TEST_F(ChildLaunchTest, NothingStaysAllocated) {
  Load(KernelOf("parent", LaunchOf("child", "0", 0)));
  const size_t before = device_.LiveAllocations().size();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(Run("parent", 16), LaunchStatus::kOk);
  EXPECT_EQ(device_.LiveAllocations().size(), before);
}

constexpr char kRead[] = "ld.global.u32 %r1, [%rd1];\n";  // the word that child number 0 writes
constexpr char kWrite[] = "st.global.u32 [%rd1], %r4;\n";
constexpr char kAtomic[] = "atom.global.add.u32 %r1, [ticket], 0;\n";  // as the children do, too

TEST_F(ChildLaunchTest, WhatAThreadDoesAfterALaunchRacesWithTheChild) {
  const std::string launch = LaunchOf("child", "0", 0);
  Load(KernelOf("reads", launch + kRead) + KernelOf("writes", launch + kWrite) +
       KernelOf("between", launch + kRead + LaunchOf("child", "1", 0)) +
       KernelOf("plain", launch + "ld.global.u32 %r1, [ticket];\n"));
  const std::vector<std::pair<std::string, std::string>> kCases = {
      {"reads", "read element 0 of cudaMalloc (256 bytes) after the launch of child, which writes it"},
      {"writes", "wrote element 0 of cudaMalloc (256 bytes) after the launch of child, which writes it"},
      {"between", "read element 0 of cudaMalloc (256 bytes) after the launch of child, which writes it"},
      {"plain", "read element 0 of ticket (4 bytes) after the launch of child, which does an atomic on it"}};
  for (const auto& [kernel, message] : kCases) {
    device_.ResetObservations();
    EXPECT_EQ(Run(kernel), LaunchStatus::kOk) << kernel;
    ASSERT_EQ(device_.Findings().size(), 1u) << kernel;
    EXPECT_EQ(device_.Findings()[0].kind, FindingKind::kGlobalRace) << kernel;
    EXPECT_EQ(device_.Findings()[0].kernel, kernel);
    EXPECT_THAT(Messages(), HasSubstr(message));
  }
}

TEST_F(ChildLaunchTest, WhatALaunchOrdersIsNoRace) {
  const std::string launch = LaunchOf("child", "0", 0);
  Load(KernelOf("before", kRead + std::string(kWrite) + launch) +
       KernelOf("tail", LaunchOf("child", "0", 3) + kRead + kWrite) + KernelOf("atomic", launch + kAtomic) +
       KernelOf("elsewhere", launch + "st.global.u32 [%rd1+4], %r4;\n") +
       KernelOf("no_launch", StoreError(LaunchOf("child", "0", 0, 2000)) + kRead) +
       KernelOf("siblings", launch + LaunchOf("child", "0", 0)) +
       KernelOf("in_between", LaunchOf("child", "1", 0) + kWrite + launch));
  for (const char* kernel : {"before", "tail", "atomic", "elsewhere", "no_launch", "siblings", "in_between"}) {
    EXPECT_EQ(Run(kernel), LaunchStatus::kOk) << kernel;
    EXPECT_EQ(Messages(), "") << kernel;
  }
}

// The judge never links, so no kernel that it runs can launch another one, whatever its PTX calls.
TEST_F(ChildLaunchTest, AModuleThatWasNotLinkedCannotLaunch) {
  const std::string ptx = kHead + KernelOf("parent", LaunchOf("child", "0", 0));
  const Result<ModuleId> module = device_.LoadModule(ptx, "m");
  ASSERT_TRUE(module.ok()) << module.error().message;
  module_ = *module;
  out_ = *device_.Allocate(256);
  EXPECT_EQ(Run("parent"), LaunchStatus::kIllegalInstruction);
  EXPECT_THAT(Messages(), HasSubstr("__cudaCDP2GetParameterBufferV2 is not defined in this module"));
  EXPECT_THAT(Ran(), ElementsAre("parent"));
}

}  // namespace
}  // namespace warpgrade::emulator
