// What nvcc makes of the language beyond arithmetic: memory and virtual functions of kernels, alloca, groups of every
// size, mathematical functions. Every file of corpus/ must decode, in every way it is compiled.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {

std::vector<std::string> StackKeys() { return {"alloca", "stacksave", "stackrestore"}; }

namespace {

std::string Compiled(const std::string& name) {
  std::ifstream file(std::string(EXEC_CORPUS) + "/" + name + ".ptx");
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Clusters of several blocks are refused, and say so.
bool Refused(const std::string& message) { return message.find("luster") != std::string::npos; }

TEST(CoverageTest, EveryInstructionOfTheCorpusDecodes) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(EXEC_CORPUS)) {
    if (entry.path().extension() != ".ptx") continue;
    ++files;
    SCOPED_TRACE(entry.path().filename().string());
    Result<ptx::Module> module = ptx::Parse(Compiled(entry.path().stem().string()));
    ASSERT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
    for (const ptx::Function& f : module->functions) {
      if (!f.is_entry) continue;
      for (const std::string& message : UnsupportedInstructions(*Decode(*module, f, {}, MachineHandlers()))) {
        EXPECT_TRUE(f.prototype.name == "cluster" && Refused(message)) << f.prototype.name << ": " << message;
      }
    }
  }
  EXPECT_GE(files, 50);
}

TEST(StackTest, AllocaGrowsAndStackrestoreGivesBack) {
  const std::string body = R"(
    .reg .b64 %a, %b, %c, %top;
    alloca.u64 %a, 24, 8; st.local.u32 [%a+20], %t;
    stacksave.u64 %top; alloca.u64 %b, 64, 32; st.local.u32 [%b+60], 7; stackrestore.u64 %top;
    alloca.u64 %c, 16; ld.local.u32 %r1, [%a+20]; sub.u64 %b, %b, %a; sub.u64 %c, %c, %a;
    cvt.u32.u64 %r2, %b; cvt.u32.u64 %r3, %c; and.b32 %r2, %r2, 31; mad.lo.u32 %r1, %r1, 100, %r2; add.u32 %r1, %r1, %r3;
    st.global.u32 [%at0], %r1;
  )";
  for (const std::string& key : StackKeys()) EXPECT_TRUE(Reaches(Kernel(body), key));
  EXPECT_EQ(OutputOf(Kernel(body), {1}, {3}, 3), (std::vector<uint32_t>{32, 132, 232}));
}

TEST(StackTest, WritingPastWhatAllocaGaveIsReported) {
  KernelHarness h;
  h.Load(Kernel(".reg .b64 %a; alloca.u64 %a, 16, 8; st.local.u32 [%a+16], 1;"));
  Ran ran = h.Launch({1}, {1}, {0});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kOutOfBounds);
}

class FeatureTest : public ::testing::TestWithParam<const char*> {
 protected:
  void Load(KernelHarness& h, const char* file, const char* kernel) {
    h.Load(Compiled(std::string(file) + "_" + GetParam()), kernel);
  }
  bool From80() { return std::string(GetParam()).substr(0, 2) != "75"; }
  static void Clean(const Ran& ran) {
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    EXPECT_EQ(Describe(ran.findings), "");
  }
};

TEST_P(FeatureTest, VirtualFunctionsOfObjectsFromTheHeap) {
  KernelHarness h;
  Load(h, "device", "virtual_functions");
  DevicePtr out = h.Allocate(128);
  Clean(h.Launch({1}, {32}, {out}));
  std::vector<float> got = h.Download<float>(out, 32);
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(got[static_cast<size_t>(t)], static_cast<float>(t % 2 == 0 ? t * t : 3 * t * t));
}

TEST_P(FeatureTest, AHeapForManyBlocksOnSeveralHostThreads) {
  DeviceOptions options;
  options.host_threads = 4;
  options.global_memory_bytes = uint64_t{1} << 30;
  KernelHarness h(options);
  Load(h, "device", "heap");
  DevicePtr out = h.Allocate(64 * 64 * 4);
  const uint64_t before = h.device().FreeBytes();
  Clean(h.Launch({64}, {64}, {out, 10}));
  EXPECT_EQ(h.device().FreeBytes(), before);  // all was given back
  std::vector<int> got = h.Download<int>(out, 64 * 64);
  for (int b = 0; b < 64; ++b) {
    for (int t = 0; t < 64; ++t) EXPECT_EQ(got[static_cast<size_t>(b * 64 + t)], 45 + 10 * b + 15 * t);
  }
}

TEST_P(FeatureTest, AnExhaustedHeapGivesNullAndABadFreeIsReported) {
  KernelHarness h;
  Load(h, "device", "exhausted");
  DevicePtr out = h.Allocate(4);
  Clean(h.Launch({1}, {1}, {out}));
  EXPECT_EQ(h.Download<int>(out, 1)[0], 1);
  Load(h, "device", "bad_free");
  Ran ran = h.Launch({1}, {1}, {out});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_NE(ran.findings[0].message.find("does not come from malloc in a kernel"), std::string::npos);
}

TEST_P(FeatureTest, AllocaLambdasAndLocalArrays) {
  KernelHarness h;
  Load(h, "device", "stack");
  DevicePtr out = h.Allocate(128);
  Clean(h.Launch({1}, {32}, {out, 9}));
  for (int t = 0; t < 32; ++t) EXPECT_EQ(h.Download<int>(out, 32)[static_cast<size_t>(t)], 36 * t);
  Load(h, "device", "lambdas");
  Clean(h.Launch({1}, {32}, {out, 4}));
  for (int t = 0; t < 32; ++t) EXPECT_EQ(h.Download<int>(out, 32)[static_cast<size_t>(t)], 6 * t + 6 + 4 * t + 16);
  std::vector<int> in(32);
  for (int k = 0; k < 32; ++k) in[static_cast<size_t>(k)] = k * 7 % 19;
  Load(h, "device", "local_arrays");
  Clean(h.Launch({1}, {32}, {h.Upload(in), out}));
  for (int t = 0; t < 32; ++t) {
    std::vector<int> v = in;
    for (int k : in) v[static_cast<size_t>(k & 31)] += v[static_cast<size_t>((k + t) & 31)];
    EXPECT_EQ(h.Download<int>(out, 32)[static_cast<size_t>(t)],
              v[static_cast<size_t>(t)] + 1 + (in[static_cast<size_t>(t)] & 3));
  }
}

TEST_P(FeatureTest, VariablesWithInitialisersThatPointAtEachOther) {
  KernelHarness h;
  Load(h, "device", "variables");
  DevicePtr out = h.Allocate(128);
  Clean(h.Launch({1}, {30}, {out}));
  std::vector<float> got = h.Download<float>(out, 30);
  const float weights[5] = {0.5f, 1, 1.5f, 0, 0};
  const int values[4] = {10, 20, 30, 40};
  for (size_t t = 0; t < 30; ++t) {
    EXPECT_EQ(got[t], static_cast<float>(values[1 + t % 3]) * 0.25f + weights[t % 5] + 40 + "table"[t % 5] +
                          "hello"[t % 6] + 4);
  }
}

TEST_P(FeatureTest, PrintfKnowsEveryFormat) {
  KernelHarness h;
  Load(h, "device", "prints");
  Clean(h.Launch({1}, {1}, {static_cast<uint64_t>(-5), 0x4004000000000000, 0}));
  const std::string want =
      "1 -2 3 ff FF 10 c %    42|42   |00042|+42\n"
      "-5 18446744073709551611 fffffffffffffffb -5 -5 -5 0x1234\n"
      "2.500000 2.500 2.500000e+00 2.5       2.50|2.5       |0x1.4p+1 text      7\n"
      "plain\n";
  EXPECT_EQ(h.printed(), want);
}

TEST_P(FeatureTest, SpacesOfGenericAddresses) {
  KernelHarness h;
  Load(h, "device", "spaces");
  DevicePtr global = h.Allocate(16), out = h.Allocate(32);
  Clean(h.Launch({1}, {8}, {global, out}));
  // Global (and the very address), shared, local, constant, for two threads each.
  EXPECT_EQ(h.Download<int>(out, 8), (std::vector<int>{2, 2, 2, 2, 4, 4, 8, 8}));
}

TEST_P(FeatureTest, TilesOfEverySizeUpToAWarp) {
  std::vector<int> in(96);
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<int>(k * 5 % 11);
  KernelHarness h;
  Load(h, "groups", "tiles_of_all_sizes");
  DevicePtr out = h.Allocate(96 * 8 * 4);
  Clean(h.Launch({1}, {96}, {h.Upload(in), out}));
  std::vector<int> got = h.Download<int>(out, 96 * 8);
  auto sum = [&](size_t from, size_t to) {
    return std::accumulate(in.begin() + static_cast<long>(from), in.begin() + static_cast<long>(to), 0);
  };
  for (size_t t = 0; t < 96; ++t) {
    for (size_t s = 0; s < 5; ++s) {
      const size_t size = size_t{2} << s, first = t / size * size, rank = t - first, last = first + size;
      int lowest = in[first], highest = in[first], bits = 0;
      bool any = false, all = true;
      for (size_t k = first; k < last; ++k) {
        lowest = std::min(lowest, in[k]), highest = std::max(highest, in[k]), bits ^= in[k];
        any = any || in[k] > 3, all = all && in[k] > 0;
      }
      int want = in[first] + in[rank >= 1 ? t - 1 : t] + in[t + 1 < last ? t + 1 : t] + in[t ^ (size / 2)];
      want += any + all + static_cast<int>(t / size) * 2 + static_cast<int>(96 / size) + static_cast<int>(size);
      want += sum(first, last) + lowest + highest + bits + sum(first, t + 1) + sum(first, t);
      ASSERT_EQ(got[t * 8 + s], want) << "tile of " << size << " thread " << t;
    }
    const size_t warp = t / 32 * 32;
    EXPECT_EQ(got[t * 8 + 5], sum(warp, warp + 32));
    int same = 0, before = 0, parity = 0, parity_before = 0;
    for (size_t k = warp; k < warp + 32; ++k) {
      if (in[k] % 3 == in[t] % 3) same += in[k], before += k <= t ? in[k] : 0;
      if ((in[k] & 1) == (in[t] & 1)) parity += in[k], parity_before += k < t ? in[k] : 0;
    }
    EXPECT_EQ(got[t * 8 + 6], same + before);
    EXPECT_EQ(got[t * 8 + 7], parity_before + parity / 2 + 7);
  }
}

int LargeTile(const std::vector<int>& in, size_t t, size_t size) {
  const size_t first = t / size * size;
  int total = 0, inclusive = 0;
  bool five = false, small = true;
  for (size_t k = first; k < first + size; ++k) {
    total += in[k], inclusive += k <= t ? in[k] : 0;
    five = five || in[k] == 5, small = small && in[k] < 1000;
  }
  return in[first + 40] + five * 1000 + small * 2000 + total + inclusive + inclusive - in[t];
}

TEST_P(FeatureTest, TilesLargerThanAWarp) {
  std::vector<int> in(256);
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<int>(k * 13 % 101);
  KernelHarness h;
  Load(h, "groups", "large_tiles");
  DevicePtr out = h.Allocate(2048);
  Ran ran = h.Launch({1}, {256}, {h.Upload(in), out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  if (From80()) {  // on sm_75 the library's own memory is in the kernel's
    EXPECT_EQ(Describe(ran.findings), "");
  }
  std::vector<int> got = h.Download<int>(out, 512);
  for (size_t t = 0; t < 256; ++t) {
    EXPECT_EQ(got[2 * t], LargeTile(in, t, 64)) << t;
    EXPECT_EQ(got[2 * t + 1], LargeTile(in, t, 128)) << t;
  }
  if (!From80()) return;
  Load(h, "groups", "large_tiles_of_reserved_memory");
  Clean(h.Launch({1}, {256}, {h.Upload(in), out}));
  got = h.Download<int>(out, 256);
  for (size_t t = 0; t < 256; ++t) EXPECT_EQ(got[t], LargeTile(in, t, 64) + LargeTile(in, t, 256)) << t;
}

TEST_P(FeatureTest, GroupsCopyAndSynchronise) {
  std::vector<int> in(200);
  std::iota(in.begin(), in.end(), 3);
  KernelHarness h;
  Load(h, "groups", "group_copy");
  DevicePtr out = h.Allocate(800);
  Ran ran = h.Launch({1}, {32}, {h.Upload(in), out, 200}, 4096);
  Clean(ran);
  std::vector<int> got = h.Download<int>(out, 200);
  for (size_t k = 0; k < 200; ++k) EXPECT_EQ(got[k], in[k] + in[32 + k % 32]) << k;
  Load(h, "groups", "block_and_grid");
  out = h.Allocate(4 * 6 * 32);
  Clean(h.Launch({6}, {16, 2}, {out}, 0, true));
  got = h.Download<int>(out, 192);
  EXPECT_EQ(got[191], 5 + 600 + 5 + 1 + 1);
  EXPECT_EQ(got[0], 600 + 1 + got[191]);
}

TEST_P(FeatureTest, MathematicalFunctionsAgreeWithTheHost) {
  const std::string way = GetParam();
  if (way != "80" && way != "90_debug" && way != "80_fast") GTEST_SKIP() << "compiled in three ways";
  const size_t count = 80, threads = 32;
  std::vector<double> in;
  for (size_t k = 0; k <= threads; ++k) in.push_back(0.05 + 0.43 * static_cast<double>(k));
  KernelHarness h;
  Load(h, "maths", "doubles");
  DevicePtr out = h.Allocate(count * threads * 8);
  Clean(h.Launch({1}, {threads}, {h.Upload(in), out, count}));
  std::vector<double> got = h.Download<double>(out, count * threads);
  Load(h, "maths", "singles");
  std::vector<float> singles(in.begin(), in.end());
  out = h.Allocate(count * threads * 4);
  Clean(h.Launch({1}, {threads}, {h.Upload(singles), out, count}));
  std::vector<float> got_singles = h.Download<float>(out, count * threads);
  auto check = [&](double v, double w, auto at, double tolerance) {
    const double want[] = {
        std::sin(v),       std::cos(v),       std::tan(v),        std::asin(v / 16), std::acos(v / 16),
        std::atan(v),      std::atan2(v, w),  std::sinh(v),       std::cosh(v),      std::tanh(v),
        std::asinh(v),     std::acosh(v + 1), std::atanh(v / 16), std::exp(v),       std::exp2(v),
        std::pow(10.0, v), std::expm1(v),     std::log(v),        std::log2(v),      std::log10(v),
        std::log1p(v),     std::sqrt(v),      1 / std::sqrt(v),   std::cbrt(v),      std::hypot(v, w),
        std::pow(v, w),    std::erf(v),       std::erfc(v),       std::tgamma(v),    std::lgamma(v),
        ::j0(v),           ::j1(v),           ::jn(3, v),         ::y0(v),           ::y1(v)};
    for (size_t k = 0; k < std::size(want); ++k) {
      const double scale = std::max(1.0, std::fabs(want[k]));
      EXPECT_NEAR(at(k), want[k], tolerance * scale) << "function " << k << " of " << v;
    }
  };
  for (size_t t = 0; t < threads; ++t) {
    check(
        in[t], in[t + 1], [&](size_t k) { return got[t * count + k]; }, 2e-14);
    // Against the double-precision value of the rounded argument; functions of large slope magnify nothing then.
    check(
        singles[t], singles[t + 1], [&](size_t k) { return got_singles[t * count + k]; },
        way == "80_fast" ? 2e-2 : 4e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Compiled, FeatureTest,
                         ::testing::Values("75", "80", "90", "75_debug", "90_debug", "80_fast", "90_unoptimised"),
                         [](const auto& info) { return std::string("sm") + info.param; });

}  // namespace
}  // namespace warpgrade::emulator
