// How long a worker may keep the judge waiting, over all requests together. Pure: whoever uses it reads the clock.
//
//   judge asks      worker works    device works for it    worker works      worker answers
//   |---------------|---------------|----------------------|-----------------|
//   Begin                           '-- Forgive: not charged                 End
//
// Only the worker's own time is charged. How long the emulated device takes for a request depends on the machine, so it
// must not cost a student points; the device's instruction budgets bound it instead. The time in which the worker or
// the judge was ready to run and got no core is not charged either, up to a multiple of the limit. A worker that
// sleeps, loops, or makes the device wait for it is charged for all of that time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpgrade::judge {

class Patience {
 public:
  // `most_excused_ns`: the most that Excuse can add.
  Patience(int64_t limit_ns, int64_t most_excused_ns) : left_ns_(limit_ns), most_excused_ns_(most_excused_ns) {}

  // The judge begins to wait for an answer.
  void Begin(int64_t now_ns) { deadline_ns_ = now_ns + left_ns_; }
  // The device worked for the worker meanwhile.
  void Forgive(int64_t device_ns) { deadline_ns_ += std::max<int64_t>(0, device_ns); }
  // Between Begin and End: in all, worker and judge have waited this long for a core. Less than before changes nothing.
  void Excuse(int64_t waited_ns) {
    const int64_t excused_ns = std::max(excused_ns_, std::min(waited_ns, most_excused_ns_));
    deadline_ns_ += excused_ns - excused_ns_;
    excused_ns_ = excused_ns;
  }
  // The answer has come, or the judge no longer waits for it.
  void End(int64_t now_ns) { left_ns_ = deadline_ns_ - now_ns; }

  // Between Begin and End: the time that is left.
  int64_t Left(int64_t now_ns) const { return deadline_ns_ - now_ns; }
  bool IsOver(int64_t now_ns) const { return Left(now_ns) <= 0; }

 private:
  int64_t left_ns_;
  const int64_t most_excused_ns_;
  int64_t excused_ns_ = 0;
  int64_t deadline_ns_ = 0;
};

}  // namespace warpgrade::judge
