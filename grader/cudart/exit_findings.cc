// The library's destructor reports what is left: it runs after the program's own exit handlers and static destructors,
// which may still free memory and ask for errors. Tested by tests/cudart/programs_test.cc (programs/host_faults.cu).
#include "grader/cudart/exit_findings.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "grader/cudart/device_link.h"
#include "grader/cudart/fork.h"
#include "grader/cudart/host_findings.h"
#include "grader/cudart/observation_report.h"
#include "grader/cudart/runtime.h"
#include "grader/cudart/work_queue.h"
#include "grader/result/counted.h"

namespace warpgrade::cudart {
namespace {

__attribute__((destructor)) void ReportAtExit() {
  const HostWatch& watch = CurrentHostWatch();
  if (!watch.on || IsForkedChild()) return;
  Runtime& runtime = Runtime::Get();
  runtime.queue.StopThread();
  std::unique_lock lock(runtime.mutex, std::try_to_lock);
  for (int ms = 0; !lock && ms < 1000 && runtime.queue.HasThread(); ++ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    static_cast<void>(lock.try_lock());
  }
  if (!lock) return;  // exit() was called within a callback, or another thread still runs
  runtime.queue.ProgressAtExit(runtime);
  runtime.device.TellEarlyAccesses();
  if (watch.unchecked_errors) {
    for (const emulator::Finding& finding : UncheckedLaunchesOf(runtime.errors)) ObservationReport::Get().Add(finding);
  }
  // After a kernel's fault no memory can be freed any more, so the remaining memory is not the program's leak.
  if (watch.leaks && runtime.errors.sticky() == cudaSuccess) {
    for (const emulator::Finding& finding : LeaksOf(runtime.allocations)) ObservationReport::Get().Add(finding);
  }
}

std::string Text(const dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }

}  // namespace

std::vector<emulator::Finding> LeaksOf(const Allocations& allocations) {
  std::vector<const OwnedMemory*> left;
  for (const auto& [address, owned] : allocations.live()) left.push_back(&owned);
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
    finding.message += fmt::format("; with {} from {}, {} bytes in all", Counted(finding.count - 1, "more allocation"),
                                   api, bytes_of[api]);
  }
  return findings;
}

std::vector<emulator::Finding> UncheckedLaunchesOf(const ErrorState& errors) {
  std::vector<emulator::Finding> findings;
  for (const UncheckedLaunch& launch : errors.unchecked()) {
    emulator::Finding finding;
    finding.kind = emulator::FindingKind::kUncheckedError;
    finding.kernel = launch.kernel;
    finding.message =
        fmt::format("the launch <<<{}, {}, {}>>>", Text(launch.grid), Text(launch.block), launch.shared_bytes);
    finding.host_places.push_back({launch.call, finding.message.size()});
    finding.message += fmt::format(
        " failed with {} ({}), so the kernel never ran, and the program did not check for "
        "the error: call cudaGetLastError() after the launch",
        cudaGetErrorName(launch.error), cudaGetErrorString(launch.error));
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const emulator::Finding& other) {
      return other.kernel == finding.kernel && other.message == finding.message &&
             other.host_places[0].address == finding.host_places[0].address;
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
