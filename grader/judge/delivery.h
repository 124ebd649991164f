// Copies a sample's inputs to where its worker reads them, and copies its outputs away. The judge's clock times both.
//
// Until the call, inputs wait in memory that no worker can see. If a kernel of the worker watches for them, this kernel
// and the delivery use the GPU alternately, so the delivery takes measurably longer (cross_checks.h).
//
// Inputs in host memory come while the worker is stopped. But work that it left on the GPU could wait for them. A
// kernel is noticed as above, because the judge takes a turn on the GPU after every few megabytes. Copies from host
// memory take no turns: they could fetch one part while the next one is delivered. So the judge itself copies to the
// device during the whole delivery. Whoever else does so makes the delivery longer, and by how much counts as part of
// the call.
#pragma once

#include <cstdint>

#include "grader/judge/call_batch.h"
#include "grader/judge/device.h"

namespace warpgrade::judge {

class Delivery {
 public:
  // Both outlive this.
  Delivery(CallBatch& batch, ThroughputDevice& gpu) : batch_(batch), gpu_(gpu) {}

  // Puts the inputs of all calls into place and flushes the caches. Returns how long that took, in nanoseconds. Errors:
  // the machine's.
  Result<double> Deliver();

  // Takes the outputs of all calls to where no worker can reach them (CallBatch::Collect). Returns how long that took,
  // in nanoseconds. Errors: the machine's.
  Result<double> Collect();

  // True if inputs are in host memory, so that the bus is kept busy.
  bool keeps_bus_busy() const { return batch_.bytes_copied_to_host() > 0; }
  // By how much the time of a delivery varies by chance because of inputs in host memory, in nanoseconds.
  double slack_ns() const;

 private:
  CallBatch& batch_;
  ThroughputDevice& gpu_;
};

}  // namespace warpgrade::judge
