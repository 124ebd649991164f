// Kernels that nvcc compiled, in each way that changes its PTX: every instruction decodes, and the results are the
// host's.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

std::string Compiled(const std::string& name) {
  std::ifstream file(std::string(EXEC_CORPUS) + "/" + name + ".ptx");
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// How CMakeLists.txt compiles each file of corpus/.
constexpr const char* kWays[] = {"75", "80", "90", "75_debug", "90_debug", "80_fast", "90_unoptimised"};

class CorpusTest : public ::testing::TestWithParam<const char*> {
 protected:
  std::string Algorithms() { return Compiled(std::string("algorithms_") + GetParam()); }
  std::string Language() { return Compiled(std::string("language_") + GetParam()); }
  bool Fast() { return std::string(GetParam()).ends_with("fast"); }
};

std::vector<std::string> UnsupportedIn(const std::string& ptx) {
  Result<ptx::Module> module = ptx::Parse(ptx);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  std::vector<std::string> all;
  if (!module) return all;
  for (const ptx::Function& f : module->functions) {
    if (!f.is_entry) continue;
    for (const std::string& message : UnsupportedInstructions(*Decode(*module, f, {}, MachineHandlers())))
      all.push_back(f.prototype.name + ": " + message);
  }
  return all;
}

TEST_P(CorpusTest, EveryInstructionDecodes) {
  EXPECT_EQ(UnsupportedIn(Algorithms()), std::vector<std::string>{});
  EXPECT_EQ(UnsupportedIn(Language()), std::vector<std::string>{});
}

TEST(UnsupportedInstructionsTest, NamesWhatHasNoHandler) {
  std::vector<std::string> found =
      UnsupportedIn(Kernel("frobnicate.u32 %r1, %r2; add.u32 %r1, %r1, 1; mov.u32 %r1, %pm0;"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].find("`frobnicate.u32`"), std::string::npos);
  EXPECT_NE(found[1].find("%pm0"), std::string::npos);
}

// Runs one kernel of a module; nothing may be found.
class Runner : public KernelHarness {
 public:
  Runner(const std::string& ptx, const std::string& kernel) { Load(ptx, kernel); }
  void Run(Dim3 grid, Dim3 block, std::initializer_list<uint64_t> parameters, uint32_t shared = 0,
           bool cooperative = false) {
    Ran ran = Launch(grid, block, parameters, shared, cooperative);
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    EXPECT_EQ(Describe(ran.findings), "");
  }
};

template <typename T>
std::vector<T> Random(size_t n, int range) {
  std::mt19937 rng(7);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(static_cast<int>(rng() % static_cast<unsigned>(range)));
  return v;
}

template <typename T>
void CheckReduce(const std::string& ptx, const char* kernel) {
  std::vector<T> in = Random<T>(5003, 100);
  Runner r(ptx, kernel);
  DevicePtr out = r.Allocate(sizeof(T));
  r.Run({7}, {256}, {r.Upload(in), out, in.size()});
  EXPECT_EQ(r.Download<T>(out, 1)[0], std::accumulate(in.begin(), in.end(), T(0)));
}

TEST_P(CorpusTest, Reductions) {
  CheckReduce<int>(Algorithms(), "reduce_int");
  CheckReduce<float>(Algorithms(), "reduce_float");  // small whole numbers: exact in any order
  CheckReduce<double>(Algorithms(), "reduce_double");
}

TEST_P(CorpusTest, TransposeAndMatmul) {
  const uint32_t rows = 45, columns = 70, n = 37;
  std::vector<float> in = Random<float>(rows * columns, 1000);
  Runner t(Algorithms(), "transpose");
  DevicePtr out = t.Allocate(rows * columns * 4);
  t.Run({3, 2}, {32, 8}, {t.Upload(in), out, rows, columns});
  std::vector<float> got = t.Download<float>(out, rows * columns);
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t x = 0; x < columns; ++x) ASSERT_EQ(got[x * rows + y], in[y * columns + x]);
  }
  std::vector<float> a = Random<float>(n * n, 20), b = Random<float>(n * n, 30);
  Runner m(Algorithms(), "matmul");
  out = m.Allocate(n * n * 4);
  m.Run({3, 3}, {16, 16}, {m.Upload(a), m.Upload(b), out, n});
  got = m.Download<float>(out, n * n);
  for (uint32_t i = 0; i < n * n; ++i) {
    float sum = 0;
    for (uint32_t k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
    ASSERT_EQ(got[i], sum);
  }
}

TEST_P(CorpusTest, ScanHistogramAndConvolution) {
  std::vector<uint32_t> in = Random<uint32_t>(200, 50), want(200);
  std::partial_sum(in.begin(), in.end(), want.begin());
  Runner s(Algorithms(), "scan");
  DevicePtr out = s.Allocate(800);
  s.Run({1}, {256}, {s.Upload(in), out, 200}, 1024);
  EXPECT_EQ(s.Download<uint32_t>(out, 200), want);

  std::vector<uint8_t> bytes = Random<uint8_t>(3000, 256);
  want.assign(256, 0);
  for (uint8_t b : bytes) ++want[b];
  Runner h(Algorithms(), "histogram");
  out = h.Allocate(1024);
  h.Run({4}, {128}, {h.Upload(bytes), out, 3000});
  EXPECT_EQ(h.Download<uint32_t>(out, 256), want);

  KernelHarness c;
  Result<ModuleId> module = c.device().LoadModule(Algorithms(), "algorithms");
  ASSERT_TRUE(module.ok());
  Result<AllocationInfo> mask = c.device().FindVariable(*module, "mask");
  ASSERT_TRUE(mask.ok());
  const std::vector<float> weights = {1, 2, 3, 4, 5}, data = Random<float>(100, 50);
  ASSERT_TRUE(c.device().CopyToDevice(mask->base, weights.data(), 20).ok());
  LaunchRequest request;
  request.kernel = *c.device().FindKernel(*module, "convolve");
  request.grid = {2};
  request.block = {64};
  request.parameters.resize(24);
  const DevicePtr at[2] = {c.Upload(data), out = c.Allocate(400)};
  const uint32_t sizes[2] = {100, 5};
  std::memcpy(request.parameters.data(), at, 16);
  std::memcpy(request.parameters.data() + 16, sizes, 8);
  ASSERT_EQ(c.device().Launch(request), LaunchStatus::kOk);
  std::vector<float> got = c.Download<float>(out, 100);
  for (int i = 0; i < 100; ++i) {
    float sum = 0;
    for (int k = 0; k < 5; ++k)
      sum += i + k - 2 >= 0 && i + k - 2 < 100 ? weights[static_cast<size_t>(k)] * data[static_cast<size_t>(i + k - 2)]
                                               : 0;
    ASSERT_EQ(got[static_cast<size_t>(i)], sum);
  }
}

TEST_P(CorpusTest, CooperativeGroups) {
  std::vector<int> in = Random<int>(96, 40);
  Runner t(Language(), "tiles");
  DevicePtr out = t.Allocate(97 * 4);
  t.Run({1}, {96}, {t.Upload(in), out});
  std::vector<int> got = t.Download<int>(out, 97);
  EXPECT_EQ(got[96], 96);
  for (size_t k = 0; k < 96; ++k) {
    size_t first = k / 8 * 8;
    int sum = 0, odd = 0;
    for (size_t j = first; j < first + 8; ++j) sum += in[j], odd += in[j] & 1;
    ASSERT_EQ(got[k], sum + (sum > 100 ? 1000 : 0) + odd * 10000);
  }
  std::vector<int> many = Random<int>(10000, 100);
  Runner g(Language(), "grid_sum");
  out = g.Allocate(4);
  g.Run({40}, {64}, {g.Upload(many), g.Allocate(160), out, 10000}, 0, true);
  EXPECT_EQ(g.Download<int>(out, 1)[0], std::accumulate(many.begin(), many.end(), 0));
}

uint32_t Ackermann(uint32_t m, uint32_t n) {
  return m == 0 ? n + 1 : n == 0 ? Ackermann(m - 1, 1) : Ackermann(m - 1, Ackermann(m, n - 1));
}

TEST_P(CorpusTest, RecursionPointersAndSwitch) {
  Runner r(Language(), "recursion");
  DevicePtr out = r.Allocate(128);
  r.Run({1}, {18}, {out});
  for (uint32_t k = 0; k < 18; ++k) EXPECT_EQ(r.Download<uint32_t>(out, 18)[k], Ackermann(k % 3, k / 3)) << k;
  Runner p(Language(), "pointers");
  out = p.Allocate(128);
  p.Run({1}, {32}, {out});
  for (uint32_t k = 0; k < 32; ++k) EXPECT_EQ(p.Download<uint32_t>(out, 32)[k], k % 2 == 0 ? 2 * k : k * k);
  Runner c(Language(), "cases");
  out = c.Allocate(256);
  c.Run({1}, {64}, {out});
  std::vector<uint32_t> got = c.Download<uint32_t>(out, 64);
  for (uint32_t k = 0; k < 64; ++k) {
    uint32_t want = ~0u;
    switch (k % 9) {
      case 0:
        want = 0;
        for (int b = 0; b < 32; ++b) want |= (k >> b & 1) << (31 - b);
        break;
      case 1:
        want = static_cast<uint32_t>(std::countl_zero(k));
        break;
      case 2:
        want = k == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(k)) + 1;
        break;
      case 3:
        want = (0x78u << 24) | (0x34u << 16) | ((k & 0xFF) << 8) | (k >> 16 & 0xFF);
        break;
      case 4:
        want = 0x80000001u << 3 | k >> 29;
        break;
      case 5:
        want = static_cast<uint32_t>((int64_t{static_cast<int32_t>(k << 20)} * 0x12345678) >> 32);
        break;
      case 6:
        want = (k + 1) | 0x01010100;
        break;
      case 7:
        want = (k & 0xFF) * 4 + 7;
        break;
      default:
        break;
    }
    EXPECT_EQ(got[k], want) << k;
  }
}

TEST_P(CorpusTest, DivisionsOf64Bits) {
  std::vector<int64_t> a = {100, -100, INT64_MAX, INT64_MIN, 1, 0, 123456789012345, -5},
                       b = {7, 7, 3, 2, -1, 5, 1000003, INT64_MAX};
  Runner r(Language(), "division");
  DevicePtr out = r.Allocate(32 * 8);
  r.Run({1}, {8}, {r.Upload(a), r.Upload(b), out});
  std::vector<int64_t> got = r.Download<int64_t>(out, 32);
  for (size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(got[4 * k], a[k] / b[k]);
    EXPECT_EQ(got[4 * k + 1], a[k] % b[k]);
    EXPECT_EQ(static_cast<uint64_t>(got[4 * k + 2]), static_cast<uint64_t>(a[k]) / static_cast<uint64_t>(b[k]));
    unsigned __int128 product =
        static_cast<unsigned __int128>(static_cast<uint64_t>(a[k])) * static_cast<uint64_t>(b[k]);
    EXPECT_EQ(static_cast<uint64_t>(got[4 * k + 3]), static_cast<uint64_t>(product >> 64));
  }
}

TEST_P(CorpusTest, MathFunctions) {
  std::vector<double> in;
  for (int k = 0; k < 32; ++k) in.push_back(0.1 + 0.37 * k);
  Runner d(Language(), "doubles");
  DevicePtr out = d.Allocate(32 * 8 * 8);
  d.Run({1}, {32}, {d.Upload(in), out});
  std::vector<double> got = d.Download<double>(out, 256);
  for (size_t k = 0; k < 32; ++k) {
    double v = in[k];
    const double want[8] = {std::sqrt(v),
                            std::exp(-v),
                            std::log(v + 1),
                            std::sin(v) * std::cos(v),
                            1 / (v + 3),
                            std::pow(v + 1, 1.5),
                            std::fmod(v * 7, 3.0) + std::floor(v),
                            1 / std::sqrt(v + 1) + v + v};
    // The last one truncates v to a single on the way.
    for (size_t j = 0; j < 8; ++j)
      EXPECT_NEAR(got[8 * k + j], want[j], j == 7 ? 1e-6 * want[j] : 1e-14 * (1 + std::fabs(want[j]))) << v << " " << j;
  }
  std::vector<float> singles(in.begin(), in.end());
  Runner f(Language(), "floats");
  out = f.Allocate(32 * 8 * 4);
  f.Run({1}, {32}, {f.Upload(singles), out});
  std::vector<float> got_singles = f.Download<float>(out, 256);
  for (size_t k = 0; k < 32; ++k) {
    float v = singles[k];
    const float want[8] = {std::sqrt(v),
                           std::exp(-v),
                           std::log(v + 1),
                           std::sin(v) * std::cos(v),
                           1 / (v + 3),
                           std::pow(v + 1, 1.5f),
                           std::fmod(v * 7, 3.0f) + std::round(v),
                           std::tanh(v) + v / 2 + std::min(v, 1.0f) + v};
    for (size_t j = 0; j < 8; ++j)
      EXPECT_NEAR(got_singles[8 * k + j], want[j], (Fast() ? 1e-3f : 2e-6f) * (1 + std::fabs(want[j])))
          << v << " " << j;
  }
}

TEST_P(CorpusTest, HalvesStructsAndLocks) {
  const std::vector<uint16_t> in = {0x3C00, 0x4200, 0xC000, 0x0001, 0x3555};  // 1, 3, -2, the smallest, a third
  Runner h(Language(), "halves");
  DevicePtr out = h.Allocate(64), wide = h.Allocate(64), brain = h.Allocate(64);
  h.Run({1}, {5}, {h.Upload(in), out, wide, brain});
  // (v * v + 0.5) + (v * v + 0.5), or v * v where v > 2.
  EXPECT_EQ(h.Download<uint16_t>(out, 5), (std::vector<uint16_t>{0x4200, 0x4880, 0x4880, 0x3C00, 0x3CE3}));
  EXPECT_EQ(h.Download<float>(wide, 5), (std::vector<float>{1, 3, 1, 1, 1}));
  EXPECT_EQ(h.Download<uint16_t>(brain, 3), (std::vector<uint16_t>{0x3FC0, 0x4090, 0xC040}));

  struct {
    int offset[4];
    double scale;
    DevicePtr in;
    DevicePtr out;
  } parameters = {{10, 20, 30, 40}, 0.5, 0, 0};
  KernelHarness s;
  s.Load(Language(), "by_value");
  parameters.in = s.Upload(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  parameters.out = s.Allocate(64);
  LaunchRequest request;
  request.kernel = s.kernel();
  request.block = {8};
  request.parameters.resize(sizeof(parameters));
  std::memcpy(request.parameters.data(), &parameters, sizeof(parameters));
  ASSERT_EQ(s.device().Launch(request), LaunchStatus::kOk);
  EXPECT_EQ(s.Download<double>(parameters.out, 8), (std::vector<double>{10.5, 21, 31.5, 42, 12.5, 23, 33.5, 44}));

  Runner l(Language(), "locked");
  out = l.Allocate(4);
  l.Run({2}, {32}, {out});
  EXPECT_EQ(l.Download<int>(out, 1)[0], 64);
}

TEST_P(CorpusTest, PrintfAndAssert) {
  Runner p(Language(), "prints");
  p.Run({1}, {32}, {2});
  EXPECT_EQ(p.printed(), "thread 0 of block: 0.00 1099511627776\nthread 1 of block: 0.50 1099511627776\n");
  Ran ran = p.Launch({1}, {32}, {0});
  EXPECT_EQ(ran.status, LaunchStatus::kAssert);
  ASSERT_GE(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message.substr(0, 25), "assertion `n > 0` failed ");
}

TEST_P(CorpusTest, VotesOfAWarp) {
  std::vector<int> in = Random<int>(32, 6);
  Runner v(Language(), "votes");
  DevicePtr out = v.Allocate(128);
  v.Run({1}, {32}, {v.Upload(in), out});
  std::vector<uint32_t> got = v.Download<uint32_t>(out, 32);
  uint32_t ballot = 0, odd = 0, sum = 0, most = 0;
  for (uint32_t k = 0; k < 32; ++k) {
    ballot |= static_cast<uint32_t>(in[k] > 3) << k;
    odd += static_cast<uint32_t>(in[k] & 1);
    sum += static_cast<uint32_t>(in[k]);
    most = std::max(most, static_cast<uint32_t>(in[k]));
  }
  bool reduces = std::string(GetParam()).substr(0, 2) != "75";
  for (uint32_t k = 0; k < 32; ++k) {
    uint32_t same = 0;
    for (uint32_t j = 0; j < 32; ++j) same |= static_cast<uint32_t>(in[j] == in[k]) << j;
    EXPECT_EQ(got[k], (same ^ ballot ^ 1) + odd * 3 + 0xFFFFFFFF % 7 + 1 + k + (reduces ? sum - most : 0)) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Compiled, CorpusTest, ::testing::ValuesIn(kWays),
                         [](const auto& info) { return std::string("sm") + info.param; });

}  // namespace
}  // namespace warpgrade::emulator
