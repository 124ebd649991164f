// Reads and writes the files of a work folder. An array is a text with one line for each fact: "name NAME", "job 4711",
// and "task KEY KEY ..." for each task. Tests: tests/slurm/work_folder_test.cc.
#include "grader/slurm/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "grader/report/file.h"
#include "grader/report/text.h"

namespace warpgrade::slurm {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKeyDigits = 32;
constexpr const char* kFolders[] = {"orders", "results", "arrays", "logs"};

bool IsKey(const std::string& name) {
  return name.size() == kKeyDigits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.bad()) {
    return Error{ErrorKind::kMachine, path + ": cannot be read; is this folder the same on all machines?"};
  }
  return text.str();
}

Error CannotMake(const std::string& path, const std::string& why) {
  return {ErrorKind::kMachine,
          fmt::format("{}: cannot be made: {}; let slurm.folder of course.yaml be a folder in which you may write",
                      path, why)};
}

std::string TextOfArray(const Array& array) {
  std::string text = "name " + array.name + "\n";
  if (!array.job.empty()) text += "job " + array.job + "\n";
  for (const std::vector<std::string>& keys : array.tasks) text += fmt::format("task {}\n", fmt::join(keys, " "));
  return text;
}

std::optional<Array> ArrayFrom(const std::string& text) {
  Array array;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, word;
    words >> what;
    if (what == "name") {
      words >> array.name;
    } else if (what == "job") {
      words >> array.job;
    } else if (what == "task") {
      array.tasks.emplace_back();
      while (words >> word) {
        if (!IsKey(word)) return std::nullopt;
        array.tasks.back().push_back(word);
      }
    } else {
      return std::nullopt;
    }
  }
  if (array.name.empty() || array.tasks.empty()) return std::nullopt;
  return array;
}

}  // namespace

Result<WorkFolder> WorkFolder::Lock(const std::string& path) {
  std::error_code error;
  for (const char* folder : kFolders) {
    fs::create_directories(fs::path(path) / folder, error);
    if (error) return CannotMake(path, error.message());
  }
  const int fd = open((path + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return CannotMake(path + "/lock", std::strerror(errno));
  WorkFolder work(path, fd);
  // A file system without locks: then nobody checks, and two batches would do work twice, but nothing wrong.
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("another batch follows the tasks of this gradebook and lab already (it has locked {}/lock); "
                    "wait for it, or end it with Ctrl-C, which leaves the tasks running",
                    path)};
  }
  return work;
}

Result<WorkFolder> WorkFolder::Open(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path + "/orders", ignored)) {
    return Error{ErrorKind::kMachine,
                 path +
                     ": there is no such folder on this machine; let slurm.folder of course.yaml be a folder that all "
                     "machines share"};
  }
  return WorkFolder(path, -1);
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

WorkFolder::~WorkFolder() {
  if (lock_ >= 0) close(lock_);
}

Status WorkFolder::PutOrder(const std::string& key, const std::string& order) const {
  return report::WriteFile(path_ + "/orders/" + key, order);
}

Result<std::string> WorkFolder::Order(const std::string& key) const { return ReadWhole(path_ + "/orders/" + key); }

Status WorkFolder::PutResult(const std::string& key, const std::string& result) const {
  return report::WriteFile(path_ + "/results/" + key, result);
}

std::vector<std::string> WorkFolder::Results() const {
  const std::string probe = fmt::format("{}/results/look-{}", path_, getpid());
  const int fd = open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0) close(fd);
  unlink(probe.c_str());
  std::vector<std::string> names = NamesIn(path_ + "/results");
  std::erase_if(names, [](const std::string& name) { return !IsKey(name); });
  return names;
}

bool WorkFolder::HasResult(const std::string& key) const {
  return access((path_ + "/results/" + key).c_str(), F_OK) == 0;
}

Result<std::string> WorkFolder::ResultOf(const std::string& key) const { return ReadWhole(path_ + "/results/" + key); }

void WorkFolder::DropResult(const std::string& key) const { unlink((path_ + "/results/" + key).c_str()); }

Status WorkFolder::PutArray(const Array& array) const {
  return report::WriteFile(fmt::format("{}/arrays/{}", path_, array.number), TextOfArray(array));
}

Result<Array> WorkFolder::ReadArray(int number) const {
  const std::string path = fmt::format("{}/arrays/{}", path_, number);
  const Result<std::string> text = ReadWhole(path);
  if (!text) return text.error();
  std::optional<Array> array = ArrayFrom(*text);
  if (!array) return Error{ErrorKind::kMachine, path + ": is damaged; remove this file"};
  array->number = number;
  return std::move(*array);
}

std::vector<Array> WorkFolder::Arrays() const {
  std::vector<Array> arrays;
  for (const std::string& name : NamesIn(path_ + "/arrays")) {
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto [after, error] = std::from_chars(name.data(), end, number);
    if (error != std::errc() || after != end) continue;  // a script
    Result<Array> array = ReadArray(number);
    if (array) arrays.push_back(std::move(*array));
  }
  std::sort(arrays.begin(), arrays.end(), [](const Array& a, const Array& b) { return a.number < b.number; });
  return arrays;
}

void WorkFolder::DropArray(int number) const {
  unlink(fmt::format("{}/arrays/{}", path_, number).c_str());
  unlink(ScriptPath(number).c_str());
}

Status WorkFolder::PutScript(int number, const std::vector<std::string>& command) const {
  std::string script = "#!/bin/sh\nexec";
  for (const std::string& word : command) script += " " + report::ShellQuoted(word);
  return report::WriteFile(ScriptPath(number), script + "\n");
}

std::string WorkFolder::ScriptPath(int number) const { return fmt::format("{}/arrays/{}.sh", path_, number); }

std::string WorkFolder::LogPattern(int number) const {
  std::string folder;
  for (const char c : path_) folder += c == '%' ? "%%" : std::string(1, c);
  return fmt::format("{}/logs/{}-%a.txt", folder, number);
}

std::string WorkFolder::LogPath(int number, size_t task) const {
  return fmt::format("{}/logs/{}-{}.txt", path_, number, task);
}

Status WorkFolder::PutFile(const std::string& name, const std::string& content) const {
  return report::WriteFile(path_ + "/" + name, content);
}

void WorkFolder::Clean(bool logs) const {
  std::error_code ignored;
  for (const char* folder : kFolders) {
    if (!logs && folder == std::string("logs")) continue;
    for (const std::string& name : NamesIn(path_ + "/" + folder)) {
      fs::remove(fs::path(path_) / folder / name, ignored);
    }
  }
}

void WorkFolder::Remove() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace warpgrade::slurm
