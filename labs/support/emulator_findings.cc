#include "labs/support/emulator_findings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lab {
namespace {

constexpr char kVariable[] = "WARPGRADE_FINDINGS_FILE";

}  // namespace

EmulatorFindings::EmulatorFindings() {
  if (const char* path = std::getenv(kVariable); path != nullptr && *path != '\0') {
    path_ = path;
    std::error_code ignored;  // no file yet: nothing was found yet
    const auto size = std::filesystem::file_size(path_, ignored);
    if (!ignored) seen_ = static_cast<std::streamoff>(size);
    return;
  }
  std::string name = (std::filesystem::temp_directory_path() / "lab_findings_XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return;  // no temporary files here: findings are still told on stderr
  close(file);
  path_ = name;
  is_ours_ = true;
  setenv(kVariable, path_.c_str(), 1);
}

EmulatorFindings::~EmulatorFindings() {
  if (is_ours_) unlink(path_.c_str());
}

size_t EmulatorFindings::CountNew() {
  if (path_.empty()) return 0;
  std::ifstream file(path_);
  file.seekg(seen_);
  size_t count = 0;
  std::string line;
  while (std::getline(file, line)) {
    seen_ += static_cast<std::streamoff>(line.size()) + 1;
    ++count;
  }
  return count;
}

}  // namespace lab
