// A gradebook with two students' attempts at lab2, and the commands on it. Nothing is compiled.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/gradebook/gradebook.h"
#include "tests/cli/program.h"
#include "tests/report/sample_report.h"

namespace warpgrade {

class GradedBookTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<gradebook::Gradebook> book = gradebook::Gradebook::Open(Path(), gradebook::Access::kCreate, "0.1.0");
    ASSERT_TRUE(book.ok()) << book.error().message;
    book_ = std::make_unique<gradebook::Gradebook>(std::move(*book));
    ASSERT_TRUE(book_
                    ->PutRoster({{"s1", "Ada \x1b[31mLovelace", "ada@example.org", "A", "2"},
                                 {"s2", "Bob", "", "B", ""},
                                 {"=cmd|' /C calc'!A0", std::string(300, 'x'), "", "", ""}})
                    .ok());
    HandIn("s1", "first\n", "2026-11-22T10:15:00Z", report::EmulatorLab());
    score::LabScore better = report::EmulatorLab();
    better.rungs[1] = report::RightRung(better.rungs[1].rung);
    HandIn("s1", "second\n", "2026-11-23T10:15:00Z", Summed(better));
    HandIn("=cmd|' /C calc'!A0", "other\n", "2026-11-22T10:15:00Z", report::EmulatorLab());
  }

  static score::LabScore Summed(score::LabScore lab) {
    lab.points = lab.max_points = lab.measurable_points = config::Points();
    for (const score::RungScore& rung : lab.rungs) {
      lab.points += rung.points;
      lab.max_points += rung.max_points;
      lab.measurable_points += rung.measurable_points;
    }
    return lab;
  }

  void HandIn(const std::string& student, const std::string& text, const std::string& when, score::LabScore lab) {
    gradebook::HandIn hand_in;
    hand_in.student = student;
    hand_in.lab = lab.lab;
    hand_in.files[lab.lab + "/v1_naive.cu"] = text;
    hand_in.handed_in = when;
    hand_in.time_from = "file time";
    hand_in.came_from = "a file";
    const gradebook::Conditions conditions = {"0.1.0", "rules", "emulator", "emulator"};
    const auto plan = book_->Plan({hand_in}, conditions, false, "batch");
    ASSERT_TRUE(plan.ok());
    const auto added = book_->AddGrading(
        plan->at(0), conditions, report::EmulatorReport({report::Submission(student, {std::move(lab)})}), "batch", "");
    ASSERT_TRUE(added.ok() && *added);
  }

  std::string Path() const { return folder_.Path("marks.db"); }

  // `warpgrade COMMAND... marks.db ARGUMENTS...`.
  ProgramResult Run(std::vector<std::string> command, const std::vector<std::string>& arguments = {}) const {
    command.insert(command.begin(), WARPGRADE_BINARY);
    command.push_back(Path());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunProgram(command);
  }

  const TemporaryFolder folder_;
  std::unique_ptr<gradebook::Gradebook> book_;
};

}  // namespace warpgrade
