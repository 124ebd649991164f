// Runs the kernels of the studies, or those of other PTX, on an emulated GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/counters/counters.h"
#include "grader/emulator/device.h"
#include "grader/emulator/recorders/line_requests.h"
#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::study {

class Bench {
 public:
  // With the kernels of kernels.cu, without checks.
  Bench();
  // With those of `ptx`, which outlives this. Races are looked for, and wavefronts may have 64 lanes.
  explicit Bench(std::string_view ptx);

  // An array of device memory with this content. `label` names it in Observed::RequestTo.
  Result<uint64_t> Array(const std::vector<int>& content, const std::string& label);
  Result<uint64_t> Zeros(uint64_t bytes, const std::string& label);

  // The ints at an address.
  Result<std::vector<int>> Content(uint64_t at, size_t count) const;

  struct Observed {
    emulator::Counters counters;
    std::vector<emulator::LineRequests> requests;
    std::vector<emulator::LineCounters> lines;
    size_t races = 0;  // pairs of lines that race

    // The only load from the array of that label; nullopt if there is none or more than one.
    std::optional<emulator::Request> LoadFrom(const std::string& label) const;
  };

  // Launches one block of `threads`. `arguments`: in order, each of 8 bytes for an address or 4 for an int, as the
  // kernel's parameters are. `shared_bytes`: of dynamic shared memory. Errors (kMachine): no such kernel, or the launch
  // failed.
  Result<Observed> Run(const std::string& kernel, uint32_t threads, const std::vector<uint64_t>& arguments,
                       uint32_t shared_bytes = 0);

 private:
  emulator::Device device_;
  std::string_view ptx_;
  std::optional<emulator::ModuleId> module_;
};

// A plot of a study: its title and the facts that all have.
plot::Plot BeginPlot(const std::string& title, const std::string& sizes);

// An element index for each lane of a warp, by a formula.
struct Pattern {
  std::string name;  // the formula, as a student writes it
  std::vector<int> index;
};
Pattern PatternOf(const std::string& name, int (*index)(int lane));

// "a, b and c"; "none" for an empty list.
std::string Listed(const std::vector<std::string>& words);

}  // namespace warpgrade::study
