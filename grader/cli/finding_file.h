// Reads the file that the emulated runtime wrote to WARPGRADE_FINDINGS_FILE: one JSON object per line (format:
// grader/cudart/observation_report.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/counters/counters.h"

namespace warpgrade::cli {

struct SourcePlace {
  std::string file;  // "" when the code has no line information
  int line = 0;
};

// A call or an access of the host, as the runtime reports it.
struct HostPlace {
  uint64_t address = 0;   // in SeenFinding::program; 0: not known
  size_t in_message = 0;  // where its line may be inserted
};

struct SeenFinding {
  std::string kind;    // "out-of-bounds": emulator::Name of its FindingKind
  std::string kernel;  // demangled; "" when it is not about a kernel, such as a leak
  SourcePlace place;
  int ptx_line = 0;
  emulator::Dim3 block{0, 0, 0}, thread{0, 0, 0};
  uint64_t address = 0;
  int access_bytes = 0;
  bool in_local = false;  // in the thread's own local memory
  uint64_t count = 1;
  bool fatal = false;
  std::string message;               // a sentence without kernel and line
  std::string advice;                // what to do; "" when the kind alone says it
  std::optional<SourcePlace> other;  // a race's earlier access
  // Of a fault of the host's side (finding_lines.h): where it is, then the earlier call.
  std::vector<HostPlace> host_places;
  std::string program;  // the file that they are in
};

// The finding in one line of the file; nullopt if the line is broken (the program died while writing it).
std::optional<SeenFinding> ParseFinding(std::string_view line);

// All findings of a file, in its order. A file that does not exist has no findings.
std::vector<SeenFinding> ReadFindings(const std::string& path);

// Removes each uninitialised read at a line that also has a race in the same kernel. The read only came before the
// write of the race, so both findings have one cause.
void DropConsequences(std::vector<SeenFinding>* findings);

// Leaves one of the findings of a kind at a line, though several kernels show it, such as instances of one template. It
// gets their count, and says of how many kernels it is.
void MergeKernels(std::vector<SeenFinding>* findings);

// How a program ended.
struct ProgramEnd {
  int exit_code = 0;  // of the program itself; has no meaning if `signal` is not 0
  int signal = 0;
};

// The document of --json: the schema "warpgrade.findings/1", the end of the program and the findings.
std::string FindingsAsJson(const std::vector<SeenFinding>& findings, const std::vector<std::string>& program,
                           const ProgramEnd& end);

}  // namespace warpgrade::cli
