// Matrix instructions. wmma is checked by what it computes (its fragments are opaque); mma, ldmatrix and stmatrix also
// by where each element lies, written down from the ISA's figures. PTX ISA 9.0, "Warp Level Matrix Instructions".
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {

std::vector<std::string> MatrixKeys() {
  return {"mma.float", "mma.f64", "mma.integer", "wmma.fragment", "matrix.rows", "movmatrix.b16"};
}

namespace {

TEST(MatrixTest, EveryKeyIsReached) {
  const std::pair<const char*, const char*> spellings[] = {
      {"mma.float",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};"},
      {"mma.f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2};"},
      {"mma.integer", "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r1,%r2};"},
      {"wmma.fragment", "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r1,%r2}, [%rd1], %r3;"},
      {"matrix.rows", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];"},
      {"movmatrix.b16", "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"},
  };
  for (const auto& [key, ptx] : spellings) EXPECT_TRUE(Reaches(Kernel(ptx), key)) << ptx;
}

std::string Compiled(const std::string& way) {
  std::ifstream file(std::string(EXEC_CORPUS) + "/matrix_" + way + ".ptx");
  EXPECT_TRUE(file) << way;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// How a number is stored.
struct ElementType {
  const char* name;
  int bits;
  bool is_signed;
  std::function<uint64_t(double)> encode;
  std::function<double(uint64_t)> decode;
};
template <typename T>
ElementType Whole(const char* name, int bits) {
  return {name, bits, T(-1) < T(0), [](double v) { return static_cast<uint64_t>(static_cast<int64_t>(v)); },
          [bits](uint64_t v) {
            uint64_t low = v & ((uint64_t{1} << bits) - 1);
            bool negative = T(-1) < T(0) && low >> (bits - 1);
            return static_cast<double>(low) - (negative ? std::ldexp(1.0, bits) : 0);
          }};
}
ElementType Brief(const char* name, const Narrow& n) {
  return {name, 16, true, [n](double v) { return RoundTo(n, v); },
          [n](uint64_t v) { return static_cast<double>(Widen(v, n)); }};
}
const ElementType kF16 = Brief("f16", kHalf), kBF16 = Brief("bf16", kBFloat);
const ElementType kF32{"f32", 32, true, [](double v) -> uint64_t { return Cast<uint32_t>(static_cast<float>(v)); },
                       [](uint64_t v) -> double { return Cast<float>(v); }};
const ElementType kF64{"f64", 64, true, [](double v) { return Cast<uint64_t>(v); },
                       [](uint64_t v) { return Cast<double>(v); }};
const ElementType kS8 = Whole<int>("s8", 8), kU8 = Whole<unsigned>("u8", 8), kS4 = Whole<int>("s4", 4),
                  kU4 = Whole<unsigned>("u4", 4), kB1 = Whole<unsigned>("b1", 1), kS32 = Whole<int>("s32", 32);

std::vector<uint8_t> Packed(const std::vector<double>& values, const ElementType& e) {
  const size_t bytes = static_cast<size_t>(e.bits) / 8;
  std::vector<uint8_t> out(values.size() * bytes);
  for (size_t k = 0; k < values.size(); ++k) {
    uint64_t v = e.encode(values[k]);
    std::memcpy(out.data() + k * bytes, &v, bytes);
  }
  return out;
}

// Small whole numbers: every format holds them and their sums exactly.
std::vector<double> Small(size_t n, const ElementType& e, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<double> v(n);
  for (double& x : v) x = e.bits == 1 ? rng() % 2 : static_cast<double>(rng() % 6) - (e.is_signed ? 3 : 0);
  return v;
}

struct WmmaCase {
  const char* kernel;
  ElementType factor, sum;
  std::vector<std::array<int, 3>> shapes;
  bool from_80 = false;
};

class MatrixProgramTest : public ::testing::TestWithParam<const char*> {
 protected:
  bool From80() { return std::string(GetParam()).substr(0, 2) != "75"; }
};

TEST_P(MatrixProgramTest, WmmaMultipliesInEveryTypeShapeAndLayout) {
  const std::vector<std::array<int, 3>> usual = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  const WmmaCase cases[] = {{"wmma_half_single", kF16, kF32, usual},
                            {"wmma_half_half", kF16, kF16, usual},
                            {"wmma_s8", kS8, kS32, usual},
                            {"wmma_u8", kU8, kS32, usual},
                            {"wmma_bfloat", kBF16, kF32, usual, true},
                            {"wmma_tf32", kF32, kF32, {{16, 16, 8}}, true},
                            {"wmma_double", kF64, kF64, {{8, 8, 4}}, true}};
  for (const WmmaCase& c : cases) {
    if (c.from_80 && !From80()) continue;
    SCOPED_TRACE(c.kernel);
    const std::vector<double> a = Small(512, c.factor, 1), b = Small(512, c.factor, 2), s = Small(256, c.sum, 3);
    KernelHarness h;
    h.Load(Compiled(GetParam()), c.kernel);
    const size_t bytes = static_cast<size_t>(c.sum.bits) / 8;
    DevicePtr out = h.Allocate(3072 * bytes);
    Ran ran = h.Launch({1}, {32},
                       {h.Upload(Packed(a, c.factor)), h.Upload(Packed(b, c.factor)), h.Upload(Packed(s, c.sum)), out});
    ASSERT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    EXPECT_EQ(Describe(ran.findings), "");
    std::vector<uint8_t> got = h.Download<uint8_t>(out, 3072 * bytes);
    for (size_t shape = 0; shape < c.shapes.size(); ++shape) {
      const auto [m, n, k] = c.shapes[shape];
      for (int layout = 0; layout < 4; ++layout) {  // row.col, row.row, col.col, col.row
        for (int r = 0; r < m; ++r) {
          for (int col = 0; col < n; ++col) {
            double want = s[static_cast<size_t>(r * n + col)] + 1;
            for (int p = 0; p < k; ++p) {
              want += a[static_cast<size_t>(layout < 2 ? r * k + p : p * m + r)] *
                      b[static_cast<size_t>(layout % 2 == 1 ? p * n + col : col * k + p)];
            }
            uint64_t bits = 0;
            const size_t at = shape * 1024 + static_cast<size_t>(layout * m * n + r * n + col);
            std::memcpy(&bits, got.data() + at * bytes, bytes);
            ASSERT_EQ(c.sum.decode(bits), want)
                << m << "x" << n << "x" << k << " layout " << layout << " " << r << "," << col;
          }
        }
      }
    }
  }
}

TEST_P(MatrixProgramTest, FragmentsFromSharedMemoryWithAStrideAndStoredByColumns) {
  const std::vector<double> a = Small(256, kF16, 4), b = Small(256, kF16, 5);
  KernelHarness h;
  h.Load(Compiled(GetParam()), "wmma_column_store");
  DevicePtr single = h.Allocate(4 * 320), half = h.Allocate(512);
  Ran ran = h.Launch({1}, {32}, {h.Upload(Packed(a, kF16)), h.Upload(Packed(b, kF16)), single, half});
  ASSERT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  std::vector<float> got = h.Download<float>(single, 320);
  std::vector<uint16_t> got_half = h.Download<uint16_t>(half, 256);
  for (size_t r = 0; r < 16; ++r) {
    for (size_t c = 0; c < 16; ++c) {
      double want = 0.5;
      for (size_t k = 0; k < 16; ++k) want += a[r * 16 + k] * b[c * 16 + k];
      ASSERT_EQ(got[c * 20 + r], want);
      ASSERT_EQ(kF16.decode(got_half[c * 16 + r]), want);
    }
  }
}

// The ISA's figures: row and column of element i of a lane's fragment; g = lane / 4, t = lane % 4.
using At = std::function<int(int i, int g, int t)>;
struct MmaCase {
  const char* kernel;
  int m, n, k;
  ElementType a, b, sum;
  At a_row, a_column, b_row;  // b's column is g; c: row g, or g + 8 from its third element on, column 2t + i % 2
  std::function<double(double, double)> product = std::multiplies<>();
  bool from_80 = false;
};

// Long because it is a table: one row for each shape.
TEST_P(MatrixProgramTest, MmaTakesItsElementsFromWhereTheIsaDrawsThem) {
  const At g = [](int, int group, int) { return group; };
  const At by_2 = [](int i, int group, int) { return i < 2 ? group : group + 8; };
  const At by_4 = [](int i, int group, int) { return i < 4 ? group : group + 8; };
  const At by_8 = [](int i, int group, int) { return i < 8 ? group : group + 8; };
  const At k8 = [](int i, int, int t) { return t * 2 + (i & 1); };
  const At k16_half = [](int i, int, int t) { return t * 2 + (i & 1) + (i >= 4 ? 8 : 0); };
  const At k16_half_b = [](int i, int, int t) { return t * 2 + (i & 1) + (i >= 2 ? 8 : 0); };
  const At row_16_half = [](int i, int group, int) { return (i < 2) || (i >= 4 && i < 6) ? group : group + 8; };
  const At k16_byte = [](int i, int, int t) { return t * 4 + (i & 3); };
  const At row_32_byte = [](int i, int group, int) { return i < 4 || (i >= 8 && i < 12) ? group : group + 8; };
  const At k32_byte = [](int i, int, int t) { return t * 4 + (i & 3) + (i >= 8 ? 16 : 0); };
  const At k32_byte_b = [](int i, int, int t) { return t * 4 + (i & 3) + (i >= 4 ? 16 : 0); };
  const At k32_nibble = [](int i, int, int t) { return t * 8 + (i & 7); };
  const At row_64_nibble = [](int i, int group, int) { return i < 8 || (i >= 16 && i < 24) ? group : group + 8; };
  const At k64_nibble = [](int i, int, int t) { return t * 8 + (i & 7) + (i >= 16 ? 32 : 0); };
  const At k64_nibble_b = [](int i, int, int t) { return t * 8 + (i & 7) + (i >= 8 ? 32 : 0); };
  const At tf32_row = [](int i, int group, int) { return i == 0 || i == 2 ? group : group + 8; };
  const At tf32_column = [](int i, int, int t) { return i < 2 ? t : t + 4; };
  const At tf32_b = [](int i, int, int t) { return i == 0 ? t : t + 4; };
  const At just_t = [](int, int, int t) { return t; };
  const At bits_32 = [](int i, int, int t) { return t * 32 + (i & 31); };
  const At row_256_bit = [](int i, int group, int) { return i < 32 || (i >= 64 && i < 96) ? group : group + 8; };
  const At k256_bit = [](int i, int, int t) { return t * 32 + (i & 31) + (i >= 64 ? 128 : 0); };
  const At k256_bit_b = [](int i, int, int t) { return t * 32 + (i & 31) + (i >= 32 ? 128 : 0); };
  auto different = [](double a, double b) { return a != b ? 1.0 : 0.0; };
  const MmaCase cases[] = {
      {"mma_1688_half", 16, 8, 8, kF16, kF16, kF32, by_2, k8, k8},
      {"mma_1688_half_half", 16, 8, 8, kF16, kF16, kF16, by_2, k8, k8},
      {"mma_8816_s8", 8, 8, 16, kS8, kS8, kS32, g, k16_byte, k16_byte},
      {"mma_8816_u8s8", 8, 8, 16, kU8, kS8, kS32, g, k16_byte, k16_byte},
      {"mma_8832_s4", 8, 8, 32, kS4, kU4, kS32, g, k32_nibble, k32_nibble},
      {"mma_16816_half", 16, 8, 16, kF16, kF16, kF32, row_16_half, k16_half, k16_half_b, std::multiplies<>(), true},
      {"mma_16816_half_half", 16, 8, 16, kF16, kF16, kF16, row_16_half, k16_half, k16_half_b, std::multiplies<>(),
       true},
      {"mma_16816_bfloat", 16, 8, 16, kBF16, kBF16, kF32, row_16_half, k16_half, k16_half_b, std::multiplies<>(), true},
      {"mma_1688_bfloat", 16, 8, 8, kBF16, kBF16, kF32, by_2, k8, k8, std::multiplies<>(), true},
      {"mma_1688_tf32", 16, 8, 8, kF32, kF32, kF32, tf32_row, tf32_column, tf32_b, std::multiplies<>(), true},
      {"mma_1684_tf32", 16, 8, 4, kF32, kF32, kF32, tf32_row, just_t, just_t, std::multiplies<>(), true},
      {"mma_16816_s8", 16, 8, 16, kS8, kU8, kS32, by_4, k16_byte, k16_byte, std::multiplies<>(), true},
      {"mma_16832_s8", 16, 8, 32, kS8, kS8, kS32, row_32_byte, k32_byte, k32_byte_b, std::multiplies<>(), true},
      {"mma_16832_s4", 16, 8, 32, kS4, kS4, kS32, by_8, k32_nibble, k32_nibble, std::multiplies<>(), true},
      {"mma_16864_u4", 16, 8, 64, kU4, kU4, kS32, row_64_nibble, k64_nibble, k64_nibble_b, std::multiplies<>(), true},
      {"mma_8x8_b1", 8, 8, 128, kB1, kB1, kS32, g, bits_32, bits_32, different, true},
      {"mma_16x8_b1", 16, 8, 256, kB1, kB1, kS32, row_256_bit, k256_bit, k256_bit_b, std::multiplies<>(), true},
  };
  for (const MmaCase& c : cases) {
    if (c.from_80 && !From80()) continue;
    SCOPED_TRACE(c.kernel);
    const std::vector<double> a = Small(static_cast<size_t>(c.m * c.k), c.a, 6),
                              b = Small(static_cast<size_t>(c.k * c.n), c.b, 7),
                              s = Small(static_cast<size_t>(c.m * c.n), c.sum, 8);
    std::vector<uint32_t> pa(128), pb(64), pc(128);
    auto fill = [](std::vector<uint32_t>& words, size_t each_lane, int lane, int count, const ElementType& e,
                   const std::function<double(int)>& value) {
      for (int i = 0; i < count; ++i) {
        const int bit = i * e.bits;
        uint64_t v = e.encode(value(i)) & (e.bits == 32 ? 0xFFFFFFFF : (uint64_t{1} << e.bits) - 1);
        words[static_cast<size_t>(lane) * each_lane + static_cast<size_t>(bit / 32)] |=
            static_cast<uint32_t>(v << (bit % 32));
      }
    };
    auto c_place = [&](int i, int lane) {
      return static_cast<size_t>((i < 2 ? lane / 4 : lane / 4 + 8) * c.n + lane % 4 * 2 + (i & 1));
    };
    for (int lane = 0; lane < 32; ++lane) {
      const int group = lane / 4, t = lane % 4;
      fill(pa, 4, lane, c.m * c.k / 32, c.a,
           [&](int i) { return a[static_cast<size_t>(c.a_row(i, group, t) * c.k + c.a_column(i, group, t))]; });
      fill(pb, 2, lane, c.k * c.n / 32, c.b,
           [&](int i) { return b[static_cast<size_t>(c.b_row(i, group, t) * c.n + group)]; });
      fill(pc, 4, lane, c.m * c.n / 32, c.sum, [&](int i) { return s[c_place(i, lane)]; });
    }
    KernelHarness h;
    h.Load(Compiled(GetParam()), c.kernel);
    DevicePtr out = h.Allocate(512);
    Ran ran = h.Launch({1}, {32}, {h.Upload(pa), h.Upload(pb), h.Upload(pc), out});
    ASSERT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    std::vector<uint32_t> got = h.Download<uint32_t>(out, 128);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < c.m * c.n / 32; ++i) {
        const size_t place = c_place(i, lane), row = place / static_cast<size_t>(c.n),
                     column = place % static_cast<size_t>(c.n);
        double want = s[place];
        for (size_t p = 0; p < static_cast<size_t>(c.k); ++p) {
          want += c.product(a[row * static_cast<size_t>(c.k) + p], b[p * static_cast<size_t>(c.n) + column]);
        }
        const int bit = i * c.sum.bits;
        uint64_t bits = got[static_cast<size_t>(lane) * 4 + static_cast<size_t>(bit / 32)] >> (bit % 32);
        if (c.sum.bits == 16) bits &= 0xFFFF;
        ASSERT_EQ(c.sum.decode(bits), want) << "lane " << lane << " element " << i;
      }
    }
  }
}

TEST_P(MatrixProgramTest, DoublesAreAChainOfFusedMultiplyAdds) {
  if (!From80()) GTEST_SKIP() << "from sm_80 on";
  std::mt19937 rng(9);
  std::vector<double> a(32), b(32), s(64);
  for (auto* v : {&a, &b, &s}) {
    for (double& x : *v) x = std::ldexp(static_cast<double>(rng()), -static_cast<int>(rng() % 40)) - 1e3;
  }
  KernelHarness h;
  h.Load(Compiled(GetParam()), "mma_884_double");
  DevicePtr out = h.Allocate(512);
  ASSERT_EQ(h.Launch({1}, {32}, {h.Upload(a), h.Upload(b), h.Upload(s), out}).status, LaunchStatus::kOk);
  std::vector<double> got = h.Download<double>(out, 64);
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t i = 0; i < 2; ++i) {
      double want = s[2 * lane + i];
      // a: row lane / 4, column lane % 4; b: row lane % 4, column lane / 4.
      for (size_t p = 0; p < 4; ++p) want = std::fma(a[lane / 4 * 4 + p], b[(lane % 4 * 2 + i) * 4 + p], want);
      EXPECT_EQ(got[2 * lane + i], want) << lane;
    }
  }
}

TEST_P(MatrixProgramTest, LdmatrixStmatrixAndMovmatrix) {
  std::vector<uint16_t> in(256);
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<uint16_t>(k);  // row r of matrix m: 64m + 8r ...
  KernelHarness h;
  h.Load(Compiled(GetParam()), "ldmatrix");
  DevicePtr out = h.Allocate(32 * 14 * 4);
  Ran ran = h.Launch({1}, {32}, {h.Upload(in), out});
  ASSERT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(Describe(ran.findings), "");
  EXPECT_EQ(ran.counters().shared_load_requests, 6u);
  EXPECT_EQ(ran.counters().shared_load_wavefronts, 2u * (1 + 2 + 4));
  std::vector<uint32_t> got = h.Download<uint32_t>(out, 32 * 14);
  const uint32_t matrix[7] = {0, 0, 1, 0, 1, 2, 3};
  for (uint32_t l = 0; l < 32; ++l) {
    for (uint32_t w = 0; w < 7; ++w) {
      uint32_t first = 64 * matrix[w] + 8 * (l / 4) + 2 * (l % 4), top = 64 * matrix[w] + 16 * (l % 4) + l / 4;
      EXPECT_EQ(got[l * 14 + w], (first + 1) << 16 | first) << l << " " << w;
      EXPECT_EQ(got[l * 14 + 7 + w], (top + 8) << 16 | top) << l << " " << w;
    }
  }
  h.Load(Compiled(GetParam()), "movmatrix");
  std::vector<uint32_t> words(32);
  for (uint32_t l = 0; l < 32; ++l) words[l] = (8 * (l / 4) + 2 * (l % 4) + 1) << 16 | (8 * (l / 4) + 2 * (l % 4));
  out = h.Allocate(128);
  ASSERT_EQ(h.Launch({1}, {32}, {h.Upload(words), out}).status, LaunchStatus::kOk);
  got = h.Download<uint32_t>(out, 32);
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(got[l], (16 * (l % 4) + l / 4 + 8) << 16 | (16 * (l % 4) + l / 4));
  if (std::string(GetParam()).substr(0, 2) != "90") return;
  h.Load(Compiled(GetParam()), "stmatrix");
  std::vector<uint32_t> fragments(128);
  for (uint32_t k = 0; k < 128; ++k) fragments[k] = k * 0x00010003;
  out = h.Allocate(1024);
  ASSERT_EQ(h.Launch({1}, {32}, {h.Upload(fragments), out}).status, LaunchStatus::kOk);
  std::vector<uint16_t> tile = h.Download<uint16_t>(out, 512);
  for (uint32_t l = 0; l < 32; ++l) {
    for (uint32_t m = 0; m < 4; ++m) {
      uint32_t v = fragments[4 * l + m];
      EXPECT_EQ(tile[64 * m + 8 * (l / 4) + 2 * (l % 4)], v & 0xFFFF);
      EXPECT_EQ(tile[64 * m + 8 * (l / 4) + 2 * (l % 4) + 1], v >> 16);
      if (m >= 2) continue;
      EXPECT_EQ(tile[256 + 64 * m + 8 * (2 * (l % 4)) + l / 4], v & 0xFFFF);
      EXPECT_EQ(tile[256 + 64 * m + 8 * (2 * (l % 4) + 1) + l / 4], v >> 16);
    }
  }
}

TEST_P(MatrixProgramTest, AHalfEmptyWarpIsReported) {
  KernelHarness h;
  h.Load(Compiled(GetParam()), "movmatrix");
  Ran ran = h.Launch({1}, {16}, {h.Allocate(128), h.Allocate(128)});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_NE(ran.findings[0].message.find("needs all 32 lanes"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Compiled, MatrixProgramTest, ::testing::Values("75", "80", "90", "90_debug"),
                         [](const auto& info) { return std::string("sm") + info.param; });

}  // namespace
}  // namespace warpgrade::emulator
