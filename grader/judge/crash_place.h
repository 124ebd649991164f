// Where in the student's host code a worker crashed, from what the worker said of it. That is not to be believed for a
// verdict, and is shown as a hint to whoever wrote the program: numbers alone, so no text of its making comes through.
#pragma once

#include <string>
#include <vector>

#include "grader/worker/protocol.h"

namespace warpgrade::judge {

struct CrashSearch {
  std::string executable;
  std::string source;               // "v1_naive.cu": lines of other files are not the student's
  bool confine = false;             // addr2line reads what the student's compiler made
  std::vector<std::string> hidden;  // as of the worker (session.h)
};

// "v1_naive.cu:23", or "" when nobody knows. Takes milliseconds, a few seconds at most.
std::string FindCrashLine(const CrashSearch& search, const protocol::Crashed& crashed);

// The first line of `source` in what addr2line printed, as "v1_naive.cu:23"; "" when there is none.
std::string FirstLineOf(const std::string& source, const std::string& printed);

// What went wrong there, as a part of a sentence: "v1_naive.cu:23 reads 0x30000000000, which is d_in ..."; "" when
// neither line nor address says more than the signal's name. `device_memory`: the allocation on the device that the
// address lies in, or "".
std::string ExplainCrash(const protocol::Crashed& crashed, const std::string& line, const std::string& device_memory);

}  // namespace warpgrade::judge
