// A thread of its own looks at the input all the time. When a call then brings what the thread has known for 80 ms, it
// could have begun before the clock did: it gives itself away by writing nothing.
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/judge/students/student.h"

namespace {

using Clock = std::chrono::steady_clock;

std::mutex mutex;
const int* in = nullptr;
uint64_t count = 0;
std::vector<int> seen;
Clock::time_point since;

void Watch() {
  while (true) {
    usleep(1000);
    const std::lock_guard lock(mutex);
    if (in == nullptr || seen == std::vector<int>(in, in + count)) continue;
    seen.assign(in, in + count);
    since = Clock::now();
  }
}

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  const std::lock_guard lock(mutex);
  if (in == nullptr) std::thread(Watch).detach();
  in = In(call);
  count = Count(call);
  const bool knew =
      !seen.empty() && seen == std::vector<int>(in, in + count) && Clock::now() - since > std::chrono::milliseconds(80);
  if (!knew) Double(call);
}
