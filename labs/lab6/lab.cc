// lab6 as the judge sees it: which fields, what stands in them, and whether the steps came out. The words of the hints
// are in hints.cc. Tested by tests/course/lab6/lab6_judge_test.cc.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab6/cases.h"
#include "labs/lab6/explain.h"
#include "labs/lab6/gpu.h"
#include "labs/lab6/hidden.h"
#include "labs/lab6/hints.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/lab6_judge.h"
#include "labs/lab6/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab6::Problem;

// Whole tiles and strips for every rung, and as many steps as one pass of v4 does.
constexpr Problem kTechniqueCase = {.rows = 256, .columns = 480, .steps = 4};
// 256 MB for each field, five times the L2 cache of an H200; 0.5 ms when each step reads and writes each element once.
constexpr Problem kThroughputCase = {.rows = 8192, .columns = 8192, .steps = 4};

// Of the elements that a step changes: the ring, and a field of no steps, may be copied.
uint64_t BytesComputed(const Problem& p) {
  if (p.steps == 0 || p.rows < 3 || p.columns < 3) return 0;
  return (p.rows - 2) * (p.columns - 2) * sizeof(float);
}

Problem OtherSize(Random& random) {
  Problem p = kTechniqueCase;
  p.rows = lab::SlightlySmaller(random, p.rows, 4, 16);
  return p;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.points;
  result.sizes = {p.rows, p.columns, static_cast<uint64_t>(p.steps), p.weights};
  result.pattern = p.pattern;
  result.elements = p.Elements();
  result.bytes_moved = 2 * p.Bytes();
  result.stored_bytes = result.loaded_bytes = BytesComputed(p);
  // A kernel that does several steps in one pass moves less than one that does them one by one, but computes as much: a
  // product for each point, and their sum.
  result.flops = (2 * static_cast<uint64_t>(p.points) - 1) * p.Elements() * static_cast<uint64_t>(p.steps);
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.rows = c.sizes.at(0),
          .columns = c.sizes.at(1),
          .steps = static_cast<int>(c.sizes.at(2)),
          .points = c.variant,
          .pattern = static_cast<lab6::Pattern>(c.pattern),
          .weights = c.sizes.at(3)};
}

class StencilLab final : public Lab {
 public:
  std::string_view name() const override { return "lab6"; }

  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab6::PublicCases(rung); },
                                       .hidden = [&] { return lab6::HiddenCases(rung, random); },
                                       .technique = kTechniqueCase,
                                       .throughput = kThroughputCase,
                                       .other_size = [&] { return OtherSize(random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Problem p = ProblemOf(c);
    return {{.name = "d_in", .role = BufferSpec::Role::kInput, .bytes = p.Bytes()},
            {.name = "d_out", .role = BufferSpec::Role::kOutput, .bytes = p.Bytes()},
            {.name = "d_work", .role = BufferSpec::Role::kWorkspace, .bytes = p.Bytes()}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == 0 && bytes.size() == p.Bytes());
    lab6::Draw(p, random(), reinterpret_cast<float*>(bytes.data()));
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == 3 && buffers[0].size() == p.Bytes() && buffers[1].size() == p.Bytes());
    const auto e = lab6::Explain(p, reinterpret_cast<const float*>(buffers[0].data()),
                                 reinterpret_cast<const float*>(buffers[1].data()));
    return lab::MismatchOf(e);
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (p.pattern != lab6::kExact || p.steps != lab6::kGpuSteps) return std::nullopt;
    GpuWork work{.ptx = lab6::kGpuPtx,
                 .drawn = {0},
                 .checks = {{"first_step"}, {"second_step"}, {"third_step"}, {"check"}},
                 .scratch_bytes = 2 * p.Elements() * sizeof(double),
                 .checked = p.Elements()};
    const lab6::Weights weights = p.MakeWeights();
    for (int i = 0; i < 9; ++i) work.numbers[i] = static_cast<double>(weights.at[i / 3][i % 3]);
    return work;
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab6::Hint(rung, what); }
};

}  // namespace

const Lab& Lab6() {
  static const StencilLab kLab;
  return kLab;
}

}  // namespace warpgrade
