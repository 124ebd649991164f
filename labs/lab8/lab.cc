// lab8 as the judge sees it: which sizes, what the arrays hold, whether the answers are right, and whether the fault
// has its right name. The words of the hints are in hints.cc. Tested by tests/course/lab8/lab8_judge_test.cc.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"
#include "labs/lab8/cases.h"
#include "labs/lab8/explain.h"
#include "labs/lab8/hidden.h"
#include "labs/lab8/hints.h"
#include "labs/lab8/lab8.h"
#include "labs/lab8/lab8_judge.h"
#include "labs/lab8/values.h"
#include "labs/support/judging.h"

namespace warpgrade {
namespace {

using lab8::Problem;
using lab8::Task;

Case JudgeCase(const Problem& p) {
  Case result;
  result.name = Name(p);
  result.variant = p.task;
  result.sizes = {p.first, p.second};
  result.elements = p.InputElements();
  if (p.task == lab8::kName) return result;
  result.loaded_bytes = p.InputElements() * sizeof(int);
  if (p.InputElements() > 0) {
    for (int i = 0; i < OutputCount(p.task); ++i) result.stored_bytes += OutputElements(p, i) * sizeof(int);
  }
  result.bytes_moved = result.loaded_bytes * static_cast<uint64_t>(InputCount(p.task)) + result.stored_bytes;
  if (p.task == lab8::kTotal) result.stored_bytes = 0;  // a copy may bring the sum to d_out
  return result;
}

Problem ProblemOf(const Case& c) {
  return {.task = static_cast<Task>(c.variant), .first = c.sizes.at(0), .second = c.sizes.at(1)};
}

// More than one block, and a last one that is not full.
Problem TechniqueCase(Task task) {
  if (task == lab8::kTranspose) return {.task = task, .first = 100, .second = 200};
  return {.task = task, .first = 5000, .second = task == lab8::kBlockSums ? size_t{256} : 0};
}

BufferSpec Array(const char* name, BufferSpec::Role role, uint64_t elements) {
  return {.name = name, .role = role, .bytes = elements * sizeof(int)};
}

class BugHuntLab final : public Lab {
 public:
  std::string_view name() const override { return "lab8"; }

  // No rung has limits or is timed. The case for technique is what `explain` draws.
  std::vector<Case> Cases(std::string_view rung, CaseSet set, Random& random) const override {
    std::vector<Problem> problems;
    if (set == CaseSet::kPublic) problems = lab8::PublicCases(rung);
    if (set == CaseSet::kTechnique) problems = {TechniqueCase(lab8::TaskOf(rung))};
    if (set == CaseSet::kHidden) problems = lab8::HiddenCases(rung, random);
    std::vector<Case> result;
    result.reserve(problems.size());
    for (const Problem& p : problems) result.push_back(JudgeCase(p));
    return result;
  }

  std::vector<BufferSpec> Buffers(const Case& c) const override {
    using enum BufferSpec::Role;
    const Problem p = ProblemOf(c);
    const uint64_t in = p.InputElements();
    switch (p.task) {
      case lab8::kBlockSums:
      case lab8::kTranspose:
        return {Array("d_in", kInput, in), Array("d_out", kOutput, OutputElements(p, 0))};
      case lab8::kTotal:
        return {Array("d_in", kInput, in), Array("d_work", kWorkspace, 2 * in), Array("d_out", kOutput, 1)};
      case lab8::kNeurons:
        return {Array("d_v", kInput, in), Array("d_current", kInput, in),
                Array("d_next", kOutput, OutputElements(p, 0)), Array("d_quiet", kOutput, OutputElements(p, 1))};
      case lab8::kName:
        break;
    }
    BufferSpec answer = Array("h_fault", kOutput, OutputElements(p, 0));
    answer.place = BufferSpec::Place::kHost;
    return {answer};
  }

  void DrawInput(const Case& c, int buffer, Random& random, std::span<std::byte> bytes) const override {
    const Problem p = ProblemOf(c);
    WARPGRADE_CHECK(buffer >= 0 && buffer < InputCount(p.task));
    WARPGRADE_CHECK(bytes.size() == p.InputElements() * sizeof(int));
    Draw(p, buffer, random(), reinterpret_cast<int*>(bytes.data()));
  }

  std::optional<Mismatch> Check(const Case& c, std::span<const std::span<const std::byte>> buffers) const override {
    const Problem p = ProblemOf(c);
    const std::vector<BufferSpec> specs = Buffers(c);
    WARPGRADE_CHECK(buffers.size() == specs.size());
    std::array<const int*, lab8::kArrays> inputs{}, outputs{};
    size_t input = 0, output = 0;
    for (size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role == BufferSpec::Role::kWorkspace) continue;
      WARPGRADE_CHECK(buffers[i].size() == specs[i].bytes);
      const auto* const ints = reinterpret_cast<const int*>(buffers[i].data());
      if (specs[i].role == BufferSpec::Role::kInput) {
        inputs.at(input++) = ints;
      } else {
        outputs.at(output++) = ints;
      }
    }
    return lab::MismatchOf(Explain(p, inputs, outputs));
  }

  std::string Hint(std::string_view rung, std::string_view what) const override { return lab8::Hint(rung, what); }
};

}  // namespace

const Lab& Lab8() {
  static const BugHuntLab kLab;
  return kLab;
}

}  // namespace warpgrade
