// The table of a class: one row for each submission with its points and the reasons for lost points, then the mean,
// median, lowest and highest points. Tests: tests/report/batch_table_test.cc.
#include "grader/report/batch_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using config::Points;
using score::RungStatus;

constexpr int kMostName = 32;  // columns for a submission's name
constexpr size_t kMostNamed = 2;

struct BatchRow {
  std::vector<std::string> cells;  // name, labs, points
  std::string summary;
  Tone tone = Tone::kPlain;  // of the summary
};

const score::LabScore* FindLab(const score::SubmissionScore& submission, const std::string& name) {
  for (const score::LabScore& lab : submission.labs) {
    if (lab.lab == name) return &lab;
  }
  return nullptr;
}

BatchRow MakeRow(const score::SubmissionScore& submission, const std::vector<std::string>& labs) {
  BatchRow row;
  row.cells.push_back(Shorten(PrintableLine(submission.id), kMostName));
  for (const std::string& name : labs) {
    const score::LabScore* lab = FindLab(submission, name);
    row.cells.push_back(lab ? PointsWords(lab->points, lab->max_points) : "-");
  }
  // The sum of a part would look like a mark.
  const bool has_mark = submission.unfinished.empty() && !submission.labs.empty();
  row.cells.push_back(has_mark ? PointsWords(submission.points, submission.max_points) : "-");
  row.summary = SummaryWords(submission);
  return row;
}

// Half up to a hundredth.
Points Divided(int64_t hundredths, int64_t by) { return Points::FromHundredths((2 * hundredths + by) / (2 * by)); }

// "mean 25.67, median 29, lowest 9, highest 39". REQUIRES: `points` is sorted and not empty.
std::string StatisticsWords(const std::vector<int64_t>& points) {
  const size_t middle = points.size() / 2;
  const Points median =
      points.size() % 2 == 1 ? Points::FromHundredths(points[middle]) : Divided(points[middle - 1] + points[middle], 2);
  const int64_t sum = std::accumulate(points.begin(), points.end(), int64_t{0});
  return fmt::format("mean {}, median {}, lowest {}, highest {}",
                     Divided(sum, static_cast<int64_t>(points.size())).ToString(), median.ToString(),
                     Points::FromHundredths(points.front()).ToString(),
                     Points::FromHundredths(points.back()).ToString());
}

// Who handed nothing in has no mark. The figures are given without and with them, because courses differ in that.
std::string Totals(const score::GradingReport& report) {
  std::vector<int64_t> points;
  size_t unfinished = 0, without = 0;
  for (const score::SubmissionScore& submission : report.submissions) {
    if (!submission.unfinished.empty()) {
      ++unfinished;
    } else if (submission.labs.empty()) {
      ++without;
    } else {
      points.push_back(submission.points.hundredths());
    }
  }
  std::string text = unfinished == 0 ? "" : Counted(unfinished, "submission") + " not finished\n";
  if (points.empty()) return unfinished + without == 0 ? "no submissions\n" : text + "nobody has a mark\n";
  std::sort(points.begin(), points.end());
  text += fmt::format("{}: {}\n", Counted(points.size(), "submission"), StatisticsWords(points));
  if (without == 0) return text;
  points.insert(points.begin(), without, 0);
  return text + fmt::format("{} without a mark; if they count as 0: {}\n", without, StatisticsWords(points));
}

// Statuses from the worst to the most harmless, as the summary lists them.
constexpr RungStatus kWorstFirst[] = {RungStatus::kRefused, RungStatus::kCrashed,      RungStatus::kTimeout,
                                      RungStatus::kLimit,   RungStatus::kCompileError, RungStatus::kFailed,
                                      RungStatus::kMissing, RungStatus::kNotWritten};

std::string RowText(const std::vector<std::string>& cells, const std::vector<int>& widths) {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    text += std::string(kGap, ' ');
    text += i == 0 ? PadRight(cells[i], widths[i]) : PadLeft(cells[i], widths[i]);
  }
  return text;
}

}  // namespace

std::vector<std::string> LabNames(const score::GradingReport& report) {
  std::vector<std::string> names;
  for (const score::SubmissionScore& submission : report.submissions) {
    for (const score::LabScore& lab : submission.labs) {
      if (std::find(names.begin(), names.end(), lab.lab) == names.end()) names.push_back(lab.lab);
    }
  }
  for (const auto& [lab, facts] : report.assignments) {
    if (facts.is_listed && std::find(names.begin(), names.end(), lab) == names.end()) names.push_back(lab);
  }
  return names;
}

bool IsMark(const score::SubmissionScore& submission, const score::LabScore& lab) {
  if (lab.is_partial) return false;
  return std::none_of(submission.unfinished.begin(), submission.unfinished.end(),
                      [&lab](const score::UnfinishedRung& rung) { return rung.lab == lab.lab; });
}

bool IsMark(const score::SubmissionScore& submission) {
  return submission.unfinished.empty() && std::none_of(submission.labs.begin(), submission.labs.end(),
                                                       [](const score::LabScore& lab) { return lab.is_partial; });
}

std::vector<std::string> ChangesOf(const score::SubmissionScore& submission, bool with_lab) {
  std::vector<std::string> changes;
  for (const score::LabScore& lab : submission.labs) {
    for (const std::string& change : lab.hand_in.changes) {
      changes.push_back(PrintableLine(with_lab ? lab.lab + " " + change : change));
    }
  }
  return changes;
}

std::string SummaryWords(const score::SubmissionScore& submission) {
  std::map<RungStatus, std::vector<std::string>> rungs;
  std::vector<std::string> unseen;  // by students
  size_t missed = 0, flagged = 0;
  for (const score::LabScore& lab : submission.labs) {
    const std::string lab_prefix = submission.labs.size() > 1 ? lab.lab + "." : "";
    for (const score::RungScore& rung : lab.rungs) {
      if (rung.hidden_now) unseen.push_back(PrintableLine(lab_prefix + rung.rung));
      if (rung.counts == score::RungScore::Counts::kNo) continue;
      // Who leaves a bonus out loses nothing.
      const bool is_bonus = rung.counts == score::RungScore::Counts::kBonus;
      if (is_bonus && ToneOf(rung.measurement.status) == Tone::kQuiet) continue;
      if (rung.measurement.status != RungStatus::kPassed) {
        rungs[rung.measurement.status].push_back(PrintableLine(lab_prefix + rung.rung));
        continue;
      }
      for (const score::TechniqueResult& result : rung.technique) missed += result.passed ? 0 : 1;
      flagged += rung.measurement.throughput.status == score::ThroughputMeasurement::Status::kFlagged ? 1 : 0;
    }
  }
  std::vector<std::string> parts = UnfinishedWords(submission);
  for (const std::string& message : submission.messages) parts.push_back(PrintableLine(message));
  for (std::string& change : ChangesOf(submission, submission.labs.size() > 1)) parts.push_back(std::move(change));
  for (const RungStatus status : kWorstFirst) {
    const std::vector<std::string>& names = rungs[status];
    if (names.empty()) continue;
    if (names.size() > kMostNamed) {
      parts.push_back(fmt::format("{} {}", names.size(), StatusWords(status)));
    } else {
      parts.push_back(fmt::format("{}: {}", StatusWords(status), fmt::join(names, ", ")));
    }
  }
  if (flagged > 0) parts.push_back(Counted(flagged, "speed") + " flagged");
  if (missed > 0) parts.push_back(Counted(missed, "limit") + " missed");
  if (unseen.size() > kMostNamed) {
    parts.push_back(fmt::format("students do not see {} rungs", unseen.size()));
  } else if (!unseen.empty()) {
    parts.push_back(fmt::format("students do not see {}", fmt::join(unseen, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string BatchTable(const score::GradingReport& report, const TableOptions& options) {
  const std::vector<std::string> labs = LabNames(report);
  std::vector<std::string> headings = {"submission"};
  for (const std::string& lab : labs) headings.push_back(PrintableLine(lab));
  headings.push_back("points");
  std::vector<BatchRow> rows;
  for (const score::SubmissionScore& submission : report.submissions) rows.push_back(MakeRow(submission, labs));

  std::vector<int> widths;
  int used = kGap;
  for (size_t i = 0; i < headings.size(); ++i) {
    int width = DisplayWidth(headings[i]);
    for (const BatchRow& row : rows) width = std::max(width, DisplayWidth(row.cells[i]));
    widths.push_back(width);
    used += kGap + width;
  }
  std::string text = HeadingText({PrintableLine(report.course)}, report.device, options.colour) + "\n" +
                     Toned(RowText(headings, widths), Tone::kQuiet, options.colour) + "\n";
  for (const BatchRow& row : rows) {
    text += RowText(row.cells, widths);
    if (!row.summary.empty()) text += std::string(kGap, ' ') + Shorten(row.summary, std::max(options.width - used, 20));
    text += "\n";
  }
  return text + "\n" + Totals(report);
}

}  // namespace warpgrade::report
