#include "grader/cli/executable_path.h"

#include <filesystem>
#include <system_error>

namespace warpgrade::cli {

std::string ExecutablePath() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "warpgrade" : path.string();
}

}  // namespace warpgrade::cli
