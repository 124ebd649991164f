// The folder in which a batch and its tasks leave files for each other. It lies on a file system that the batch's
// machine and all nodes share. A key is the name of one submission to be graded: 32 hexadecimal digits, made of all
// that the result depends on. So a result belongs to its key whoever wrote it, and it is right to write it twice.
//
//   FOLDER/lock            held by the batch that follows the tasks (not by the tasks)
//   FOLDER/orders/KEY      what is to be graded                         batch --> tasks
//   FOLDER/results/KEY     what came out, or why nothing did            tasks --> batch
//   FOLDER/arrays/1        an array of tasks, with the keys of each     batch --> tasks, and a later batch
//   FOLDER/arrays/1.sh     the script that sbatch gets
//   FOLDER/logs/1-0.txt    what task 0 of array 1 has printed           Slurm
//
// A file gets its name when it is complete, so a reader never sees half of it. No file is ever changed, except that an
// array gets the number of its job when sbatch has accepted it. Orders, results and logs are opaque here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::slurm {

struct Array {
  int number = 0;    // from 1
  std::string name;  // of its tasks in Slurm, which no other array has
  std::string job;   // its number in Slurm; "": we do not know whether sbatch has accepted it
  std::vector<std::vector<std::string>> tasks;  // the keys of each task
};

// Thread-compatible.
class WorkFolder {
 public:
  // For the batch: makes the folder if there is none, and locks it. Errors: kUsage: another batch has locked it;
  // kMachine: it cannot be made or written.
  static Result<WorkFolder> Lock(const std::string& path);
  // For a task. Errors (kMachine): there is no such folder.
  static Result<WorkFolder> Open(const std::string& path);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder();

  const std::string& path() const { return path_; }

  // All functions that write: errors (kMachine) are those of the file system.
  Status PutOrder(const std::string& key, const std::string& order) const;
  Result<std::string> Order(const std::string& key) const;

  Status PutResult(const std::string& key, const std::string& result) const;
  // The keys with a result. It also sees what other machines wrote a moment ago: NFS remembers what was in a folder,
  // but not when this machine writes into it, so this function does.
  std::vector<std::string> Results() const;
  bool HasResult(const std::string& key) const;
  Result<std::string> ResultOf(const std::string& key) const;
  void DropResult(const std::string& key) const;

  Status PutArray(const Array& array) const;
  Result<Array> ReadArray(int number) const;  // errors (kMachine): it is missing or damaged
  std::vector<Array> Arrays() const;          // by number; without damaged ones
  void DropArray(int number) const;
  // The script that runs COMMAND for each task of the array.
  Status PutScript(int number, const std::vector<std::string>& command) const;
  std::string ScriptPath(int number) const;

  std::string LogPattern(int number) const;  // for sbatch
  std::string LogPath(int number, size_t task) const;

  // A file at the top, for what the caller keeps there.
  Status PutFile(const std::string& name, const std::string& content) const;

  // Removes all orders, results and arrays, and all logs if `logs`. What cannot be removed stays.
  void Clean(bool logs) const;
  // Removes the folder with all that is in it. Nothing can be written after that.
  void Remove() const;

 private:
  WorkFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::string path_;
  int lock_ = -1;
};

}  // namespace warpgrade::slurm
