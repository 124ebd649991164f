// lab2 as the judge sees it: which matrices, what stands in them, and whether the transpose came out. The words of the
// hints are in hints.cc. Tested by tests/course/lab2/lab2_judge_test.cc.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab2/cases.h"
#include "labs/lab2/explain.h"
#include "labs/lab2/gpu.h"
#include "labs/lab2/hidden.h"
#include "labs/lab2/hints.h"
#include "labs/lab2/lab2.h"
#include "labs/lab2/lab2_judge.h"
#include "labs/lab2/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab2::MatrixCase;
using lab2::Pattern;

// 2048 warps of v4's kernel: metrics are steady, and the emulator needs a fraction of a second.
constexpr MatrixCase kTechniqueCase = {.rows = 512, .columns = 512, .variant = lab2::kFloat};
// 1 GB each way, twenty times the L2 cache of an H200, and half a millisecond at the speed of a copy: long beside what
// a call costs.
constexpr MatrixCase kThroughputCase = {.rows = 16384, .columns = 16384, .variant = lab2::kFloat};

MatrixCase OtherSize(Random& random) {
  MatrixCase c = kTechniqueCase;
  c.rows = lab::SlightlySmaller(random, c.rows, 8, 12);
  c.columns = lab::SlightlySmaller(random, c.columns, 8, 12);
  return c;
}

// What most students give a block of threads to do.
constexpr size_t kTileRows = 32;

Case JudgeCase(const MatrixCase& c) {
  Case result;
  result.name = Name(c);
  result.variant = c.variant;
  result.sizes = {c.rows, c.columns};
  result.pattern = c.pattern;
  result.elements = c.shape().Elements();
  result.bytes_moved = 2 * c.shape().Bytes();  // every element is read once and written once
  result.many_blocks = std::max(c.rows, c.columns) > kTileRows * lab2::kMaxGridY;
  if (c.rows > 1 && c.columns > 1) result.stored_bytes = c.shape().Bytes();  // a single line may be copied
  return result;
}

lab2::Shape ShapeOf(const Case& c) {
  return MatrixCase{.rows = c.sizes.at(0), .columns = c.sizes.at(1), .variant = c.variant}.shape();
}

class TransposeLab final : public Lab {
 public:
  std::string_view name() const override { return "lab2"; }

  // All rungs have the same cases: they are the same function.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Case> result;
    for (const MatrixCase& c :
         lab::ProblemsOf<MatrixCase>(set, {.published = lab2::PublicCases,
                                          .hidden = [&] { return lab2::HiddenCases(rung, random); },
                                          .technique = kTechniqueCase,
                                          .throughput = kThroughputCase,
                                          .other_size = [&] { return OtherSize(random); }})) {
      result.push_back(JudgeCase(c));
    }
    return result;
  }

  // For powers of 2 exactly so many: a square, or two squares side by side.
  std::optional<Case> OfSize(std::string_view /*rung*/, uint64_t elements) const override {
    MatrixCase c = kThroughputCase;
    c.rows = 1;
    while (c.rows * c.rows <= elements / 4) c.rows *= 2;
    c.columns = elements / c.rows;
    return JudgeCase(c);
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const uint64_t bytes = ShapeOf(c).Bytes();
    return {{.name = "d_in", .role = BufferSpec::Role::kInput, .bytes = bytes},
            {.name = "d_out", .role = BufferSpec::Role::kOutput, .bytes = bytes}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const lab2::Shape shape = ShapeOf(c);
    WARPGRADE_CHECK(buffer == 0 && bytes.size() == shape.Bytes());
    DrawMatrix(shape, c.variant, static_cast<Pattern>(c.pattern), random(), bytes.data());
  }

  // A transpose computes nothing, so there is no tolerance: bits are compared. That makes a NaN right only when it is
  // the very NaN of the input, and -0.0 different from 0.0.
  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const lab2::Shape shape = ShapeOf(c);
    WARPGRADE_CHECK(buffers.size() == 2);
    WARPGRADE_CHECK(buffers[0].size() == shape.Bytes() && buffers[1].size() == shape.Bytes());
    return lab::MismatchOf(Explain(shape, c.variant, buffers[0].data(), buffers[1].data()));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    if (c.variant != lab2::kFloat || c.pattern != lab2::kOrdinary) return std::nullopt;
    return GpuWork{.ptx = lab2::kGpuPtx, .drawn = {0}, .checks = {{"check"}}, .checked = ShapeOf(c).Elements()};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab2::Hint(rung, what); }
};

}  // namespace

const Lab& Lab2() {
  static const TransposeLab kLab;
  return kLab;
}

}  // namespace warpgrade
