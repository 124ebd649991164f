#include "tests/gradebook/book_of_test.h"

#include <fmt/format.h>

#include "grader/report/canvas.h"
#include "grader/report/json.h"
#include "tests/report/sample_report.h"

namespace warpgrade::gradebook {

HandIn AHandIn(const std::string& student, const std::string& text, int second, const std::string& lab) {
  HandIn hand_in;
  hand_in.student = student;
  hand_in.lab = lab;
  hand_in.files[lab + "/v1_naive.cu"] = text;
  hand_in.handed_in = fmt::format("2026-11-22T10:15:{:02}Z", second);
  hand_in.time_from = "file time";
  hand_in.came_from = student + ".zip";
  return hand_in;
}

Conditions SomeConditions(int rules) { return {"0.1.0", "rules " + std::to_string(rules), "emulator", "emulator"}; }

score::GradingReport AResult(const std::string& student, const std::string& lab) {
  score::LabScore scored;
  scored.lab = lab;
  for (score::RungScore rung :
       {report::RightRung("v1_naive"), report::FailedRung("v2_shared", score::RungStatus::kFailed)}) {
    scored.points += rung.points;
    scored.max_points += rung.max_points;
    scored.measurable_points += rung.measurable_points;
    scored.rungs.push_back(std::move(rung));
  }
  return report::EmulatorReport({report::Submission(student, {scored})});
}

Gradebook BookTest::Open(Access access) const {
  Result<Gradebook> book = Gradebook::Open(Path(), access, "0.1.0");
  EXPECT_TRUE(book.ok()) << book.error().message;
  return std::move(*book);
}

std::vector<Planned> BookTest::PlanOf(Gradebook* book, const std::vector<HandIn>& hand_ins, int rules, bool again) {
  Result<std::vector<Planned>> plan = book->Plan(hand_ins, SomeConditions(rules), again, "batch");
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  return std::move(*plan);
}

Planned BookTest::Grade(Gradebook* book, const HandIn& hand_in, int rules) {
  const Planned planned = PlanOf(book, {hand_in}, rules).at(0);
  if (!planned.is_graded) {
    const auto added =
        book->AddGrading(planned, SomeConditions(rules), AResult(hand_in.student, hand_in.lab), "batch", "a log\n");
    EXPECT_TRUE(added.ok() && *added) << added.error().message;
  }
  return planned;
}

score::GradingReport BookTest::MarksOf(Gradebook* book, const MarksOptions& options) {
  Result<score::GradingReport> marks = CurrentMarks(book, options);
  EXPECT_TRUE(marks.ok()) << marks.error().message;
  if (!options.student.empty() || !options.lab.empty()) return std::move(*marks);
  std::vector<Attempt> attempts = *book->AttemptsOfMarks();
  MarksOptions with_attempts = options;
  with_attempts.attempts = &attempts;
  const Result<score::GradingReport> same = CurrentMarks(book, with_attempts);
  EXPECT_TRUE(same.ok());
  EXPECT_EQ(report::JsonText(*same), report::JsonText(*marks));
  EXPECT_EQ(report::CanvasText(*same), report::CanvasText(*marks));
  return std::move(*marks);
}

}  // namespace warpgrade::gradebook
