// Brings a sample's inputs to where its worker reads them, and takes its outputs away, each timed by the judge's clock.
//
// Until the call, inputs wait in memory that no worker can see. A worker that watches for them on the GPU takes turns
// with this delivery there, so the delivery takes visibly longer (cross_checks.h). Inputs in host memory are written
// while the worker is stopped; work that it left on the GPU could watch them, too, so the judge takes a turn on the GPU
// every few megabytes, and these turns count as part of the delivery.
#pragma once

#include <cstdint>

#include "grader/judge/call_batch.h"
#include "grader/judge/device.h"

namespace warpgrade::judge {

class Delivery {
 public:
  // Both outlive this.
  Delivery(CallBatch& batch, ThroughputDevice& gpu) : batch_(batch), gpu_(gpu) {}

  // Puts the inputs of all calls into place and flushes the caches. Returns how long the GPU took, in nanoseconds. The
  // host's time for writing gigabytes is left out: it varies, and says nothing about the worker. Errors: the machine's.
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
