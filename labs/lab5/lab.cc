// lab5 as the judge sees it: which arrays, what stands in them, and whether the sums came out. The words of the hints
// are in hints.cc. Tested by tests/course/lab5/lab5_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab5/cases.h"
#include "labs/lab5/explain.h"
#include "labs/lab5/gpu.h"
#include "labs/lab5/hidden.h"
#include "labs/lab5/hints.h"
#include "labs/lab5/lab5.h"
#include "labs/lab5/lab5_judge.h"
#include "labs/lab5/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab5::Problem;

// Whole blocks and tiles for every rung, three levels of v1's, and many of v6's: metrics are steady, and the emulator
// needs a tenth of a second.
constexpr Problem kTechniqueCase = {.n = size_t{1} << 18};
// 1 GiB in and 1 GiB out, forty times the L2 cache of an H200; half a millisecond at its copy bandwidth.
constexpr Problem kThroughputCase = {.n = size_t{1} << 28};

Problem OtherSize(Random& random) {
  Problem p = kTechniqueCase;
  p.n = lab::SlightlySmaller(random, p.n, 8, 4096);
  return p;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.variant;
  result.sizes = {p.n};
  result.pattern = p.pattern;
  result.elements = p.n;
  result.bytes_moved = 2 * p.Bytes();            // each element read once and written once
  if (p.n > 1) result.stored_bytes = p.Bytes();  // one element may be copied
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.n = c.sizes.at(0), .variant = c.variant, .pattern = static_cast<lab5::Pattern>(c.pattern)};
}

class ScanLab final : public Lab {
 public:
  std::string_view name() const override { return "lab5"; }

  // All rungs have the same cases, since they are the same function.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab5::PublicCases(); },
                                       .hidden = [&] { return lab5::HiddenCases(rung, random); },
                                       .technique = kTechniqueCase,
                                       .throughput = kThroughputCase,
                                       .other_size = [&] { return OtherSize(random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  std::optional<Case> OfSize(std::string_view, uint64_t elements) const override {
    Problem p = kThroughputCase;
    p.n = elements;
    return JudgeCase(p);
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Problem p = ProblemOf(c);
    return {{.name = "d_in", .role = BufferSpec::Role::kInput, .bytes = p.Bytes()},
            {.name = "d_out", .role = BufferSpec::Role::kOutput, .bytes = p.Bytes()},
            {.name = "d_work", .role = BufferSpec::Role::kWorkspace, .bytes = WorkElements(p.n) * lab5::kElementBytes}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == 0 && bytes.size() == p.Bytes());
    lab5::DrawInput(p, random(), bytes.data());
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == 3 && buffers[0].size() == p.Bytes() && buffers[1].size() == p.Bytes());
    return lab::MismatchOf(Explain(p, buffers[0].data(), buffers[1].data()));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (!lab5::IsFloat(p.variant) || p.pattern != lab5::kRandom) return std::nullopt;
    return GpuWork{.ptx = lab5::kGpuPtx,
                   .drawn = {0},
                   .checks = {{"sum_chunks"}, {"scan_chunks", true}, {"check"}},
                   .scratch_bytes = (p.n / lab5::kGpuChunk + 1) * sizeof(double),
                   .checked = p.n};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab5::Hint(rung, what); }
};

}  // namespace

const Lab& Lab5() {
  static const ScanLab kLab;
  return kLab;
}

}  // namespace warpgrade
