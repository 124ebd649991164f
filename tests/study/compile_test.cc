// The compilation study: what it reads, from texts and files made here, and the relations between its figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "grader/study/ptxas.h"
#include "tests/cli/program.h"

namespace warpgrade::study {
namespace {

using testing::HasSubstr;

TEST(PtxasTest, ReadsTheFiguresOfEachKernel) {
  const auto all = ReadResources(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'smooth' for 'sm_75'\n"
      "ptxas info    : Function properties for smooth\n"
      "    224 bytes stack frame, 520 bytes spill stores, 528 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers, 224 bytes cumulative stack size, 376 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'pick' for 'sm_90'\n"
      "ptxas info    : Function properties for pick\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 17 registers, used 0 barriers\n");
  ASSERT_EQ(all.size(), 2u);
  const KernelResources &smooth = all.at("smooth"), &pick = all.at("pick");
  EXPECT_EQ(smooth.registers, 24);
  EXPECT_EQ(smooth.stack_bytes, 224);
  EXPECT_EQ(smooth.spill_stores_bytes, 520);
  EXPECT_EQ(smooth.spill_loads_bytes, 528);
  EXPECT_EQ(smooth.constant_bytes, 376);
  EXPECT_EQ(pick.registers, 17);
  EXPECT_EQ(pick.constant_bytes, 0);
}

TEST(PtxasTest, CountsTheInstructionsOfOneKernel) {
  const std::string ptx =
      ".visible .entry first(\n.param .u64 a\n)\n{\n\tld.global.nc.f32 %f1, [%rd1];\n\tld.global.f32 %f2, [%rd2];\n}\n"
      ".visible .entry second(\n.param .u64 a\n)\n{\n\tld.global.f32 \t%f1, [%rd1];\n\tst.global.f32 [%rd1], %f1;\n}\n";
  EXPECT_EQ(InstructionsOf(ptx, "first", "ld.global"), 2u);
  EXPECT_EQ(InstructionsOf(ptx, "first", "ld.global.nc"), 1u);
  EXPECT_EQ(InstructionsOf(ptx, "second", "ld.global"), 1u);
  EXPECT_EQ(InstructionsOf(ptx, "third", "ld.global"), 0u);
}

TEST(PtxasTest, CountsInstructionsThatDiffer) {
  std::string a(64, 'x'), b = a;
  EXPECT_EQ(DifferentInstructions(a, b), 0u);
  b[15] = b[14] = b[16] = b[63] = 'y';
  EXPECT_EQ(DifferentInstructions(a, b), 3u);
}

TEST(PtxasTest, ASectionOfABrokenFileIsNone) {
  const std::string self = ReadText("/proc/self/exe");
  const auto text = SectionOf(self, ".text");
  ASSERT_TRUE(text.has_value());
  EXPECT_GT(text->size(), 1000u);
  EXPECT_FALSE(SectionOf(self, ".no_such_section").has_value());
  EXPECT_FALSE(SectionOf("", ".text").has_value());
  EXPECT_FALSE(SectionOf(std::string_view(self).substr(0, 60), ".text").has_value());
  EXPECT_FALSE(SectionOf(std::string_view(self).substr(0, self.size() / 2), ".text").has_value());
  std::string far = self.substr(0, 64);
  std::memset(far.data() + 40, 0xff, 8);  // the place of the section table
  EXPECT_FALSE(SectionOf(far, ".text").has_value());
}

// The rows of a CSV file by "chart,series,x".
class Csv {
 public:
  explicit Csv(const std::string& text) : text_(text) {}
  double operator()(const std::string& row) const {
    const size_t at = text_.find("\n" + row + ",");
    if (at == std::string::npos) {
      ADD_FAILURE() << "no row " << row << " in\n" << text_;
      return -1;
    }
    return std::stod(text_.substr(at + row.size() + 2));
  }

 private:
  const std::string text_;
};

TEST(CompileStudyTest, ShowsWhatTheOptionsChange) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("compile.csv");
  const ProgramResult end = RunProgram({WARPGRADE_BINARY, "study", "compile", "--csv", file});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Csv csv(ReadText(file));
  EXPECT_GT(csv("registers,registers,smooth"), 32) << "32 values live in registers";
  EXPECT_EQ(csv("registers,registers,\"smooth, -maxrregcount=24\""), 24);
  EXPECT_EQ(csv("bytes,spill stores,smooth"), 0);
  EXPECT_GT(csv("bytes,spill stores,\"smooth, -maxrregcount=24\""), 0);
  EXPECT_GT(csv("bytes,spill loads,\"smooth, -maxrregcount=24\""), 0);
  EXPECT_EQ(csv("bytes,stack,pick"), 64 * 4);
  EXPECT_EQ(csv("bytes,spill stores,pick"), 0);
  EXPECT_EQ(csv("bytes,cmem[0],pick"), 352 + 2 * 8 + 4);
  EXPECT_EQ(csv("bytes,cmem[0],smooth"), 352 + 2 * 8 + 2 * 4);
  EXPECT_EQ(csv("loads,of them read-only,without"), 0);
  EXPECT_EQ(csv("loads,loads,without"), 8 * (4 + 1)) << "each store may change the coefficients";
  EXPECT_EQ(csv("loads,loads,with __restrict__"), 8 + 4);
  EXPECT_EQ(csv("loads,of them read-only,with __restrict__"), 8 + 4);
  EXPECT_LT(csv("loads,machine instructions,with __restrict__"), csv("loads,machine instructions,without"));
  const double cubin = csv("stages,bytes,compile.cubin"), fatbinary = csv("stages,bytes,compile.fatbin");
  EXPECT_GT(fatbinary, cubin) << "it has the cubin, and the PTX";
  EXPECT_LT(fatbinary, cubin + csv("stages,bytes,compile.ptx")) << "which is compressed";
  EXPECT_GT(csv("stages,bytes,compile.o"), fatbinary);
  // -dlcm changes the loads, and nothing else.
  EXPECT_THAT(end.out, HasSubstr(": 40 of "));
  EXPECT_THAT(end.out, HasSubstr("refuses PTX of compute_90: ptxas"));
}

}  // namespace
}  // namespace warpgrade::study
