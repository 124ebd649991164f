// What was handed in: adds attempts, and decides which of them must be graded. One transaction covers a whole class, so
// that the numbers of the attempts do not depend on when a batch was killed. Tests: tests/gradebook/attempts_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "grader/digest/digest.h"
#include "grader/gradebook/database.h"
#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/packed.h"
#include "grader/gradebook/rows.h"

namespace warpgrade::gradebook {
namespace {

std::string HashOf(std::string_view packed) {
  Digest digest;
  digest.Add("sources", packed);
  return digest.Hex();
}

// Plans hand-ins, one after the other. May throw SQLite::Exception.
class Planner {
 public:
  Planner(SQLite::Database* db, const Conditions& conditions, bool again, const std::string& why)
      : db_(*db), conditions_(conditions), again_(again), why_(why), now_(UtcNow()) {}

  Planned Plan(const HandIn& hand_in) {
    const std::string packed = Pack({hand_in.files, hand_in.notes});
    const int64_t sources = SourcesOf(packed, !hand_in.files.empty());
    Planned planned;
    Find(hand_in, sources, &planned);
    if (planned.attempt == 0) Add(hand_in, sources, &planned);
    if (again_) return planned;
    planned.is_graded = IsGraded(planned.attempt, planned.gradings);
    if (!planned.is_graded) Repeat(hand_in, sources, &planned);
    return planned;
  }

 private:
  // The key of the row with these sources, which is added if there is none.
  int64_t SourcesOf(const std::string& packed, bool has_files) {
    const std::string hash = HashOf(packed);
    find_sources_.reset();
    find_sources_.bind(1, hash);
    if (find_sources_.executeStep()) return find_sources_.getColumn(0).getInt64();
    const std::string bytes = Compressed(packed);
    add_sources_.reset();
    add_sources_.bind(1, hash);
    add_sources_.bindNoCopy(2, bytes.data(), static_cast<int>(bytes.size()));
    add_sources_.bind(3, has_files ? 1 : 0);
    add_sources_.exec();
    return db_.getLastInsertRowid();
  }

  void Find(const HandIn& hand_in, int64_t sources, Planned* planned) {
    find_.reset();
    find_.bind(1, hand_in.student);
    find_.bind(2, hand_in.lab);
    find_.bind(3, sources);
    find_.bind(4, hand_in.handed_in);
    if (!find_.executeStep()) return;
    planned->attempt = find_.getColumn(0).getInt64();
    planned->number = find_.getColumn(1).getInt();
    planned->gradings = find_.getColumn(2).getInt();
  }

  void Add(const HandIn& hand_in, int64_t sources, Planned* planned) {
    add_student_.reset();
    add_student_.bind(1, hand_in.student);
    add_student_.exec();
    add_.reset();
    add_.bind(1, hand_in.student);
    add_.bind(2, hand_in.lab);
    add_.bind(3, hand_in.handed_in);
    add_.bind(4, hand_in.time_from);
    if (hand_in.marked_late) {
      add_.bind(5, *hand_in.marked_late ? 1 : 0);
    } else {
      add_.bind(5);
    }
    add_.bind(6, hand_in.came_from);
    add_.bind(7, fmt::format("{}", fmt::join(hand_in.notes, "\n")));
    add_.bind(8, sources);
    add_.bind(9, now_);
    add_.exec();
    planned->attempt = db_.getLastInsertRowid();
    planned->is_new = true;
    number_.reset();
    number_.bind(1, planned->attempt);
    number_.executeStep();
    planned->number = number_.getColumn(0).getInt();
  }

  bool IsGraded(int64_t attempt, int gradings) {
    is_graded_.reset();
    is_graded_.bind(1, attempt);
    is_graded_.bind(2, gradings);
    BindConditions(3, &is_graded_);
    return is_graded_.executeStep();
  }

  // Adds a grading that repeats one of equal sources of this student under these conditions, if there is one.
  void Repeat(const HandIn& hand_in, int64_t sources, Planned* planned) {
    repeat_.reset();
    repeat_.bind(1, planned->attempt);
    repeat_.bind(2, planned->gradings + 1);
    repeat_.bind(3, now_);
    repeat_.bind(4, why_);
    BindConditions(5, &repeat_);
    repeat_.bind(9, hand_in.student);
    repeat_.bind(10, hand_in.lab);
    repeat_.bind(11, sources);
    if (repeat_.exec() == 0) return;
    ++planned->gradings;
    planned->is_graded = planned->repeats = true;
  }

  void BindConditions(int first, SQLite::Statement* statement) const {
    statement->bind(first, conditions_.kit_version);
    statement->bind(first + 1, conditions_.rules);
    statement->bind(first + 2, conditions_.device_kind);
    statement->bind(first + 3, conditions_.device_name);
  }

  SQLite::Database& db_;
  const Conditions& conditions_;
  const bool again_;
  const std::string& why_;
  const std::string now_;
  SQLite::Statement find_sources_{db_, "SELECT key FROM sources WHERE hash = ?"};
  SQLite::Statement add_sources_{db_, "INSERT INTO sources(hash, files, has_files) VALUES(?, ?, ?)"};
  SQLite::Statement find_{
      db_,
      "SELECT a.key, a.number, (SELECT coalesce(max(g.number), 0) FROM grading g WHERE g.attempt = a.key) "
      "FROM attempt a WHERE a.student = ?1 AND a.lab = ?2 AND a.sources = ?3 AND (a.handed_in = ?4 OR "
      "a.number = (SELECT max(number) FROM attempt WHERE student = ?1 AND lab = ?2)) "
      "ORDER BY a.handed_in = ?4 DESC, a.number DESC LIMIT 1"};
  SQLite::Statement add_student_{
      db_,
      "INSERT OR IGNORE INTO student(id, name, email, section, extension, enrolled) VALUES(?, '', '', "
      "'', '', 0)"};
  SQLite::Statement add_{
      db_,
      "INSERT INTO attempt(student, lab, number, handed_in, time_from, marked_late, came_from, notes, sources, "
      "added_at) SELECT ?1, ?2, 1 + coalesce(max(number), 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM attempt WHERE student = "
      "?1 AND lab = "
      "?2"};
  SQLite::Statement number_{db_, "SELECT number FROM attempt WHERE key = ?"};
  SQLite::Statement is_graded_{
      db_,
      "SELECT 1 FROM grading WHERE attempt = ? AND number = ? AND kit_version = ? AND rules = ? AND device_kind = ? "
      "AND device_name = ?"};
  SQLite::Statement repeat_{
      db_,
      "INSERT INTO grading(attempt, number, measured, graded_at, why, kit_version, course, rules, device_kind, "
      "device_name, points, max_points, measurable_points) "
      "SELECT ?1, ?2, g.measured, ?3, ?4, g.kit_version, g.course, g.rules, g.device_kind, g.device_name, g.points, "
      "g.max_points, g.measurable_points FROM attempt a JOIN grading g ON g.attempt = a.key "
      "WHERE g.kit_version = ?5 AND g.rules = ?6 AND g.device_kind = ?7 AND g.device_name = ?8 "
      "AND a.student = ?9 AND a.lab = ?10 AND a.sources = ?11 ORDER BY g.key DESC LIMIT 1"};
};

// Indices into `hand_ins`, the earliest of each student first.
std::vector<size_t> ByTime(const std::vector<HandIn>& hand_ins) {
  std::vector<size_t> order(hand_ins.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&hand_ins](size_t i) {
    const HandIn& h = hand_ins[i];
    return std::tie(h.student, h.lab, h.handed_in, h.came_from);
  };
  std::stable_sort(order.begin(), order.end(), [&key](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

constexpr char kColumns[] =
    "a.key, student, lab, number, handed_in, time_from, came_from, added_at, marked_late, notes, s.hash, s.has_files";
constexpr char kColumnsOfMarks[] =
    "a.key, student, lab, number, handed_in, '', '', '', marked_late, notes, '', s.has_files";

// Reads the attempts of `student` ("": of all) for `lab` ("": for all). The gradings are read by themselves, in the
// order of their table: to look them up for each attempt would take twice as long. May throw SQLite::Exception.
class AttemptReader {
 public:
  // `columns`: of an attempt, as ReadAttempts reads them.
  AttemptReader(SQLite::Database* db, const std::string& student, const std::string& lab, const char* columns,
                const char* grading_columns)
      : db_(*db), student_(student), lab_(lab), columns_(columns), grading_columns_(grading_columns) {
    if (!student.empty()) where_ += " WHERE student = :student";
    if (!lab.empty()) where_ += where_.empty() ? " WHERE lab = :lab" : " AND lab = :lab";
  }

  std::vector<Attempt> Read() {
    ReadAttempts();
    ReadGradings();
    return std::move(attempts_);
  }

 private:
  Rows Select(const std::string& query) const {
    Rows rows(db_, query);
    if (!student_.empty()) rows.Bind(":student", student_);
    if (!lab_.empty()) rows.Bind(":lab", lab_);
    return rows;
  }

  void ReadAttempts() {
    if (where_.empty()) {
      const auto count = static_cast<size_t>(db_.execAndGet("SELECT count(*) FROM attempt").getInt64());
      attempts_.reserve(count);  // to move none of them
      index_of_.reserve(count);
    }
    Rows row = Select(
        fmt::format("SELECT {} FROM attempt a JOIN sources s ON s.key = a.sources{} ORDER BY student, lab, number",
                    columns_, where_));
    while (row.Next()) {
      Attempt& attempt = attempts_.emplace_back();
      attempt.key = row.Number(0);
      attempt.student = row.Text(1);
      attempt.lab = row.Text(2);
      attempt.number = static_cast<int>(row.Number(3));
      attempt.handed_in = row.Text(4);
      attempt.time_from = row.Text(5);
      attempt.came_from = row.Text(6);
      attempt.added_at = row.Text(7);
      if (!row.IsNull(8)) attempt.marked_late = row.Number(8) != 0;
      attempt.notes = Lines(row.Text(9));
      attempt.sources = row.Text(10);
      attempt.has_files = row.Number(11) != 0;
      index_of_[attempt.key] = attempts_.size() - 1;
    }
  }

  void ReadGradings() {
    const std::string of_these = where_.empty() ? "" : " WHERE attempt IN (SELECT key FROM attempt" + where_ + ")";
    Rows row = Select(fmt::format("SELECT attempt, {} FROM grading g{}", grading_columns_, of_these));
    while (row.Next()) {
      const auto found = index_of_.find(row.Number(0));
      if (found == index_of_.end()) continue;
      std::optional<Grading>& latest = attempts_[found->second].grading;
      if (!latest || row.Number(1 + kNumberOfGrading) > latest->number) latest = GradingFrom(row, 1);
    }
  }

  SQLite::Database& db_;
  const std::string &student_, &lab_;
  const char *const columns_, *const grading_columns_;
  std::string where_;
  std::vector<Attempt> attempts_;
  std::unordered_map<int64_t, size_t> index_of_;  // of an attempt's key
};

}  // namespace

Grading GradingFrom(const Rows& row, int first) {
  const auto text = [&](int i) { return row.Text(first + i); };
  const auto points = [&](int i) { return config::Points::FromHundredths(row.Number(first + i)); };
  Grading grading;
  grading.key = row.Number(first);
  grading.measured = row.Number(first + 1);
  grading.number = static_cast<int>(row.Number(first + kNumberOfGrading));
  grading.graded_at = text(3);
  grading.why = text(4);
  grading.course = text(5);
  grading.conditions = {text(6), text(7), text(8), text(9)};
  grading.points = points(10);
  grading.max_points = points(11);
  grading.measurable_points = points(12);
  return grading;
}

Result<std::vector<Planned>> Gradebook::Plan(const std::vector<HandIn>& hand_ins, const Conditions& conditions,
                                             bool again, const std::string& why) {
  return connection_->TryToWrite([&]() -> Result<std::vector<Planned>> {
    Planner planner(&connection_->db(), conditions, again, why);
    std::vector<Planned> plan(hand_ins.size());
    for (const size_t i : ByTime(hand_ins)) plan[i] = planner.Plan(hand_ins[i]);
    return plan;
  });
}

Result<std::vector<Attempt>> Gradebook::Attempts(const std::string& student, const std::string& lab) {
  return connection_->TryToRead([&]() -> Result<std::vector<Attempt>> {
    return AttemptReader(&connection_->db(), student, lab, kColumns, kGradingColumns).Read();
  });
}

Result<std::vector<Attempt>> Gradebook::AttemptsOfMarks() {
  return connection_->TryToRead([&]() -> Result<std::vector<Attempt>> {
    return AttemptReader(&connection_->db(), "", "", kColumnsOfMarks, kGradingColumnsOfMarks).Read();
  });
}

Result<std::map<std::string, std::map<std::string, int>>> Gradebook::AttemptCounts() {
  return connection_->Try([&]() -> Result<std::map<std::string, std::map<std::string, int>>> {
    std::map<std::string, std::map<std::string, int>> counts;
    SQLite::Statement row(connection_->db(), "SELECT student, lab, count(*) FROM attempt GROUP BY student, lab");
    while (row.executeStep()) {
      counts[row.getColumn(0).getString()][row.getColumn(1).getString()] = row.getColumn(2).getInt();
    }
    return counts;
  });
}

Result<HandIn> Gradebook::Read(const Attempt& attempt) {
  return connection_->Try([&]() -> Result<HandIn> {
    SQLite::Statement row(connection_->db(), "SELECT files FROM sources WHERE hash = ?");
    row.bind(1, attempt.sources);
    if (!row.executeStep())
      return Error{ErrorKind::kMachine, path() + ": an attempt has lost its sources; restore the file from a copy"};
    const Result<std::string> packed = Decompressed(path(), row.getColumn(0).getString());
    if (!packed) return packed.error();
    Result<Sources> sources = Unpack(path(), *packed);
    if (!sources) return sources.error();
    if (HashOf(*packed) != attempt.sources) {
      return Error{ErrorKind::kMachine,
                   path() + ": the sources of an attempt are damaged; restore the file from a copy"};
    }
    return HandIn{attempt.student,   attempt.lab,       std::move(sources->files), std::move(sources->notes),
                  attempt.handed_in, attempt.time_from, attempt.marked_late,       attempt.came_from};
  });
}

}  // namespace warpgrade::gradebook
