// A described lab as the judge uses it: inputs by kind, and answers compared with a reference that was compiled for the
// test. One lab is prepared for all tests.
#include "grader/described/described_lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "grader/described/prepare.h"
#include "grader/lab/checks_of_answers.h"
#include "tests/cli/program.h"

namespace warpgrade::described {
namespace {

using testing::HasSubstr;

// out[i][j] = a * in[i][j] for the first, and the indices for the second.
constexpr char kLab[] = R"(name: grid
title: Grid
function: grid
types: [float, int]
sizes: {rows: size_t, columns: int}
scalars: {a: double}
buffers:
  d_in: {in: T, shape: [rows, columns], range: [-5, 5]}
  d_index: {in: unsigned, shape: rows, range: [0, columns - 1]}
  d_out: {out: T, shape: [rows, columns], tolerance: {absolute: 0.5}}
  d_copy: {out: unsigned, shape: rows}
work: {stores: 4 * rows}
cases:
  - {rows: 0, columns: 4, a: 1}
  - {rows: 5, columns: 4, a: 2}
  - {rows: 3, columns: rows + 1, a: 0.5, type: int, values: sorted}
rungs: {v1: {title: One, points: {correctness: 1}}}
)";
constexpr char kReferenceText[] = R"(
template <typename T, typename Answer>
static void Fill(const T* in, Answer* out, size_t count, double a) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<Answer>(a * in[i]);
}
void Reference(const float* in, const unsigned* index, double* out, unsigned* copy, size_t rows, int columns, double a) {
  Fill(in, out, rows * columns, a);
  std::copy(index, index + rows, copy);
}
void Reference(const int* in, const unsigned* index, int* out, unsigned* copy, size_t rows, int columns, double a) {
  Fill(in, out, rows * columns, a);
  std::copy(index, index + rows, copy);
}
)";

build::BuildOptions Options() {
  build::BuildOptions options;
  auto toolchain = build::FindToolchain("", "");
  EXPECT_TRUE(toolchain) << toolchain.error().message;
  if (toolchain) options.toolchain = *toolchain;
  options.include_dirs = {WARPGRADE_SOURCE_DIR};
  return options;
}

class DescribedLabTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    folder_->Write("grid/lab.yaml", kLab);
    folder_->Write("grid/reference.cc", kReferenceText);
    const auto lab = ReadDescription(folder_->Path("grid"));
    ASSERT_TRUE(lab) << lab.error().message;
    const auto built = Prepare(*lab, Options(), folder_->Path("cache"));
    ASSERT_TRUE(built) << built.error().message;
    built_ = built->folder;
    auto opened = OpenBuilt(built_);
    ASSERT_TRUE(opened) << opened.error().message;
    lab_ = std::move(*opened);
  }
  static void TearDownTestSuite() {
    lab_.reset();
    folder_.reset();
  }

  void SetUp() override {
    ASSERT_NE(lab_, nullptr);
    Random random(7);
    cases_ = lab_->Cases("v1", CaseSet::kPublic, random);
    ASSERT_EQ(cases_.size(), 5u);  // two rows for both types, and one for int
  }

  // The arrays of a case, with inputs drawn and outputs of poison.
  std::vector<std::vector<std::byte>> Arrays(const Case& c) const {
    Random random(1);
    std::vector<std::vector<std::byte>> arrays;
    const std::vector<BufferSpec> specs = lab_->Buffers(c);
    for (size_t i = 0; i < specs.size(); ++i) {
      arrays.emplace_back(specs[i].bytes, kPoison);
      if (specs[i].role == BufferSpec::Role::kInput) lab_->DrawInput(c, static_cast<int>(i), random, arrays.back());
    }
    return arrays;
  }
  std::optional<Mismatch> Check(const Case& c, const std::vector<std::vector<std::byte>>& arrays) const {
    const std::vector<std::span<const std::byte>> spans(arrays.begin(), arrays.end());
    return lab_->Check(c, spans);
  }
  // Fills the outputs with the right answer.
  template <typename T>
  static void Answer(double a, std::vector<std::vector<std::byte>>* arrays) {
    const T* const in = reinterpret_cast<const T*>((*arrays)[0].data());
    T* const out = reinterpret_cast<T*>((*arrays)[2].data());
    for (size_t i = 0; i < (*arrays)[0].size() / sizeof(T); ++i) out[i] = static_cast<T>(a * in[i]);
    std::copy((*arrays)[1].begin(), (*arrays)[1].end(), (*arrays)[3].begin());
  }

  inline static std::unique_ptr<TemporaryFolder> folder_;
  inline static std::string built_;
  inline static std::unique_ptr<const Lab> lab_;
  std::vector<Case> cases_;
};

TEST_F(DescribedLabTest, CasesAndBuffersAreThoseOfTheDescription) {
  EXPECT_EQ(lab_->name(), "grid");
  EXPECT_EQ(lab_->source(), built_);
  EXPECT_EQ(cases_[2].name, "rows = 5, columns = 4, a = 2, float");
  EXPECT_EQ(cases_[4].name, "rows = 3, columns = 4, a = 0.5, int, sorted");
  EXPECT_EQ(cases_[2].stored_bytes, 20u);
  const std::vector<BufferSpec> specs = lab_->Buffers(cases_[2]);
  ASSERT_EQ(specs.size(), 4u);
  EXPECT_EQ(specs[0].bytes, 80u);
  EXPECT_EQ(specs[3].name, "d_copy");
}

TEST_F(DescribedLabTest, ARightAnswerIsRightForEachTypeAndSize) {
  for (const Case& c : cases_) {
    auto arrays = Arrays(c);
    const double a = c.name.find("a = 2") != std::string::npos ? 2 : c.name.find("0.5") != std::string::npos ? 0.5 : 1;
    if (c.variant == 0) {
      Answer<float>(a, &arrays);
    } else {
      Answer<int>(a, &arrays);
    }
    const auto wrong = Check(c, arrays);
    EXPECT_FALSE(wrong) << wrong->message;
  }
}

TEST_F(DescribedLabTest, AWrongAnswerIsToldWithItsPlaceAndHowManyThereAre) {
  const Case& c = cases_[2];
  auto arrays = Arrays(c);
  auto wrong = Check(c, arrays);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->message,
            "rows = 5, columns = 4, a = 2, float: d_out[0] (row 0, column 0) was never written (first of "
            "20 wrong elements, which are all, none of which was written).");
  EXPECT_EQ(wrong->got, "never written");
  Answer<float>(2, &arrays);
  reinterpret_cast<float*>(arrays[2].data())[6] = 100;
  wrong = Check(c, arrays);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, 6u);
  EXPECT_EQ(wrong->count, 1u);
  EXPECT_THAT(wrong->message, HasSubstr("d_out[6] (row 1, column 2) is 100, want "));
  EXPECT_THAT(wrong->message, HasSubstr(" (the only wrong element)."));
  for (size_t i = 12; i < 20; ++i) reinterpret_cast<float*>(arrays[2].data())[i] = 100;
  reinterpret_cast<float*>(arrays[2].data())[6] = reinterpret_cast<float*>(arrays[0].data())[6] * 2;
  EXPECT_THAT(Check(c, arrays)->message, HasSubstr("(first of 8 wrong elements, which are all from there on)"));
  reinterpret_cast<float*>(arrays[2].data())[13] = reinterpret_cast<float*>(arrays[0].data())[13] * 2;
  EXPECT_THAT(Check(c, arrays)->message, HasSubstr("(first of 7 wrong elements)"));
}

TEST_F(DescribedLabTest, ToleranceHoldsForFloatsAndNotForTheExactOutput) {
  const Case& c = cases_[2];
  auto arrays = Arrays(c);
  Answer<float>(2, &arrays);
  reinterpret_cast<float*>(arrays[2].data())[3] += 0.4F;
  EXPECT_FALSE(Check(c, arrays));
  reinterpret_cast<unsigned*>(arrays[3].data())[4] += 1;
  const auto wrong = Check(c, arrays);
  ASSERT_TRUE(wrong);
  EXPECT_THAT(wrong->message, HasSubstr("d_copy[4] is "));
}

TEST_F(DescribedLabTest, NanAndInfinityAreWrongUnlessTheReferenceHasThem) {
  const Case& c = cases_[2];
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    auto arrays = Arrays(c);
    Answer<float>(2, &arrays);
    reinterpret_cast<float*>(arrays[2].data())[1] = bad;
    EXPECT_TRUE(Check(c, arrays));
    reinterpret_cast<float*>(arrays[0].data())[1] = bad;
    EXPECT_FALSE(Check(c, arrays));
  }
}

TEST_F(DescribedLabTest, ValuesLieInTheirRangeAndFollowTheirKind) {
  const Case& uniform = cases_[2];
  auto arrays = Arrays(uniform);
  const float* const values = reinterpret_cast<const float*>(arrays[0].data());
  for (size_t i = 0; i < 20; ++i) EXPECT_TRUE(values[i] >= -5 && values[i] <= 5) << values[i];
  EXPECT_NE(values[0], values[1]);
  const unsigned* const index = reinterpret_cast<const unsigned*>(arrays[1].data());
  for (size_t i = 0; i < 5; ++i) EXPECT_LT(index[i], 4u);
  arrays = Arrays(cases_[4]);
  const int* const sorted = reinterpret_cast<const int*>(arrays[0].data());
  EXPECT_EQ(sorted[0], -5);
  EXPECT_EQ(sorted[11], 5);
  EXPECT_TRUE(std::is_sorted(sorted, sorted + 12));
}

TEST_F(DescribedLabTest, TheSameLabIsCompiledOnce) {
  const auto lab = ReadDescription(folder_->Path("grid"));
  ASSERT_TRUE(lab);
  build::BuildOptions options = Options();
  options.toolchain.host_compiler = "/no/compiler";
  const auto again = Prepare(*lab, options, folder_->Path("cache"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->folder, built_);
}

TEST_F(DescribedLabTest, WhatNobodyUsedForLongLeavesTheCache) {
  const std::string cache = folder_->Path("old cache");
  const std::string old = folder_->Write("old cache/0123/reference", "");
  const std::string recent = folder_->Write("old cache/4567/reference", "");
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(folder_->Path("old cache/0123"), now - std::chrono::hours(24 * 40));
  const auto lab = ReadDescription(folder_->Path("grid"));
  ASSERT_TRUE(lab);
  const auto built = Prepare(*lab, Options(), cache);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_TRUE(built->folder.starts_with(cache));
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(recent));
}

class BadReferenceTest : public testing::Test {
 protected:
  std::string Failure(const std::string& reference, const std::string& more = "") const {
    folder_.Write("lab/lab.yaml",
                  "name: one\ntitle: One\nfunction: one\nsizes: {n: size_t}\nbuffers: {d_out: {out: int, shape: n}}\n"
                  "cases: [{n: 8}]\nrungs: {v1: {title: One, points: {correctness: 1}}}\n" +
                      more);
    if (!reference.empty()) folder_.Write("lab/reference.cc", reference);
    const auto lab = ReadDescription(folder_.Path("lab"));
    if (!lab) return lab.error().message;
    const auto built = Prepare(*lab, Options(), "");
    return built ? "none" : built.error().message;
  }
  TemporaryFolder folder_;
};

TEST_F(BadReferenceTest, OneThatIsMissingNamesTheFunctionToWrite) {
  EXPECT_THAT(Failure(""), HasSubstr("lab/reference.cc: it is not there or cannot be read; write it, with the function "
                                     "void Reference(int* d_out, size_t n)"));
}

TEST_F(BadReferenceTest, OneThatDoesNotCompileIsToldWithItsLine) {
  EXPECT_THAT(
      Failure("void Reference(int* out, size_t n) {\n  out[0] = m;\n}\n"),
      testing::AllOf(HasSubstr("reference.cc: it does not compile"), HasSubstr(folder_.Path("lab/reference.cc:2:"))));
}

TEST_F(BadReferenceTest, OneThatCrashesOrEndsEarlyIsToldWithTheCase) {
  EXPECT_THAT(Failure("void Reference(int* out, size_t) { *(volatile int*)8 = 1; }\n"),
              HasSubstr("Reference() crashed: segmentation fault (signal 11), in the case 'n = 8'"));
  EXPECT_THAT(Failure("#include <cstdlib>\nvoid Reference(int* out, size_t) { std::exit(0); }\n"),
              HasSubstr("Reference() ended before it returned, in the case 'n = 8'"));
}

TEST_F(BadReferenceTest, OneThatDoesNotEndIsStopped) {
  EXPECT_THAT(
      Failure("void Reference(int* out, size_t) { for (volatile int i = 0;; i = i + 1) {} }\n",
              "reference: {time: 1s}\n"),
      HasSubstr("the time limit, in the case 'n = 8'; correct it, or give it more time with 'reference: {time: 60s}'"));
}

TEST_F(DescribedLabTest, TellsItsAuthorHowMuchOfTheToleranceRightAnswersNeedAndHowLongTheReferenceTakes) {
  const auto own = OpenBuilt(built_);
  ASSERT_TRUE(own) << own.error().message;
  const auto* const checks = dynamic_cast<const ChecksOfAnswers*>(own->get());
  ASSERT_NE(checks, nullptr);
  EXPECT_FALSE(checks->FactsOfChecks().tolerance_used);
  const Case& c = cases_[2];
  const auto share_with = [&](float error) {
    std::vector<std::vector<std::byte>> arrays = Arrays(c);
    Answer<float>(2, &arrays);
    reinterpret_cast<float*>(arrays[2].data())[7] += error;
    const std::vector<std::span<const std::byte>> spans(arrays.begin(), arrays.end());
    (void)(*own)->Check(c, spans);
    return checks->FactsOfChecks().tolerance_used.value_or(-1);
  };
  EXPECT_EQ(share_with(0), 0);
  EXPECT_NEAR(share_with(0.25F), 0.5, 1e-5) << "0.5 is allowed";
  EXPECT_NEAR(share_with(0.125F), 0.5, 1e-5) << "the largest so far";
  EXPECT_NEAR(share_with(2), 0.5, 1e-5) << "a wrong answer tells nothing";
  EXPECT_EQ(checks->FactsOfChecks().closest, c.name);
  EXPECT_GT(checks->FactsOfChecks().reference_s, 0);
  EXPECT_EQ(checks->FactsOfChecks().slowest, c.name);
}

}  // namespace
}  // namespace warpgrade::described
