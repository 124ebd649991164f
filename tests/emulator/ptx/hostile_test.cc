// Texts made to crash, hang or exhaust: each ends with a module or an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void ParseAnyhow(const std::string& text) {
  const Result<Module> module = Parse(text);
  if (!module.ok()) {
    ASSERT_THAT(module.error().message, StartsWith("ptx:"));
  }
}

// A short text with something of everything.
const char kEverything[] = R"(
.version 9.0
.target sm_75, debug
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 8 .u64 table[3] = {0, generic(word)+4, 0xFF00(word)};
.global .attribute(.managed) .align 4 .u32 word = (1 << 4) | 3;
.global .f32 matrix[2][2] = {{1.5, 0f3F800000}, {-2.0}};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry kernel(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 q[16])
.maxntid 256, 1, 1
{
  .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .v4 .f32 %v;
  .loc 1 4 5
  .loc 2 7 9, function_name $L__info_string0, inlined_at 1 4 5
  ld.param.u64 %rd1, [p]; @!%p1 bra DONE;
  setp.eq.and.s32 %p1|%p2, %r1, -7, !%p2;
  { .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b32 retval0;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _);
    call (retval0), %rd2, (param0), prototype_0; call (retval0), vprintf, (param0, param0); }
  ld.global.v2.u32 {%r1, _}, [%rd1+-8]; mov.f32 %v.x, 0d3FF0000000000000; mov.u32 %r2, %tid.x;
  T: .branchtargets DONE, T2; brx.idx %r1, T; T2:
DONE: ret;
}
.file 1 "a.cu", 12, 34
.section .debug_str { $L__info_string0: .b8 1,2 }
)";

TEST(HostileTest, TheSampleItselfParses) { EXPECT_EQ(Parsed(kEverything).functions.size(), 2u); }

TEST(HostileTest, TruncatedAnywhere) {
  const std::string whole = kEverything;
  for (size_t size = 0; size < whole.size(); ++size) ParseAnyhow(std::string(whole, 0, size));
}

TEST(HostileTest, EachByteReplaced) {
  for (const char replacement : {'\0', '\xFF', '{', '}', '(', '"', '.', '9', ',', '%', '['}) {
    std::string text = kEverything;
    for (size_t i = 0; i < text.size(); ++i) {
      const char kept = text[i];
      text[i] = replacement;
      ParseAnyhow(text);
      text[i] = kept;
    }
  }
}

TEST(HostileTest, RandomEditsOfRealPtx) {
  std::string whole = CompiledPtx("language_75");
  whole.resize(std::min<size_t>(whole.size(), 20000));
  std::mt19937 random(1);
  const auto place = [&random](const std::string& text) { return random() % text.size(); };
  for (int round = 0; round < 500; ++round) {
    std::string text = whole;
    for (int edit = 0; edit < 1 + round % 4; ++edit) {
      switch (random() % 3) {
        case 0:
          text[place(text)] = static_cast<char>(random());
          break;
        case 1:
          text.erase(place(text), random() % 30);
          break;
        default:
          text.insert(place(text), whole, place(whole), random() % 60);
      }
    }
    ParseAnyhow(text);
  }
}

TEST(HostileTest, RandomBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string text(random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random());
    ParseAnyhow(text);
  }
}

TEST(HostileTest, DeepScopes) {
  EXPECT_THAT(KernelError(std::string(100000, '{')), HasSubstr("expected scopes nested less deeply"));
}

TEST(HostileTest, RegistersByTheBillion) {
  EXPECT_THAT(KernelError(".reg .b32 %r<2000000000>;"), HasSubstr("registers"));
  std::string functions;
  for (int i = 0; i < 100; ++i) functions += ".func f" + std::to_string(i) + "() { .reg .b32 %r<1000000>; }\n";
  EXPECT_THAT(ErrorOf(functions), HasSubstr("at most 2000000 registers in a module"));
  EXPECT_THAT(KernelError(".reg .b32 %" + std::string(1000, 'r') + "<1000000>;"), HasSubstr("expected a shorter name"));
}

TEST(HostileTest, AliasesOfAliases) {
  std::string text = ".func f() { " + std::string(4000, ';');
  for (int i = 0; i < 2000; ++i) text += "ret;";
  text += "}\n";
  for (int i = 0; i < 2000; ++i) text += ".alias a" + std::to_string(i) + ", f;\n";
  EXPECT_THAT(ErrorOf(text), HasSubstr("aliases of smaller functions"));
}

TEST(HostileTest, InstructionsByTheMillion) {
  std::string text;
  for (int i = 0; i < 500001; ++i) text += "a;";
  EXPECT_THAT(KernelError(text), HasSubstr("at most 2 million instructions, operands and variables"));
}

TEST(HostileTest, ManyBranchesToTheSameLongList) {
  std::string text = ".reg .b32 %r; L: T: .branchtargets L";
  for (int i = 0; i < 2000; ++i) text += ", L";
  text += ";";
  for (int i = 0; i < 2000; ++i) text += "brx.idx %r, T;";
  EXPECT_THAT(KernelError(text), HasSubstr("at most 2 million targets of all brx in a module"));
}

TEST(HostileTest, ATextThatIsTooLong) {
  EXPECT_THAT(ErrorOf(std::string((64 << 20) + 1, ' ')), HasSubstr("found a module of more than 64 MiB"));
}

}  // namespace
}  // namespace warpgrade::ptx
