// Collects the files of a submission that the labs ask for. The readers of folders and of archives share it.
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
  // If several files are offered for one place, the lowest rank wins. 0: in the folder of its lab; 1: without a folder;
  // 2 and 3: the same below one folder that holds everything.
  int rank = 0;
};

// The names of the files that the labs ask for.
class WantedFiles {
 public:
  explicit WantedFiles(const std::vector<LabFiles>& labs);

  // The place of a file. `path` is split at "/" and has no "." parts. nullopt if no lab asks for the file.
  std::optional<Place> Find(const std::vector<std::string>& path) const;
  bool IsLab(const std::string& folder) const { return labs_.count(folder) > 0; }
  // Whether any lab asks for a file with this name. Several labs may.
  bool IsLabFile(const std::string& name) const { return labs_of_.count(name) > 0; }
  // The file of a lab whose name is contained in `name` ("V3_sequential (1).cu.txt", "answers.yml"), or "".
  std::string Resembling(std::string_view name) const;

 private:
  std::set<std::string> labs_;
  std::map<std::string, std::vector<std::string>> labs_of_;  // "v1_naive.cu" -> the labs with such a rung
};

// The parts of a path, without "." and empty parts. nullopt if the path is absolute or has "..".
std::optional<std::vector<std::string>> PathParts(std::string_view path);

class Collector {
 public:
  explicit Collector(const WantedFiles& wanted) : wanted_(wanted) {}

  const WantedFiles& wanted() const { return wanted_; }

  // Adds a message about `name`, which is escaped. Messages after the first kMaxMessages are only counted.
  void Refuse(std::string_view name, std::string_view reason);
  // Call this for a file that no lab asks for. Adds a message if the file looks like one of a lab.
  void PassOver(std::string_view name, std::string_view file_name);
  // Offers a text for a place. It is kept unless it is refused or a better file for this place was offered.
  void Offer(std::string_view name, const Place& place, std::string text);
  bool empty() const { return files_.empty(); }

  // Moves the collected files and messages into `submission`.
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
