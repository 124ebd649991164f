// Launches one block, and keeps what the emulator counted and recorded. For the studies' own kernels the checks are
// off: the accesses are what is studied, and nobody uses the values. Tested by tests/study/study_test.cc.
#include "grader/study/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grader/study/kernels.h"

namespace warpgrade::study {
namespace {

emulator::DeviceOptions Options() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.checks = false;
  options.pictures = true;
  return options;
}

emulator::DeviceOptions CheckedOptions() {
  emulator::DeviceOptions options = Options();
  options.checks = true;
  options.runs_wave64 = true;
  options.pictures = false;
  return options;
}

}  // namespace

Bench::Bench() : device_(Options()), ptx_(kKernelsPtx) {}

Bench::Bench(std::string_view ptx) : device_(CheckedOptions()), ptx_(ptx) {}

Result<uint64_t> Bench::Zeros(uint64_t bytes, const std::string& label) {
  const Result<emulator::DevicePtr> at = device_.Allocate(bytes, label);
  if (!at) return at.error();
  if (Status s = device_.Fill(*at, 0, bytes); !s.ok()) return s.error();
  return *at;
}

Result<uint64_t> Bench::Array(const std::vector<int>& content, const std::string& label) {
  const uint64_t bytes = content.size() * sizeof(int);
  const Result<emulator::DevicePtr> at = device_.Allocate(bytes, label);
  if (!at) return at.error();
  if (Status s = device_.CopyToDevice(*at, content.data(), bytes); !s.ok()) return s.error();
  return *at;
}

Result<std::vector<int>> Bench::Content(uint64_t at, size_t count) const {
  std::vector<int> content(count);
  if (Status s = device_.CopyFromDevice(content.data(), at, count * sizeof(int)); !s.ok()) return s.error();
  return content;
}

Result<Bench::Observed> Bench::Run(const std::string& kernel, uint32_t threads, const std::vector<uint64_t>& arguments,
                                   uint32_t shared_bytes) {
  if (!module_) {
    const Result<emulator::ModuleId> loaded = device_.LoadModule(ptx_, "the kernels of the studies");
    if (!loaded) return loaded.error();
    module_ = *loaded;
  }
  const Result<emulator::KernelId> id = device_.FindKernel(*module_, kernel);
  if (!id) return id.error();
  const emulator::KernelInfo& info = device_.Kernel(*id);
  WARPGRADE_CHECK(info.parameter_sizes.size() == arguments.size());
  emulator::LaunchRequest launch;
  launch.kernel = *id;
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.dynamic_shared_bytes = shared_bytes;
  launch.parameters.resize(info.parameter_bytes);
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::memcpy(launch.parameters.data() + info.parameter_offsets[i], &arguments[i], info.parameter_sizes[i]);
  }
  device_.ResetObservations();
  if (device_.Launch(launch) != emulator::LaunchStatus::kOk) {
    const auto& findings = device_.Findings();
    return Error{ErrorKind::kMachine, fmt::format("the study's kernel {} did not run{}", kernel,
                                                  findings.empty() ? "" : ": " + findings.front().message)};
  }
  const emulator::LaunchRecord& record = device_.Launches().front();
  const auto& findings = device_.Findings();
  const auto races = std::count_if(findings.begin(), findings.end(),
                                   [](const emulator::Finding& finding) { return emulator::IsRace(finding.kind); });
  return Observed{record.counters, device_.Pictures().Requests(), record.lines, static_cast<size_t>(races)};
}

std::optional<emulator::Request> Bench::Observed::LoadFrom(const std::string& label) const {
  std::optional<emulator::Request> found;
  for (const emulator::LineRequests& line : requests) {
    if (line.direction != emulator::AccessDirection::kLoad) continue;
    for (const emulator::RequestSample& sample : line.samples) {
      if (sample.array != label) continue;
      if (found || sample.count != 1) return std::nullopt;
      found = sample.request;
    }
  }
  return found;
}

plot::Plot BeginPlot(const std::string& title, const std::string& sizes) {
  plot::Plot plot;
  plot.title = title;
  plot.facts = {{"Device", "the emulator, which counts and has no times"}, {"Sizes", sizes}};
  return plot;
}

Pattern PatternOf(const std::string& name, int (*index)(int lane)) {
  Pattern pattern{name, {}};
  for (int lane = 0; lane < emulator::kLanes; ++lane) pattern.index.push_back(index(lane));
  return pattern;
}

std::string Listed(const std::vector<std::string>& words) {
  if (words.empty()) return "none";
  std::string list = words.front();
  for (size_t i = 1; i < words.size(); ++i) list += (i + 1 == words.size() ? " and " : ", ") + words[i];
  return list;
}

}  // namespace warpgrade::study
