#include "grader/build/files.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace warpgrade::build {

namespace fs = std::filesystem;

std::optional<std::string> ReadWholeFile(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (!in) return std::nullopt;
  return content;
}

Status WriteWholeFile(const fs::path& path, const std::string& content) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (out) return {};
  return Error{ErrorKind::kMachine, fmt::format("{}: cannot be written: {}; check the space left there and TMPDIR",
                                                path.string(), std::strerror(errno))};
}

Result<WorkDirectory> WorkDirectory::Create() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string pattern = ((error ? fs::path("/tmp") : parent) / "warpgrade-build-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    return Error{ErrorKind::kMachine, fmt::format("{}: no temporary folder can be made: {}; point TMPDIR at a folder "
                                                  "with space",
                                                  pattern, std::strerror(errno))};
  }
  const fs::path canonical = fs::canonical(pattern, error);
  return WorkDirectory(error ? fs::path(pattern) : canonical);
}

WorkDirectory::~WorkDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace warpgrade::build
