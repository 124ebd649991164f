// Opens a gradebook in WAL mode, so that readers and one writer do not wait for each other, and says in plain words
// what SQLite says in codes. A commit is on the disk when it returns. Tests: tests/gradebook/gradebook_test.cc,
// tests/faults/gradebook_test.cc.
#include "grader/gradebook/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <thread>

#include "grader/gradebook/schema.h"
#include "grader/times/times.h"

namespace warpgrade::gradebook {
namespace {

constexpr int kPatienceMs = 60'000;  // while another process writes, which takes it milliseconds
constexpr std::chrono::milliseconds kBetweenTries{10};
// Of threads: a Gradebook is thread-compatible. Locks of the file, against other processes, stay.
constexpr int kNoLocks = SQLITE_OPEN_NOMUTEX;

// Whether the disk has no room for what SQLite keeps beside the file. It reports that as an error of the device.
bool IsFull(const std::string& path) {
  constexpr std::uintmax_t kNeeded = 64 << 10;
  std::error_code none;
  const auto room = std::filesystem::space(std::filesystem::absolute(path, none).parent_path(), none);
  return !none && room.available < kNeeded;
}

Error ErrorFor(const std::string& path, const SQLite::Exception& error) {
  const auto machine = [&path](const std::string& what) {
    return Error{ErrorKind::kMachine, fmt::format("{}: {}", path, what)};
  };
  const std::string kept = "what was in the gradebook is still there";
  const std::string full = "cannot be written, because the disk is full; make room and run the command again: " + kept;
  switch (error.getErrorCode() & 0xff) {
    case SQLITE_FULL:
      return machine(full);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return machine("cannot be written; check the permissions of the file and of its folder");
    case SQLITE_CANTOPEN:
      return machine("cannot be opened; check that the folder exists, and its permissions");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return machine(
          fmt::format("another process has been writing to it for {} s; run the command again when it is done",
                      kPatienceMs / 1000));
    case SQLITE_NOTADB:
      return {ErrorKind::kUsage, path + ": this is not a gradebook; name a gradebook of warpgrade, or a new file"};
    case SQLITE_CORRUPT:
      return machine(
          fmt::format("the file is damaged ({}); restore it from a copy, or save what can be read with "
                      "`sqlite3 FILE .recover`",
                      error.what()));
    case SQLITE_IOERR:
      if (IsFull(path)) return machine(full);
      return machine(fmt::format("cannot be read or written ({}); check the disk, and that it has room: {}",
                                 sqlite3_errstr(error.getExtendedErrorCode()), kept));
    default:
      return machine(fmt::format("SQLite fails: {}", error.what()));
  }
}

std::string Uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri;
}

// The log of commits that are not in the file yet.
bool HasCommits(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path + "-wal", none);
  return !none && size > 0;
}

std::unique_ptr<SQLite::Database> OpenToRead(const std::string& path) {
  try {
    auto db = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY | kNoLocks, kPatienceMs);
    db->execAndGet("SELECT count(*) FROM sqlite_schema");
    return db;
  } catch (const SQLite::Exception& error) {
    // For the readers of a file in WAL mode, SQLite wants files beside it. Where it cannot make them, because the
    // folder may not be written or the disk is full, nobody writes: then the file can be read as it is.
    const int code = error.getErrorCode() & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR) throw;
    if (HasCommits(path)) throw;
    return std::make_unique<SQLite::Database>(Uri(path) + "?immutable=1",
                                              SQLite::OPEN_READONLY | SQLite::OPEN_URI | kNoLocks, kPatienceMs);
  }
}

std::unique_ptr<SQLite::Database> OpenToWrite(const std::string& path, Access access) {
  const int flags = SQLite::OPEN_READWRITE | kNoLocks | (access == Access::kCreate ? SQLite::OPEN_CREATE : 0);
  return std::make_unique<SQLite::Database>(path, flags, kPatienceMs);
}

// Makes a file that was opened to be written ready for it.
Status MakeReady(SQLite::Database* db, const std::string& path, const std::string& kit_version) {
  if (const Status ours = CheckIsOurs(db, path); !ours.ok()) return ours.error();
  db->exec("PRAGMA synchronous = FULL");
  db->exec("PRAGMA foreign_keys = ON");
  db->execAndGet("PRAGMA journal_mode = WAL");
  return Migrate(db, path, kit_version);
}

// What can be said better before SQLite sees the file.
Status CheckFile(const std::string& path, Access access) {
  std::error_code ignored;
  const auto usage = [&path](const char* what) { return Error{ErrorKind::kUsage, fmt::format("{}: {}", path, what)}; };
  if (std::filesystem::is_directory(path, ignored)) {
    return usage("this is a folder; name the file of a gradebook, such as marks.db");
  }
  if (access == Access::kCreate) {
    const std::filesystem::path folder = std::filesystem::absolute(path, ignored).parent_path();
    if (ignored || std::filesystem::is_directory(folder, ignored)) return Status();
    return usage("the folder of this file does not exist; make it, or name another file");
  }
  if (!std::filesystem::exists(path, ignored)) {
    return usage("there is no such file; name a gradebook that `warpgrade batch` wrote");
  }
  const auto size = std::filesystem::file_size(path, ignored);
  if (!ignored && size == 0) {
    return usage("this file is empty; name a gradebook that `warpgrade batch` wrote");
  }
  return Status();
}

}  // namespace

std::string UtcNow() { return UtcText(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())); }

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Access access,
                                                     const std::string& kit_version) {
  if (const Status can = CheckFile(path, access); !can.ok()) return can.error();
  // SQLite itself waits for a writer, but not for a process that is just making the file or repairing it.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  while (true) {
    try {
      auto db = access == Access::kRead ? OpenToRead(path) : OpenToWrite(path, access);
      const Status ready =
          access == Access::kRead ? CheckVersion(db.get(), path) : MakeReady(db.get(), path, kit_version);
      if (!ready.ok()) return ready.error();
      return std::unique_ptr<Connection>(new Connection(path, std::move(db)));
    } catch (const SQLite::Exception& error) {
      const bool busy = (error.getErrorCode() & 0xff) == SQLITE_BUSY;
      if (!busy || std::chrono::steady_clock::now() >= deadline) return ErrorFor(path, error);
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

Error Connection::ErrorOf(const SQLite::Exception& error) const { return ErrorFor(path_, error); }

}  // namespace warpgrade::gradebook
