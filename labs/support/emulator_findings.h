// Counts the faults that the emulator found in the kernels of this process. The emulator writes one line for each to
// the file that WARPGRADE_FINDINGS_FILE names, and a report to stderr. On a GPU nothing is written, so the count is 0.
#pragma once

#include <cstddef>
#include <ios>
#include <string>

namespace lab {

class EmulatorFindings {
 public:
  // Names a temporary file in the environment, unless the person did. Call it before the first CUDA call.
  EmulatorFindings();
  ~EmulatorFindings();
  EmulatorFindings(const EmulatorFindings&) = delete;
  EmulatorFindings& operator=(const EmulatorFindings&) = delete;

  // Findings since the last call, or since construction.
  size_t CountNew();

 private:
  std::string path_;
  bool is_ours_ = false;  // remove it at the end
  std::streamoff seen_ = 0;
};

}  // namespace lab
