// Reads each file once and keeps its lines; a whole text is read only if its file is a source by its name. Tests:
// tests/cli/source_lines_test.cc, tests/cli/program_page_test.cc.
#include "grader/cli/source_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace warpgrade::cli {
namespace {

constexpr size_t kLongestLine = 160;
constexpr size_t kLargestFile = size_t{8} << 20;  // more is not source that a person wrote

constexpr std::array<std::string_view, 11> kSourceEndings = {".cu",  ".cuh", ".h",   ".hpp", ".hh", ".hxx",
                                                             ".cpp", ".cc",  ".cxx", ".c",   ".inl"};

bool CanBeShown(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) <= kLargestFile;
}

}  // namespace

std::string Printable(const std::string& text, size_t longest) {
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= longest) return shown + " ...";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      shown += "  ";
    } else if (byte < 0x20 || byte == 0x7f) {
      shown += '?';
    } else {
      shown += c;  // bytes of UTF-8 included
    }
  }
  return shown;
}

std::string SourceLines::PathOf(const std::string& file) const {
  std::error_code ignored;
  std::filesystem::path path = file;
  if (path.is_relative() && !std::filesystem::exists(path, ignored)) path = program_folder_ / path;
  return path.string();
}

std::optional<std::string> SourceLines::WholeText(const std::string& file) const {
  if (file.empty()) return std::nullopt;
  std::error_code error;
  const std::string path = std::filesystem::canonical(PathOf(file), error).string();
  const bool is_source = std::any_of(kSourceEndings.begin(), kSourceEndings.end(),
                                     [&path](std::string_view ending) { return path.ends_with(ending); });
  if (error || !is_source || !CanBeShown(path)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

const std::vector<std::string>& SourceLines::Lines(const std::string& file) {
  const auto [entry, added] = files_.try_emplace(file);
  if (!added) return entry->second;
  const std::string path = PathOf(file);
  if (!CanBeShown(path)) return entry->second;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    entry->second.push_back(std::move(line));
  }
  return entry->second;
}

std::optional<std::string> SourceLines::Text(const std::string& file, int line) {
  if (file.empty() || line < 1) return std::nullopt;
  const std::vector<std::string>& lines = Lines(file);
  if (static_cast<size_t>(line) > lines.size()) return std::nullopt;
  return Printable(lines[static_cast<size_t>(line) - 1], kLongestLine);
}

std::string ShownPath(const std::string& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (error || path.is_relative()) return path.string();
  const std::filesystem::path below = path.lexically_relative(here);
  return below.empty() || *below.begin() == ".." ? path.string() : below.string();
}

}  // namespace warpgrade::cli
