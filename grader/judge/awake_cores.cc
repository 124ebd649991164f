// AwakeCores binds one SCHED_IDLE thread to each core that it keeps awake; each spins until the object is destroyed.
// CoreForWorkers takes the last of these cores away from the calling thread. Tests: tests/judge/awake_cores_test.cc.
#include "grader/judge/awake_cores.h"

#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

namespace warpgrade::judge {
namespace {

namespace fs = std::filesystem;

// Pause instructions between two reads of the flag. One takes 40 to 140 cycles, so 64 of them take a few microseconds.
constexpr int kPauses = 64;

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Binds the calling thread to `core` and gives it the lowest priority. Returns false if that is not possible.
bool GiveWayToAll(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  sched_param none{};
  return sched_setaffinity(0, sizeof(only), &only) == 0 && sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

std::string FirstWord(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

bool IsQuota(const std::string& word) { return !word.empty() && word != "max" && word != "-1"; }

// True if a list such as "cpu,cpuacct" contains the controller of processor time.
bool NamesProcessors(const std::string& controllers) {
  std::istringstream in(controllers);
  for (std::string name; std::getline(in, name, ',');) {
    if (name == "cpu") return true;
  }
  return false;
}

std::string ReadAll(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

bool HasProcessorQuota(const std::string& groups, const std::string& own) {
  std::istringstream lines(own);
  for (std::string line; std::getline(lines, line);) {  // "0::/a/b", or "4:cpu,cpuacct:/a/b"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && !NamesProcessors(controllers)) continue;
    const fs::path mount = unified ? fs::path(groups) : fs::path(groups) / "cpu";
    const char* const file = unified ? "cpu.max" : "cpu.cfs_quota_us";
    // In a container the path is often that of the host, and only the mount's own root exists.
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (fs::path at = group; !at.empty(); at = at.parent_path()) {
      if (IsQuota(FirstWord(mount / at / file))) return true;
    }
    if (IsQuota(FirstWord(mount / file))) return true;
  }
  return false;
}

AwakeCores::AwakeCores(std::optional<int> only, const std::string& groups) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) return;
  if (only) {
    CPU_ZERO(&usable);
    CPU_SET(*only, &usable);
  }
  if (HasProcessorQuota(groups, ReadAll("/proc/self/cgroup"))) return;
  sigset_t all, before;  // other threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &usable)) continue;
    try {
      threads_.emplace_back([this, core] {
        if (!GiveWayToAll(core)) return;
        while (!stop_.load(std::memory_order_relaxed)) {
          for (int i = 0; i < kPauses; ++i) Pause();
        }
      });
    } catch (const std::system_error&) {
      break;  // the system allows no more threads, so fewer cores stay awake
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

AwakeCores::~AwakeCores() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
}

std::optional<int> CoreToSpare(const cpu_set_t& usable) {
  if (CPU_COUNT(&usable) < 3) return std::nullopt;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &usable)) --last;
  return last;
}

CoreForWorkers::CoreForWorkers() {
  if (sched_getaffinity(0, sizeof(before_), &before_) != 0) return;
  const std::optional<int> core = CoreToSpare(before_);
  if (!core) return;
  cpu_set_t others = before_;
  CPU_CLR(*core, &others);
  if (sched_setaffinity(0, sizeof(others), &others) == 0) core_ = core;
}

CoreForWorkers::~CoreForWorkers() {
  if (core_) static_cast<void>(sched_setaffinity(0, sizeof(before_), &before_));
}

}  // namespace warpgrade::judge
