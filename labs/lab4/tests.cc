// The correctness tests of one rung of lab4: `ctest` runs this program as lab4.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab4/cases.h"
#include "labs/lab4/explain.h"
#include "labs/lab4/hints.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab4 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab4

namespace {

using lab4::Problem;

constexpr uint64_t kSeed = 20260413;  // the same arrays in every run, so that a failure can be repeated

class ConvolutionTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const lab4::Arguments& arguments) {
    return RunAndWait(Name(p), [&] { lab4::CallRung(arguments, stream_); });
  }
};

lab::InputArray Drawn(const Problem& p, size_t elements, void (*draw)(const Problem&, uint64_t seed, float*),
                      uint64_t seed) {
  std::vector<std::byte> array(elements * sizeof(float));
  draw(p, seed, reinterpret_cast<float*>(array.data()));
  return lab::InputArray(std::move(array));
}

// What a call gets. The workspace holds what it holds.
class Inputs {
 public:
  explicit Inputs(const Problem& p, uint64_t seed = kSeed)
      : p_(p),
        in_(Drawn(p, p.Elements(), lab4::DrawInput, seed)),
        mask_(Drawn(p, p.MaskElements(), lab4::DrawMask, seed + 1)),
        row_mask_(Drawn(
            p, p.variant == lab4::kSeparable ? static_cast<size_t>(p.mask_columns) : 0,
            p.variant == lab4::kSeparable ? lab4::DrawRowMask : [](const Problem&, uint64_t, float*) {}, seed + 2)),
        workspace_(p.variant == lab4::kSeparable ? p.Elements() * 4 : 0) {}

  lab4::Arguments To(void* d_out) const {
    const bool is_separable = p_.variant == lab4::kSeparable;
    lab4::Arguments a;
    a.d_in = static_cast<const float*>(in_.data());
    a.d_mask = static_cast<const float*>(mask_.data());
    a.d_row_mask = is_separable ? static_cast<const float*>(row_mask_.data()) : nullptr;
    a.d_workspace = is_separable ? static_cast<float*>(workspace_.data()) : nullptr;
    a.d_out = static_cast<float*>(d_out);
    a.rows = p_.rows;
    a.columns = p_.columns;
    a.mask_rows = p_.mask_rows;
    a.mask_columns = p_.mask_columns;
    a.planes = p_.planes;
    return a;
  }
  lab4::Inputs OnHost() const {
    return {.in = in_.host<float>(), .mask = mask_.host<float>(), .row_mask = row_mask_.host<float>()};
  }

  void ExpectUntouched() const {
    EXPECT_TRUE(in_.IsUntouched()) << Name(p_) << ": d_in was written to";
    EXPECT_TRUE(mask_.IsUntouched()) << Name(p_) << ": the mask was written to";
    EXPECT_TRUE(row_mask_.IsUntouched()) << Name(p_) << ": d_row_mask was written to";
  }

 private:
  Problem p_;
  lab::InputArray in_, mask_, row_mask_;
  lab::DeviceArray workspace_;
};

void ExpectConvolution(const Problem& p, const Inputs& inputs, const lab::GuardedArray& d_out) {
  const std::vector<float> out = d_out.Read<float>();
  if (const auto wrong = lab4::Explain(p, inputs.OnHost(), out.data())) {
    FAIL() << lab::InFull(*wrong);
  }
}

TEST_P(ConvolutionTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const Inputs inputs(p);
  const lab::GuardedArray d_out(p.Elements() * sizeof(float), "d_out");
  if (!Run(p, inputs.To(d_out.data()))) return;
  ExpectConvolution(p, inputs, d_out);
  inputs.ExpectUntouched();
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  const auto size = [](auto rows, auto columns) { return std::to_string(rows) + "x" + std::to_string(columns); };
  const std::string planes = p.variant == lab4::kPlanes ? std::to_string(p.planes) + "_planes_" : "";
  std::string name = planes + size(p.rows, p.columns) + "_mask_" + size(p.mask_rows, p.mask_columns);
  if (p.pattern != lab4::kExact) name += std::string("_") + lab4::Name(p.pattern);
  return name;
}

// Evaluated by InitGoogleTest, when main has found out which rung this is.
INSTANTIATE_TEST_SUITE_P(Sizes, ConvolutionTest, testing::ValuesIn(lab4::PublicCases(lab::Rung())), TestName);

// Catches what one call cannot show: a mask that is kept from one call to the next, and sums that start at what d_out
// holds.
class RepeatedConvolutionTest : public ConvolutionTest {};

TEST_P(RepeatedConvolutionTest, ASecondCallWithAnotherMaskReplacesTheFirst) {
  const Problem& p = GetParam();
  const Inputs first(p, kSeed + 10), second(p);
  const lab::GuardedArray d_out(p.Elements() * sizeof(float), "d_out");
  if (!Run(p, first.To(d_out.data()))) return;
  if (!Run(p, second.To(d_out.data()))) return;
  ExpectConvolution(p, second, d_out);
}

std::vector<Problem> Repeated() {
  const lab4::Variant variant = lab4::RungVariant();
  if (variant == lab4::kLine) {
    return {{.variant = variant, .columns = 1000, .mask_columns = 9},
            {.variant = variant, .columns = 77, .mask_columns = 127}};
  }
  const size_t planes = variant == lab4::kPlanes ? 3 : 1;
  return {{.variant = variant, .rows = 70, .columns = 100, .mask_rows = 5, .mask_columns = 9, .planes = planes},
          {.variant = variant, .rows = 33, .columns = 9, .mask_rows = 31, .mask_columns = 31, .planes = planes}};
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedConvolutionTest, testing::ValuesIn(Repeated()), TestName);

std::string Mistake(const std::string& rung) {
  const lab4::Variant wanted = lab4::VariantOf(rung);
  if (lab4::RungVariant() == wanted) return "";
  return std::string("this rung is to implement ") + lab4::FunctionName(wanted) +
         ": v1, v2, v3 and v7 end with LAB4_LINE_RUNG();, v4, v5, v8 and v9 with LAB4_IMAGE_RUNG();, v6 with "
         "LAB4_SEPARABLE_RUNG();, v10 with LAB4_PLANES_RUNG();";
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab4", .hint = lab4::Hint, .mistake = Mistake}, argc, argv);
}
