// The data for the page of a class: a row for each submission, the distribution of the points of each rung, and what a
// person should look at: outliers, flagged speeds, submissions that are alike, and what has no result and why. class.js
// draws it, and computes nothing.
// Tests: tests/report/html_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/report/batch_table.h"
#include "grader/report/gpu_words.h"
#include "grader/report/html.h"
#include "grader/report/html_json.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using ClassJson = nlohmann::ordered_json;
using score::RungScore;
using score::SubmissionScore;
using score::ThroughputMeasurement;

constexpr size_t kBins = 10;         // each a tenth of the points; a last bin has those with all points
constexpr size_t kFewest = 8;        // fewer numbers have no outliers
constexpr double kFences = 1.5;      // of the distance between the quartiles; Tukey, "Exploratory Data Analysis" (1977)
constexpr size_t kMostListed = 100;  // of outliers and the like; the others are counted
constexpr size_t kMostInGroup = 12;  // in one group of submissions that are alike

struct RungColumn {
  std::string name;
  double max = 0;
};
struct LabColumn {
  std::string name, title;
  double max = 0;
  std::vector<RungColumn> rungs;  // in the order of their first occurrence
};

std::vector<LabColumn> ColumnsOf(const score::GradingReport& report) {
  std::vector<LabColumn> columns;
  for (const std::string& name : LabNames(report)) {
    LabColumn column{.name = name};
    for (const SubmissionScore& submission : report.submissions) {
      for (const score::LabScore& lab : submission.labs) {
        if (lab.lab != name) continue;
        column.title = lab.title;
        column.max = std::max(column.max, lab.max_points.ToDouble());
        for (const RungScore& rung : lab.rungs) {
          const auto known = std::find_if(column.rungs.begin(), column.rungs.end(),
                                          [&rung](const RungColumn& other) { return other.name == rung.rung; });
          // What stands beside the rungs has no maximum of its own.
          const double max = std::max(0.0, rung.max_points.ToDouble());
          if (known == column.rungs.end()) column.rungs.push_back({rung.rung, max});
        }
      }
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

const RungScore* FindRung(const SubmissionScore& submission, const std::string& lab_name, const std::string& name) {
  for (const score::LabScore& lab : submission.labs) {
    if (lab.lab != lab_name) continue;
    for (const RungScore& rung : lab.rungs) {
      if (rung.rung == name) return &rung;
    }
  }
  return nullptr;
}

bool IsFlagged(const RungScore& rung) {
  return rung.measurement.throughput.status == ThroughputMeasurement::Status::kFlagged;
}

// One letter for a cell: flagged, right with all points that can be measured, right with fewer, wrong, not written; "u"
// without a result.
char StateLetter(const RungScore* rung) {
  if (rung == nullptr) return 'u';
  if (IsFlagged(*rung)) return 'f';
  switch (ToneOf(rung->measurement.status)) {
    case Tone::kGood:
      return HasAllMeasurablePoints(*rung) ? 'a' : 'p';
    case Tone::kQuiet:
      return 'n';
    default:
      return 'w';
  }
}

// The share of the points that can be measured here; nullopt: none can be.
template <typename Scored>
std::optional<double> Share(const Scored& scored) {
  if (scored.measurable_points <= config::Points()) return std::nullopt;
  return scored.points.ToDouble() / scored.measurable_points.ToDouble();
}

// How many of `shares` are in each tenth, and then how many are all points.
std::vector<int> Histogram(const std::vector<double>& shares) {
  std::vector<int> bins(kBins + 1);
  for (const double share : shares) {
    const double tenth = std::floor(std::clamp(share, 0.0, 1.0) * kBins + 1e-9);
    ++bins[static_cast<size_t>(tenth)];
  }
  return bins;
}

// The value below which the share `q` of `sorted` lies, interpolated. REQUIRES: not empty.
double Quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

struct Fences {
  double low = -INFINITY, high = INFINITY;
};

// Outside of them is an outlier.
Fences FencesOf(std::vector<double> values) {
  if (values.size() < kFewest) return {};
  std::sort(values.begin(), values.end());
  const double q1 = Quantile(values, 0.25), q3 = Quantile(values, 0.75);
  return {q1 - kFences * (q3 - q1), q3 + kFences * (q3 - q1)};
}

ClassJson StatisticsJson(std::vector<double> points) {
  if (points.empty()) return nullptr;
  std::sort(points.begin(), points.end());
  double sum = 0;
  for (const double value : points) sum += value;
  return {{"mean", sum / static_cast<double>(points.size())},
          {"median", Quantile(points, 0.5)},
          {"low", points.front()},
          {"high", points.back()}};
}

ClassJson RungColumnJson(const score::GradingReport& report, const LabColumn& lab, const RungColumn& column) {
  std::vector<double> points, shares;
  std::map<char, int> states;
  for (const SubmissionScore& submission : report.submissions) {
    const RungScore* rung = FindRung(submission, lab.name, column.name);
    ++states[StateLetter(rung)];
    if (rung == nullptr) continue;
    points.push_back(rung->points.ToDouble());
    if (const auto share = Share(*rung)) shares.push_back(*share);
  }
  ClassJson json = {{"name", PrintableLine(column.name)}, {"max", column.max}, {"bins", Histogram(shares)}};
  json["statistics"] = StatisticsJson(points);
  for (const char state : {'a', 'p', 'w', 'n', 'f', 'u'}) json["states"][std::string(1, state)] = states[state];
  return json;
}

ClassJson LabColumnJson(const score::GradingReport& report, const LabColumn& lab) {
  ClassJson json = {{"name", PrintableLine(lab.name)}, {"title", PrintableLine(lab.title)}, {"max", lab.max}};
  json["rungs"] = ClassJson::array();
  for (const RungColumn& rung : lab.rungs) json["rungs"].push_back(RungColumnJson(report, lab, rung));
  return json;
}

// What the roster says, if there is one.
void AddNames(const score::GradingReport& report, const std::string& id, ClassJson* json) {
  const auto found = report.students.find(id);
  if (found == report.students.end()) return;
  if (!found->second.name.empty()) (*json)["name"] = PrintableLine(found->second.name);
  if (!found->second.section.empty()) (*json)["section"] = PrintableLine(found->second.section);
}

ClassJson StudentJson(const SubmissionScore& submission, const std::vector<LabColumn>& columns) {
  ClassJson json = {{"id", PrintableLine(submission.id)}};
  json["total"] = IsMark(submission) ? ClassJson(submission.points.ToDouble()) : ClassJson(nullptr);
  json["labs"] = ClassJson::array();
  json["rungs"] = ClassJson::array();
  std::string all_states;
  for (const LabColumn& column : columns) {
    ClassJson sum = nullptr, points = ClassJson::array();
    std::string states;
    for (const score::LabScore& lab : submission.labs) {
      if (lab.lab == column.name && IsMark(submission, lab)) sum = lab.points.ToDouble();
    }
    for (const RungColumn& name : column.rungs) {
      const RungScore* rung = FindRung(submission, column.name, name.name);
      points.push_back(rung == nullptr ? ClassJson(nullptr) : ClassJson(rung->points.ToDouble()));
      states += StateLetter(rung);
    }
    json["labs"].push_back(sum);
    json["rungs"].push_back({points, states});
    all_states += states;
  }
  json["flagged"] = all_states.find('f') != std::string::npos;
  json["finished"] = submission.unfinished.empty();
  json["notes"] = SummaryWords(submission);
  return json;
}

// Rows of a list that a person should look at: what it is about, then a sentence.
class Rows {
 public:
  void Add(const std::string& id, const std::string& about, const std::string& words) {
    ids_.insert(id);
    if (++count_ <= kMostListed) rows_.push_back({PrintableLine(id), PrintableLine(about), Printable(words)});
  }
  ClassJson Json() const { return {{"rows", rows_}, {"count", count_}}; }
  // Whom the rows are about, with those that are only counted.
  const std::set<std::string>& ids() const { return ids_; }

 private:
  std::set<std::string> ids_;
  ClassJson rows_ = ClassJson::array();
  size_t count_ = 0;
};

void AddOutliersOfPoints(const score::GradingReport& report, Rows* rows) {
  std::vector<double> shares;
  for (const SubmissionScore& submission : report.submissions) {
    const auto share = Share(submission);
    if (submission.unfinished.empty() && share) shares.push_back(*share);
  }
  const Fences fences = FencesOf(shares);
  for (const SubmissionScore& submission : report.submissions) {
    const auto share = Share(submission);
    if (!submission.unfinished.empty() || !share || (*share >= fences.low && *share <= fences.high)) continue;
    rows->Add(submission.id, "all points",
              fmt::format("{:.0f}% of the points, {} than most", *share * 100, *share < fences.low ? "fewer" : "more"));
  }
}

void AddOutliersOfSpeed(const score::GradingReport& report, const LabColumn& lab, const RungColumn& column,
                        Rows* rows) {
  std::vector<double> speeds;
  std::vector<std::pair<const SubmissionScore*, const ThroughputMeasurement*>> measured;
  for (const SubmissionScore& submission : report.submissions) {
    const RungScore* rung = FindRung(submission, lab.name, column.name);
    if (rung == nullptr || rung->measurement.throughput.status != ThroughputMeasurement::Status::kMeasured) continue;
    if (!std::isfinite(rung->measurement.throughput.value)) continue;
    measured.emplace_back(&submission, &rung->measurement.throughput);
    speeds.push_back(rung->measurement.throughput.value);
  }
  const Fences fences = FencesOf(speeds);
  for (const auto& [submission, speed] : measured) {
    if (speed->value >= fences.low && speed->value <= fences.high) continue;
    rows->Add(submission->id, lab.name + "." + column.name,
              fmt::format("{} {}, {} than most", NumberWords(speed->value), speed->unit,
                          speed->value < fences.low ? "slower" : "faster"));
  }
}

Rows OutliersOf(const score::GradingReport& report, const std::vector<LabColumn>& columns) {
  Rows rows;
  AddOutliersOfPoints(report, &rows);
  for (const LabColumn& lab : columns) {
    for (const RungColumn& rung : lab.rungs) AddOutliersOfSpeed(report, lab, rung, &rows);
  }
  return rows;
}

ClassJson FlaggedJson(const score::GradingReport& report) {
  Rows rows;
  for (const SubmissionScore& submission : report.submissions) {
    for (const score::LabScore& lab : submission.labs) {
      for (const RungScore& rung : lab.rungs) {
        if (!IsFlagged(rung)) continue;
        rows.Add(submission.id, RungName(lab, rung), ThroughputCell(rung) + ": " + rung.measurement.throughput.reason);
      }
    }
  }
  return rows.Json();
}

// One row for the rungs of a lab without a result for the same reason.
void AddUnfinished(const SubmissionScore& submission, Rows* rows) {
  for (auto rung = submission.unfinished.begin(); rung != submission.unfinished.end();) {
    const auto next = std::find_if(rung, submission.unfinished.end(), [&rung](const score::UnfinishedRung& other) {
      return other.lab != rung->lab || other.reason != rung->reason;
    });
    const auto count = static_cast<uint64_t>(next - rung);
    rows->Add(submission.id, count == 1 ? rung->lab + "." + rung->rung : rung->lab + ": " + Counted(count, "rung"),
              rung->reason);
    rung = next;
  }
}

// What the machine is to blame for: rungs without a result, and GPUs that slowed down.
ClassJson MachineJson(const score::GradingReport& report) {
  Rows rows;
  for (const std::string& failure : report.class_notes.failures) rows.Add("–", "this run", failure);
  for (const SubmissionScore& submission : report.submissions) {
    AddUnfinished(submission, &rows);
    for (const score::LabScore& lab : submission.labs) {
      for (const RungScore& rung : lab.rungs) {
        const auto& gpu = rung.measurement.throughput.gpu;
        if (gpu && gpu->slowed_down) rows.Add(submission.id, RungName(lab, rung), SlowdownWords(*gpu));
      }
    }
  }
  return rows.Json();
}

// What was said of whole submissions: they could not be read, nothing was handed in, or they belong to no student.
ClassJson WholeJson(const score::GradingReport& report) {
  Rows rows;
  for (const std::string& unmatched : report.class_notes.unmatched) rows.Add("–", "no student", unmatched);
  for (const SubmissionScore& submission : report.submissions) {
    for (const std::string& message : submission.messages) {
      rows.Add(submission.id, submission.labs.empty() ? "no result" : "a note", message);
    }
  }
  return rows.Json();
}

// Groups of submissions that are alike, the most alike first.
ClassJson AlikeJson(const score::ClassNotes& notes) {
  ClassJson json = {{"labs", ClassJson::array()}, {"rows", ClassJson::array()}, {"count", notes.alike.size()}};
  for (const std::string& lab : notes.compared) json["labs"].push_back(PrintableLine(lab));
  for (const score::Alike& one : notes.alike) {
    if (json["rows"].size() == kMostListed) break;
    std::string names;
    for (size_t i = 0; i < std::min(one.who.size(), kMostInGroup); ++i) {
      names += (i == 0 ? "" : ", ") + PrintableLine(one.who[i]);
    }
    if (one.who.size() > kMostInGroup) names += ", and " + std::to_string(one.who.size() - kMostInGroup) + " more";
    const double share = std::isfinite(one.share) ? std::clamp(one.share, 0.0, 1.0) : 0;
    json["rows"].push_back({PrintableLine(one.lab), names, std::round(100 * share), PrintableLine(one.where)});
  }
  return json;
}

ClassJson StudentsJson(const score::GradingReport& report, const std::vector<LabColumn>& columns,
                       const std::set<std::string>& outliers) {
  std::set<std::string> alike;
  for (const score::Alike& one : report.class_notes.alike) alike.insert(one.who.begin(), one.who.end());
  ClassJson students = ClassJson::array();
  for (const SubmissionScore& submission : report.submissions) {
    students.push_back(StudentJson(submission, columns));
    AddNames(report, submission.id, &students.back());
    if (alike.contains(submission.id)) students.back()["alike"] = true;
    if (outliers.contains(submission.id)) students.back()["outlier"] = true;
  }
  return students;
}

}  // namespace

std::string ClassData(const score::GradingReport& report) {
  const std::vector<LabColumn> columns = ColumnsOf(report);
  const Rows outliers = OutliersOf(report, columns);
  std::vector<double> points, shares;
  double max = 0;
  for (const SubmissionScore& submission : report.submissions) {
    max = std::max(max, submission.max_points.ToDouble());
    if (!submission.unfinished.empty()) continue;
    points.push_back(submission.points.ToDouble());
    if (const auto share = Share(submission)) shares.push_back(*share);
  }
  ClassJson json = {{"course", PrintableLine(report.course)},
                    {"device", DeviceWords(report.device)},
                    {"kit", PrintableLine(report.kit_version)},
                    {"max", max},
                    {"statistics", StatisticsJson(points)},
                    {"bins", Histogram(shares)},
                    {"outliers", outliers.Json()},
                    {"flagged", FlaggedJson(report)},
                    {"alike", AlikeJson(report.class_notes)},
                    {"machine", MachineJson(report)},
                    {"whole", WholeJson(report)}};
  json["labs"] = ClassJson::array();
  for (const LabColumn& lab : columns) json["labs"].push_back(LabColumnJson(report, lab));
  json["students"] = StudentsJson(report, columns, outliers.ids());
  return ScriptSafe(json);
}

}  // namespace warpgrade::report
