// The hooks of a session: Choose before the first rung, Observe for each rung, Keep after each submission. The session
// never calls two of them at the same time. Tests: tests/cli/batch_command_test.cc, tests/faults/batch_kills_test.cc.
#include "grader/cli/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "grader/build/files.h"
#include "grader/cli/delay_seed.h"
#include "grader/config/rules_text.h"
#include "grader/digest/digest.h"
#include "grader/report/words.h"
#include "grader/submission/printable.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

std::string FileName(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

}  // namespace

bool IsAbout(const submission::Submission& one, const std::string& lab) {
  const std::string folder = lab + "/";
  const auto next = one.files.lower_bound(folder);
  if (one.files.empty() || (next != one.files.end() && next->first.starts_with(folder))) return true;
  return std::any_of(one.messages.begin(), one.messages.end(),
                     [&folder](const std::string& message) { return message.starts_with(folder); });
}

gradebook::HandIn HandInOf(const submission::Submission& one, const roster::Owned& owned, const std::string& lab) {
  gradebook::HandIn hand_in;
  hand_in.student = owned.student;
  hand_in.lab = lab;
  for (const auto& [name, text] : one.files) {
    if (name.starts_with(lab + "/")) hand_in.files[name] = text;
  }
  hand_in.notes = one.messages;
  hand_in.handed_in = owned.handed_in;
  hand_in.time_from = owned.time_from;
  hand_in.marked_late = owned.marked_late;
  hand_in.came_from = submission::Escaped(FileName(one.source));
  return hand_in;
}

Result<std::string> RulesHash(const config::Kit& kit, const std::string& course_yaml, const std::string& lab) {
  const Result<std::string> rules = config::RulesText(course_yaml, lab);
  if (!rules) return rules.error();
  Digest digest;
  digest.Add("course.yaml", *rules);
  digest.Add("quiz.yaml", build::ReadWholeFile(kit.LabFolder(lab) + "/quiz.yaml").value_or(""));
  return digest.Hex();
}

Result<gradebook::Conditions> ConditionsOf(const SessionFacts& facts, const std::string& lab) {
  const Result<std::string> rules = RulesHash(facts.kit, facts.course_yaml, lab);
  if (!rules) return rules.error();
  return gradebook::Conditions{WARPGRADE_VERSION, *rules, facts.device.kind, facts.device.name};
}

Result<std::vector<roster::Student>> KeptRoster(gradebook::Gradebook* book) {
  const Result<std::vector<gradebook::Student>> students = book->Students();
  if (!students) return students.error();
  std::vector<roster::Student> kept;
  for (const gradebook::Student& one : *students) {
    if (!one.enrolled) continue;
    kept.push_back({one.id, one.name, one.email, one.section, one.extension, one.canvas_id, /*github=*/"", one.login});
  }
  return kept;
}

// Without a roster, that of an earlier batch is in the gradebook. Then a wrong folder does not become a student.
Status Batch::TakeKeptRoster() {
  Result<std::vector<roster::Student>> kept = KeptRoster(&book_);
  if (!kept) return kept.error();
  kept_roster_ = std::move(*kept);
  if (!kept_roster_.empty()) roster_ = &kept_roster_;
  return Status();
}

// Those of the roster who have no attempt, also from an earlier batch.
Status Batch::ListWhoHandedNothing(std::vector<std::string> not_in_this_batch) {
  const Result<std::vector<gradebook::Attempt>> attempts = book_.Attempts("", lab_);
  if (!attempts) return attempts.error();
  std::set<std::string> with_attempt;
  for (const gradebook::Attempt& attempt : *attempts) with_attempt.insert(attempt.student);
  std::erase_if(not_in_this_batch, [&](const std::string& id) { return with_attempt.contains(id); });
  summary_.handed_nothing = std::move(not_in_this_batch);
  return Status();
}

Status Batch::Prepare(SessionOptions* options) {
  if (roster_ == nullptr) {
    if (const Status taken = TakeKeptRoster(); !taken.ok()) return taken.error();
  } else {
    std::vector<gradebook::Student> students;
    students.reserve(roster_->size());
    for (const roster::Student& one : *roster_) {
      students.push_back({one.id, one.name, one.email, one.section, one.extension, true, one.canvas, one.login});
    }
    if (const Status put = book_.PutRoster(students); !put.ok()) return put.error();
  }
  const Result<uint64_t> seed = book_.Seed();
  if (!seed) return seed.error();
  options->labs = {lab_};
  options->delay_seed_of = SeedsFromGradebook(*seed);
  options->choose = [this](const SessionFacts& facts, std::vector<submission::Submission> found) {
    return Choose(facts, std::move(found));
  };
  options->on_event = [this](const RungEvent& event) { Observe(event); };
  options->on_submission = [this](size_t index, const score::GradingReport& report) { return Keep(index, report); };
  return Status();
}

Result<std::vector<submission::Submission>> Batch::Choose(const SessionFacts& facts,
                                                          std::vector<submission::Submission> found) {
  Result<gradebook::Conditions> conditions = ConditionsOf(facts, lab_);
  if (!conditions) return conditions.error();
  conditions_ = std::move(*conditions);
  std::erase_if(found, [this](const submission::Submission& one) { return !IsAbout(one, lab_); });
  summary_.found = static_cast<int>(found.size());
  Result<roster::Matched> matched = roster::Match(found, lab_, roster_);
  if (!matched) return matched.error();
  for (const roster::Unmatched& one : matched->unmatched) {
    summary_.unmatched.push_back(
        fmt::format("{}: {}", submission::Escaped(FileName(found[one.submission].source)), one.why));
  }
  auto chosen = Plan(found, *matched);
  if (const Status listed = ListWhoHandedNothing(std::move(matched->handed_nothing)); !listed.ok()) {
    return listed.error();
  }
  if (chosen) progress_.Start(lab_, static_cast<int>(chosen->size()));
  return chosen;
}

Result<std::vector<submission::Submission>> Batch::Plan(const std::vector<submission::Submission>& found,
                                                        const roster::Matched& matched) {
  std::vector<gradebook::HandIn> hand_ins;
  hand_ins.reserve(matched.owned.size());
  for (const roster::Owned& owned : matched.owned) {
    hand_ins.push_back(HandInOf(found[owned.submission], owned, lab_));
  }
  const auto plan = book_.Plan(hand_ins, conditions_, again_, why_);
  if (!plan) return plan.error();
  std::vector<submission::Submission> chosen;
  std::set<int64_t> seen;  // a student may have handed in the same twice
  for (size_t i = 0; i < plan->size(); ++i) {
    const gradebook::Planned& planned = (*plan)[i];
    if (!seen.insert(planned.attempt).second) continue;
    if (planned.is_graded) {
      ++(planned.repeats ? summary_.repeated : summary_.unchanged);
      continue;
    }
    chosen.push_back(AddJob(std::move(hand_ins[i]), found[matched.owned[i].submission].source, planned));
  }
  return chosen;
}

submission::Submission Batch::AddJob(gradebook::HandIn hand_in, std::string source, const gradebook::Planned& planned) {
  jobs_.push_back({hand_in.student, submission::Escaped(hand_in.student), planned, ""});
  Log(&jobs_.back(),
      fmt::format("{}: attempt {} ({}), handed in {} ({}); warpgrade {} on {}", why_, planned.number, hand_in.came_from,
                  hand_in.handed_in, hand_in.time_from, conditions_.kit_version, conditions_.device_name));
  submission::Submission one;
  one.id = one.student = std::move(hand_in.student);
  one.source = std::move(source);
  one.files = std::move(hand_in.files);
  one.messages = std::move(hand_in.notes);
  return one;
}

Status Batch::PrepareAgain(std::vector<gradebook::Attempt> attempts, SessionOptions* options) {
  attempts_ = std::move(attempts);
  why_ = "regrade";
  if (const Status prepared = Prepare(options); !prepared.ok()) return prepared.error();
  options->choose = [this](const SessionFacts& facts, const std::vector<submission::Submission>&) {
    return ChooseAgain(facts);
  };
  return Status();
}

Result<std::vector<submission::Submission>> Batch::ChooseAgain(const SessionFacts& facts) {
  Result<gradebook::Conditions> conditions = ConditionsOf(facts, lab_);
  if (!conditions) return conditions.error();
  conditions_ = std::move(*conditions);
  std::vector<submission::Submission> chosen;
  for (const gradebook::Attempt& attempt : attempts_) {
    ++summary_.found;
    if (!again_ && attempt.grading && attempt.grading->conditions == conditions_) {
      ++summary_.unchanged;
      continue;
    }
    Result<gradebook::HandIn> hand_in = book_.Read(attempt);
    if (!hand_in) return hand_in.error();
    gradebook::Planned planned;
    planned.attempt = attempt.key;
    planned.number = attempt.number;
    planned.gradings = attempt.grading ? attempt.grading->number : 0;
    chosen.push_back(AddJob(std::move(*hand_in), attempt.came_from, planned));
  }
  progress_.Start(lab_, static_cast<int>(chosen.size()));
  return chosen;
}

std::string Batch::NameOf(size_t index) const {
  const gradebook::Planned& planned = jobs_[index].planned;
  return fmt::format("attempt {}, grading {}", planned.attempt, planned.gradings + 1);
}

void Batch::Observe(const RungEvent& event) {
  Job& job = jobs_[event.submission];
  const std::string what = job.shown + " " + event.rung;
  Log(&job, event.rung + (event.ended ? " ends" : " begins"));
  if (event.ended) {
    progress_.RungEnds(what);
  } else {
    progress_.RungBegins(what);
  }
}

Status Batch::Keep(size_t index, const score::GradingReport& report) {
  Job& job = jobs_[index];
  const score::SubmissionScore& scored = report.submissions.at(0);
  if (!scored.unfinished.empty() || scored.labs.size() != 1) {
    ++summary_.failed;
    const std::string why = scored.unfinished.empty() ? "it has no rungs" : scored.unfinished[0].reason;
    progress_.Done(fmt::format("{}: not graded: {}", job.shown, why), true);
    return Status();
  }
  const std::string points = report::PointsWords(scored.points, scored.max_points);
  Log(&job, points + " points");
  const Result<bool> added = book_.AddGrading(job.planned, conditions_, report, why_, job.log);
  if (!added) return added.error();
  ++(*added ? summary_.graded : summary_.meanwhile);
  job.log.clear();
  progress_.Done(
      fmt::format("{}: {} points{}", job.shown, points, *added ? "" : " (another process has graded it meanwhile)"),
      false);
  return Status();
}

void Batch::Log(Job* job, const std::string& line) const {
  job->log += fmt::format("{} {}\n", UtcText(std::time(nullptr)), line);
}

}  // namespace warpgrade::cli
