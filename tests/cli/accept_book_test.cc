// `warpgrade accept` on a gradebook that the test makes, with a speed that a GPU's judge flagged.
#include "tests/cli/graded_book.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kCourse =
    "course: {name: GPU Programming}\n"
    "targets: {h200: {match: NVIDIA H200, peak_bandwidth: 12000}}\n"
    "labs:\n"
    "  lab1:\n"
    "    title: Reduction\n"
    "    rungs:\n"
    "      v1_fast: {title: fast, points: {correctness: 12}}\n"
    "      v2_slow: {title: slow, points: {correctness: 12}}\n"
    "      v3_forged:\n"
    "        title: forged\n"
    "        points: {correctness: 10, throughput: 2}\n"
    "        throughput: {h200: {unit: GB/s, zero: 4000, full: 12000}}\n"
    "      v4_unmeasured: {title: unmeasured, points: {correctness: 12}}\n";

class AcceptBookTest : public GradedBookTest {
 protected:
  // lab1 of s2 on a GPU: the speed of v3_forged is flagged.
  void SetUp() override {
    GradedBookTest::SetUp();
    course_ = folder_.Write("course.yaml", kCourse);
    GradeOnGpu("the sources\n", false);
  }

  void GradeOnGpu(const std::string& text, bool again) {
    gradebook::HandIn hand_in;
    hand_in.student = "s2";
    hand_in.lab = "lab1";
    hand_in.files["lab1/v3_forged.cu"] = text;
    hand_in.handed_in = "2026-11-22T10:15:00Z";
    hand_in.time_from = "file time";
    hand_in.came_from = "a file";
    const gradebook::Conditions conditions = {"0.1.0", "rules", "gpu", "NVIDIA H200"};
    const auto plan = book_->Plan({hand_in}, conditions, again, "batch");
    ASSERT_TRUE(plan.ok());
    const auto added =
        book_->AddGrading(plan->at(0), conditions, report::GpuReport({report::Submission("s2", {report::GpuLab()})}),
                          again ? "regrade" : "batch", "the first line\n");
    ASSERT_TRUE(added.ok() && *added);
  }

  ProgramResult Accept(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--student", "s2", "--rung", "lab1.v3", "--because", "timed by hand", "--by", "Ada",
                               "--course", course_});
    return Run({"accept"}, more);
  }
  ProgramResult Export(const std::string& format) const {
    return Run({"export"}, {"--format", format, "--lab", "lab1", "--course", course_});
  }

  std::string course_;
};

TEST_F(AcceptBookTest, TheSpeedGetsItsPointsAndTheGradebookSaysWhoAcceptedItAndWhy) {
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,10,10,42.5,42.5,"));
  const ProgramResult done = Accept();
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("attempt 1: s2 lab1.v3_forged: 8000 GB/s accepted by Ada; 1/2 points for throughput, "
                                  "43.5/"));
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,11,10,43.5,43.5,"));
  const std::string json = Export("json").out;
  EXPECT_THAT(json, HasSubstr("\"because\": \"timed by hand\""));
  EXPECT_THAT(json, HasSubstr("\"by\": \"Ada\""));
  EXPECT_THAT(Run({"book", "show"}, {"s2", "--course", course_}).out, HasSubstr("accepted by Ada"));
  EXPECT_THAT(Run({"book", "history"}, {"s2"}).out, HasSubstr("accept lab1.v3 by Ada: timed by hand, warpgrade 0.1.0"));
}

TEST_F(AcceptBookTest, TheFlaggedResultStaysInTheHistory) {
  ASSERT_EQ(Accept().exit_code, 0);
  const auto attempts = book_->Attempts("s2", "lab1");
  ASSERT_TRUE(attempts.ok());
  const auto gradings = book_->Gradings(attempts->at(0).key);
  ASSERT_TRUE(gradings.ok());
  ASSERT_EQ(gradings->size(), 2u);
  EXPECT_EQ(gradings->at(0).points.ToString(), "42.5");
  EXPECT_EQ(gradings->at(1).points.ToString(), "43.5");
  EXPECT_EQ(gradings->at(0).conditions, gradings->at(1).conditions) << "a batch must not grade it again";
  EXPECT_THAT(*book_->Log(gradings->at(1).measured), HasSubstr("the first line\ns2 lab1.v3_forged: 8000 GB/s"));
}

TEST_F(AcceptBookTest, WhatCannotBeAcceptedIsRefusedAndChangesNothing) {
  const std::string before = Export("csv").out;
  const auto refused = [this](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"--because", "why", "--by", "Ada", "--course", course_};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramResult result = Run({"accept"}, all);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab1.v2"}), HasSubstr("is not flagged"));
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab1.v2"}), HasSubstr("flagged: s2 lab1.v3_forged"));
  EXPECT_THAT(refused({"--student", "s1", "--rung", "lab1.v3"}), HasSubstr("s1"));
  EXPECT_THAT(refused({"--student", "s9", "--rung", "lab1.v3"}), HasSubstr("there is no student 's9'"));
  EXPECT_THAT(refused({"--student", "s2", "--rung", "v3"}), HasSubstr("write LAB.RUNG"));
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab77.v3"}), HasSubstr("there is no lab 'lab77'"));
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab1.v3", "--attempt", "2"}), HasSubstr("2"));
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab1.v3", "--csv", folder_.Path("x.csv")}),
              HasSubstr("`warpgrade export`"));
  EXPECT_EQ(Export("csv").out, before);
  ASSERT_EQ(Accept().exit_code, 0);
  EXPECT_THAT(refused({"--student", "s2", "--rung", "lab1.v3"}), HasSubstr("was accepted already, by Ada"));
}

TEST_F(AcceptBookTest, AfterAnotherGradingItsSpeedCountsAndMustBeAcceptedAnew) {
  ASSERT_EQ(Accept().exit_code, 0);
  GradeOnGpu("the sources\n", true);
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,10,10,42.5,42.5,"));
  EXPECT_EQ(Accept({"--attempt", "1"}).exit_code, 0);
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,11,10,43.5,43.5,"));
}

TEST_F(AcceptBookTest, AFlaggedResultIsCorrectedByAnOverrideOfItsRung) {
  const ProgramResult done = Accept({"--points", "11.5"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("s2 lab1.v3_forged: 11.5 points, by Ada; 44/"));
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,11.5,10,44,44,"));
  EXPECT_THAT(Run({"book", "history"}, {"s2"}).out, HasSubstr("lab1.v3_forged: 11.5 points, by Ada: flagged speed: "
                                                              "timed by hand"));
  GradeOnGpu("the sources\n", true);
  EXPECT_THAT(Export("csv").out, HasSubstr("\ns2,12,10.5,11.5,10,44,44,")) << "an override stays";
  const ProgramResult refused = Run({"accept"}, {"--student", "s2", "--rung", "lab1.v2", "--because", "why", "--by",
                                                 "Ada", "--course", course_, "--points", "3"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("s2 lab1.v2_slow is not flagged (flagged: s2 lab1.v3_forged)"));
}

TEST_F(AcceptBookTest, AReasonCannotPutEscapeCodesIntoTheHistory) {
  ASSERT_EQ(Run({"accept"}, {"--student", "s2", "--rung", "lab1.v3", "--because", "a\x1b[31m\nb", "--by", "Ada",
                             "--course", course_})
                .exit_code,
            0);
  const std::string history = Run({"book", "history"}, {"s2"}).out;
  EXPECT_THAT(history, HasSubstr("a\\x1b[31m"));
  EXPECT_THAT(history, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace warpgrade
