// An answer in the cache is a text: a line "SIZE TIME PATH" for each header. Tested by brought_headers_test.cc.
#include "grader/build/brought_headers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "grader/build/files.h"
#include "grader/build/rung_compiler.h"
#include "grader/digest/digest.h"

namespace warpgrade::build {
namespace {

// Part of the key: raise it when the text or the question changes.
constexpr char kAnswerFormat[] = "warpgrade.brought/1";

std::string KeyOf(const std::vector<std::string>& headers, const BuildOptions& options) {
  Digest digest;
  digest.Add("format", kAnswerFormat);
  digest.Add("compilers", options.toolchain.version);
  digest.Add("nvcc", options.toolchain.nvcc);
  digest.Add("host compiler", options.toolchain.host_compiler);
  for (const std::string& folder : options.toolchain.include_dirs) digest.Add("folder", folder);
  for (const std::string& flag : CompileFlags(0)) digest.Add("flag", flag);
  for (const std::string& header : headers) digest.Add("header", header);
  return digest.Hex();
}

// "SIZE TIME PATH", nothing when there is no such file.
std::optional<std::string> LineOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return fmt::format("{} {}.{:09} {}", info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, path);
}

std::optional<std::string> TextOf(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    const auto line = LineOf(path);
    if (!line || path.find('\n') != std::string::npos) return std::nullopt;
    text += *line + "\n";
  }
  return text;
}

// The paths in `text`; nothing when one of the files is not the same any more.
std::optional<std::vector<std::string>> PathsIn(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t size_end = line.find(' ');
    const size_t time_end = line.find(' ', std::min(size_end, line.size() - 1) + 1);
    if (time_end == std::string::npos) return std::nullopt;
    std::string path = line.substr(time_end + 1);
    if (LineOf(path) != line) return std::nullopt;
    paths.push_back(std::move(path));
  }
  if (paths.empty()) return std::nullopt;
  return paths;
}

}  // namespace

Result<std::vector<std::string>> BroughtHeaders::Of(const std::vector<std::string>& headers,
                                                    const BuildOptions& options, const ExecutableCache& cache,
                                                    const std::atomic<bool>* cancel) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(headers);
  if (known != known_.end()) return known->second;
  const std::string key = KeyOf(headers, options);
  if (const auto file = cache.Find(key)) {
    if (auto paths = PathsIn(ReadWholeFile(*file).value_or(""))) return known_[headers] = std::move(*paths);
  }
  auto directory = WorkDirectory::Create();
  if (!directory) return directory.error();
  auto brought = HeadersBroughtBy(headers, options, directory->path(), cancel);
  if (!brought) return brought;
  const std::string own = directory->path().string() + "/";  // of the question, which nobody includes
  std::erase_if(*brought, [&own](const std::string& path) { return path.empty() || path.starts_with(own); });
  const auto text = TextOf(*brought);
  const std::filesystem::path answer = directory->path() / "answer";
  // What cannot be kept is asked again next time.
  if (text && WriteWholeFile(answer, *text).ok()) static_cast<void>(cache.Publish(key, answer));
  known_[headers] = *brought;
  return brought;
}

}  // namespace warpgrade::build
