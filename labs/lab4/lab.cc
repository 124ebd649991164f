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
#include "labs/lab4/hidden.h"
#include "labs/lab4/hints.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/lab4_judge.h"
#include "labs/lab4/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab4::Problem;

// Large enough that metrics are steady: 8 million products, 2^18 x 31 and 128 x 768 x 81, or 6.6 million, 3 x 480 x 512
// x
// 9. The emulator needs a tenth of a second.
constexpr Problem kTechniqueLine = {.variant = lab4::kLine, .columns = size_t{1} << 18, .mask_columns = 31};
constexpr Problem kTechniqueImage = {.rows = 128, .columns = 768, .mask_rows = 9, .mask_columns = 9};

constexpr Problem kTechniquePlanes = {.rows = 480, .columns = 512, .mask_rows = 3, .mask_columns = 3, .planes = 3};

// 256 MB in, 256 MB out: ten times the L2 cache of an H200. A line with a mask of 31 and an image with one of 9 x 9.
constexpr Problem kThroughputLine = {.variant = lab4::kLine, .columns = size_t{1} << 26, .mask_columns = 31};
constexpr Problem kThroughputImage = {.rows = 8192, .columns = 8192, .mask_rows = 9, .mask_columns = 9};

const Problem& TechniqueCase(lab4::Variant variant) {
  if (variant == lab4::kPlanes) return kTechniquePlanes;
  return variant == lab4::kLine ? kTechniqueLine : kTechniqueImage;
}

Problem OtherSize(lab4::Variant variant, Random& random) {
  Problem p = TechniqueCase(variant);
  p.columns = lab::SlightlySmaller(random, p.columns, 8, variant == lab4::kLine ? 3072 : 24);
  return p;
}

// Memory bounds a line, and a separable image: GB/s. Arithmetic bounds an image: GFLOP/s.
Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.variant;
  result.sizes = {p.rows, p.columns, static_cast<uint64_t>(p.mask_rows), static_cast<uint64_t>(p.mask_columns)};
  if (p.variant == lab4::kPlanes) result.sizes.push_back(p.planes);
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
          .pattern = static_cast<lab4::Pattern>(c.pattern),
          .planes = c.variant == lab4::kPlanes ? c.sizes.at(4) : 1};
}

class ConvolutionLab final : public Lab {
 public:
  std::string_view name() const override { return "lab4"; }

  // Rungs that implement the same function have the same cases, but for one public one.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    const lab4::Variant variant = lab4::VariantOf(rung);
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab4::PublicCases(rung); },
                                       .hidden = [&] { return lab4::HiddenCases(rung, random); },
                                       .technique = TechniqueCase(variant),
                                       .throughput = variant == lab4::kLine ? kThroughputLine : kThroughputImage,
                                       .other_size = [&] { return OtherSize(variant, random); }});
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
    if (p.pattern != lab4::kExact || p.variant == lab4::kPlanes) return std::nullopt;  // planes are not timed
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
