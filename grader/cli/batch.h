// One batch: what `warpgrade batch` does between the submissions and the gradebook. RunSession (grading_session.h) does
// the grading; a Batch chooses what is to be graded, and keeps each result as it comes.
//
//   submissions --> match with the roster --> plan: one transaction adds the attempts --> RunSession
//                        |                       |                                            | each result
//                        '-> unmatched           '-> unchanged: nothing to do                 '-> gradebook
//
// A batch that is killed has added all attempts or none, and all gradings that it finished. So the next one goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/batch_progress.h"
#include "grader/cli/grading_session.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/roster/match.h"
#include "grader/roster/roster.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// What became of the submissions.
struct BatchSummary {
  int found = 0;                            // submissions with something for the lab
  int graded = 0;                           // now
  int unchanged = 0;                        // neither built nor run again
  int repeated = 0;                         // so are these: an equal attempt of the same student has the result
  int failed = 0;                           // the machine failed
  int meanwhile = 0;                        // another process graded them while we did
  std::vector<std::string> unmatched;       // "foo.zip: the roster has no student foo"
  std::vector<std::string> handed_nothing;  // ids of the roster without an attempt for the lab
};

class Batch {
 public:
  // `roster`: nullptr if none is given; then it is the one that the gradebook has. `again`: grade what is unchanged,
  // too. All pointers must outlive this object.
  Batch(std::string lab, bool again, const std::vector<roster::Student>* roster, gradebook::Gradebook* book,
        BatchProgress* progress)
      : lab_(std::move(lab)), again_(again), roster_(roster), book_(*book), progress_(*progress) {}

  // Makes the session of `options` grade for this batch. Errors (kMachine): those of the gradebook.
  Status Prepare(SessionOptions* options);
  // The same, but grades these attempts of the gradebook for the lab again instead of submissions.
  Status PrepareAgain(std::vector<gradebook::Attempt> attempts, SessionOptions* options);
  const BatchSummary& summary() const { return summary_; }

  // For a session that grades elsewhere. Names the grading that submission `index` is to get: no other grading of this
  // gradebook has this name.
  std::string NameOf(size_t index) const;
  // Adds a line to the log of this grading.
  void Note(size_t index, const std::string& line) { Log(&jobs_[index], line); }

 private:
  // An attempt that is to be graded.
  struct Job {
    std::string student;  // its id in the gradebook
    std::string shown;    // the same, safe to print
    gradebook::Planned planned;
    std::string log;
  };

  Status TakeKeptRoster();
  Status ListWhoHandedNothing(std::vector<std::string> not_in_this_batch);
  Result<std::vector<submission::Submission>> Choose(const SessionFacts& facts,
                                                     std::vector<submission::Submission> found);
  Result<std::vector<submission::Submission>> ChooseAgain(const SessionFacts& facts);
  // Adds a job for `hand_in`, and returns its submission.
  submission::Submission AddJob(gradebook::HandIn hand_in, std::string source, const gradebook::Planned& planned);
  Result<std::vector<submission::Submission>> Plan(const std::vector<submission::Submission>& found,
                                                   const roster::Matched& matched);
  void Observe(const RungEvent& event);
  Status Keep(size_t index, const score::GradingReport& report);
  void Log(Job* job, const std::string& line) const;

  const std::string lab_;
  const bool again_;
  const std::vector<roster::Student>* roster_;
  std::vector<roster::Student> kept_roster_;  // of the gradebook
  gradebook::Gradebook& book_;
  BatchProgress& progress_;
  std::string why_ = "batch";
  std::vector<gradebook::Attempt> attempts_;  // for PrepareAgain
  gradebook::Conditions conditions_;
  std::vector<Job> jobs_;
  BatchSummary summary_;
};

// Conditions::rules: a hash of what the course.yaml at this path and the quiz of the kit say about the grading of
// `lab`. Errors (kUsage): those of course.yaml.
Result<std::string> RulesHash(const config::Kit& kit, const std::string& course_yaml, const std::string& lab);

// What the results of `lab` depend on under `facts`, beside the sources. Errors (kUsage): those of course.yaml.
Result<gradebook::Conditions> ConditionsOf(const SessionFacts& facts, const std::string& lab);

// Whether a submission says something about `lab`: it has a file for it, a message about one, or nothing for any lab.
bool IsAbout(const submission::Submission& one, const std::string& lab);
// What its owner handed in for `lab`.
gradebook::HandIn HandInOf(const submission::Submission& one, const roster::Owned& owned, const std::string& lab);
// The roster of an earlier batch, without names on GitHub; empty if there was none.
Result<std::vector<roster::Student>> KeptRoster(gradebook::Gradebook* book);

}  // namespace warpgrade::cli
