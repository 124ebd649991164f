// The results: adds gradings, and reads them whole or only what tables of marks need. Tests:
// tests/gradebook/gradings_test.cc.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "grader/gradebook/database.h"
#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/packed.h"
#include "grader/gradebook/rows.h"
#include "grader/lab/parallel.h"
#include "grader/report/json.h"
#include "grader/report/json_reader.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;

// To read one takes 0.1 ms; see kWorkPerThread.
constexpr size_t kWorkOfAReport = kWorkPerThread;

void AddRungs(SQLite::Database* db, int64_t grading, const score::LabScore& lab) {
  SQLite::Statement add(*db, "INSERT INTO rung VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int position = 0;
  for (const score::RungScore& rung : lab.rungs) {
    int met = 0;
    for (const score::TechniqueResult& limit : rung.technique) met += limit.passed ? 1 : 0;
    const score::RungMeasurement& measurement = rung.measurement;
    add.reset();
    add.bind(1, grading);
    add.bind(2, position++);
    add.bind(3, rung.rung);
    add.bind(4, static_cast<int>(measurement.status));
    add.bind(5, rung.points.hundredths());
    add.bind(6, rung.max_points.hundredths());
    add.bind(7, rung.measurable_points.hundredths());
    add.bind(8, met);
    add.bind(9, static_cast<int>(rung.technique.size()) - met);
    add.bind(10, measurement.cases);
    add.bind(11, measurement.cases_passed);
    add.bind(12, static_cast<int>(measurement.throughput.status));
    if (measurement.throughput.seconds) {
      add.bind(13, *measurement.throughput.seconds);
    } else {
      add.bind(13);
    }
    add.exec();
  }
}

// Adds the rung in `row` to `rungs`.
void AddRungFrom(const Rows& row, std::vector<score::RungScore>* rungs) {
  const auto number = [&row](int column) { return row.Number(column); };
  score::RungScore& rung = rungs->emplace_back();
  rung.rung = row.Text(1);
  rung.measurement.status = static_cast<score::RungStatus>(number(2));
  rung.points = Points::FromHundredths(number(3));
  rung.max_points = Points::FromHundredths(number(4));
  rung.measurable_points = Points::FromHundredths(number(5));
  rung.technique.resize(static_cast<size_t>(number(6)));
  rung.measurement.cases = static_cast<int>(number(7));
  rung.measurement.cases_passed = static_cast<int>(number(8));
  rung.measurement.throughput.status = static_cast<score::ThroughputMeasurement::Status>(number(9));
  if (!row.IsNull(10)) rung.measurement.throughput.seconds = row.Real(10);
}

void AddDetail(SQLite::Database* db, int64_t grading, const std::string& result, const std::string& log) {
  SQLite::Statement add(*db, "INSERT INTO detail VALUES(?, ?, ?)");
  add.bind(1, grading);
  add.bindNoCopy(2, result.data(), static_cast<int>(result.size()));
  add.bindNoCopy(3, log.data(), static_cast<int>(log.size()));
  add.exec();
}

bool WasGradedMeanwhile(SQLite::Database* db, const Planned& planned, const Conditions& conditions) {
  SQLite::Statement other(
      *db,
      "SELECT 1 FROM grading WHERE attempt = ? AND number > ? AND kit_version = ? AND rules = ? AND "
      "device_kind = ? AND device_name = ?");
  other.bind(1, planned.attempt);
  other.bind(2, planned.gradings);
  other.bind(3, conditions.kit_version);
  other.bind(4, conditions.rules);
  other.bind(5, conditions.device_kind);
  other.bind(6, conditions.device_name);
  return other.executeStep();
}

// The blob in `column` of the details of some gradings, compressed.
Result<std::vector<std::string>> PackedDetails(SQLite::Database* db, const std::string& path, const char* column,
                                               const std::vector<int64_t>& measured) {
  SQLite::Statement row(*db, fmt::format("SELECT {} FROM detail WHERE grading = ?", column));
  std::vector<std::string> packed;
  packed.reserve(measured.size());
  for (const int64_t one : measured) {
    row.reset();
    row.bind(1, one);
    if (!row.executeStep()) {
      return Error{ErrorKind::kMachine, path + ": a grading has lost its details; restore the file from a copy"};
    }
    const SQLite::Column bytes = row.getColumn(0);
    packed.emplace_back(static_cast<const char*>(bytes.getBlob()), static_cast<size_t>(bytes.getBytes()));
  }
  return packed;
}

// The same of one grading, as text.
Result<std::string> DetailOf(SQLite::Database* db, const std::string& path, const char* column, int64_t measured) {
  const Result<std::vector<std::string>> packed = PackedDetails(db, path, column, {measured});
  return packed ? Decompressed(path, packed->at(0)) : packed.error();
}

Result<score::GradingReport> Unpacked(const std::string& path, const std::string& packed) {
  const Result<std::string> text = Decompressed(path, packed);
  return text ? report::ParseKnownFields(*text, path) : text.error();
}

}  // namespace

Result<bool> Gradebook::AddGrading(const Planned& planned, const Conditions& conditions,
                                   const score::GradingReport& report, const std::string& why, const std::string& log) {
  WARPGRADE_CHECK(report.submissions.size() == 1 && report.submissions[0].labs.size() == 1);
  const score::LabScore& lab = report.submissions[0].labs[0];
  const std::string result = Compressed(report::JsonInLines(report)), lines = Compressed(log);
  return connection_->TryToWrite([&]() -> Result<bool> {
    SQLite::Database& db = connection_->db();
    if (WasGradedMeanwhile(&db, planned, conditions)) return false;
    SQLite::Statement add(
        db,
        "INSERT INTO grading(key, attempt, number, measured, graded_at, why, kit_version, course, rules, device_kind, "
        "device_name, points, max_points, measurable_points) SELECT k.next, ?1, 1 + (SELECT coalesce(max(number), 0) "
        "FROM grading WHERE attempt = ?1), k.next, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 "
        "FROM (SELECT 1 + coalesce(max(key), 0) AS next FROM grading) k");
    add.bind(1, planned.attempt);
    add.bind(2, UtcNow());
    add.bind(3, why);
    add.bind(4, conditions.kit_version);
    add.bind(5, report.course);
    add.bind(6, conditions.rules);
    add.bind(7, conditions.device_kind);
    add.bind(8, conditions.device_name);
    add.bind(9, lab.points.hundredths());
    add.bind(10, lab.max_points.hundredths());
    add.bind(11, lab.measurable_points.hundredths());
    add.exec();
    const int64_t grading = db.getLastInsertRowid();
    AddRungs(&db, grading, lab);
    AddDetail(&db, grading, result, lines);
    return true;
  });
}

Result<std::vector<Grading>> Gradebook::Gradings(int64_t attempt) {
  return connection_->Try([&]() -> Result<std::vector<Grading>> {
    Rows row(connection_->db(),
             fmt::format("SELECT {} FROM grading g WHERE attempt = :attempt ORDER BY number", kGradingColumns));
    row.Bind(":attempt", attempt);
    std::vector<Grading> gradings;
    while (row.Next()) gradings.push_back(GradingFrom(row, 0));
    return gradings;
  });
}

Result<score::GradingReport> Gradebook::Report(int64_t measured) {
  Result<std::vector<score::GradingReport>> reports = Reports({measured});
  return reports ? std::move(reports->at(0)) : Result<score::GradingReport>(reports.error());
}

Result<std::vector<score::GradingReport>> Gradebook::Reports(const std::vector<int64_t>& measured) {
  const auto packed =
      connection_->TryToRead([&] { return PackedDetails(&connection_->db(), path(), "result", measured); });
  if (!packed) return packed.error();
  std::vector<score::GradingReport> reports(packed->size());
  std::vector<Status> problems(packed->size());
  const auto unpack = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Result<score::GradingReport> report = Unpacked(path(), packed->at(i));
      if (report) {
        reports[i] = std::move(*report);
      } else {
        problems[i] = report.error();
      }
    }
  };
  ParallelFor(packed->size(), packed->size() * kWorkOfAReport, unpack, kManyRangesPerThread);
  for (const Status& problem : problems) {
    if (!problem.ok()) return problem.error();
  }
  return reports;
}

Result<std::string> Gradebook::Log(int64_t measured) {
  return connection_->Try(
      [&]() -> Result<std::string> { return DetailOf(&connection_->db(), path(), "log", measured); });
}

Result<std::map<int64_t, score::LabScore>> Gradebook::Rungs(const std::vector<const Attempt*>& attempts) {
  return connection_->TryToRead([&]() -> Result<std::map<int64_t, score::LabScore>> {
    std::map<int64_t, score::LabScore> labs;
    size_t usual_rungs = 0;
    Rows row(connection_->db(),
             "SELECT grading, name, status, points, max_points, measurable_points, limits_missed, "
             "cases, cases_passed, speed, seconds FROM rung WHERE grading = :grading ORDER BY position");
    for (const Attempt* attempt : attempts) {
      if (!attempt->grading || labs.contains(attempt->grading->measured)) continue;
      const Grading& grading = *attempt->grading;
      score::LabScore& lab = labs[grading.measured];
      lab.lab = attempt->lab;
      lab.points = grading.points;
      lab.max_points = grading.max_points;
      lab.measurable_points = grading.measurable_points;
      lab.rungs.reserve(usual_rungs);
      row.Bind(":grading", grading.measured);
      while (row.Next()) AddRungFrom(row, &lab.rungs);
      usual_rungs = lab.rungs.size();
    }
    return labs;
  });
}

}  // namespace warpgrade::gradebook
