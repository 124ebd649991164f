// What the emulator saw the kernels of this process do wrong. It writes one line for each finding to the file that
// WARPGRADE_FINDINGS_FILE names (and tells the person about it on stderr); NVIDIA's runtime writes none.
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
