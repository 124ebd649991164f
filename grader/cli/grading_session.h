// One grading run, from the options of a command to a report. `grade` and `check` share it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/delay_seed.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/quiz_session.h"
#include "grader/cli/running.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/judge/measured_parts.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/score/score.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// How submissions are confined. kUser: without namespaces, as another user (sandbox::Confinement::namespaces).
enum class Sandbox { kNone, kUser, kBubblewrap };

// What a session grades with, known before its first rung.
struct SessionFacts {
  const config::Kit& kit;
  const config::Course& course;
  const std::string& course_yaml;  // the path that it was read from
  const std::vector<config::Lab>& labs;
  const score::DeviceDescription& device;
};

// A rung of a submission begins or has ended.
struct RungEvent {
  size_t submission = 0;  // index
  std::string lab, rung;
  bool ended = false;
};

struct SessionResult;

// Lets others grade what a session has prepared.
struct Elsewhere {
  score::DeviceDescription device;  // theirs
  // Calls the session's on_submission for each submission that was graded. REQUIRES: the session has on_submission.
  std::function<Result<SessionResult>(const SessionFacts& facts, const std::vector<submission::Submission>&)> grade;
};

struct SessionOptions {
  std::vector<std::string> paths;        // submissions, or folders of them
  std::string as_student;                // the only path is one submission, of this student; "": see Discover
  std::vector<std::string> labs, rungs;  // see SelectRungs
  Device device = Device::kAuto;
  int jobs = 0;                   // rungs at the same time; 0: one for each core
  bool use_cache = true;          // use rungs that were compiled before
  bool compile_alone = false;     // never compile the rungs of a lab together
  bool believe_together = false;  // see StageOptions
  bool second_look = true;        // this and the next two: see StageOptions
  bool keep_objects = false;
  int built_for = 0;
  Sandbox sandbox = Sandbox::kNone;
  bool sandbox_is_tried = false;  // the caller makes sure that bubblewrap works
  std::string course_yaml;        // "": the kit's
  WhoAnswers who;                 // whose quizzes they are
  judge::MeasuredParts parts;
  // Only rungs that count as a share of the solution on every GPU are timed in pairs with it. It is for measurements
  // that are no grading: a pair costs 20 s, and its speed is the same.
  bool plain_speeds = false;
  std::string only_case;  // a public case, by its number or name; no other is run. REQUIRES: one lab and one rung
  std::optional<uint64_t> delay_seed;  // JudgeRequest::delay_seed; without one it is drawn
  DelaySeedOf delay_seed_of;           // in place of delay_seed, if there is one
  int64_t most_memory_mb = 0;          // lowers the memory that compilers and programs may use; 0: as course.yaml says
  bool hide_names = false;             // pseudonyms in leaderboards
  std::string one_submission;          // the option that asks for a report::Format of one submission; "": none does
  std::vector<std::string> canvas_assignments;  // as typed; see assignment_option.h
  const std::atomic<bool>* cancel = nullptr;
  // Called before each rung with `what` as "s1042 lab2 v3_padded"; from several threads, but never two at the same
  // time.
  std::function<void(int finished, int total, const std::string& what)> on_progress;
  Running* running = nullptr;  // StageOptions::running
  // Called now and then with all that is known so far, so that it can be written down: from several threads, but never
  // two at the same time.
  std::function<void(const score::GradingReport& so_far)> on_report;
  // Called once, before the first rung, with all submissions that were found. Returns those to grade.
  std::function<Result<std::vector<submission::Submission>>(const SessionFacts& facts,
                                                            std::vector<submission::Submission> found)>
      choose;
  std::function<void(const RungEvent& event)> on_event;  // called as on_progress
  // Called with the report of each submission, by its index in what `choose` returned, when its last rung has ended; as
  // on_progress. Then the session forgets this submission, and its last report has no submissions. An error ends the
  // session.
  std::function<Status(size_t submission, const score::GradingReport& report)> on_submission;
  // Set: the session only prepares, and this grades. No stage of the pipeline runs here, and nothing of the device.
  std::optional<Elsewhere> elsewhere;
};

struct SessionResult {
  score::GradingReport report;        // names the rungs that were not graded as unfinished
  std::vector<std::string> failures;  // of the machine; their rungs are unfinished
  std::vector<std::string> remarks;   // of course.yaml: points that nobody can get here, for staff
  bool interrupted = false;
  std::string only_case;  // "case 33 of 50: n = 4099, float, sum"; "": all cases
};

// How results of `device` are scored by `course`.
score::ScoringContext ContextFor(const config::Course& course, const score::DeviceDescription& device, bool on_gpu);

// Errors are found before any rung is graded: kUsage (a path, the name of a lab, course.yaml) or kMachine (no nvcc, no
// GPU, the kit is not built).
Result<SessionResult> RunSession(const SessionOptions& options);

}  // namespace warpgrade::cli
