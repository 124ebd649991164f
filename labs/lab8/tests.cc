// The correctness tests of one rung of lab8: `ctest` runs this program as lab8.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab8/cases.h"
#include "labs/lab8/explain.h"
#include "labs/lab8/hints.h"
#include "labs/lab8/lab8.h"
#include "labs/lab8/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab8 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab8

namespace {

using lab8::Problem;

constexpr uint64_t kSeed = 20261126;  // the same arrays in every run, so that a failure can be repeated

class BugHuntTest : public lab::RungTestOver<Problem> {};

std::unique_ptr<lab::InputArray> Drawn(const Problem& p, int input) {
  std::vector<std::byte> elements(p.InputElements() * sizeof(int));
  Draw(p, input, kSeed + static_cast<uint64_t>(input), reinterpret_cast<int*>(elements.data()));
  return std::make_unique<lab::InputArray>(std::move(elements));
}

void ExpectName(const Problem& p) {
  const lab8::Fault fault = lab8::NamedFault();
  const std::array<int, 3> named = {fault.kind, fault.first, fault.second};
  if (const auto wrong = lab8::Explain(p, {}, {named.data()})) {
    FAIL() << wrong->message;
  }
}

TEST_P(BugHuntTest, IsRight) {
  const Problem& p = GetParam();
  if (p.task == lab8::kName) return ExpectName(p);
  std::vector<std::unique_ptr<lab::InputArray>> inputs;
  std::vector<std::unique_ptr<lab::GuardedArray>> outputs;
  lab8::Arguments arguments;
  int buffer = 0;
  inputs.reserve(lab8::kArrays);
  for (int i = 0; i < InputCount(p.task); ++i) inputs.push_back(Drawn(p, i));
  for (const auto& in : inputs) arguments.buffers[buffer++] = in->data();
  const lab::DeviceArray work(p.task == lab8::kTotal ? 2 * p.InputElements() * sizeof(int) : 0);
  if (p.task == lab8::kTotal) arguments.buffers[buffer++] = work.data();
  for (int i = 0; i < OutputCount(p.task); ++i) {
    outputs.push_back(std::make_unique<lab::GuardedArray>(OutputElements(p, i) * sizeof(int), "the output"));
    arguments.buffers[buffer++] = outputs.back()->data();
  }
  arguments.first = p.first;
  arguments.second = p.second;
  arguments.stream = stream_;
  if (!RunAndWait(Name(p), [&] { lab8::CallRung(arguments); })) return;

  std::array<const int*, lab8::kArrays> in{}, out{};
  std::array<std::vector<int>, lab8::kArrays> content;
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(inputs[i]->IsUntouched()) << Name(p) << ": an input was written to";
    in[i] = inputs[i]->host<int>();
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    content[i] = outputs[i]->Read<int>();
    out[i] = content[i].data();
  }
  if (const auto wrong = lab8::Explain(p, in, out)) {
    FAIL() << lab::InFull(*wrong);
  }
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  if (p.task == lab8::kName) return "name_of_the_fault";
  std::string name = std::to_string(p.first);
  if (p.second > 0) name.append("_").append(std::to_string(p.second));
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, BugHuntTest, testing::ValuesIn(lab8::PublicCases(lab::Rung())), TestName);

std::string Mistake(const std::string& rung) {
  if (lab8::RungTask() == lab8::TaskOf(rung)) return "";
  return "this file's last line belongs to another rung: v1 to v5 and v7 end with LAB8_SUMS_RUNG();, v6 with "
         "LAB8_TOTAL_RUNG();, v8 with LAB8_TRANSPOSE_RUNG();, v9 with LAB8_NEURONS_RUNG();";
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab8", .hint = lab8::Hint, .mistake = Mistake}, argc, argv);
}
