// Tests: tests/judge/delivery_test.cc.
#include "grader/judge/delivery.h"

#include "grader/judge/raw_clock.h"

namespace warpgrade::judge {

Result<double> Delivery::Deliver() {
  int64_t gpu_ns = 0;
  turns_ = 0;
  const auto take_turn = [this, &gpu_ns]() -> Status {
    ++turns_;
    const int64_t begin_ns = RawNanoseconds();
    if (Status s = gpu_.TakeTurn(); !s.ok()) return s;
    Status s = gpu_.Synchronize();
    gpu_ns += RawNanoseconds() - begin_ns;
    return s;
  };
  if (Status s = batch_.DeliverToHost(take_turn); !s.ok()) return s.error();
  const int64_t begin_ns = RawNanoseconds();
  if (Status s = batch_.Deliver(); !s.ok()) return s.error();
  return static_cast<double>(gpu_ns + RawNanoseconds() - begin_ns);
}

Result<double> Delivery::Collect() {
  const int64_t begin_ns = RawNanoseconds();
  if (Status s = batch_.Collect(); !s.ok()) return s.error();
  return static_cast<double>(RawNanoseconds() - begin_ns);
}

}  // namespace warpgrade::judge
