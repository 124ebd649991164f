// lab1 as the judge sees it: which arrays, what stands in them, and whether the reduction came out. The words of the
// hints are in hints.cc. Tested by tests/course/lab1/lab_test.cc.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab1/cases.h"
#include "labs/lab1/explain.h"
#include "labs/lab1/gpu.h"
#include "labs/lab1/hidden.h"
#include "labs/lab1/hints.h"
#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/lab1/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab1::Element;
using lab1::Operation;
using lab1::Problem;
using lab1::Values;
using lab1::Variant;

constexpr Variant kFloatSum = {Element::kFloat, Operation::kSum};
constexpr Problem kTechniqueCase = {.n = size_t{1} << 17, .variant = kFloatSum};
// 1 GiB: an H200 takes 0.25 ms, which is long compared with what a call costs.
constexpr Problem kThroughputCase = {.n = size_t{1} << 28, .variant = kFloatSum};

Problem OtherSize(Random& random) {
  Problem p = kTechniqueCase;
  p.n = lab::SlightlySmaller(random, p.n, 8, 4096);
  return p;
}

Case JudgeCase(const Problem& p) {
  Case c;
  c.name = Name(p);
  c.variant = lab1::VariantNumber(p.variant);
  c.sizes = {p.n, p.front, p.back};
  c.pattern = static_cast<uint32_t>(p.values);
  c.elements = p.n;
  c.bytes_moved = p.n * lab1::ElementBytes(p.variant.element);
  if (p.n > 32) c.loaded_bytes = c.bytes_moved;  // fewer may be dealt with by copies
  return c;
}

Problem ProblemOf(const Case& c) {
  return {.n = c.sizes.at(lab1::kCount),
          .variant = lab1::VariantFromNumber(c.variant),
          .values = static_cast<Values>(c.pattern),
          .front = c.sizes.at(lab1::kFront),
          .back = c.sizes.at(lab1::kBack)};
}

class ReductionLab final : public Lab {
 public:
  std::string_view name() const override { return "lab1"; }

  // All rungs have the same cases, since they are the same function.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    const std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [] { return lab1::PublicCases(); },
                                       .hidden = [&] { return lab1::HiddenCases(rung, random); },
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
    const uint64_t bytes = lab1::ElementBytes(p.variant.element);
    std::vector<BufferSpec> buffers(lab1::kBuffers);
    buffers[lab1::kInBuffer] = {"d_in", BufferSpec::Role::kInput, p.InBytes()};
    buffers[lab1::kOutBuffer] = {"d_out", BufferSpec::Role::kOutput, bytes};
    buffers[lab1::kWorkBuffer] = {"d_work", BufferSpec::Role::kWorkspace, WorkElements(p.n) * bytes};
    return buffers;
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer == lab1::kInBuffer && bytes.size() == p.InBytes());
    lab1::DrawInput(p, random(), bytes.data());
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffers.size() == lab1::kBuffers && buffers[lab1::kInBuffer].size() == p.InBytes() &&
                    buffers[lab1::kOutBuffer].size() == lab1::ElementBytes(p.variant.element));
    return lab::MismatchOf(Explain(p, buffers[lab1::kInBuffer].data(), buffers[lab1::kOutBuffer].data()));
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    const bool can = p.variant.element == Element::kFloat && p.variant.operation == Operation::kSum &&
                     p.values == Values::kRandom && p.front == 0 && p.back == 0;
    if (!can) return std::nullopt;
    return GpuWork{.ptx = lab1::kGpuPtx,
                   .drawn = {lab1::kInBuffer},
                   .checks = {{"start_sum"}, {"sum_elements"}, {"check"}},
                   .scratch_bytes = sizeof(double),
                   .checked = 1};
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab1::Hint(rung, what); }
  std::string Note(std::string_view rung, const std::map<std::string, double>& metrics) const override {
    return lab1::Note(rung, metrics);
  }
};

}  // namespace

const Lab& Lab1() {
  static const ReductionLab kLab;
  return kLab;
}

}  // namespace warpgrade
