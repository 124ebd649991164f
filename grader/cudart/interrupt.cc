// Tested by tests/cli/run_command_test.cc.
#include "grader/cudart/interrupt.h"

#include <csignal>
#include <cstdlib>

#include "grader/cudart/observation_report.h"

namespace warpgrade::cudart {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> launches{0};
std::atomic<int> came{0};  // the signal that arrived; 0: none yet
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void TakeItsCourse(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
}

// The first signal waits for the launch to end; a second one does not.
void OnSignal(int number) {
  if (launches == 0 || came.exchange(number) != 0) return TakeItsCourse(number);
  stop = true;
}

void Handle(int number) {
  struct sigaction before {};
  sigaction(number, nullptr, &before);
  if (before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART | SA_NODEFER;
  sigaction(number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>* StopLaunchesOnInterrupt() {
  const char* file = std::getenv("WARPGRADE_FINDINGS_FILE");
  if (file != nullptr && *file != '\0') {
    Handle(SIGINT);
    Handle(SIGTERM);
  }
  return &stop;
}

InterruptibleLaunch::InterruptibleLaunch() { ++launches; }

InterruptibleLaunch::~InterruptibleLaunch() {
  if (--launches > 0 || came == 0) return;
  const char* counters = std::getenv("WARPGRADE_COUNTERS_FILE");
  if (counters != nullptr && *counters != '\0') ObservationReport::Get().WriteCounters();
  TakeItsCourse(came);
}

}  // namespace warpgrade::cudart
