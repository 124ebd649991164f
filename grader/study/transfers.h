// The model of a copy between host and device: t = L + bytes / B.
#pragma once

#include "grader/plot/plot.h"
#include "grader/study/rows.h"

namespace warpgrade::study {

struct TransferModel {
  double latency_us = 0;    // L
  double bytes_per_us = 0;  // B; 1000 of it are 1 GB/s

  double TimeOf(double bytes) const { return latency_us + bytes / bytes_per_us; }
  // The copy that takes twice as long as its bytes at full speed.
  double HalfSpeedBytes() const { return latency_us * bytes_per_us; }
};

// The L and B with the least squares of the relative errors, so that small copies count as much as large ones.
// REQUIRES: two points of different x; the times are positive.
TransferModel FitTransfers(const plot::Series& times);

// The largest relative error of the model.
double WorstError(const plot::Series& times, const TransferModel& model);

plot::Plot DrawTransfers(const Rows& rows);

}  // namespace warpgrade::study
