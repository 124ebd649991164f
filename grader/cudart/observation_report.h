// Reports what the kernels of a program that runs on its own did wrong, and what they counted. (Under the judge nothing
// is reported here: the judge observes its own device.)
//
// On stderr, when a kernel ends: each finding once, in a form that editors and terminals can jump to:
//
//   reduce.cu:27: shared-race: thread (33,0,0) reads tile[1] while thread (1,0,0) writes it
//       in reduce_v3<float>(float const*, float*, int), block (0,0,0), thread (33,0,0); seen 62 times
//
// A fault of the host's side has no place in a kernel:
//
//   warpgrade: leak: 4096 bytes from cudaMalloc (allocation 2 of the program) are never freed
//
// WARPGRADE_FINDINGS_FILE=path: the same findings, appended as one JSON object per line:
//   {"kind","kernel","file","line","ptx_line","block":[x,y,z],"thread":[x,y,z],"address","access_bytes","in_local",
//    "count","fatal","message","advice"}
// A fault of the host's side also has "program", the path of the program, and "host_places":[[address,offset],...]: the
// places of its calls in that file, and where in the message their lines may stand (emulator::HostPlace).
// With WARPGRADE_FINDINGS_QUIET=1 nothing is printed on stderr, because the reader of the file prints the findings.
//
// WARPGRADE_COUNTERS_FILE=path: written when the process exits:
//   {"schema":"warpgrade.counters/1",
//    "launches":[{"kernel","grid":[x,y,z],"block":[x,y,z],"shared_bytes","cooperative",
//                 "counters":{name: count, for each field of emulator::Counters},
//                 "lines":[{"file","line","counters":{...}}]}],
//    "copies":{counter: count, for each field of emulator::Counters; of copies and sets on the device},
//    "metrics":{name: value, of metrics.def, over all launches and copies; those per element are left out}}
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::cudart {

class ObservationReport {
 public:
  // The process's one report, configured by the environment. Never destroyed.
  static ObservationReport& Get();

  // Paths may be empty: nothing is written.
  ObservationReport(std::string findings_path, std::string counters_path);

  // Reports what `device` observed since the last call, and resets its observations so that they do not pile up.
  void Take(emulator::Device& device);
  // Reports one finding of the program's host side.
  void Add(const emulator::Finding& finding);
  // Writes the counters file.
  void WriteCounters() const;

 private:
  void Report(const emulator::Finding& finding);

  const std::string findings_path_, counters_path_;
  std::set<std::tuple<emulator::FindingKind, std::string, std::string, int>> reported_;  // kind, kernel, file, line
  std::vector<emulator::LaunchRecord> launches_;
  emulator::CopyTraffic copies_;
};

// The stderr form of one finding, with its final newline.
std::string FormatFinding(const emulator::Finding& finding);
// The WARPGRADE_FINDINGS_FILE form of one finding, without a newline.
std::string FindingAsJson(const emulator::Finding& finding);
// The WARPGRADE_COUNTERS_FILE document.
std::string CountersAsJson(const std::vector<emulator::LaunchRecord>& launches, const emulator::Counters& copies = {});

}  // namespace warpgrade::cudart
