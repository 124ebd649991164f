// lab7 as the judge sees it: which inputs, what stands in them, and whether the counts came out. The words of the hints
// are in hints.cc. Tested by tests/course/lab7/lab7_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab7/cases.h"
#include "labs/lab7/explain.h"
#include "labs/lab7/gpu.h"
#include "labs/lab7/hidden.h"
#include "labs/lab7/hints.h"
#include "labs/lab7/lab7.h"
#include "labs/lab7/lab7_judge.h"
#include "labs/lab7/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab7::Problem;

// Whole blocks for every rung, and so many elements that what a block does once weighs little.
constexpr Problem kTechniqueCase = {.n = size_t{1} << 21};
// 1 GB, twenty times the L2 cache of an H200; at least 0.23 ms.
constexpr Problem kThroughputCase = {.n = size_t{1} << 30};

// v3 is about elements that are all the same, the others about any.
lab7::Pattern PatternOf(std::string_view rung) { return rung == "v3_warp" ? lab7::kEqual : lab7::kUniform; }

Problem OtherSize(Problem technique, Random& random) {
  technique.n = lab::SlightlySmaller(random, technique.n, 8, size_t{1} << 15);
  return technique;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.variant;
  result.sizes = {p.n, static_cast<uint64_t>(p.bins)};
  result.pattern = p.pattern;
  result.elements = p.n;
  result.bytes_moved = p.BytesOfInput() + p.BytesOfBins();
  result.loaded_bytes = p.BytesOfInput();  // no element's bin is known before someone has looked at it
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.n = c.sizes.at(0),
          .bins = static_cast<int>(c.sizes.at(1)),
          .variant = c.variant,
          .pattern = static_cast<lab7::Pattern>(c.pattern)};
}

class HistogramLab final : public Lab {
 public:
  std::string_view name() const override { return "lab7"; }

  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    Problem technique = kTechniqueCase, throughput = kThroughputCase;
    technique.pattern = throughput.pattern = PatternOf(rung);
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab7::PublicCases(); },
                                       .hidden = [&] { return lab7::HiddenCases(rung, random); },
                                       .technique = technique,
                                       .throughput = throughput,
                                       .other_size = [&] { return OtherSize(technique, random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  std::optional<Case> OfSize(std::string_view rung, uint64_t elements) const override {
    Problem p = kThroughputCase;
    p.n = elements;
    p.pattern = PatternOf(rung);
    return JudgeCase(p);
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Problem p = ProblemOf(c);
    return {{.name = "d_in", .role = BufferSpec::Role::kInput, .bytes = p.BytesOfInput()},
            {.name = "d_bins", .role = BufferSpec::Role::kOutput, .bytes = p.BytesOfBins()}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == 0 && bytes.size() == p.BytesOfInput());
    lab7::Draw(p, random(), bytes.data());
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == 2 && buffers[0].size() == p.BytesOfInput() &&
                    buffers[1].size() == p.BytesOfBins());
    const auto* const counts = reinterpret_cast<const unsigned*>(buffers[1].data());
    return lab::MismatchOf(Explain(p, buffers[0].data(), counts));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    const bool can =
        p.variant == lab7::kByte && p.bins <= 256 && (p.pattern == lab7::kUniform || p.pattern == lab7::kEqual);
    if (!can) return std::nullopt;
    return GpuWork{.ptx = lab7::kGpuPtx,
                   .drawn = {0},
                   .checks = {{"start_counts"}, {"count"}, {"check"}},
                   .scratch_bytes = 256 * sizeof(uint64_t),
                   .checked = static_cast<uint64_t>(p.bins)};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab7::Hint(rung, what); }
};

}  // namespace

const Lab& Lab7() {
  static const HistogramLab kLab;
  return kLab;
}

}  // namespace warpgrade
