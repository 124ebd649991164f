// The correctness tests of one rung of lab1: `ctest` runs this program as lab1.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
//
// On a GPU with room for it there is one more case, beyond 2^31 elements (huge.h). On the emulator that case needs
// LAB1_HUGE=1 and 9 GB.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab1/cases.h"
#include "labs/lab1/explain.h"
#include "labs/lab1/hints.h"
#include "labs/lab1/huge.h"
#include "labs/lab1/lab1.h"
#include "labs/lab1/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab1 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab1

namespace {

using lab1::Problem;

constexpr uint64_t kSeed = 20240229;  // the same input in every run, so that a failure can be repeated

lab::InputArray DrawnInput(const Problem& p) {
  std::vector<std::byte> in(p.InBytes());
  DrawInput(p, kSeed, in.data());
  return lab::InputArray(std::move(in));
}

class ReductionTest : public lab::RungTestOver<Problem> {};

TEST_P(ReductionTest, MatchesTheReference) {
  const Problem& p = GetParam();
  const size_t element = lab1::ElementBytes(p.variant.element);
  const lab::InputArray in = DrawnInput(p);
  const lab::GuardedArray out(element, "d_out");
  const lab::WorkArray work(WorkElements(p.n) * element, "d_work");
  const auto call = [&] {
    lab1::CallReduce(p.variant, lab1::InputStart(p.variant, in.data(), p.front), p.n, out.data(), work.data(), stream_);
  };
  if (!RunAndWait(Name(p), call)) return;
  work.ExpectRoomIsUntouched();
  if (const auto wrong = lab1::Explain(p, in.host(), out.Read().data())) FAIL() << lab::InFull(*wrong);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

// "n = 33, float, sum" -> "n_33_float_sum"
std::string TestName(const testing::TestParamInfo<Problem>& info) {
  std::string name;
  for (const char c : Name(info.param)) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      name += c;
    } else if (name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, ReductionTest, testing::ValuesIn(lab1::PublicCases()), TestName);

// More elements than an int can count: gigabytes.
class HugeReductionTest : public lab::RungTest {
 public:
  explicit HugeReductionTest(size_t n) : n_(n) {}

  void TestBody() override {
    const lab::DeviceArray in(n_ * sizeof(int32_t)), out(sizeof(int32_t)), work(WorkElements(n_) * sizeof(int32_t));
    lab::Require(cudaMemset(in.data(), 0, n_ * sizeof(int32_t)), "cudaMemset");
    for (const lab1::Mark& mark : lab1::HugeMarks(n_)) {
      int32_t* const place = static_cast<int32_t*>(in.data()) + mark.place;
      lab::Require(cudaMemcpy(place, &mark.value, sizeof mark.value, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    const auto call = [&] {
      lab1::CallReduce({lab1::Element::kInt, lab1::Operation::kSum}, in.data(), n_, out.data(), work.data(), stream_);
    };
    if (!RunAndWait(CaseName(), call)) return;
    int32_t sum = 0;
    lab::Require(cudaMemcpy(&sum, out.data(), sizeof sum, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (const std::string wrong = lab1::ExplainHugeSum(n_, sum); !wrong.empty()) FAIL() << lab::WithHint(wrong);
  }

 private:
  std::string CaseName() const override { return "n = " + std::to_string(n_) + ", int, sum"; }

  const size_t n_;
};

// On a GPU with room for it, or on the emulator for a person with patience.
void RegisterHugeReduction() {
  size_t free_bytes = 0, all_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) return;
  if (lab::IsOnEmulator()) {
    if (std::getenv("LAB1_HUGE") == nullptr) return;
    free_bytes = std::min(free_bytes, size_t{10} << 30);  // enough beyond 2^31
  }
  const size_t n = lab1::HugeCount(free_bytes);
  if (n == 0) return;
  testing::RegisterTest("HugeReductionTest", "MoreElementsThanAnIntCounts", nullptr, nullptr, __FILE__, __LINE__,
                        [n]() -> testing::Test* { return new HugeReductionTest(n); });
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests(
      {.lab = "lab1",
       .hint = lab1::Hint,
       .has_workspace = true,
       .register_more = RegisterHugeReduction,
       .launch_limits = "A grid has no dimension of 0; a block has at most 1024 threads and 48 KB of shared memory."},
      argc, argv);
}
