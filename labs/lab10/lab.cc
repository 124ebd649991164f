// lab10 as the judge sees it: which arrays, what stands in them, and whether they came out sorted. The words of the
// hints are in hints.cc. Tested by tests/course/lab10/lab10_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab10/cases.h"
#include "labs/lab10/explain.h"
#include "labs/lab10/gpu.h"
#include "labs/lab10/hidden.h"
#include "labs/lab10/hints.h"
#include "labs/lab10/lab10.h"
#include "labs/lab10/lab10_judge.h"
#include "labs/lab10/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab10::Problem;

// Whole tiles for v1 to v4. 256 KB do not fit into the shared memory of one block, which is 227 KB on an H200: a block
// that sorts everything by itself would show no technique.
constexpr Problem kTechniqueCase = {.n = size_t{1} << 16};
// 512 MB, ten times the L2 cache of an H200. v1 and v2 would take 50 ms for it, so they get 64 MB, which is still more
// than the cache.
constexpr Problem kThroughputCase = {.n = size_t{1} << 27}, kShortThroughputCase = {.n = size_t{1} << 24};

const Problem& ThroughputCase(std::string_view rung) {
  return lab10::SortsWholeElements(rung) ? kShortThroughputCase : kThroughputCase;
}

Problem OtherSize(Random& random) {
  Problem p = kTechniqueCase;
  p.n = lab::SlightlySmaller(random, p.n, 8, 256);
  return p;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.sizes = {p.n, static_cast<uint64_t>(p.bits)};
  result.pattern = p.pattern;
  result.elements = p.n;
  result.bytes_moved = 2 * p.Bytes();  // each element read once and written once
  // A copy and exchanges in place are a right sort too, so kernels need not store everything. But each key must be
  // seen.
  if (p.n > 1) result.loaded_bytes = p.Bytes();
  return result;
}

Problem ProblemOf(const Case& c) {
  return {
      .n = c.sizes.at(0), .bits = static_cast<int>(c.sizes.at(1)), .pattern = static_cast<lab10::Pattern>(c.pattern)};
}

class SortLab final : public Lab {
 public:
  std::string_view name() const override { return "lab10"; }

  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab10::PublicCases(rung); },
                                       .hidden = [&] { return lab10::HiddenCases(rung, random); },
                                       .technique = kTechniqueCase,
                                       .throughput = ThroughputCase(rung),
                                       .other_size = [&] { return OtherSize(random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  // With samples of one call, ten gradings of v5 differed by 1.03%; with these by at most 0.27% (H200).
  int SampleLength(std::string_view rung) const override {
    return rung == "v5_one_sweep" ? 4 : Lab::SampleLength(rung);
  }

  std::optional<Case> OfSize(std::string_view rung, uint64_t elements) const override {
    Problem p = ThroughputCase(rung);
    p.n = elements;
    return JudgeCase(p);
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    const Problem p = ProblemOf(c);
    return {{.name = "d_in", .role = BufferSpec::Role::kInput, .bytes = p.Bytes()},
            {.name = "d_out", .role = BufferSpec::Role::kOutput, .bytes = p.Bytes()},
            {.name = "d_work", .role = BufferSpec::Role::kWorkspace, .bytes = p.WorkBytes()}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == 0 && bytes.size() == p.Bytes());
    lab10::Draw(p, random(), reinterpret_cast<uint32_t*>(bytes.data()));
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == 3 && buffers[0].size() == p.Bytes() && buffers[1].size() == p.Bytes());
    return lab::MismatchOf(Explain(p, reinterpret_cast<const uint32_t*>(buffers[0].data()),
                                   reinterpret_cast<const uint32_t*>(buffers[1].data())));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (p.bits != lab10::kKeyBits || p.pattern != lab10::kRandom || p.n == 0) return std::nullopt;
    return GpuWork{.ptx = lab10::kGpuPtx,
                   .drawn = {0},
                   .checks = {{"start_sums"}, {"add_up"}, {"check"}},
                   .scratch_bytes = sizeof(uint64_t),
                   .checked = p.n};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab10::Hint(rung, what); }
};

}  // namespace

const Lab& Lab10() {
  static const SortLab kLab;
  return kLab;
}

}  // namespace warpgrade
