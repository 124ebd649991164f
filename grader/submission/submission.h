// Finds submissions in folders and archives, and reads only the files that the labs ask for into memory. Whatever a
// student hands in, the worst result is a message for this student; the batch goes on. Nothing is written to disk, and
// no link is followed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::submission {

// The files that a lab asks for: "lab1", {"v1_interleaved_modulo", ...}, {"answers.yaml"}.
struct LabFiles {
  std::string lab;
  std::vector<std::string> rungs;   // without ".cu"
  std::vector<std::string> others;  // whole names
};

struct Submission {
  std::string id;       // made from the name of the folder or archive; printable, unique within one Discover
  std::string student;  // the same, but not made unique: several submissions may belong to one student
  std::string source;   // the path that it was read from (not escaped)
  std::map<std::string, std::string> files;  // "lab1/v3_sequential.cu" -> its text
  std::vector<std::string> messages;         // for the student: "lab1/v3_sequential.cu: what; what to do". Printable.
};

inline constexpr size_t kMaxFileBytes = 256 << 10;
inline constexpr size_t kMaxSubmissionBytes = 4 << 20;
inline constexpr int kMaxEntriesScanned = 100'000;
// Of one archive, with the skipped files that must be unpacked to get to the next one.
inline constexpr size_t kMaxUnpackedBytes = 256 << 20;
inline constexpr size_t kMaxMessages = 30;

// Each path is a submission (a folder, or an archive: .zip, .tar, .tar.gz, .tgz) or a folder of submissions, in which
// each subfolder or archive belongs to one student. A folder that directly holds the folder of a lab or the file of a
// rung is a submission. Any other folder is a folder of submissions; if nothing in it can be a submission, it is itself
// an empty one. Hidden entries, and plain files beside the submissions, are skipped.
//
// In a submission, LAB/RUNG.cu is taken, or RUNG.cu if only one lab has such a rung; the same holds for other files.
// Both may be below one folder that holds everything. If a folder has none of them, archives in it are read, because
// learning platforms pack submissions in this way. The order of the result is that of `paths`, and within a folder that
// of the names.
//
// Errors (kUsage): a path does not exist, or is neither a folder nor an archive.
Result<std::vector<Submission>> Discover(const std::vector<std::string>& paths, const std::vector<LabFiles>& labs);

// The submission that the entry `name` of a folder of submissions is, whatever is in it: never several. nullopt for an
// entry that Discover skips. Errors (kUsage): there is no such entry.
Result<std::optional<Submission>> ReadEntry(const std::string& folder, const std::string& name,
                                            const std::vector<LabFiles>& labs);

// The folder at `path` as one submission of the student `name`, whatever is in it. Errors (kUsage): it is no folder.
Result<Submission> ReadOne(const std::string& path, const std::string& name, const std::vector<LabFiles>& labs);

}  // namespace warpgrade::submission
