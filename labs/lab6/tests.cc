// The correctness tests of one rung of lab6: `ctest` runs this program as lab6.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab6/cases.h"
#include "labs/lab6/explain.h"
#include "labs/lab6/hints.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab6 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab6

namespace {

using lab6::Problem;

constexpr uint64_t kSeed = 20240229;  // the same fields in every run, so that a failure can be repeated

class StencilTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const void* d_in, void* d_out, void* d_work) {
    return RunAndWait(Name(p), [&] {
      lab6::CallRung(static_cast<const float*>(d_in), static_cast<float*>(d_out), static_cast<float*>(d_work), p.rows,
                     p.columns, p.points, p.MakeWeights(), p.steps, stream_);
    });
  }
};

lab::InputArray Drawn(const Problem& p, uint64_t seed = kSeed) {
  std::vector<std::byte> field(p.Bytes());
  Draw(p, seed, reinterpret_cast<float*>(field.data()));
  return lab::InputArray(std::move(field));
}

lab::GuardedArray Output(const Problem& p) { return lab::GuardedArray(p.Bytes(), "d_out"); }
lab::WorkArray Workspace(const Problem& p) { return lab::WorkArray(p.Bytes(), "d_work"); }

void ExpectField(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& d_out) {
  const std::vector<float> out = d_out.Read<float>();
  if (const auto wrong = lab6::Explain(p, in.host<float>(), out.data())) {
    FAIL() << lab::InFull(*wrong);
  }
}

TEST_P(StencilTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const lab::InputArray in = Drawn(p);
  const lab::GuardedArray d_out = Output(p);
  const lab::WorkArray d_work = Workspace(p);
  if (!Run(p, in.data(), d_out.data(), d_work.data())) return;
  ExpectField(p, in, d_out);
  d_work.ExpectRoomIsUntouched();
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  std::string name = std::to_string(p.rows) + "x" + std::to_string(p.columns) + "_" + std::to_string(p.points) +
                     "_points_" + std::to_string(p.steps) + "_steps";
  if (p.pattern != lab6::kExact) name += std::string("_") + lab6::Name(p.pattern);
  return name;
}

// Evaluated by InitGoogleTest, when main has found out which rung this is.
INSTANTIATE_TEST_SUITE_P(Sizes, StencilTest, testing::ValuesIn(lab6::PublicCases(lab::Rung())), TestName);

// Catches what one call cannot show: state kept from one call to the next, and what an earlier call left in d_work.
class RepeatedStencilTest : public StencilTest {};

TEST_P(RepeatedStencilTest, ASecondFieldReplacesTheFirst) {
  const Problem& p = GetParam();
  const lab::InputArray in = Drawn(p), other = Drawn(p, kSeed + 1);
  const lab::GuardedArray d_out = Output(p);
  const lab::WorkArray d_work = Workspace(p);
  if (!Run(p, other.data(), d_out.data(), d_work.data())) return;
  if (!Run(p, in.data(), d_out.data(), d_work.data())) return;
  ExpectField(p, in, d_out);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedStencilTest,
                         testing::Values(Problem{.rows = 67, .columns = 130, .steps = 2, .points = lab6::kNine},
                                         Problem{.rows = 67, .columns = 132, .steps = 5, .points = lab6::kFive}),
                         TestName);

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab6", .hint = lab6::Hint, .has_workspace = true}, argc, argv);
}
