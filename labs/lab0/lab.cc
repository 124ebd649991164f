// lab0 as the judge sees it: which arrays, where they live, what stands in them, and whether the answer is right. The
// words of the hints are in hints.cc. Tested by tests/course/lab0/lab0_judge_test.cc.
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab0/cases.h"
#include "labs/lab0/explain.h"
#include "labs/lab0/gpu.h"
#include "labs/lab0/hidden.h"
#include "labs/lab0/hints.h"
#include "labs/lab0/lab0.h"
#include "labs/lab0/lab0_judge.h"
#include "labs/lab0/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab::SlightlySmaller;
using lab0::Problem;
using lab0::Task;

// Vectors of 4 MiB, so that copies take far longer than the calls that start them; the picture of the lecture; segments
// that are odd; so many classes that shared memory decides how many threads are resident.
Problem TechniqueCase(Task task) {
  switch (task) {
    case lab0::kVectorAdd:
      return {.task = task, .first = size_t{1} << 20};
    case lab0::kStreams:
      return {.task = task, .first = size_t{1} << 20, .second = 4};
    case lab0::kImage:
      return {.task = task, .first = 480, .second = 512};
    case lab0::kLinks:
      return {.task = task, .first = size_t{300} * 1001, .second = 1001};
    case lab0::kClasses:
      return {.task = task, .first = size_t{1} << 20, .second = 40};
  }
  return {};
}

Problem OtherSize(Task task, Random& random) {
  Problem p = TechniqueCase(task);
  switch (task) {
    case lab0::kVectorAdd:
    case lab0::kStreams:
    case lab0::kClasses:
      p.first = SlightlySmaller(random, p.first, 32, 3072);
      break;
    case lab0::kImage:
      p.first = SlightlySmaller(random, p.first, 4, 24);
      break;
    case lab0::kLinks:
      p.first = SlightlySmaller(random, p.first, size_t{4} * 1001, 8);
      break;
  }
  return p;
}

// Milliseconds on a GPU: with host arrays the host and the bus decide, 12 bytes for each element; of such calls it
// takes hundreds to know how fast they are.
Problem ThroughputCase(Task task) {
  switch (task) {
    case lab0::kVectorAdd:
      return {.task = task, .first = size_t{1} << 22};
    case lab0::kStreams:
      return {.task = task, .first = size_t{1} << 25, .second = 4};
    case lab0::kImage:
      return {.task = task, .first = 16384, .second = 16384};
    case lab0::kLinks:
      return {.task = task, .first = size_t{1} << 26, .second = 1001};
    case lab0::kClasses:
      return {.task = task, .first = size_t{1} << 29, .second = 40};
  }
  return {};
}

bool HasResult(Task task) { return task == lab0::kVectorAdd || task == lab0::kStreams; }

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.task;
  result.sizes = {p.first, p.second};
  if (HasResult(p.task)) result.sizes.push_back(static_cast<uint64_t>(p.FailingAllocation()));
  result.failing_allocation = p.FailingAllocation();
  result.pattern = p.pattern;
  result.elements = p.Inputs();
  result.bytes_moved = OutputBytes(p);
  for (int i = 0; i < InputCount(p.task); ++i) result.bytes_moved += InputBytes(p, i);
  // Counts leave a kernel by atomic additions, which are no stores.
  result.stored_bytes = p.task == lab0::kClasses ? 0 : OutputBytes(p);
  if (HasResult(p.task)) result.fewest_flops = p.Outputs();                      // vectors: a sum for each element
  if (p.FailingAllocation() > 0) result.stored_bytes = result.fewest_flops = 0;  // an error is an answer without them
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.task = static_cast<Task>(c.variant),
          .first = c.sizes.at(0),
          .second = c.sizes.at(1),
          .pattern = static_cast<lab0::Pattern>(c.pattern)};
}

BufferSpec Array(const char* name, BufferSpec::Role role, uint64_t bytes, BufferSpec::Place place) {
  return {.name = name, .role = role, .bytes = bytes, .place = place};
}

class FirstKernelLab final : public Lab {
 public:
  std::string_view name() const override { return "lab0"; }

  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    const Task task = lab0::TaskOf(rung);
    std::vector<Problem> problems =
        lab::ProblemsOf<Problem>(set, {.published = [&] { return lab0::PublicCases(task); },
                                       .hidden = [&] { return lab0::HiddenCases(rung, random); },
                                       .technique = TechniqueCase(task),
                                       .throughput = ThroughputCase(task),
                                       .other_size = [&] { return OtherSize(task, random); }});
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    using enum BufferSpec::Role;
    using enum BufferSpec::Place;
    const Problem p = ProblemOf(c);
    const uint64_t out = OutputBytes(p);
    switch (p.task) {
      case lab0::kImage:
        return {Array("d_rgb", kInput, InputBytes(p, 0), kDevice), Array("d_grey", kOutput, out, kDevice)};
      case lab0::kLinks:
        return {Array("d_flag", kInput, InputBytes(p, 0), kDevice), Array("d_next", kInput, InputBytes(p, 1), kDevice),
                Array("d_value", kInput, InputBytes(p, 2), kDevice), Array("d_out", kOutput, out, kDevice)};
      case lab0::kClasses:
        return {Array("d_class", kInput, InputBytes(p, 0), kDevice), Array("d_counts", kOutput, out, kDevice)};
      default:
        break;
    }
    const BufferSpec::Place place = p.task == lab0::kStreams ? kLockedHost : kHost;
    return {Array("h_a", kInput, InputBytes(p, 0), place), Array("h_b", kInput, InputBytes(p, 1), place),
            Array("h_c", kOutput, out, place), Array("h_result", kOutput, sizeof(int32_t), kHost)};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer >= 0 && buffer < InputCount(p.task));
    WARPGRADE_CHECK(bytes.size() == InputBytes(p, buffer));
    Draw(p, buffer, random(), bytes.data());
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    const auto inputs = static_cast<size_t>(InputCount(p.task));
    WARPGRADE_CHECK(buffers.size() == inputs + 1 + (HasResult(p.task) ? 1 : 0));
    WARPGRADE_CHECK(buffers[inputs].size() == OutputBytes(p));
    std::optional<lab0::Explanation> e;
    if (HasResult(p.task)) {
      int32_t result;
      WARPGRADE_CHECK(buffers.back().size() == sizeof(result));
      std::memcpy(&result, buffers.back().data(), sizeof(result));
      e = ExplainResult(p, result);
      if (!e && result != 0) return std::nullopt;  // an error, as it should be
    }
    if (!e && p.Outputs() > 0) {
      std::array<const void*, lab0::kInputs> pristine{};
      for (size_t i = 0; i < inputs; ++i) pristine[i] = buffers[i].data();
      e = Explain(p, pristine, buffers[inputs].data());
    }
    return lab::MismatchOf(e);
  }

  std::optional<GpuWork> OnGpu(const Case& c) const override {
    const Problem p = ProblemOf(c);
    GpuWork work{.ptx = lab0::kGpuPtx, .checked = p.Outputs()};
    if (p.pattern != lab0::kOrdinary) return std::nullopt;
    switch (p.task) {
      case lab0::kVectorAdd:
      case lab0::kStreams:
        work.drawn = {0, 1};
        work.checks = {{"check_sums"}};
        ++work.checked;  // what the function returned
        return work;
      case lab0::kImage:
        work.drawn = {0};
        work.checks = {{"check_image"}};
        return work;
      case lab0::kLinks:
        work.drawn = {0, 1, 2};
        work.checks = {{"check_links"}};
        return work;
      case lab0::kClasses:
        work.drawn = {0};
        work.checks = {{"start_counts"}, {"count_classes"}, {"check_classes"}};
        work.scratch_bytes = 256 * sizeof(uint64_t);
        return work;
      default:
        return std::nullopt;
    }
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab0::Hint(rung, what); }
};

}  // namespace

const Lab& Lab0() {
  static const FirstKernelLab kLab;
  return kLab;
}

}  // namespace warpgrade
