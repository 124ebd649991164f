// The tables of a gradebook and the steps from each version of them to the next. Only this room knows SQL.
//
//   student ----< attempt ----< grading ----< rung       what `export` and `leaderboard` read
//      |             |             '--------- detail     the whole result and the log
//      |             '--- sources                        each text once, however often it was handed in
//      '---------< override_of_points
//   setting        single values: the seed of the gradebook, and the path of the last batch's course.yaml
//   migration      which step was made when, by which version of the kit
//
// Rows are added and never changed or removed, except `student`, which has the last roster, and that path. So every
// attempt, grading and override stays. What counts is computed anew each time (marks.h). A grading that repeats an
// older one has no rungs and no detail of its own: its `measured` names the grading that has them.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "grader/result/result.h"

namespace warpgrade::gradebook {

// Of the tables that this kit reads and writes. PRAGMA user_version has the version of a file.
int SchemaVersion();

// Whether the file is a gradebook or empty. Errors (kUsage): it is another program's. May throw SQLite::Exception.
Status CheckIsOurs(SQLite::Database* db, const std::string& path);

// Brings the tables of `db` to SchemaVersion() in one transaction; an empty file gets them all. Returns without writing
// if they are there. Errors (kUsage): the file is another program's, or a later kit's. May throw SQLite::Exception.
Status Migrate(SQLite::Database* db, const std::string& path, const std::string& kit_version);

// The same for a file that must not be written. Errors (kUsage): as Migrate, or the file has an older version.
Status CheckVersion(SQLite::Database* db, const std::string& path);

}  // namespace warpgrade::gradebook
