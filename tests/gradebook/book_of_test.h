// A gradebook in a temporary folder, and hand-ins and results to put into it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/marks.h"
#include "tests/cli/program.h"

namespace warpgrade::gradebook {

// One rung file with this text, handed in at the n-th second of a day.
HandIn AHandIn(const std::string& student, const std::string& text, int second = 0, const std::string& lab = "lab1");

// On the emulator, with the n-th rules.
Conditions SomeConditions(int rules = 1);

// A result of two rungs for `student`: one right, with 10 of 12 points, and one wrong.
score::GradingReport AResult(const std::string& student, const std::string& lab = "lab1");

class BookTest : public testing::Test {
 protected:
  std::string Path() const { return folder_.Path("marks.db"); }
  // Opened anew each time, as another process would.
  Gradebook Open(Access access = Access::kCreate) const;
  // The plan of these under SomeConditions().
  static std::vector<Planned> PlanOf(Gradebook* book, const std::vector<HandIn>& hand_ins, int rules = 1,
                                     bool again = false);
  // Hands this in and grades it. Returns the plan that there was.
  static Planned Grade(Gradebook* book, const HandIn& hand_in, int rules = 1);
  // CurrentMarks. Those of a whole class must be the same from the attempts with only what marks need.
  static score::GradingReport MarksOf(Gradebook* book, const MarksOptions& options);

  const TemporaryFolder folder_;
};

}  // namespace warpgrade::gradebook
