#include "grader/sandbox/stray.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <vector>

#include "grader/sandbox/process_tree.h"

namespace warpgrade::sandbox {
namespace {

std::mutex mutex;  // guards `supervisors`, and the time between a supervisor's start and its entry there
std::set<pid_t>& Supervisors() {
  static auto* supervisors = new std::set<pid_t>;
  return *supervisors;
}

// Strays are our children that are no supervisors and are not older than `start_ticks`. Nothing else forks here, and
// children that existed before us (a shell's children, if the shell exec'ed us) are older.
std::vector<pid_t> Strays(uint64_t start_ticks) {
  std::vector<pid_t> strays;
  for (pid_t child : ChildrenOf(getpid())) {
    ProcessInfo info;
    if (Supervisors().count(child) == 0 && ReadProcessInfo(child, &info) && info.start_ticks >= start_ticks)
      strays.push_back(child);
  }
  return strays;
}

}  // namespace

pid_t SpawnNoted(const std::function<pid_t()>& spawn) {
  const std::lock_guard lock(mutex);
  static const int kSubreaper = prctl(PR_SET_CHILD_SUBREAPER, 1);
  static_cast<void>(kSubreaper);  // if it fails, strays of a killed supervisor go to init; everything else works
  const pid_t pid = spawn();
  if (pid > 0) Supervisors().insert(pid);
  return pid;
}

void ReapSupervisor(pid_t supervisor, uint64_t start_ticks, bool killed) {
  while (waitpid(supervisor, nullptr, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex);
  Supervisors().erase(supervisor);
  if (!killed) return;
  for (std::vector<pid_t> strays = Strays(start_ticks); !strays.empty(); strays = Strays(start_ticks)) {
    for (pid_t stray : strays) {
      kill(stray, SIGKILL);
      KillDescendantsOf(stray);
      waitpid(stray, nullptr, WNOHANG);
    }
    usleep(1000);
  }
}

}  // namespace warpgrade::sandbox
