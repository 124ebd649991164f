// Moves, packing and unpacking, address windows, special registers and kernel parameters. PTX ISA 9.0, "mov", "cvta",
// "isspacep", "Special Registers".
#include <gtest/gtest.h>

#include <functional>

#include "grader/emulator/state/execution.h"
#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

Form Make(const char* key, const char* ptx, Operand d, Operand a, Operand b, Operand c, Oracle oracle) {
  return {key, ptx, d, a, b, c, std::move(oracle)};
}

struct ThreadId {
  Dim3 block, thread;
  uint32_t lane, warp;
};
constexpr Dim3 kGrid{3, 2, 2}, kBlock{8, 5, 2};  // 80 threads: the last warp is half full

struct Special {
  const char* name;
  std::function<uint32_t(const ThreadId&)> value;
};
const std::vector<Special>& Specials() {
  static const auto* specials = new std::vector<Special>{
      {"tid.x", [](const ThreadId& i) { return i.thread.x; }},
      {"tid.y", [](const ThreadId& i) { return i.thread.y; }},
      {"tid.z", [](const ThreadId& i) { return i.thread.z; }},
      {"ctaid.x", [](const ThreadId& i) { return i.block.x; }},
      {"ctaid.y", [](const ThreadId& i) { return i.block.y; }},
      {"ctaid.z", [](const ThreadId& i) { return i.block.z; }},
      {"ntid.x", [](const ThreadId&) { return kBlock.x; }},
      {"ntid.y", [](const ThreadId&) { return kBlock.y; }},
      {"ntid.z", [](const ThreadId&) { return kBlock.z; }},
      {"nctaid.x", [](const ThreadId&) { return kGrid.x; }},
      {"nctaid.y", [](const ThreadId&) { return kGrid.y; }},
      {"nctaid.z", [](const ThreadId&) { return kGrid.z; }},
      {"laneid", [](const ThreadId& i) { return i.lane; }},
      {"warpid", [](const ThreadId& i) { return i.warp; }},
      {"nwarpid", [](const ThreadId&) { return 64u; }},
      {"gridid", [](const ThreadId&) { return 0u; }},
      {"smid", [](const ThreadId& i) { return (i.block.x + kGrid.x * (i.block.y + kGrid.y * i.block.z)) % 132; }},
      {"nsmid", [](const ThreadId&) { return 132u; }},
      {"reserved_smem_offset_1", [](const ThreadId&) { return 2048u; }},
      {"dynamic_smem_size", [](const ThreadId&) { return 64u; }},
      {"total_smem_size", [](const ThreadId&) { return 64u; }},
      {"lanemask_eq", [](const ThreadId& i) { return 1u << i.lane; }},
      {"lanemask_lt", [](const ThreadId& i) { return (1u << i.lane) - 1; }},
      {"lanemask_le", [](const ThreadId& i) { return (2u << i.lane) - 1; }},
      {"lanemask_gt", [](const ThreadId& i) { return ~((2u << i.lane) - 1); }},
      {"lanemask_ge", [](const ThreadId& i) { return ~((1u << i.lane) - 1); }},
  };
  return *specials;
}

// How each kernel parameter key is spelled: modifiers and the type, the register, the bytes of the parameter block that
// it reads from offset 8 on, and whether the sign is extended.
struct ParameterLoad {
  const char* key;
  const char* type;
  bool wide;
};
constexpr ParameterLoad kParameterLoads[] = {
    {"ld.kernelparam.u8", "u8", false},       {"ld.kernelparam.s8", "s8", false},
    {"ld.kernelparam.u16", "u16", false},     {"ld.kernelparam.s16", "s16", false},
    {"ld.kernelparam.u32", "u32", false},     {"ld.kernelparam.u64", "u64", true},
    {"ld.kernelparam.u8.wide", "u8", true},   {"ld.kernelparam.s8.wide", "s8", true},
    {"ld.kernelparam.u16.wide", "u16", true}, {"ld.kernelparam.s16.wide", "s16", true},
    {"ld.kernelparam.u32.wide", "u32", true}, {"ld.kernelparam.s32.wide", "s32", true}};

std::string ParameterKernel(const ParameterLoad& load) {
  std::string r = load.wide ? "%rd1" : "%r1", bits = load.wide ? "b64" : "b32";
  return std::string(
             ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .align 8 .b8 "
             "s[24]) {\n") +
         ".reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd2, [out];\n" + "ld.param." + load.type + " " + r +
         ", [s+8]; st.global." + bits + " [%rd2], " + r + "; ret; }\n";
}

}  // namespace

std::vector<Form> MoveForms() {
  constexpr Operand none = Operand::kNone, h = Operand::kInt16, w = Operand::kInt32, d = Operand::kInt64;
  auto same = [](uint64_t a, uint64_t, uint64_t) { return a; };
  auto window = [](uint64_t base) { return [base](uint64_t a, uint64_t, uint64_t) { return a + base; }; };
  auto inside = [](uint64_t base) {
    return [base](uint64_t a, uint64_t, uint64_t) -> uint64_t { return a >= base && a < base + kWindowBytes; };
  };
  return {
      Make("mov.b16", "mov.b16 %d, %a;", h, h, none, none, same),
      Make("mov.b32", "mov.u32 %d, %a;", w, w, none, none, same),
      Make("mov.b64", "mov.f64 %d, %a;", d, d, none, none, same),
      Make("pack.b32", "mov.b64 %d, {%a, %b};", d, w, w, none,
           [](uint64_t a, uint64_t b, uint64_t) { return b << 32 | a; }),
      Make("pack.b16", "mov.b32 %d, {%a, %b};", w, h, h, none,
           [](uint64_t a, uint64_t b, uint64_t) { return b << 16 | a; }),
      Make("pack4.b16", "mov.b64 %d, {%a, %b, %c, %a};", d, h, h, h,
           [](uint64_t a, uint64_t b, uint64_t c) { return a << 48 | c << 32 | b << 16 | a; }),
      Make("unpack.low.b32", "mov.b64 {%d, %r20}, %a;", w, d, none, none, same),
      Make("unpack.high.b32", "mov.b64 {%r20, %d}, %a;", w, d, none, none,
           [](uint64_t a, uint64_t, uint64_t) { return a >> 32; }),
      Make("unpack.high.b32", "mov.b64 {_, %d}, %a;", w, d, none, none,
           [](uint64_t a, uint64_t, uint64_t) { return a >> 32; }),
      Make("unpack.b16.b32", "mov.b32 {%d, %h20}, %a;", h, w, none, none, same),
      Make("unpack.b16.b32", "mov.b32 {%h20, %d}, %a;", h, w, none, none,
           [](uint64_t a, uint64_t, uint64_t) { return a >> 16; }),
      Make("unpack.b16.b64", "mov.b64 {%h20, %h21, %d, %h22}, %a;", h, d, none, none,
           [](uint64_t a, uint64_t, uint64_t) { return a >> 32; }),
      Make("window.u64", "cvta.shared.u64 %d, %a;", d, d, none, none, window(kSharedWindow)),
      Make("window.u64", "cvta.to.shared.u64 %d, %a;", d, d, none, none, window(uint64_t{0} - kSharedWindow)),
      Make("window.u64", "cvta.local.u64 %d, %a;", d, d, none, none, window(kLocalWindow)),
      Make("window.u64", "cvta.to.global.u64 %d, %a;", d, d, none, none, same),
      Make("isspacep", "{ add.u64 %rd20, %a, 0x20000000000; isspacep.shared %d, %rd20; }", Operand::kPred, d, none,
           none, [](uint64_t a, uint64_t, uint64_t) -> uint64_t { return a < kWindowBytes; }),
      Make("isspacep", "isspacep.local %d, %a;", Operand::kPred, d, none, none, inside(kLocalWindow)),
  };
}

std::vector<std::string> SpecialRegisterKeys() {
  std::vector<std::string> keys = {"mov.%clock",   "mov.%clock64", "mov.%globaltimer",    "mov.%globaltimer_lo",
                                   "mov.%envreg1", "mov.%envreg2", "mov.%globaltimer_hi", "mov.%clock_hi",
                                   "mov.%zero",    "mov.%one"};
  for (const Special& s : Specials()) keys.push_back(std::string("mov.%") + s.name);
  for (const ParameterLoad& p : kParameterLoads) keys.push_back(p.key);
  return keys;
}

namespace {

TEST(MoveTest, EveryFormMovesItsBits) { CheckForms(MoveForms()); }

TEST(MoveTest, SpecialRegistersSayWhereAThreadIs) {
  const uint32_t threads = 80, blocks = 12, count = static_cast<uint32_t>(Specials().size());
  std::string body = R"(
    mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mad.lo.u32 %r1, %r2, 5, %r1; mad.lo.u32 %r1, %r1, 8, %t;
    mov.u32 %r2, %ctaid.z; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r2, %r2, 2, %r3; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r2, %r2, 3, %r3;
    mad.lo.u32 %r1, %r2, 80, %r1; mul.lo.u32 %r1, %r1, )" +
                     std::to_string(4 * count) + "; cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd4, %rd0;\n";
  for (uint32_t k = 0; k < count; ++k) {
    body += std::string("mov.u32 %r5, %") + Specials()[k].name + "; st.global.u32 [%rd4+" + std::to_string(4 * k) +
            "], %r5;\n";
  }
  KernelHarness harness;
  harness.Load(Kernel(body));
  DevicePtr out = harness.Allocate(uint64_t{4} * count * threads * blocks);
  Ran ran = harness.Launch(kGrid, kBlock, {out}, 64);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  std::vector<uint32_t> got = harness.Download<uint32_t>(out, count * threads * blocks);
  for (uint32_t b = 0; b < blocks; ++b) {
    for (uint32_t t = 0; t < threads; ++t) {
      ThreadId id{{b % 3, b / 3 % 2, b / 6}, {t % 8, t / 8 % 5, t / 40}, t % 32, t / 32};
      for (uint32_t k = 0; k < count; ++k) {
        ASSERT_EQ(got[(b * threads + t) * count + k], Specials()[k].value(id))
            << Specials()[k].name << " block " << b << " thread " << t;
      }
    }
  }
}

TEST(MoveTest, SpecialRegistersAreReadAsOperandsToo) {
  EXPECT_EQ(OutputOf(Kernel("add.u32 %r1, %tid.x, %laneid; st.global.u32 [%at0], %r1;"), {1}, {3}, 3),
            (std::vector<uint32_t>{0, 2, 4}));
}

TEST(MoveTest, ClocksOnlyGrow) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.u32 %r1, %clock; mov.u32 %r2, %clock; setp.lt.u32 %p1, %r1, %r2; selp.u32 %r3, 1, 0, %p1; st.global.u32 [%rd0], %r3;
    mov.u64 %rd5, %clock64; mov.u64 %rd6, %clock64; setp.lt.u64 %p1, %rd5, %rd6; selp.u32 %r3, 1, 0, %p1; st.global.u32 [%rd0+4], %r3;
    mov.u64 %rd5, %globaltimer; mov.u64 %rd6, %globaltimer; setp.lt.u64 %p1, %rd5, %rd6; selp.u32 %r3, 1, 0, %p1;
    st.global.u32 [%rd0+8], %r3;
    mov.u32 %r1, %globaltimer_lo; mov.u32 %r2, %globaltimer_lo; setp.lt.u32 %p1, %r1, %r2; selp.u32 %r3, 1, 0, %p1;
    st.global.u32 [%rd0+12], %r3;
  )"),
                                       {1}, {1}, 4);
  EXPECT_EQ(got, (std::vector<uint32_t>{1, 1, 1, 1}));
}

TEST(MoveTest, ABlockWithoutAClusterIsAClusterOfItsOwn) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mad.lo.u32 %r1, %r1, 10, %r2;
    mov.u32 %r2, %cluster_ctaid.x; mad.lo.u32 %r1, %r1, 10, %r2; mov.u32 %r2, %cluster_nctaid.z;
    mad.lo.u32 %r1, %r1, 10, %r2; mov.u32 %r2, %clusterid.x; mad.lo.u32 %r1, %r1, 10, %r2;
    mov.u32 %r2, %nclusterid.x; mad.lo.u32 %r1, %r1, 10, %r2;
    mov.u32 %r2, %envreg7; add.u32 %r1, %r1, %r2; mov.u32 %r2, %clock_hi; add.u32 %r1, %r1, %r2;
    mov.u32 %r2, %globaltimer_hi; add.u32 %r1, %r1, %r2; st.global.u32 [%at0], %r1;
  )"),
                                       {3}, {1}, 3);
  EXPECT_EQ(got, (std::vector<uint32_t>{10103, 10113, 10123}));
}

TEST(MoveTest, ValuesOf128BitsAreTwoHalves) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    .reg .b128 %q, %s; .reg .b64 %low, %high;
    ld.global.b128 %q, [%rd1]; mov.b128 {%low, %high}, %q; add.u64 %low, %low, 1; mov.b128 %s, {%high, %low};
    mov.b128 %q, %s; st.global.b128 [%rd0], %q;
  )"),
                                       {1}, {1}, 4, {{1, 2, 3, 4}});
  EXPECT_EQ(got, (std::vector<uint32_t>{3, 4, 2, 2}));
}

TEST(MoveTest, BytesArePartsOf16And32Bits) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    .reg .b8 %b0, %b1, %b2, %b3; .reg .b16 %two;
    cvt.s8.s32 %b0, -5; cvt.u8.u32 %b1, 0x77; mov.b16 %two, {%b0, %b1}; cvt.u32.u16 %r1, %two; st.global.u32 [%rd0], %r1;
    mov.b16 %two, {%b1, 0}; cvt.u32.u16 %r1, %two; st.global.u32 [%rd0+4], %r1;
    mov.b32 %r2, 0x8ABBCCDD; mov.b32 {%b0, %b1, %b2, %b3}, %r2; mov.b32 %r1, {%b3, %b2, %b1, %b0};
    st.global.u32 [%rd0+8], %r1;
  )"),
                                       {1}, {1}, 3);
  EXPECT_EQ(got, (std::vector<uint32_t>{0x77FB, 0x77, 0xDDCCBB8A}));
}

TEST(MoveTest, AConstantOfASingleWidensToADouble) {
  std::vector<uint32_t> got = OutputOf(Kernel("mov.f64 %fd1, 0d4000000000000000; add.f64 %fd1, %fd1, 0f3F800000; "
                                              "mov.b64 {%r1, %r2}, %fd1; st.global.u32 [%at0], %r2;"),
                                       {1}, {1}, 1);
  EXPECT_EQ(got, (std::vector<uint32_t>{0x40080000}));  // 3.0
}

TEST(MoveTest, KernelParametersAreExtendedByTheirType) {
  const uint64_t block[4] = {0, 0x1111111111111111, 0xF1F2F3F4F5F6F7F8, 0};
  for (const ParameterLoad& load : kParameterLoads) {
    SCOPED_TRACE(load.key);
    EXPECT_TRUE(Reaches(ParameterKernel(load), load.key));
    KernelHarness harness;
    harness.Load(ParameterKernel(load));
    DevicePtr out = harness.Allocate(8);
    LaunchRequest request;
    request.kernel = harness.kernel();
    request.block = {1, 1, 1};
    request.parameters.resize(32);
    std::memcpy(request.parameters.data(), block, 32);
    std::memcpy(request.parameters.data(), &out, 8);
    ASSERT_EQ(harness.device().Launch(request), LaunchStatus::kOk);
    int bits = std::atoi(load.type + 1);
    uint64_t value = block[2], want = bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
    if (load.type[0] == 's') want |= ~uint64_t{0} << bits;  // the values are all negative
    if (!load.wide) want &= 0xFFFFFFFF;
    EXPECT_EQ(harness.Download<uint64_t>(out, 1)[0], want);
  }
}

TEST(MoveTest, AVectorOfKernelParametersFillsItsRegisters) {
  KernelHarness harness;
  harness.Load(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .align 16 .b8 v[16]) {
  .reg .b64 %rd<3>; .reg .b32 %r<8>;
  ld.param.u64 %rd1, [out]; ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [v]; ld.param.v2.u32 {%r5, %r6}, [v+8];
  st.global.v4.u32 [%rd1], {%r4, %r3, %r2, %r1}; st.global.v2.u32 [%rd1+16], {%r5, %r6};
  ret;
})");
  DevicePtr out = harness.Allocate(24);
  LaunchRequest request;
  request.kernel = harness.kernel();
  const uint32_t v[4] = {1, 2, 3, 4};
  request.parameters.resize(32);
  std::memcpy(request.parameters.data(), &out, 8);
  std::memcpy(request.parameters.data() + 16, v, 16);
  ASSERT_EQ(harness.device().Launch(request), LaunchStatus::kOk);
  EXPECT_EQ(harness.Download<uint32_t>(out, 6), (std::vector<uint32_t>{4, 3, 2, 1, 3, 4}));
}

}  // namespace
}  // namespace warpgrade::emulator
