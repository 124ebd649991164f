// Tested by tests/programs/tricky/73_fork_while_a_kernel_waits.cu and tests/cudart/programs_test.cc.
#include "grader/cudart/fork.h"

#include <pthread.h>

#include <atomic>
#include <new>

namespace warpgrade::cudart {
namespace {

std::atomic<bool> device_is_used{false}, is_forked_child{false};
std::mutex* kept = nullptr;
bool is_locked = false;  // by Prepare; only the thread that forks uses it

// A thread may keep the lock of a process with a device for as long as a kernel runs.
void Prepare() {
  if (device_is_used) return;
  kept->lock();
  is_locked = true;
}

void GoOnInParent() {
  if (!is_locked) return;
  is_locked = false;
  kept->unlock();
}

void GoOnInChild() {
  if (is_locked) return GoOnInParent();
  is_forked_child = true;
  new (kept) std::mutex;  // whoever held it is not here
}

}  // namespace

void DeviceIsUsed() { device_is_used = true; }

bool IsForkedChild() { return is_forked_child; }

void KeepLockOverForks(std::mutex& mutex) {
  kept = &mutex;
  pthread_atfork(Prepare, GoOnInParent, GoOnInChild);
}

}  // namespace warpgrade::cudart
