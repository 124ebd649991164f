// The correctness tests of one rung of lab7: `ctest` runs this program as lab7.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab7/cases.h"
#include "labs/lab7/explain.h"
#include "labs/lab7/hints.h"
#include "labs/lab7/lab7.h"
#include "labs/lab7/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab7 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab7

namespace {

using lab7::Problem;

constexpr uint64_t kSeed = 20240229;  // the same elements in every run, so that a failure can be repeated

class HistogramTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const void* d_in, void* d_bins) {
    return RunAndWait(Name(p),
                      [&] { lab7::CallRung(p.variant, d_in, p.n, static_cast<unsigned*>(d_bins), p.bins, stream_); });
  }
};

lab::InputArray Drawn(const Problem& p, uint64_t seed = kSeed) {
  std::vector<std::byte> elements(p.BytesOfInput());
  Draw(p, seed, elements.data());
  return lab::InputArray(std::move(elements));
}

void ExpectCounts(const Problem& p, const lab::InputArray& in, const lab::GuardedArray& d_bins) {
  const std::vector<unsigned> counts = d_bins.Read<unsigned>();
  if (const auto wrong = lab7::Explain(p, in.host(), counts.data())) {
    FAIL() << lab::WithHint(wrong->message) << "\nbin:  " << wrong->index << "\ngot:  " << wrong->got
           << "\nwant: " << wrong->want;
  }
}

TEST_P(HistogramTest, EveryCountIsRight) {
  const Problem& p = GetParam();
  const lab::InputArray in = Drawn(p);
  const lab::GuardedArray d_bins(p.BytesOfBins(), "d_bins");
  if (!Run(p, in.data(), d_bins.data())) return;
  ExpectCounts(p, in, d_bins);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  return std::to_string(p.n) + "_" + lab7::Name(p.variant) + "_" + std::to_string(p.bins) + "_bins_" +
         lab7::Name(p.pattern);
}

INSTANTIATE_TEST_SUITE_P(Sizes, HistogramTest, testing::ValuesIn(lab7::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next, and counts that start at what the bins hold.
class RepeatedHistogramTest : public HistogramTest {};

TEST_P(RepeatedHistogramTest, ASecondHistogramReplacesTheFirst) {
  const Problem& p = GetParam();
  const lab::InputArray in = Drawn(p), other = Drawn(p, kSeed + 1);
  const lab::GuardedArray d_bins(p.BytesOfBins(), "d_bins");
  if (!Run(p, other.data(), d_bins.data())) return;
  if (!Run(p, in.data(), d_bins.data())) return;
  ExpectCounts(p, in, d_bins);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedHistogramTest,
                         testing::Values(Problem{.n = 10007, .bins = 256, .variant = lab7::kByte},
                                         Problem{.n = 10007, .bins = 500, .variant = lab7::kInt}),
                         TestName);

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab7",
                            .hint = lab7::Hint,
                            .answers = "counts",
                            .launch_limits = "A grid has no dimension of 0; a block has at most 1024 threads, and 48 "
                                             "KB of shared memory unless it asks for more."},
                           argc, argv);
}
