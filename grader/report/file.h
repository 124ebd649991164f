// Writes a report to disk in such a way that a reader never sees half of it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "grader/leftovers/leftovers.h"
#include "grader/result/result.h"

namespace warpgrade::report {

// Writes `content` to the file at `path`. It writes a temporary file in the same folder and renames it, so that an old
// report stays complete if writing fails. A symbolic link is followed. A path that is not a regular file (/dev/stdout,
// a pipe) is written to directly. Errors (kMachine): the path and the reason.
Status WriteFile(const std::string& path, const std::string& content);

// The same for a content that comes in pieces. What was written goes to the disk while the next pieces are made.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  ~FileWriter();  // removes what is not finished
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void Append(std::string_view piece);
  // Puts the file in its place. Errors: the first one, wherever it happened; then the old file is as it was.
  Status Finish();

 private:
  void Begin();

  const std::string path_;
  std::string target_, temporary_;  // temporary_ "": `path_` itself is written, or nothing is left to remove
  std::optional<mode_t> old_mode_;  // of the file that is replaced
  std::optional<Claim> claim_;      // of the temporary file
  int fd_ = -1;
  int error_ = 0;         // the first errno
  size_t unflushed_ = 0;  // bytes
};

}  // namespace warpgrade::report
