// Copies a sample's inputs to where its worker reads them, and copies its outputs away. The judge's clock times both.
//
// Until the call, inputs wait in memory that no worker can see. If a kernel of the worker watches for them, this kernel
// and the delivery use the GPU alternately, so the delivery takes measurably longer (cross_checks.h). Inputs in host
// memory are written while the worker is stopped. But work that the worker left on the GPU could wait for these inputs
// too. So the judge takes a turn on the GPU after every few megabytes, and these turns count as part of the delivery.
//
// Copies need no turn: those that wait for the inputs could fetch one part while the next one is delivered. So the
// judge copies to the device all the time meanwhile. Each byte that somebody else copies there makes this take longer,
// and by how much is part of the call.
#pragma once

#include <cstdint>

#include "grader/judge/call_batch.h"
#include "grader/judge/device.h"

namespace warpgrade::judge {

class Delivery {
 public:
  // Both outlive this.
  Delivery(CallBatch& batch, ThroughputDevice& gpu) : batch_(batch), gpu_(gpu) {}

  // Puts the inputs of all calls into place and flushes the caches. Returns how long the GPU took, in nanoseconds. If
  // the GPU cannot reach host arrays by itself, the host writes them. This does not include that time, which varies and
  // says nothing about the worker. Errors: the machine's.
  Result<double> Deliver();

  // Takes the outputs of all calls to where no worker can reach them (CallBatch::Collect). Returns how long that took,
  // in nanoseconds. Errors: the machine's.
  Result<double> Collect();

  // True if the GPU writes the inputs in host memory, and keeps the bus busy.
  bool keeps_bus_busy() const { return batch_.bytes_copied_to_host() > 0; }
  // By how much the time of the last Deliver may vary by chance because of host arrays.
  double slack_ns() const { return slack_ns_; }

 private:
  CallBatch& batch_;
  ThroughputDevice& gpu_;
  double slack_ns_ = 0;
};

}  // namespace warpgrade::judge
