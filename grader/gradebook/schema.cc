// The migrations: each has the SQL that makes the tables of the next version. A new version is a new row of
// kMigrations, and old rows never change. Tests: tests/gradebook/schema_test.cc.
#include "grader/gradebook/schema.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

#include "grader/gradebook/database.h"

namespace warpgrade::gradebook {
namespace {

constexpr int kApplication = 0x77617270;  // "warp", so that no other program's file is taken for a gradebook

struct Migration {
  const char* what;
  const char* sql;
};

// Row n makes version n + 1 out of version n.
//
// Times are UTC texts such as 2026-11-22T10:15:00Z, so they sort. Points are hundredths.
constexpr Migration kMigrations[] = {
    {"the first tables", R"sql(
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  section TEXT NOT NULL,
  extension TEXT NOT NULL,      -- as in the roster: "2" days, "2026-11-22", or ""
  enrolled INTEGER NOT NULL     -- 1: the last roster has this student
) WITHOUT ROWID;

CREATE TABLE sources(
  key INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,    -- SHA-256 of the unpacked files and notes
  files BLOB NOT NULL           -- zstd; packed.h has the format
);

CREATE TABLE attempt(
  key INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  number INTEGER NOT NULL,      -- from 1, for each student and lab
  handed_in TEXT NOT NULL,
  time_from TEXT NOT NULL,      -- where handed_in comes from: "the platform", "file time"
  marked_late INTEGER,          -- 1 or 0: the platform says so; NULL: it does not say
  came_from TEXT NOT NULL,      -- the name of its file or folder
  notes TEXT NOT NULL,          -- of the reader of the submission, one in a line
  sources INTEGER NOT NULL REFERENCES sources(key),
  added_at TEXT NOT NULL,
  UNIQUE(student, lab, number)
);

CREATE TABLE grading(
  key INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL REFERENCES attempt(key),
  number INTEGER NOT NULL,      -- from 1, for each attempt; the highest counts
  measured INTEGER NOT NULL,    -- the grading that has the rungs and the detail: this one, or the one it repeats
  graded_at TEXT NOT NULL,
  why TEXT NOT NULL,            -- "batch", "regrade"
  kit_version TEXT NOT NULL,
  course TEXT NOT NULL,         -- its name
  rules TEXT NOT NULL,          -- SHA-256 of what course.yaml and the quiz say about the grading of this lab
  device_kind TEXT NOT NULL,
  device_name TEXT NOT NULL,
  points INTEGER NOT NULL,
  max_points INTEGER NOT NULL,
  measurable_points INTEGER NOT NULL,
  UNIQUE(attempt, number)
);

CREATE TABLE rung(
  grading INTEGER NOT NULL REFERENCES grading(key),
  position INTEGER NOT NULL,    -- in the lab, from 0
  name TEXT NOT NULL,
  status INTEGER NOT NULL,      -- score::RungStatus
  points INTEGER NOT NULL,
  max_points INTEGER NOT NULL,
  measurable_points INTEGER NOT NULL,
  limits_met INTEGER NOT NULL,  -- of the technique
  limits_missed INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  cases_passed INTEGER NOT NULL,
  speed INTEGER NOT NULL,       -- score::ThroughputMeasurement::Status
  seconds REAL,                 -- of one call; NULL: not measured
  PRIMARY KEY(grading, position)
) WITHOUT ROWID;

CREATE TABLE detail(
  grading INTEGER PRIMARY KEY REFERENCES grading(key),
  result BLOB NOT NULL,         -- zstd of warpgrade.results/1 with one submission and one lab
  log BLOB NOT NULL             -- zstd of the lines that the batch wrote about it
);

CREATE TABLE override_of_points(
  key INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  rung TEXT NOT NULL,           -- "": the whole lab
  points INTEGER,               -- NULL: the override before this one no longer counts
  reason TEXT NOT NULL,
  author TEXT NOT NULL,
  made_at TEXT NOT NULL
);
CREATE INDEX override_by_student ON override_of_points(student, lab);
)sql"},
    {"how Canvas knows a student", R"sql(
ALTER TABLE student ADD COLUMN canvas_id TEXT NOT NULL DEFAULT '';
ALTER TABLE student ADD COLUMN login TEXT NOT NULL DEFAULT '';
)sql"},
    {"which sources have no files", R"sql(
ALTER TABLE sources ADD COLUMN has_files INTEGER NOT NULL DEFAULT 1;  -- 0: a broken archive, or an empty folder
)sql"},
    {"overrides that add points to the computed ones", R"sql(
ALTER TABLE override_of_points ADD COLUMN is_change INTEGER NOT NULL DEFAULT 0;  -- 1: `points` are added, 0: they replace
)sql"},
};

int NumberOf(SQLite::Database* db, const char* pragma) { return db->execAndGet(pragma).getInt(); }

Error NotAGradebook(const std::string& path) {
  return {
      ErrorKind::kUsage,
      fmt::format("{}: this is the database of another program; name a gradebook of warpgrade, or a new file", path)};
}

Error FromALaterKit(const std::string& path, int version) {
  return {
      ErrorKind::kUsage,
      fmt::format("{}: this gradebook has version {} of the tables, and this kit knows version {}; use the kit that "
                  "wrote it, or a later one",
                  path, version, SchemaVersion())};
}

bool IsEmpty(SQLite::Database* db) {
  return NumberOf(db, "PRAGMA user_version") == 0 && NumberOf(db, "SELECT count(*) FROM sqlite_schema") == 0;
}

// 64 bits of the system's entropy.
void DrawSeed(SQLite::Database* db) {
  std::random_device entropy;
  SQLite::Statement row(*db, "INSERT INTO setting VALUES('seed', ?)");
  row.bind(1, std::to_string(uint64_t{entropy()} << 32 | entropy()));
  row.exec();
}

}  // namespace

int SchemaVersion() { return static_cast<int>(std::size(kMigrations)); }

Status CheckIsOurs(SQLite::Database* db, const std::string& path) {
  if (IsEmpty(db) || NumberOf(db, "PRAGMA application_id") == kApplication) return Status();
  return NotAGradebook(path);
}

Status Migrate(SQLite::Database* db, const std::string& path, const std::string& kit_version) {
  if (NumberOf(db, "PRAGMA application_id") == kApplication && NumberOf(db, "PRAGMA user_version") == SchemaVersion()) {
    return Status();
  }
  // Another process may be doing the same: look again, now that nobody else can write.
  SQLite::Transaction transaction(*db, SQLite::TransactionBehavior::IMMEDIATE);
  const bool empty = IsEmpty(db);
  if (!empty && NumberOf(db, "PRAGMA application_id") != kApplication) return NotAGradebook(path);
  const int version = NumberOf(db, "PRAGMA user_version");
  if (version > SchemaVersion()) return FromALaterKit(path, version);
  if (empty) {
    db->exec(fmt::format("PRAGMA application_id = {}", kApplication));
    db->exec(
        "CREATE TABLE migration(version INTEGER PRIMARY KEY, made_at TEXT NOT NULL, kit_version TEXT NOT NULL, "
        "what TEXT NOT NULL)");
  }
  for (int next = version; next < SchemaVersion(); ++next) {
    db->exec(kMigrations[next].sql);
    SQLite::Statement row(*db, "INSERT INTO migration VALUES(?, ?, ?, ?)");
    row.bind(1, next + 1);
    row.bind(2, UtcNow());
    row.bind(3, kit_version);
    row.bind(4, kMigrations[next].what);
    row.exec();
  }
  if (empty) DrawSeed(db);
  db->exec(fmt::format("PRAGMA user_version = {}", SchemaVersion()));
  transaction.commit();
  return Status();
}

Status CheckVersion(SQLite::Database* db, const std::string& path) {
  if (IsEmpty(db) || NumberOf(db, "PRAGMA application_id") != kApplication) return NotAGradebook(path);
  const int version = NumberOf(db, "PRAGMA user_version");
  if (version > SchemaVersion()) return FromALaterKit(path, version);
  if (version == SchemaVersion()) return Status();
  return Error{ErrorKind::kUsage,
               fmt::format("{}: this gradebook has version {} of the tables, and this kit needs version {}; `warpgrade "
                           "batch` on it brings it there",
                           path, version, SchemaVersion())};
}

}  // namespace warpgrade::gradebook
