#include "grader/cudart/host_findings.h"

#include "grader/cudart/error_state.h"
#include "grader/cudart/observation_report.h"

namespace warpgrade::cudart {
namespace {

HostWatch watch;

}  // namespace

void WatchHost(const ProgramOptions& options) { watch = {true, options.leaks, options.unchecked_errors}; }

const HostWatch& CurrentHostWatch() { return watch; }

void ReportHostFinding(ErrorState& errors, const emulator::Finding& finding) {
  if (watch.on) {
    ObservationReport::Get().Add(finding);
  } else {
    errors.Explain(cudaErrorInvalidValue, finding.message);
  }
}

}  // namespace warpgrade::cudart
