// The correctness tests of one rung of lab10: `ctest` runs this program as lab10.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab10/cases.h"
#include "labs/lab10/explain.h"
#include "labs/lab10/hints.h"
#include "labs/lab10/lab10.h"
#include "labs/lab10/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab10 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab10

namespace {

using lab10::Problem;

constexpr uint64_t kSeed = 20261126;  // the same elements in every run, so that a failure can be repeated

lab::InputArray Drawn(const Problem& p, uint64_t seed = kSeed) {
  std::vector<std::byte> elements(p.Bytes());
  Draw(p, seed, reinterpret_cast<uint32_t*>(elements.data()));
  return lab::InputArray(std::move(elements));
}

class SortTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& out, const lab::WorkArray& work) {
    return RunAndWait(Name(p), [&] {
      lab10::CallRung(static_cast<const uint32_t*>(in.data()), static_cast<uint32_t*>(out.data()), p.n, p.bits,
                      static_cast<uint32_t*>(work.data()), stream_);
    });
  }

  static void ExpectSorted(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& out,
                           const lab::WorkArray& work) {
    const std::vector<uint32_t> elements = out.Read<uint32_t>();
    work.ExpectRoomIsUntouched();
    if (const auto wrong = lab10::Explain(p, in.host<uint32_t>(), elements.data())) {
      FAIL() << lab::InFull(*wrong);
    }
  }
};

TEST_P(SortTest, EveryElementIsAtItsPlace) {
  const Problem& p = GetParam();
  const lab::InputArray in = Drawn(p);
  const lab::GuardedArray out(p.Bytes(), "d_out");
  const lab::WorkArray work(p.WorkBytes(), "d_work");
  if (!Run(p, in, out, work)) return;
  ExpectSorted(p, in, out, work);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  return std::to_string(p.n) + "_" + std::to_string(p.bits) + "_bits_" + lab10::Name(p.pattern);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SortTest, testing::ValuesIn(lab10::PublicCases(lab::Rung())), TestName);

// Catches what one call cannot show: state kept from one call to the next, in d_work above all, which still holds what
// the larger first call left there.
class RepeatedSortTest : public SortTest {};

TEST_P(RepeatedSortTest, ASecondSortWithTheSameWorkspaceReplacesTheFirst) {
  const Problem& p = GetParam();
  Problem larger = p;
  larger.n = 2 * p.n + 1;
  const lab::InputArray in = Drawn(p), larger_in = Drawn(larger, kSeed + 1);
  const lab::GuardedArray out(p.Bytes(), "d_out"), larger_out(larger.Bytes(), "d_out");
  const lab::WorkArray work(larger.WorkBytes(), "d_work");
  if (!Run(larger, larger_in, larger_out, work)) return;
  if (!Run(p, in, out, work)) return;
  ExpectSorted(p, in, out, work);
  if (!Run(p, in, out, work)) return;
  ExpectSorted(p, in, out, work);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedSortTest, testing::Values(Problem{.n = 12289}), TestName);

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab10",
                            .hint = lab10::Hint,
                            .has_workspace = true,
                            .answers = "elements",
                            .launch_limits = "A grid has no dimension of 0; a block has at most 1024 threads and 48 KB "
                                             "of shared memory."},
                           argc, argv);
}
