// Chooses the attempts that count, with due dates, extensions and grace days. It knows no SQL. Tests:
// tests/gradebook/counted_test.cc.
#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "grader/gradebook/marks.h"
#include "grader/score/late.h"
#include "grader/times/times.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;

constexpr int64_t kSecondsPerDay = 24 * 3600;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// The attempts of one student for one lab, and the rule for them.
struct LabAttempts {
  std::span<Attempt> attempts;  // by number
  config::HandInRule rule;
  std::optional<int64_t> due;

  const std::string& lab() const { return attempts.front().lab; }
};

int DaysLateOf(const Attempt& attempt, std::optional<int64_t> due) {
  if (!due) return 0;
  return score::DaysLate({ParseTime(attempt.handed_in).value_or(0), attempt.marked_late, due});
}

// An attempt of which nothing could be read counts only if there is no other: the download may have been cut off.
Attempt* LatestOf(const LabAttempts& lab) {
  return &*std::max_element(lab.attempts.begin(), lab.attempts.end(), [](const Attempt& a, const Attempt& b) {
    return std::tie(a.has_files, a.handed_in, a.number) < std::tie(b.has_files, b.handed_in, b.number);
  });
}

// The graded attempt with the most points after the deduction; of equal ones the least late, then the latest. The
// latest attempt if none is graded.
Attempt* BestOf(const LabAttempts& lab, int grace_days) {
  const auto worth = [&](const Attempt* attempt) {
    const int late = DaysLateOf(*attempt, lab.due);
    const Points points = attempt->grading->points;
    const Points net = points - score::Deduction(lab.rule, points, std::max(0, late - grace_days));
    return std::make_tuple(net, -late, attempt->handed_in, attempt->number);
  };
  Attempt* best = nullptr;
  for (Attempt& attempt : lab.attempts) {
    if (attempt.grading && (best == nullptr || worth(best) < worth(&attempt))) best = &attempt;
  }
  return best == nullptr ? LatestOf(lab) : best;
}

// `*grace_days`: what the student has left. Moves the attempt that counts out of `lab`.
CountedAttempt Choose(const LabAttempts& lab, int* grace_days) {
  const bool best = lab.rule.attempt == config::HandInRule::Attempt::kBest;
  Attempt* const attempt = best ? BestOf(lab, *grace_days) : LatestOf(lab);
  CountedAttempt counted;
  counted.of = static_cast<int>(lab.attempts.size());
  counted.due = lab.due;
  counted.days_late = DaysLateOf(*attempt, lab.due);
  const bool late_costs = lab.rule.late_per_day > 0 || lab.rule.most_days_late.has_value();
  if (late_costs) counted.grace_days = std::min(counted.days_late, *grace_days);
  *grace_days -= counted.grace_days;
  for (const Attempt& one : lab.attempts) {
    if (!one.grading && (best || &one == attempt)) counted.ungraded = one.number;
  }
  counted.attempt = std::move(*attempt);
  return counted;
}

// The first attempts of a list, those with the same text in `field` as the first one.
std::span<Attempt> FirstAlike(std::span<Attempt> attempts, std::string Attempt::*field) {
  const auto end = std::find_if(attempts.begin(), attempts.end(),
                                [&](const Attempt& attempt) { return attempt.*field != attempts.front().*field; });
  return attempts.first(static_cast<size_t>(end - attempts.begin()));
}

// The labs of one student, those that are due first before the others. `attempts`: by lab and number.
std::vector<LabAttempts> LabsOf(std::span<Attempt> attempts, const std::string& extension,
                                const config::Course* course) {
  std::vector<LabAttempts> labs;
  while (!attempts.empty()) {
    LabAttempts lab = {FirstAlike(attempts, &Attempt::lab), {}, std::nullopt};
    attempts = attempts.subspan(lab.attempts.size());
    if (const config::Lab* const rules = course == nullptr ? nullptr : course->FindLab(lab.lab())) {
      lab.rule = rules->hand_in;
      if (rules->due) lab.due = WithExtension(*rules->due, extension);
    }
    labs.push_back(lab);
  }
  std::stable_sort(labs.begin(), labs.end(), [](const LabAttempts& a, const LabAttempts& b) {
    return a.due.value_or(kNever) < b.due.value_or(kNever);
  });
  return labs;
}

void CountInstead(const std::map<int64_t, score::LabScore>& instead, Attempt* attempt) {
  if (!attempt->grading) return;
  const auto other = instead.find(attempt->grading->measured);
  if (other == instead.end()) return;
  attempt->grading->points = other->second.points;
  attempt->grading->max_points = other->second.max_points;
  attempt->grading->measurable_points = other->second.measurable_points;
}

}  // namespace

int64_t WithExtension(int64_t due, const std::string& extension) {
  if (extension.empty()) return due;
  if (const auto until = EndOfTime(extension)) return std::max(due, *until);
  constexpr size_t kMostDigits = 3;
  const bool is_number =
      extension.size() <= kMostDigits && extension.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? due + std::stoi(extension) * kSecondsPerDay : due;
}

Result<std::vector<CountedAttempt>> CountedAttempts(Gradebook* book, const MarksOptions& options) {
  // Grace days are spent over all labs.
  const int grace_days = options.course == nullptr ? 0 : options.course->grace_days;
  Result<std::vector<Attempt>> read = std::vector<Attempt>();
  if (options.attempts == nullptr) read = book->Attempts(options.student, grace_days > 0 ? "" : options.lab);
  if (!read) return read.error();
  const std::span<Attempt> attempts = options.attempts == nullptr ? *read : *options.attempts;
  if (options.instead != nullptr) {
    for (Attempt& attempt : attempts) CountInstead(*options.instead, &attempt);
  }
  const Result<std::vector<Student>> students = book->Students();
  if (!students) return students.error();
  std::map<std::string, std::string> extensions;
  for (const Student& student : *students) extensions[student.id] = student.extension;

  std::vector<CountedAttempt> counted;
  for (std::span<Attempt> rest = attempts; !rest.empty();) {
    const std::span<Attempt> of_student = FirstAlike(rest, &Attempt::student);
    rest = rest.subspan(of_student.size());
    const auto extension = extensions.find(of_student.front().student);
    int left = grace_days;
    const size_t begin = counted.size();
    for (const LabAttempts& lab :
         LabsOf(of_student, extension == extensions.end() ? "" : extension->second, options.course)) {
      CountedAttempt one = Choose(lab, &left);
      if (options.lab.empty() || options.lab == one.attempt.lab) counted.push_back(std::move(one));
    }
    std::sort(counted.begin() + static_cast<ptrdiff_t>(begin), counted.end(),
              [](const CountedAttempt& a, const CountedAttempt& b) { return a.attempt.lab < b.attempt.lab; });
  }
  return counted;
}

}  // namespace warpgrade::gradebook
