// The correctness tests of one rung of lab5: `ctest` runs this program as lab5.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab5/cases.h"
#include "labs/lab5/explain.h"
#include "labs/lab5/hints.h"
#include "labs/lab5/lab5.h"
#include "labs/lab5/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab5 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab5

namespace {

using lab5::Problem;

constexpr uint64_t kSeed = 20240517;  // the same input in every run, so that a failure can be repeated

lab::GuardedArray Output(const Problem& p) { return lab::GuardedArray(p.Bytes(), "d_out"); }

lab::WorkArray Workspace(const Problem& p) { return lab::WorkArray(WorkElements(p.n) * lab5::kElementBytes, "d_work"); }

lab::InputArray DrawnInput(const Problem& p, uint64_t seed) {
  std::vector<std::byte> in(p.Bytes());
  DrawInput(p, seed, in.data());
  return lab::InputArray(std::move(in));
}

class ScanTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& out, const lab::WorkArray& work) {
    return RunAndWait(Name(p), [&] { lab5::CallScan(p.variant, in.data(), out.data(), p.n, work.data(), stream_); });
  }

  static void ExpectScan(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& out,
                         const lab::WorkArray& work) {
    const std::vector<std::byte> sums = out.Read();
    work.ExpectRoomIsUntouched();
    if (const auto wrong = lab5::Explain(p, in.host(), sums.data())) {
      FAIL() << lab::InFull(*wrong);
    }
  }
};

TEST_P(ScanTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const lab::InputArray in = DrawnInput(p, kSeed);
  const lab::GuardedArray out = Output(p);
  const lab::WorkArray work = Workspace(p);
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  std::string name = Name(info.param).substr(4);  // without "n = "
  std::replace(name.begin(), name.end(), ' ', '_');
  std::erase(name, ',');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScanTest, testing::ValuesIn(lab5::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next, in d_work above all, which still holds what
// the larger first call left there.
class RepeatedScanTest : public ScanTest {};

TEST_P(RepeatedScanTest, ASecondScanWithTheSameWorkspaceReplacesTheFirst) {
  const Problem& p = GetParam();
  Problem larger = p;
  larger.n = 2 * p.n + 1;
  const lab::InputArray in = DrawnInput(p, kSeed), larger_in = DrawnInput(larger, kSeed + 1);
  const lab::GuardedArray out = Output(p), larger_out = Output(larger);
  const lab::WorkArray work = Workspace(larger);
  if (!Run(larger, larger_in, larger_out, work)) return;
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedScanTest,
                         testing::Values(Problem{.n = 50000, .variant = lab5::kFloatInclusive},
                                         Problem{.n = 131072, .variant = lab5::kIntExclusive}),
                         TestName);

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests(
      {.lab = "lab5",
       .hint = lab5::Hint,
       .has_workspace = true,
       .launch_limits = "A grid has no dimension of 0; a block has at most 1024 threads and 48 KB of shared memory."},
      argc, argv);
}
