// Tested by tests/cudart/programs_test.cc (programs/leaks.cu, unchecked.cu).
#include "grader/cudart/host_findings.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

#include "grader/cudart/observation_report.h"

namespace warpgrade::cudart {
namespace {

bool watching = false, report_leaks = false, report_unchecked = false;

// The library's destructors run after the program's own exit handlers and static destructors, which may still free and
// ask. After a kernel's fault nothing can be freed any more, so what is left then is no leak of the program's.
__attribute__((destructor)) void ReportAtExit() {
  if (!watching) return;
  Runtime& runtime = Runtime::Get();
  std::unique_lock lock(runtime.mutex, std::try_to_lock);
  if (!lock) return;  // exit() within a callback, or another thread still runs
  if (report_unchecked) {
    for (const emulator::Finding& finding : UncheckedLaunchesOf(runtime)) ObservationReport::Get().Add(finding);
  }
  if (report_leaks && runtime.sticky == cudaSuccess) {
    for (const emulator::Finding& finding : LeaksOf(runtime)) ObservationReport::Get().Add(finding);
  }
}

std::string Text(const dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }

}  // namespace

void WatchHost(const ProgramOptions& options) {
  watching = true;
  report_leaks = options.leaks;
  report_unchecked = options.unchecked_errors;
}

bool IsWatchingHost() { return watching; }

// One per allocating function: a loop that leaks makes one finding, which counts.
std::vector<emulator::Finding> LeaksOf(const Runtime& runtime) {
  std::vector<const OwnedMemory*> left;
  for (const auto& [address, owned] : runtime.memory) left.push_back(&owned);
  std::sort(left.begin(), left.end(),
            [](const OwnedMemory* a, const OwnedMemory* b) { return a->sequence < b->sequence; });
  std::vector<emulator::Finding> findings;
  std::map<std::string, size_t> finding_of;
  std::map<std::string, uint64_t> bytes_of;
  for (const OwnedMemory* owned : left) {
    bytes_of[owned->api] += owned->bytes;
    const auto [entry, added] = finding_of.try_emplace(owned->api, findings.size());
    if (!added) {
      ++findings[entry->second].count;
      continue;
    }
    emulator::Finding finding;
    finding.kind = emulator::FindingKind::kLeak;
    finding.message = fmt::format("{} bytes from {} (allocation {} of the program) are never freed", owned->bytes,
                                  owned->api, owned->sequence);
    findings.push_back(std::move(finding));
  }
  for (const auto& [api, index] : finding_of) {
    emulator::Finding& finding = findings[index];
    if (finding.count < 2) continue;
    finding.message += fmt::format("; with {} more it is {} bytes", finding.count - 1, bytes_of[api]);
  }
  return findings;
}

std::vector<emulator::Finding> UncheckedLaunchesOf(const Runtime& runtime) {
  std::vector<emulator::Finding> findings;
  for (const UncheckedLaunch& launch : runtime.unchecked) {
    emulator::Finding finding;
    finding.kind = emulator::FindingKind::kUncheckedError;
    finding.kernel = launch.kernel;
    finding.message = fmt::format(
        "the launch <<<{}, {}, {}>>> failed with {} ({}) and never ran; nobody asked: call cudaGetLastError() after it",
        Text(launch.grid), Text(launch.block), launch.shared_bytes, cudaGetErrorName(launch.error),
        cudaGetErrorString(launch.error));
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const emulator::Finding& other) {
      return other.kernel == finding.kernel && other.message == finding.message;
    });
    if (same != findings.end()) {
      ++same->count;
    } else {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace warpgrade::cudart
