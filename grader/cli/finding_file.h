// What the emulated runtime wrote to WARPGRADE_FINDINGS_FILE: one JSON object per line (grader/cudart/
// observation_report.h has the form).
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

struct SeenFinding {
  std::string kind;    // "out-of-bounds": emulator::Name of its FindingKind
  std::string kernel;  // demangled; "" when no kernel is at fault: a leak
  SourcePlace place;
  int ptx_line = 0;
  emulator::Dim3 block{0, 0, 0}, thread{0, 0, 0};
  uint64_t address = 0;
  int access_bytes = 0;
  uint64_t count = 1;
  bool fatal = false;
  std::string message;               // a sentence without kernel and line
  std::optional<SourcePlace> other;  // a race's earlier access
};

// The finding in one line of the file; nullopt when the line is none (a program that died while writing).
std::optional<SeenFinding> ParseFinding(std::string_view line);

// All of a file's findings, in its order. A file that is not there has none.
std::vector<SeenFinding> ReadFindings(const std::string& path);

// Leaves out reads of memory that nobody wrote at lines that also race in the same kernel: the read came before the
// write that the race names, which is one fault and not two.
void DropConsequences(std::vector<SeenFinding>* findings);

// The document of --json: schema "warpgrade.findings/1", the program's end, and the findings.
struct ProgramEnd {
  int exit_code = 0;  // of the program itself; meaningless when `signal` is not 0
  int signal = 0;
};
std::string FindingsAsJson(const std::vector<SeenFinding>& findings, const std::vector<std::string>& program,
                           const ProgramEnd& end);

}  // namespace warpgrade::cli
