// From measurements to plots: which numbers become which points, and what is said of them. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/cli/occupancy_text.h"
#include "grader/device_model/device_model.h"
#include "grader/plot/plot.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

struct PlottedRung {
  std::string name;
  score::RungMeasurement measurement;
};

// What all plots of measurements say.
struct PlotSubject {
  std::string lab;      // "lab1 Reduction"
  std::string program;  // whose rungs: "the course's solutions"
  std::string date;     // "2026-11-26T12:00:00Z"
  score::DeviceDescription device;
  bool on_gpu() const { return device.kind == "gpu"; }
};

// Every rung against size (RungMeasurement::sizes). On a GPU throughput and time per element, on the emulator
// instructions and bytes per element.
plot::Plot ShmooPlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs);

// What is known of a rung's cases without running them.
struct RungWork {
  double ideal_bytes_per_element = 0;    // of the technique case: the fewest that the task must move
  double flops = 0;                      // of the technique case; 0: the task is not bound by arithmetic
  double elements = 0;                   // of the technique case
  std::string counted_size, timed_size;  // the names of the two cases
};
using WorkOfRungs = std::map<std::string, RungWork>;

// Bars for each rung. On a GPU throughput and its share of the ceiling, on the emulator bytes moved beside the ideal.
plot::Plot LadderPlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs, const WorkOfRungs& work);

// GFLOP/s against operations per byte below the two roofs: of the GPU that was measured, or of `model` on the emulator,
// where a rung's point is the most that the roofs allow.
plot::Plot RooflinePlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs, const WorkOfRungs& work,
                        const DeviceModel& model);

// Every rung against the number of blocks that it launches. `counted` has the sizes on the emulator, which counts
// blocks; `timed` has the same sizes on a GPU, or is empty.
plot::Plot ScalingPlot(const PlotSubject& subject, const std::vector<PlottedRung>& counted,
                       const std::vector<PlottedRung>& timed);

// Resident warps against registers, threads and shared memory, each with the other two as in `question`.
plot::Plot OccupancyPlot(const OccupancyQuestion& question, const DeviceModel& gpu, const std::string& date);

}  // namespace warpgrade::cli
