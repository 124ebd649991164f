// Hands in a submission in one of the ways in which students do it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpgrade::classes {

using Files = std::map<std::string, std::string>;  // "lab2/v1_naive.cu" -> its text

enum class Packing {
  kFolder,
  kZip,
  kTarGz,
  kZipInFolder,   // a learning platform puts the archive into a folder of the student
  kFolderInZip,   // everything below one folder
  kFoldersInZip,  // below two: one more than the grader looks into
  kMacZip,        // with the extra files that macOS adds
  kWindowsZip,    // a zip with backslashes, as old Windows programs write it
  kWrongCase,     // "Lab2/V1_NAIVE.CU"
  kRenamed,       // "v1_naive (1).cu", as a browser renames a second download
};
const char* Name(Packing packing);
std::vector<Packing> AllPackings();
// Whether the grader finds the files of such a submission.
bool IsFound(Packing packing);

// Writes `files` below `folder` as the submission `name`, with the file time `time` (seconds since 1970) everywhere.
// Returns the name of the folder or archive. Throws std::runtime_error when it cannot be written.
std::string HandIn(const std::string& folder, const std::string& name, const Files& files, Packing packing,
                   int64_t time);

// A zip file of these entries, not compressed, the same bytes for the same arguments. `windows`: made by a program that
// uses Windows' names.
std::string ZipOf(const std::vector<std::pair<std::string, std::string>>& entries, int64_t time, bool windows);

}  // namespace warpgrade::classes
