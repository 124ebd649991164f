// The text of source lines, for reports that show the line they speak of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::cli {

class SourceLines {
 public:
  // Relative paths start at the working folder, or else at `program_folder` (may be "").
  explicit SourceLines(std::string program_folder = "") : program_folder_(std::move(program_folder)) {}

  // Line `line` (from 1) of `file` as a terminal may print it: tabs are two spaces, what is not printable is '?', a
  // very long line is cut. Nullopt when the file cannot be read or has no such line.
  std::optional<std::string> Text(const std::string& file, int line);

 private:
  const std::vector<std::string>& Lines(const std::string& file);

  const std::string program_folder_;
  std::map<std::string, std::vector<std::string>> files_;
};

// `file` as people type it: relative to the working folder where it lies below it.
std::string ShownPath(const std::string& file);

// Bytes that came from a program or a file, made fit for a terminal: see SourceLines::Text.
std::string Printable(const std::string& text, size_t longest);

}  // namespace warpgrade::cli
