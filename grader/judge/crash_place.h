// Finds where in the student's host code a worker crashed, from the worker's own message. The message is not trusted:
// it decides no verdict and only becomes a hint for the student. It holds only numbers, so the worker cannot insert
// text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "grader/host_lines/host_lines.h"
#include "grader/judge/isolation.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

struct CrashSearch {
  std::string executable;
  std::string source;   // "v1_naive.cu": lines of other files are not the student's
  Isolation isolation;  // the worker's; addr2line runs under it, because it reads what the student's compiler made
};

// The line of the crash, "v1_naive.cu:23", or "" when it is not known. Takes milliseconds, a few seconds at most.
std::string FindCrashLine(const CrashSearch& search, const protocol::Crashed& crashed);

// What addr2line prints about addresses in the executable (host_lines::AskAddr2line). "" if it fails.
std::string AskAbout(const CrashSearch& search, std::span<const uint64_t> addresses);

// The first line of `source` in what addr2line printed. Its `file` is `source`, or "" when there is none.
host_lines::SourceLine FirstLineOf(const std::string& source, const std::string& printed);

// What went wrong there, as part of a sentence: "v1_naive.cu:23 reads 0x30000000000, which is d_in ...". "" when
// neither the line nor the address says more than the signal's name. `device_memory`: the device allocation in which
// the address lies, or "".
std::string ExplainCrash(const protocol::Crashed& crashed, const std::string& line, const std::string& device_memory);

}  // namespace warpgrade::judge
