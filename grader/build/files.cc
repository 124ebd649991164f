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

namespace {

constexpr char kWorkPrefix[] = "warpgrade-build-";

fs::path TemporaryFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

}  // namespace

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
  return Error{ErrorKind::kMachine,
               fmt::format("{}: cannot be written: {}; free some space, or set TMPDIR to another folder", path.string(),
                           std::strerror(errno))};
}

Result<WorkDirectory> WorkDirectory::Create() {
  const fs::path parent = TemporaryFolder();
  auto made = MakeClaimedFolder(parent, kWorkPrefix);
  if (!made) {
    return Error{ErrorKind::kMachine, fmt::format("{}: no temporary folder can be created: {}; set TMPDIR to a folder "
                                                  "with free space",
                                                  parent.string(), std::strerror(errno))};
  }
  std::error_code error;
  const fs::path canonical = fs::canonical(made->path, error);
  return WorkDirectory(error ? made->path : canonical, std::move(made->claim));
}

void WorkDirectory::RemoveAbandoned() { RemoveUnclaimed(TemporaryFolder(), kWorkPrefix); }

WorkDirectory::~WorkDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace warpgrade::build
