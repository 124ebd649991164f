// lab9 as the judge sees it: which matrices, what stands in them, and whether the product came out. The words of the
// hints are in hints.cc. Tested by tests/course/lab9/lab9_judge_test.cc.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab9/cases.h"
#include "labs/lab9/explain.h"
#include "labs/lab9/gpu.h"
#include "labs/lab9/hidden.h"
#include "labs/lab9/hints.h"
#include "labs/lab9/lab9_judge.h"
#include "labs/lab9/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab9::Problem;

// The emulator needs a tenth of a second for it. A skewed matrix has more: a few warps that take turns with rows of any
// length must not look as if they shared the work evenly.
constexpr size_t kTechniqueNonzeros = size_t{1} << 18, kTechniqueSkewed = size_t{1} << 20;
// 1 GB, twenty times the L2 cache of an H200; at least 0.27 ms.
constexpr size_t kThroughputNonzeros = size_t{1} << 27;

// The matrix that shows what the rung is about: the weakness of the rung before. The means are not near a power of two
// from which v3 would choose another number of lanes.
Problem ProblemOf(std::string_view rung, size_t nonzeros) {
  const bool is_long = rung == "v1_thread" || rung == "v2_warp";
  const size_t mean = is_long ? 128 : rung == "v3_group" ? 40 : 12;
  const size_t rows = nonzeros < mean ? 1 : nonzeros / mean;
  return {.rows = rows,
          .columns = rows,
          .nonzeros = nonzeros,
          .lengths = rung == "v4_open" ? lab9::kSkewed : lab9::kUneven};
}

Problem OtherSize(Problem technique, Random& random) {
  technique.nonzeros = lab::SlightlySmaller(random, technique.nonzeros, 8, size_t{1} << 10);
  return technique;
}

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.sizes = {p.rows, p.columns, p.nonzeros};
  result.pattern = p.Pattern();
  result.elements = p.nonzeros;
  // Everything once: the column and the value of each nonzero, the offsets, x and y.
  result.bytes_moved =
      p.nonzeros * (sizeof(int) + sizeof(float)) + (p.rows + 1) * sizeof(int) + (p.columns + p.rows) * sizeof(float);
  result.loaded_bytes = p.nonzeros * (sizeof(int) + sizeof(float));
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.rows = c.sizes.at(0),
          .columns = c.sizes.at(1),
          .nonzeros = c.sizes.at(2),
          .lengths = static_cast<lab9::Lengths>(c.pattern % lab9::kLengthsCount),
          .values = static_cast<lab9::Values>(c.pattern / lab9::kLengthsCount)};
}

class SparseLab final : public Lab {
 public:
  std::string_view name() const override { return "lab9"; }

  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    const Problem technique = ProblemOf(rung, rung == "v4_open" ? kTechniqueSkewed : kTechniqueNonzeros);
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab9::PublicCases(); },
                                       .hidden = [&] { return lab9::HiddenCases(rung, random); },
                                       .technique = technique,
                                       .throughput = ProblemOf(rung, kThroughputNonzeros),
                                       .other_size = [&] { return OtherSize(technique, random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  // With samples of 2 ms, ten gradings differed by up to 2.2%, while the GPU's own clock differed by 0.3% (H200).
  int SampleLength(std::string_view /*rung*/) const override { return 4; }

  std::optional<Case> OfSize(std::string_view rung, uint64_t elements) const override {
    return JudgeCase(ProblemOf(rung, elements));
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    using Role = BufferSpec::Role;
    const Problem p = ProblemOf(c);
    return {{.name = "d_offsets", .role = Role::kInput, .bytes = (p.rows + 1) * sizeof(int)},
            {.name = "d_columns", .role = Role::kInput, .bytes = p.nonzeros * sizeof(int)},
            {.name = "d_values", .role = Role::kInput, .bytes = p.nonzeros * sizeof(float)},
            {.name = "d_x", .role = Role::kInput, .bytes = p.columns * sizeof(float)},
            {.name = "d_y", .role = Role::kOutput, .bytes = p.rows * sizeof(float)}};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer >= 0 && buffer < 4 && bytes.size() == Buffers(c).at(static_cast<size_t>(buffer)).bytes);
    const uint64_t seed = random();
    if (buffer == 0) return DrawOffsets(p, seed, reinterpret_cast<int*>(bytes.data()));
    if (buffer == 1) return DrawColumns(p, seed, reinterpret_cast<int*>(bytes.data()));
    if (buffer == 2) return DrawValues(p, seed, reinterpret_cast<float*>(bytes.data()));
    DrawX(p, seed, reinterpret_cast<float*>(bytes.data()));
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const std::vector<BufferSpec> specs = Buffers(c);
    WARPGRADE_CHECK(buffers.size() == specs.size());
    for (size_t i = 0; i < specs.size(); ++i) WARPGRADE_CHECK(buffers[i].size() == specs[i].bytes);
    const lab9::Inputs inputs = {.offsets = reinterpret_cast<const int*>(buffers[0].data()),
                                 .columns = reinterpret_cast<const int*>(buffers[1].data()),
                                 .values = reinterpret_cast<const float*>(buffers[2].data()),
                                 .x = reinterpret_cast<const float*>(buffers[3].data())};
    return lab::MismatchOf(Explain(ProblemOf(c), inputs, reinterpret_cast<const float*>(buffers[4].data())));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    if (p.values != lab9::kExact) return std::nullopt;
    return GpuWork{.ptx = lab9::kGpuPtx,
                   .drawn = {0, 1, 2, 3},
                   .checks = {{"start_sums"}, {"sum"}, {"check"}},
                   .scratch_bytes = p.rows * sizeof(uint64_t),
                   .checked = p.rows};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab9::Hint(rung, what); }
};

}  // namespace

const Lab& Lab9() {
  static const SparseLab kLab;
  return kLab;
}

}  // namespace warpgrade
