// lab3 as the judge sees it: which matrices, what stands in them, and whether the product came out. The words of the
// hints are in hints.cc. Tested by tests/course/lab3/lab3_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab3/cases.h"
#include "labs/lab3/explain.h"
#include "labs/lab3/gpu.h"
#include "labs/lab3/hidden.h"
#include "labs/lab3/hints.h"
#include "labs/lab3/lab3.h"
#include "labs/lab3/lab3_judge.h"
#include "labs/lab3/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab3::Problem;

// Whole tiles for every rung, several blocks of the largest, and 2^25 products: metrics are steady, and the emulator
// needs a tenth of a second.
constexpr Problem kTechniqueCase = {.m = 512, .k = 128, .n = 512};
// 64 MB each, together three times the L2 cache of an H200; 2.1 ms at its peak rate, long next to what a call costs.
constexpr Problem kThroughputCase = {.m = 4096, .k = 4096, .n = 4096};

Problem OtherSize(Random& random) {
  Problem p = kTechniqueCase;
  (lab::Uniform(random, 0, 1) == 0 ? p.m : p.n) -= 8 * lab::Uniform(random, 1, 16);
  p.k = lab::Uniform(random, 0, 1) == 0 ? 96 : 128;
  return p;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.variant;
  result.sizes = {p.m, p.k, p.n};
  result.pattern = p.pattern;
  result.elements = p.m * p.n;  // results: what metrics per element mean in this lab
  result.bytes_moved = p.BytesOfA() + p.BytesOfB() + p.BytesOfC();
  if (p.k > 0) result.stored_bytes = p.BytesOfC();  // zeros may come from cudaMemset
  result.flops = 2 * p.m * p.k * p.n;               // a multiplication and an addition for each product
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.m = c.sizes.at(0),
          .k = c.sizes.at(1),
          .n = c.sizes.at(2),
          .variant = c.variant,
          .pattern = static_cast<lab3::Pattern>(c.pattern)};
}

class MatmulLab final : public Lab {
 public:
  std::string_view name() const override { return "lab3"; }

  // v7 multiplies halves; else all rungs have the same cases, since they are the same function.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab3::PublicCases(rung); },
                                       .hidden = [&] { return lab3::HiddenCases(rung, random); },
                                       .technique = kTechniqueCase,
                                       .throughput = kThroughputCase,
                                       .other_size = [&] { return OtherSize(random); }});
    std::vector<Case> result;
    for (Problem& p : problems) {
      p.variant = lab3::VariantOf(rung);
      result.push_back(JudgeCase(p));
    }
    return result;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Problem p = ProblemOf(c);
    return {{.name = "d_a", .role = BufferSpec::Role::kInput, .bytes = p.BytesOfA()},
            {.name = "d_b", .role = BufferSpec::Role::kInput, .bytes = p.BytesOfB()},
            {.name = "d_c", .role = BufferSpec::Role::kOutput, .bytes = p.BytesOfC()}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == 0 || buffer == 1);
    WARPGRADE_CHECK(bytes.size() == (buffer == 0 ? p.BytesOfA() : p.BytesOfB()));
    if (buffer == 0) {
      DrawA(p, random(), bytes.data());
    } else {
      DrawB(p, random(), bytes.data());
    }
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == 3 && buffers[0].size() == p.BytesOfA() && buffers[1].size() == p.BytesOfB() &&
                    buffers[2].size() == p.BytesOfC());
    const auto* const product = reinterpret_cast<const float*>(buffers[2].data());
    return lab::MismatchOf(Explain(p, buffers[0].data(), buffers[1].data(), product));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (p.pattern != lab3::kExact) return std::nullopt;
    return GpuWork{.ptx = lab3::kGpuPtx,
                   .drawn = {0, 1},
                   .checks = {{"draw_vector"}, {"b_times_vector"}, {"check"}},
                   .scratch_bytes = (p.n + p.k) * sizeof(double),
                   .checked = p.m * p.n};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab3::Hint(rung, what); }
};

}  // namespace

const Lab& Lab3() {
  static const MatmulLab kLab;
  return kLab;
}

}  // namespace warpgrade
