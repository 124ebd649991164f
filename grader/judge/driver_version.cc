#include "grader/judge/driver_version.h"

#include <cctype>
#include <fstream>
#include <sstream>

namespace warpgrade::judge {

// The first line is "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build ...": the
// version is the first word of digits and dots with at least one dot, before any date or compiler version.
std::string ParseDriverVersion(std::string_view text) {
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  for (std::string word; words >> word;) {
    const bool numeric = word.find_first_not_of("0123456789.") == std::string::npos;
    if (numeric && word.find('.') != std::string::npos && std::isdigit(static_cast<unsigned char>(word[0])))
      return word;
  }
  return "";
}

std::string InstalledDriverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::ostringstream text;
  text << file.rdbuf();
  return ParseDriverVersion(text.str());
}

}  // namespace warpgrade::judge
