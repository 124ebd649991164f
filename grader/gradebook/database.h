// One connection to the file of a gradebook, and the errors of SQLite as our own. Internal to this room.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <string>
#include <utility>

#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/rows.h"
#include "grader/result/result.h"

namespace warpgrade::gradebook {

// The time now: "2026-11-22T10:15:00Z".
std::string UtcNow();

class Connection {
 public:
  // Opens the file and brings its tables up to date. A reader of a folder that it cannot write reads the file as it is.
  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Access access,
                                                  const std::string& kit_version);

  SQLite::Database& db() { return *db_; }
  const std::string& path() const { return path_; }

  // Calls `work`, which returns a Result or Status and may throw SQLite::Exception; that becomes an Error.
  template <typename Work>
  auto Try(const Work& work) -> decltype(work()) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      return ErrorOf(error);
    }
  }

  // The same in one read transaction: all reads of `work` see the same state, and SQLite locks the file once for all.
  template <typename Work>
  auto TryToRead(const Work& work) -> decltype(work()) {
    return Try([&]() -> decltype(work()) {
      SQLite::Transaction transaction(*db_, SQLite::TransactionBehavior::DEFERRED);
      return work();
    });
  }

  // The same in a transaction for writing, which is committed if `work` returns no error. Nobody else writes meanwhile.
  template <typename Work>
  auto TryToWrite(const Work& work) -> decltype(work()) {
    return Try([&]() -> decltype(work()) {
      SQLite::Transaction transaction(*db_, SQLite::TransactionBehavior::IMMEDIATE);
      auto done = work();
      if (done.ok()) transaction.commit();
      return done;
    });
  }

 private:
  Connection(std::string path, std::unique_ptr<SQLite::Database> db) : path_(std::move(path)), db_(std::move(db)) {}
  Error ErrorOf(const SQLite::Exception& error) const;

  std::string path_;
  std::unique_ptr<SQLite::Database> db_;
};

// The grading in `row`, whose columns from `first` on are those of kGradingColumns.
Grading GradingFrom(const Rows& row, int first);
inline constexpr char kGradingColumns[] =
    "g.key, g.measured, g.number, g.graded_at, g.why, g.course, g.kit_version, g.rules, g.device_kind, g.device_name, "
    "g.points, g.max_points, g.measurable_points";
// The same, without what marks do not need.
inline constexpr char kGradingColumnsOfMarks[] =
    "g.key, g.measured, g.number, '', '', g.course, g.kit_version, '', g.device_kind, g.device_name, "
    "g.points, g.max_points, g.measurable_points";
inline constexpr int kNumberOfGrading = 2;  // which of these columns is g.number

}  // namespace warpgrade::gradebook
