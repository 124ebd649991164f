// Keeps what an inbox grades in a gradebook, as `batch` does.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/grading_session.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// One submission at a time: Plan, then Keep.
class InboxBook {
 public:
  explicit InboxBook(gradebook::Gradebook book) : book_(std::move(book)) {}

  gradebook::Gradebook& book() { return book_; }

  struct Plans {
    std::vector<submission::Submission> to_grade;  // one for each owner, with the owner's id; or the submission itself
    std::vector<std::string> ownerless;            // why it is not in the gradebook: for each lab, or none
    bool is_graded = true;                         // the gradebook has the results
  };
  // Adds the attempts to the gradebook that `one` is, for all labs of `facts`. Errors (kMachine): those of the
  // gradebook.
  Result<Plans> Plan(const SessionFacts& facts, const submission::Submission& one);
  // Adds the results of what the last Plan gave, in this order, where the gradebook does not have them. Errors: as
  // Plan.
  Status Keep(const score::GradingReport& report);

 private:
  struct Attempt {
    size_t submission = 0;  // in to_grade
    std::string lab;
    gradebook::Planned planned;
    gradebook::Conditions conditions;
  };

  gradebook::Gradebook book_;
  std::vector<Attempt> attempts_;  // of the last Plan
};

}  // namespace warpgrade::cli
