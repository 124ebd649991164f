// Reads /proc/self/task. Tested by tests/programs/tricky/69_flag_of_another_thread.cu and
// 77_flag_of_a_thread_that_sleeps.cu.
#include "grader/cudart/other_threads.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "grader/emulator/device.h"

namespace warpgrade::cudart {
namespace {

constexpr char kTasks[] = "/proc/self/task/";

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The 14th and the 15th field of /proc/self/task/T/stat; the second is a name in brackets, which may hold spaces.
uint64_t Ticks(const std::string& stat) {
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  uint64_t user = 0, system = 0;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  fields >> user >> system;
  return user + system;
}

bool Sleeps(const std::string& folder) {
  std::istringstream line(FirstLine(folder + "/syscall"));
  long number = -1;
  line >> number;
  return number == SYS_nanosleep || number == SYS_clock_nanosleep;
}

// Calls `body` with each thread's number, but for the calling one's and ours. False: the system does not tell.
template <typename Body>
bool ForEachOther(const Body& body) {
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  const std::string own = std::to_string(gettid());
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.' || own == task->d_name) continue;
    const std::string name = FirstLine(std::string(kTasks) + task->d_name + "/comm");
    if (!name.empty() && !name.starts_with(emulator::kOurThreads)) body(std::string(task->d_name));
  }
  closedir(tasks);
  return true;
}

}  // namespace

bool HasOtherThreads() {
  bool any = false;
  return !ForEachOther([&any](const std::string&) { any = true; }) || any;
}

OtherThreads LookAtOtherThreads(const std::set<pid_t>& waiting) {
  OtherThreads others;
  ForEachOther([&](const std::string& thread) {
    if (waiting.contains(std::stoi(thread))) return;
    others.any_sleeps = others.any_sleeps || Sleeps(kTasks + thread);
    others.ticks += Ticks(FirstLine(kTasks + thread + "/stat"));
  });
  return others;
}

}  // namespace warpgrade::cudart
