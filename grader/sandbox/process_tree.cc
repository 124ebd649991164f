// Reads /proc/PID/stat and /proc/PID/task/TID/children. The latter exists on kernels built with CONFIG_PROC_CHILDREN,
// which all distributions use. Without it, all of /proc is searched for the parent's number. Tested by process_test.cc
// through the trees that it makes, and by process_tree_test.cc.
#include "grader/sandbox/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace warpgrade::sandbox {
namespace {

// The whole of a small /proc file; false when it cannot be opened.
bool ReadSmallFile(const char* path, std::string* content) {
  content->clear();
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char chunk[4096];
  ssize_t n;
  while ((n = read(fd, chunk, sizeof chunk)) > 0) content->append(chunk, static_cast<size_t>(n));
  close(fd);
  return true;
}

// The names in a directory that are numbers.
std::vector<pid_t> NumbersIn(const char* path) {
  std::vector<pid_t> numbers;
  DIR* directory = opendir(path);
  if (directory == nullptr) return numbers;
  while (const dirent* entry = readdir(directory)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) numbers.push_back(std::atoi(entry->d_name));
  }
  closedir(directory);
  return numbers;
}

// The fields of a stat line after the command, which may itself hold spaces and brackets. The first is the state,
// number 3 in proc(5).
constexpr int kFirstField = 3;
std::vector<std::string> StatFields(const std::string& stat) {
  std::vector<std::string> fields;
  size_t at = stat.rfind(')');
  if (at == std::string::npos) return fields;
  for (++at; at < stat.size();) {
    at = stat.find_first_not_of(" \n", at);
    if (at == std::string::npos) break;
    const size_t end = std::min(stat.find_first_of(" \n", at), stat.size());
    fields.push_back(stat.substr(at, end - at));
    at = end;
  }
  return fields;
}

bool ReadStat(pid_t pid, std::vector<std::string>* fields) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::string stat;
  if (!ReadSmallFile(path, &stat)) return false;
  *fields = StatFields(stat);
  return fields->size() > 24 - kFirstField;
}

// REQUIRES: the fields go up to number 24.
ProcessInfo InfoOf(pid_t pid, const std::vector<std::string>& fields) {
  const auto number = [&](int field) { return std::strtoll(fields[field - kFirstField].c_str(), nullptr, 10); };
  ProcessInfo info;
  info.pid = pid;
  info.zombie = fields[0] == "Z" || fields[0] == "X";
  info.cpu_ticks = number(14) + number(15) + number(16) + number(17);
  info.start_ticks = static_cast<uint64_t>(number(22));
  info.threads = number(20);
  info.resident_bytes = number(24) * sysconf(_SC_PAGESIZE);
  return info;
}

// The number that the last field of /proc/loadavg has now; -1 if it cannot be read.
int64_t LastStarted(int load_average) {
  char text[128];
  const ssize_t n = pread(load_average, text, sizeof text - 1, 0);
  if (n <= 0) return -1;
  text[n] = '\0';
  const char* const last = std::strrchr(text, ' ');
  return last != nullptr ? std::atoll(last) : -1;
}

std::vector<pid_t> ChildrenBySearch(pid_t pid) {
  std::vector<pid_t> children;
  std::vector<std::string> fields;
  for (pid_t candidate : NumbersIn("/proc")) {
    if (ReadStat(candidate, &fields) && std::atoi(fields[4 - kFirstField].c_str()) == pid)
      children.push_back(candidate);
  }
  return children;
}

}  // namespace

bool ReadProcessInfo(pid_t pid, ProcessInfo* info) {
  std::vector<std::string> fields;
  if (!ReadStat(pid, &fields)) return false;
  *info = InfoOf(pid, fields);
  return true;
}

int64_t PageTableBytes(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/status", pid);
  std::string status;
  if (!ReadSmallFile(path, &status)) return 0;
  constexpr std::string_view kField = "\nVmPTE:";  // in kB
  const size_t at = status.find(kField);
  return at == std::string::npos ? 0 : std::strtoll(status.c_str() + at + kField.size(), nullptr, 10) * 1024;
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  std::string list;
  for (pid_t thread : NumbersIn(path)) {
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, thread);
    if (!ReadSmallFile(path, &list)) {
      // The thread is gone, or the kernel has no such list.
      if (access("/proc/self/task", R_OK) == 0 && access("/proc/thread-self/children", R_OK) != 0)
        return ChildrenBySearch(pid);
      continue;
    }
    const char* at = list.c_str();
    char* end = nullptr;
    for (long child = std::strtol(at, &end, 10); end != at; child = std::strtol(at, &end, 10)) {
      children.push_back(static_cast<pid_t>(child));
      at = end;
    }
  }
  return children;
}

std::vector<ProcessInfo> DescendantsOf(pid_t root, size_t at_most) {
  std::vector<ProcessInfo> found;
  std::vector<pid_t> to_visit = ChildrenOf(root);
  while (!to_visit.empty() && found.size() < at_most) {
    const pid_t pid = to_visit.back();
    to_visit.pop_back();
    ProcessInfo info;
    if (!ReadProcessInfo(pid, &info)) continue;
    found.push_back(info);
    for (pid_t child : ChildrenOf(pid)) to_visit.push_back(child);
  }
  return found;
}

Descendants::Descendants(pid_t root, size_t at_most)
    : root_(root), at_most_(at_most), load_average_(open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {}

const std::vector<ProcessInfo>& Descendants::Now() {
  // A process has its number a moment before a search can find it. So the same number must come twice, and every eighth
  // look searches in any case.
  constexpr int kSearchEvery = 8;
  const int64_t last_started = LastStarted(load_average_.get());
  unchanged_ = last_started >= 0 && last_started == last_started_ ? unchanged_ + 1 : 0;
  if (unchanged_ > 0 && unchanged_ % kSearchEvery != 1 && AskKnown()) return known_;
  known_ = DescendantsOf(root_, at_most_);
  stats_.clear();
  for (const ProcessInfo& info : known_) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", info.pid);
    stats_.emplace_back(open(path, O_RDONLY | O_CLOEXEC));
  }
  last_started_ = last_started;
  return known_;
}

// False if one of the known processes is gone.
bool Descendants::AskKnown() {
  for (size_t k = 0; k < known_.size(); ++k) {
    char stat[1024];
    const ssize_t n = pread(stats_[k].get(), stat, sizeof stat, 0);
    if (n <= 0) return false;
    const std::vector<std::string> fields = StatFields(std::string(stat, static_cast<size_t>(n)));
    if (fields.size() <= 24 - kFirstField) return false;
    known_[k] = InfoOf(known_[k].pid, fields);
  }
  return true;
}

bool IsStopped(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  std::string stat;
  for (pid_t thread : NumbersIn(path)) {
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, thread);
    if (!ReadSmallFile(path, &stat)) continue;  // it has ended meanwhile
    const std::vector<std::string> fields = StatFields(stat);
    if (fields.empty() || fields[0].find_first_of("TZX") == std::string::npos) return false;
  }
  return true;
}

int64_t WaitedForCoreNs(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  std::string schedstat;
  int64_t longest = 0;
  for (pid_t thread : NumbersIn(path)) {
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, thread);
    if (!ReadSmallFile(path, &schedstat)) continue;
    // Nanoseconds on a core, nanoseconds of waiting for one, and how often it ran.
    const size_t second = schedstat.find(' ');
    if (second != std::string::npos) longest = std::max<int64_t>(longest, std::atoll(schedstat.c_str() + second));
  }
  return longest;
}

void MoveToCore(pid_t pid, int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  for (pid_t thread : NumbersIn(path)) static_cast<void>(sched_setaffinity(thread, sizeof only, &only));
}

int64_t ThreadsOfUser(uid_t uid) {
  int64_t threads = 0;
  std::vector<std::string> fields;
  for (pid_t pid : NumbersIn("/proc")) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d", pid);
    struct stat info;
    if (stat(path, &info) == 0 && info.st_uid == uid && ReadStat(pid, &fields))
      threads += std::atoi(fields[20 - kFirstField].c_str());
  }
  return threads;
}

void KillDescendantsOf(pid_t root) {
  const rlimit no_more = {0, 0};
  std::vector<pid_t> to_visit = ChildrenOf(root);
  while (!to_visit.empty()) {
    const pid_t pid = to_visit.back();
    to_visit.pop_back();
    prlimit(pid, RLIMIT_NPROC, &no_more, nullptr);
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    // A process with a pending SIGKILL cannot create children, so this list is complete.
    for (pid_t child : ChildrenOf(pid)) to_visit.push_back(child);
  }
}

}  // namespace warpgrade::sandbox
