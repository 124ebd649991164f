// Takes what a submission offers, file by file, and keeps what the labs name. Shared by the readers of folders and of
// archives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submission/submission.h"

namespace warpgrade::submission {

// Where a path inside a submission belongs.
struct Place {
  std::string file;  // "lab1/v3_sequential.cu"
  // The lower the better, when several are offered for one file: in its lab's folder 0, flat 1, the same below a
  // wrapping folder 2 and 3.
  int rank = 0;
};

// The names that the labs ask for.
class WantedFiles {
 public:
  explicit WantedFiles(const std::vector<LabFiles>& labs);

  // `path` split at "/", without "." parts. Nothing when it is no file that a lab names.
  std::optional<Place> Find(const std::vector<std::string>& path) const;
  bool IsLab(const std::string& folder) const { return labs_.count(folder) > 0; }
  // "RUNG.cu" or another file of any lab, whether or not the name is unique.
  bool IsLabFile(const std::string& name) const { return labs_of_.count(name) > 0; }
  // A lab's file whose name is contained in `name` ("V3_sequential (1).cu.txt", "answers.yml"), or "".
  std::string Resembling(std::string_view name) const;

 private:
  std::set<std::string> labs_;
  std::map<std::string, std::vector<std::string>> labs_of_;  // "v1_naive.cu" -> the labs with such a rung
};

// A path's parts without "." and empty ones. Nothing when it is absolute or has "..".
std::optional<std::vector<std::string>> PathParts(std::string_view path);

class Collector {
 public:
  explicit Collector(const WantedFiles& wanted) : wanted_(wanted) {}

  const WantedFiles& wanted() const { return wanted_; }

  // Adds a message about `name`, which is escaped. Beyond kMaxMessages only their number is kept.
  void Refuse(std::string_view name, std::string_view reason);
  // For a file that no lab names: a message when it looks as if it should be one.
  void PassOver(std::string_view name, std::string_view file_name);
  // Offers a file's text for a place; keeps it unless something is wrong with it or a better one is there.
  void Offer(std::string_view name, const Place& place, std::string text);
  bool empty() const { return files_.empty(); }

  // Moves what was collected into `submission`.
  void FinishInto(Submission* submission);

 private:
  struct Taken {
    std::string text;
    std::string name;
    int rank = 0;
  };
  const WantedFiles& wanted_;
  std::map<std::string, Taken> files_;
  std::vector<std::string> messages_;
  size_t messages_dropped_ = 0;
  size_t total_bytes_ = 0;
};

}  // namespace warpgrade::submission
