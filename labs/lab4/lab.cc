// lab4 as the judge sees it: which lines and images, what stands in them, and whether the convolution came out. The
// words of the hints are in hints.cc. Tested by tests/course/lab4/lab4_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab4/cases.h"
#include "labs/lab4/explain.h"
#include "labs/lab4/gpu.h"
#include "labs/lab4/hints.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/lab4_judge.h"
#include "labs/lab4/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab::Uniform;
using lab4::Problem;

// Large enough that metrics are steady: 8 million products, 2^18 x 31 and 128 x 768 x 81. The emulator needs a tenth of
// a second.
constexpr Problem kTechniqueLine = {.variant = lab4::kLine, .columns = size_t{1} << 18, .mask_columns = 31};
constexpr Problem kTechniqueImage = {.rows = 128, .columns = 768, .mask_rows = 9, .mask_columns = 9};

// 256 MB in, 256 MB out: ten times the L2 cache of an H200. A line with a mask of 31 and an image with one of 9 x 9.
constexpr Problem kThroughputLine = {.variant = lab4::kLine, .columns = size_t{1} << 26, .mask_columns = 31};
constexpr Problem kThroughputImage = {.rows = 8192, .columns = 8192, .mask_rows = 9, .mask_columns = 9};

Problem OtherSize(bool is_line, Random& random) {
  Problem p = is_line ? kTechniqueLine : kTechniqueImage;
  p.columns = lab::SlightlySmaller(random, p.columns, 8, is_line ? 3072 : 24);
  return p;
}

// Memory bounds a line, and a separable image: GB/s. Arithmetic bounds an image: GFLOP/s.
Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.variant;
  result.sizes = {p.rows, p.columns, static_cast<uint64_t>(p.mask_rows), static_cast<uint64_t>(p.mask_columns)};
  result.pattern = p.pattern;
  result.elements = p.Elements();
  result.bytes_moved = 2 * p.Elements() * sizeof(float);
  result.stored_bytes = p.Elements() * sizeof(float);
  if (p.variant == lab4::kImage) result.flops = 2 * p.Products() * p.Elements();  // an addition for each product
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.variant = c.variant,
          .rows = c.sizes.at(0),
          .columns = c.sizes.at(1),
          .mask_rows = static_cast<int>(c.sizes.at(2)),
          .mask_columns = static_cast<int>(c.sizes.at(3)),
          .pattern = static_cast<lab4::Pattern>(c.pattern)};
}

// Odd, in [1, most].
int OddUpTo(Random& random, int most) {
  return 1 + 2 * static_cast<int>(Uniform(random, 0, static_cast<size_t>(most / 2)));
}

size_t NearMultiple(Random& random, size_t of, size_t most) {
  return of * Uniform(random, 1, most / of) + Uniform(random, 0, 2) - 1;
}

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of values.
std::vector<Problem> HiddenLines(Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t n, int width, lab4::Pattern pattern) {
    problems.push_back({.variant = lab4::kLine, .columns = n, .mask_columns = width, .pattern = pattern});
  };
  for (const size_t block : {32, 128, 256, 1024}) {
    add(NearMultiple(random, block, 8192), OddUpTo(random, lab4::kMaxWidth), lab4::kExact);
  }
  // Each kind of mask that a kernel may have a path of its own for: narrow, near 16, 32, 64, and the widest.
  for (const int width : {1, 3, 15, 29, 61, 125}) {
    add(Uniform(random, 1, 10000), width + static_cast<int>(2 * Uniform(random, 0, 1)), lab4::kExact);
  }
  add(4 * Uniform(random, 100, 2000), OddUpTo(random, 31), lab4::kExact);  // whole quads
  add(Uniform(random, 1, 100), OddUpTo(random, lab4::kMaxWidth), lab4::kExact);
  add(Uniform(random, 1, 20), lab4::kMaxWidth, lab4::kExact);
  add(Uniform(random, 100, 5000), OddUpTo(random, lab4::kMaxWidth), lab4::kFractions);
  add(Uniform(random, 100, 5000), OddUpTo(random, lab4::kMaxWidth), lab4::kSpoiled);
  add(NearMultiple(random, 256, 2048), OddUpTo(random, 15), lab4::kSpoiled);
  return problems;
}

std::vector<Problem> HiddenImages(Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t rows, size_t columns, int mask_rows, int mask_columns, lab4::Pattern pattern) {
    problems.push_back(
        {.rows = rows, .columns = columns, .mask_rows = mask_rows, .mask_columns = mask_columns, .pattern = pattern});
  };
  for (const size_t tile : {16, 32, 64, 128}) {
    add(NearMultiple(random, tile, 128), NearMultiple(random, tile, 256), OddUpTo(random, 15), OddUpTo(random, 15),
        lab4::kExact);
  }
  // Square masks, as most filters have, in images of whole quads; rectangular ones; the largest.
  for (const int side : {3, 5, 9, 15}) {
    add(Uniform(random, 20, 150), 4 * Uniform(random, 5, 120), side, side, lab4::kExact);
  }
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), OddUpTo(random, 31), 1, lab4::kExact);
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), 1, OddUpTo(random, 31), lab4::kExact);
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), 31, 31, lab4::kExact);
  add(Uniform(random, 1, 30), Uniform(random, 1, 30), OddUpTo(random, 31), OddUpTo(random, 31), lab4::kExact);
  add(Uniform(random, 1, 3), Uniform(random, 300, 900), OddUpTo(random, 31), OddUpTo(random, 31), lab4::kExact);
  add(Uniform(random, 300, 900), Uniform(random, 1, 3), OddUpTo(random, 31), OddUpTo(random, 31), lab4::kExact);
  add(Uniform(random, 20, 150), Uniform(random, 20, 150), OddUpTo(random, 31), OddUpTo(random, 31), lab4::kFractions);
  add(Uniform(random, 20, 150), Uniform(random, 20, 150), OddUpTo(random, 31), OddUpTo(random, 31), lab4::kSpoiled);
  add(Uniform(random, 2, 80), 4 * Uniform(random, 1, 60), OddUpTo(random, 11), OddUpTo(random, 11), lab4::kSpoiled);
  return problems;
}

class ConvolutionLab final : public Lab {
 public:
  std::string_view name() const override { return "lab4"; }

  // Rungs that implement the same function have the same cases, but for one public one.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    const lab4::Variant variant = lab4::VariantOf(rung);
    const bool is_line = variant == lab4::kLine;
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab4::PublicCases(rung); },
                                       .hidden = [&] { return is_line ? HiddenLines(random) : HiddenImages(random); },
                                       .technique = is_line ? kTechniqueLine : kTechniqueImage,
                                       .throughput = is_line ? kThroughputLine : kThroughputImage,
                                       .other_size = [&] { return OtherSize(is_line, random); }});
    std::vector<Case> result;
    for (Problem& p : problems) {
      p.variant = variant;
      result.push_back(JudgeCase(p));
    }
    return result;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    using Role = BufferSpec::Role;
    const Problem p = ProblemOf(c);
    const uint64_t bytes = p.Elements() * sizeof(float), mask_bytes = p.MaskElements() * sizeof(float);
    if (p.variant != lab4::kSeparable) {
      return {{.name = "d_in", .role = Role::kInput, .bytes = bytes},
              {.name = "d_mask", .role = Role::kInput, .bytes = mask_bytes},
              {.name = "d_out", .role = Role::kOutput, .bytes = bytes}};
    }
    return {{.name = "d_in", .role = Role::kInput, .bytes = bytes},
            {.name = "d_column_mask", .role = Role::kInput, .bytes = mask_bytes},
            {.name = "d_row_mask", .role = Role::kInput, .bytes = c.sizes.at(3) * sizeof(float)},
            {.name = "d_workspace", .role = Role::kWorkspace, .bytes = bytes},
            {.name = "d_out", .role = Role::kOutput, .bytes = bytes}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer >= 0 && buffer < (p.variant == lab4::kSeparable ? 3 : 2));
    WARPGRADE_CHECK(bytes.size() == Buffers(c).at(static_cast<size_t>(buffer)).bytes);
    auto* const to = reinterpret_cast<float*>(bytes.data());
    if (buffer == 0) return lab4::DrawInput(p, random(), to);
    if (buffer == 1) return lab4::DrawMask(p, random(), to);
    lab4::DrawRowMask(p, random(), to);
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    const std::vector<BufferSpec> specs = Buffers(c);
    WARPGRADE_CHECK(buffers.size() == specs.size());
    for (size_t i = 0; i < specs.size(); ++i) {
      WARPGRADE_CHECK(specs[i].role == BufferSpec::Role::kWorkspace || buffers[i].size() == specs[i].bytes);
    }
    const auto floats = [&](size_t i) { return reinterpret_cast<const float*>(buffers[i].data()); };
    const lab4::Inputs inputs = {
        .in = floats(0), .mask = floats(1), .row_mask = p.variant == lab4::kSeparable ? floats(2) : nullptr};
    return lab::MismatchOf(Explain(p, inputs, floats(specs.size() - 1)));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (p.pattern != lab4::kExact) return std::nullopt;
    return GpuWork{.ptx = lab4::kGpuPtx, .drawn = {0}, .checks = {{"check"}}, .checked = p.Elements()};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab4::Hint(rung, what); }
};

}  // namespace

const Lab& Lab4() {
  static const ConvolutionLab kLab;
  return kLab;
}

}  // namespace warpgrade
