// Tables are rows of cells, padded by their width on a terminal. Tests: tests/cli/book_command_test.cc.
#include "grader/cli/book_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/gradebook/marks.h"
#include "grader/report/batch_table.h"
#include "grader/report/line_diff.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

using gradebook::Attempt;
using gradebook::Gradebook;
using report::PrintableLine;

constexpr int kMostCell = 40;  // columns of a name

// Columns side by side, each as wide as its widest cell. Cells get escaped, and those before column `whole_from` are
// shortened.
std::string TableOf(const std::vector<std::vector<std::string>>& rows, size_t whole_from) {
  std::vector<int> widths;
  std::vector<std::vector<std::string>> cells = rows;
  for (std::vector<std::string>& row : cells) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = PrintableLine(row[i]);
      if (i < whole_from) row[i] = report::Shorten(row[i], kMostCell);
      widths[i] = std::max(widths[i], report::DisplayWidth(row[i]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += "  " + report::PadRight(row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string DeviceOf(const gradebook::Conditions& conditions) {
  return conditions.device_kind == "gpu" ? conditions.device_name : conditions.device_kind;
}

std::string PointsOf(const gradebook::Grading& grading) {
  return report::PointsWords(grading.points, grading.max_points);
}

std::string Late(const Attempt& attempt) { return attempt.marked_late.value_or(false) ? ", marked LATE" : ""; }

// The points of each rung of one attempt, in the lab's order.
Result<std::vector<std::pair<std::string, std::string>>> RungPoints(Gradebook* book, const Attempt& attempt) {
  std::vector<std::pair<std::string, std::string>> points;
  const auto labs = book->Rungs({&attempt});
  if (!labs) return labs.error();
  for (const auto& [key, lab] : *labs) {
    for (const score::RungScore& rung : lab.rungs) {
      points.emplace_back(rung.rung, fmt::format("{} {}", report::PointsWords(rung.points, rung.max_points),
                                                 report::StatusWords(rung.measurement.status)));
    }
    points.emplace_back("total", report::PointsWords(lab.points, lab.max_points));
  }
  return points;
}

Result<std::string> PointsDiff(Gradebook* book, const Attempt& before, const Attempt& after) {
  const auto old_points = RungPoints(book, before), new_points = RungPoints(book, after);
  if (!old_points) return old_points.error();
  if (!new_points) return new_points.error();
  std::vector<std::vector<std::string>> rows = {
      {"rung", fmt::format("attempt {}", before.number), fmt::format("attempt {}", after.number)}};
  std::map<std::string, std::string> old_of(old_points->begin(), old_points->end());
  for (const auto& [rung, points] : *new_points) {
    rows.push_back({rung, old_of.contains(rung) ? old_of[rung] : "-", points == old_of[rung] ? "the same" : points});
    old_of.erase(rung);
  }
  for (const auto& [rung, points] : old_of) rows.push_back({rung, points, "-"});
  if (rows.size() == 1) return std::string("  neither attempt is graded\n");
  return TableOf(rows, 2);
}

Result<std::string> SourcesDiff(Gradebook* book, const Attempt& before, const Attempt& after) {
  Result<gradebook::HandIn> old_in = book->Read(before), new_in = book->Read(after);
  if (!old_in) return old_in.error();
  if (!new_in) return new_in.error();
  std::set<std::string> names;
  for (const auto& [name, text] : old_in->files) names.insert(name);
  for (const auto& [name, text] : new_in->files) names.insert(name);
  std::string diff;
  for (const std::string& name : names) {
    const std::string changes = report::LineDiff(old_in->files[name], new_in->files[name]);
    if (!changes.empty()) diff += fmt::format("\n{}\n{}", PrintableLine(name), changes);
  }
  return diff.empty() ? "\nThe sources are the same.\n" : diff;
}

std::vector<std::string> AttemptRow(const Attempt& attempt) {
  return {attempt.lab, std::to_string(attempt.number),
          fmt::format("{} ({}{})", attempt.handed_in, attempt.time_from, Late(attempt)), attempt.came_from};
}

void AddGradings(const Attempt& attempt, const std::vector<gradebook::Grading>& gradings,
                 std::vector<std::vector<std::string>>* rows) {
  bool first = true;
  for (const gradebook::Grading& grading : gradings) {
    std::vector<std::string> row = first ? AttemptRow(attempt) : std::vector<std::string>(4);
    row.insert(row.end(), {PointsOf(grading), grading.graded_at,
                           fmt::format("{}, warpgrade {}, {}{}", PrintableLine(grading.why),
                                       grading.conditions.kit_version, DeviceOf(grading.conditions),
                                       grading.measured == grading.key ? "" : ", repeats an equal attempt")});
    rows->push_back(std::move(row));
    first = false;
  }
  if (first) {
    rows->push_back(AttemptRow(attempt));
    rows->back().push_back("not graded yet");
  }
}

std::string MarkWords(const score::SubmissionScore& marks) {
  if (!marks.unfinished.empty()) return "not finished";
  return marks.labs.empty() ? "-" : report::PointsWords(marks.points, marks.max_points);
}

std::string OverrideLine(const gradebook::Override& one) {
  const std::string place = one.rung.empty() ? one.lab : one.lab + "." + one.rung;
  const std::string points = !one.points     ? ""
                             : one.is_change ? gradebook::ChangeWords(*one.points)
                                             : one.points->ToString();
  return PrintableLine(
      one.points
          ? fmt::format("{} {}: {} points, by {}: {}", one.made_at, place, points, one.author, one.reason)
          : fmt::format("{} {}: the override is withdrawn, by {}: {}", one.made_at, place, one.author, one.reason));
}

}  // namespace

Error NothingHandedIn(const std::string& id, const std::string& lab) {
  return {ErrorKind::kUsage, fmt::format("{} has handed nothing in for {}; `warpgrade book history` lists the attempts",
                                         PrintableLine(id), lab)};
}

Result<const Attempt*> FindAttempt(const std::vector<Attempt>& attempts, const std::string& id, const std::string& lab,
                                   int number) {
  int most = 0;
  for (const Attempt& attempt : attempts) {
    if (attempt.lab != lab) continue;
    if (attempt.number == number) return &attempt;
    most = std::max(most, attempt.number);
  }
  if (most == 0) return NothingHandedIn(id, lab);
  return Error{ErrorKind::kUsage, fmt::format("{} has no attempt {} for {}; the attempts are numbered from 1 to {}",
                                              PrintableLine(id), number, lab, most)};
}

Result<std::string> LabOf(const std::vector<Attempt>& attempts, const std::string& id, const std::string& lab) {
  if (!lab.empty()) return lab;
  std::set<std::string> labs;
  for (const Attempt& attempt : attempts) labs.insert(attempt.lab);
  if (labs.size() == 1) return *labs.begin();
  if (labs.empty()) return Error{ErrorKind::kUsage, PrintableLine(id) + " has handed nothing in"};
  return Error{ErrorKind::kUsage,
               fmt::format("{} has handed in {}; choose one with --lab", PrintableLine(id), fmt::join(labs, ", "))};
}

Result<std::string> ListText(Gradebook* book, const config::Course& course) {
  const Result<std::vector<gradebook::Student>> students = book->Students();
  if (!students) return students.error();
  const auto counts = book->AttemptCounts();
  if (!counts) return counts.error();
  // Never deleted: the program ends soon, and to free a million texts would take a tenth of its time.
  const auto& marks =
      *new Result<score::GradingReport>(gradebook::CurrentMarks(book, {.details = false, .course = &course}));
  if (!marks) return marks.error();
  std::map<std::string, const score::SubmissionScore*> marks_of;
  for (const score::SubmissionScore& one : marks->submissions) marks_of[one.id] = &one;
  std::vector<std::vector<std::string>> rows = {{"student", "name", "section", "points", "attempts"}};
  bool any_changes = false;
  for (const gradebook::Student& student : *students) {
    std::vector<std::string> labs;
    if (const auto of_student = counts->find(student.id); of_student != counts->end()) {
      for (const auto& [lab, number] : of_student->second) labs.push_back(fmt::format("{}: {}", lab, number));
    }
    const auto found = marks_of.find(student.id);
    if (found == marks_of.end()) continue;
    const std::vector<std::string> changes = report::ChangesOf(*found->second, /*with_lab=*/true);
    rows.push_back({student.id, student.name, student.section, MarkWords(*found->second),
                    fmt::format("{}", fmt::join(labs, ", ")), fmt::format("{}", fmt::join(changes, "; "))});
    any_changes |= !changes.empty();
  }
  if (any_changes) rows[0].push_back("changes");
  constexpr size_t kAttempts = 4;  // there may be many labs
  return TableOf(rows, kAttempts);
}

Result<std::string> StudentText(Gradebook* book, const config::Course& course, const std::string& id,
                                const std::string& lab) {
  const Result<std::vector<gradebook::Student>> students = book->Students();
  if (!students) return students.error();
  std::string text = id;
  for (const gradebook::Student& student : *students) {
    if (student.id != id) continue;
    for (const std::string& part : {student.name, student.email}) text += part.empty() ? "" : " · " + part;
    if (!student.section.empty()) text += " · section " + student.section;
    if (!student.extension.empty()) text += " · extension " + student.extension;
  }
  text = PrintableLine(text) + "\n";
  const auto counting = gradebook::CountedAttempts(book, {.student = id, .lab = lab, .course = &course});
  if (!counting) return counting.error();
  for (const gradebook::CountedAttempt& counted : *counting) {
    const Attempt& attempt = counted.attempt;
    text += fmt::format("{}: attempt {} of {}, handed in {} ({}{})", attempt.lab, attempt.number, counted.of,
                        attempt.handed_in, attempt.time_from, Late(attempt));
    if (counted.due) text += fmt::format(", due {}", UtcText(*counted.due));
    if (const std::string late = gradebook::LateWords(counted); !late.empty()) text += ", " + late;
    if (attempt.grading) {
      text += fmt::format(", graded {} by warpgrade {}", attempt.grading->graded_at,
                          attempt.grading->conditions.kit_version);
    }
    text += "\n";
  }
  return text;
}

Result<std::string> HistoryText(Gradebook* book, const std::string& id, const std::string& lab) {
  const Result<std::vector<Attempt>> attempts = book->Attempts(id, lab);
  if (!attempts) return attempts.error();
  const Result<std::vector<gradebook::Override>> overrides = book->Overrides(id);
  if (!overrides) return overrides.error();
  std::vector<std::vector<std::string>> rows = {{"lab", "attempt", "handed in", "as", "points", "graded", "how"}};
  for (const Attempt& attempt : *attempts) {
    const Result<std::vector<gradebook::Grading>> gradings = book->Gradings(attempt.key);
    if (!gradings) return gradings.error();
    AddGradings(attempt, *gradings, &rows);
  }
  std::string text = attempts->empty() ? PrintableLine(id) + " has handed nothing in\n" : TableOf(rows, 6);
  std::string lines;
  for (const gradebook::Override& one : *overrides) {
    if (lab.empty() || one.lab == lab) lines += "  " + OverrideLine(one) + "\n";
  }
  return lines.empty() ? text : text + "\nOverrides:\n" + lines;
}

Result<std::string> DiffText(Gradebook* book, const std::string& id, const std::string& lab, int before, int after) {
  const Result<std::vector<Attempt>> attempts = book->Attempts(id, lab);
  if (!attempts) return attempts.error();
  const Result<std::string> of_lab = LabOf(*attempts, id, lab);
  if (!of_lab) return of_lab.error();
  const Result<const Attempt*> old_one = FindAttempt(*attempts, id, *of_lab, before);
  if (!old_one) return old_one.error();
  const Result<const Attempt*> new_one = FindAttempt(*attempts, id, *of_lab, after);
  if (!new_one) return new_one.error();
  const Result<std::string> points = PointsDiff(book, **old_one, **new_one);
  if (!points) return points.error();
  const Result<std::string> sources = SourcesDiff(book, **old_one, **new_one);
  if (!sources) return sources.error();
  return fmt::format("{} {}\n\n{}{}", PrintableLine(id), *of_lab, *points, *sources);
}

}  // namespace warpgrade::cli
