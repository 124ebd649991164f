// Finds submissions in folders and archives, and reads the files that the labs name, and only those, into memory.
// Whatever a student has put there can cost that student a message, never the batch. Nothing is ever written to disk,
// no link is followed.
#pragma once

#include <map>
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
  std::string id;       // made from the folder's or archive's name; printable, unique within one Discover
  std::string student;  // the same without what makes it unique: several submissions may be one student's
  std::string source;   // the path that it was read from, as a file name (not escaped)
  std::map<std::string, std::string> files;  // "lab1/v3_sequential.cu" -> its text
  std::vector<std::string> messages;         // for the student: "lab1/v3_sequential.cu: what; what to do". Printable.
};

inline constexpr size_t kMaxFileBytes = 256 << 10;
inline constexpr size_t kMaxSubmissionBytes = 4 << 20;
inline constexpr int kMaxEntriesScanned = 100'000;
inline constexpr size_t kMaxUnpackedBytes = 256
                                            << 20;  // of an archive, with what is skipped where that must be unpacked
inline constexpr size_t kMaxMessages = 30;

// Each path is a submission (a folder, or an archive: .zip .tar .tar.gz .tgz) or a folder of submissions, each
// subfolder or archive in it one student. A folder that directly holds a lab's folder or a rung's file is a submission;
// any other is a folder of submissions, unless nothing in it could be one: then it is a submission with nothing. Hidden
// entries and plain files beside the students are passed over.
//
// Within a submission, LAB/RUNG.cu is taken, or RUNG.cu where only one lab has such a rung (other files alike); both
// also below one folder that wraps everything, and, in a folder without either, out of archives that lie in it (as
// learning platforms hand them out). The order is that of `paths`, and within a folder by name.
//
// Errors (kUsage): a path that does not exist or is neither a folder nor an archive.
Result<std::vector<Submission>> Discover(const std::vector<std::string>& paths, const std::vector<LabFiles>& labs);

}  // namespace warpgrade::submission
