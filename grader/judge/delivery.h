// Copies a sample's inputs to where its worker reads them, and copies its outputs away. The judge's clock times both.
//
// Until the call, inputs wait in memory that no worker can see. If a kernel of the worker watches for them, this kernel
// and the delivery use the GPU alternately, so the delivery takes measurably longer (cross_checks.h). Inputs in host
// memory are written while the worker is stopped. But work that the worker left on the GPU could watch for these inputs
// too. So the judge takes a turn on the GPU after every few megabytes, and these turns count as part of the delivery.
#pragma once

#include <cstdint>

#include "grader/judge/call_batch.h"
#include "grader/judge/device.h"

namespace warpgrade::judge {

class Delivery {
 public:
  // Both outlive this.
  Delivery(CallBatch& batch, ThroughputDevice& gpu) : batch_(batch), gpu_(gpu) {}

  // Puts the inputs of all calls into place and flushes the caches. Returns how long the GPU took, in nanoseconds. This
  // does not include the host's time for writing gigabytes, which varies and says nothing about the worker. Errors: the
  // machine's.
  Result<double> Deliver();

  // Takes the outputs of all calls to where no worker can reach them (CallBatch::Collect). Returns how long that took,
  // in nanoseconds. Errors: the machine's.
  Result<double> Collect();

  // Turns that the last Deliver took on the GPU while it wrote host arrays.
  int turns() const { return turns_; }

 private:
  CallBatch& batch_;
  ThroughputDevice& gpu_;
  int turns_ = 0;
};

}  // namespace warpgrade::judge
