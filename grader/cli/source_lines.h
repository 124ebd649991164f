// Reads source lines, so that reports can show them.
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

  // Line `line` (from 1) of `file`, safe to print: a tab becomes two spaces, an unprintable byte '?', and a very long
  // line is cut. nullopt if the file cannot be read or has no such line.
  std::optional<std::string> Text(const std::string& file, int line);

  // The whole text of `file`, if the file that it leads to has the name of a C++ or CUDA source: what names files may
  // be a program of a stranger, and others may see the text. nullopt: it has not, or it cannot be read or is too large.
  std::optional<std::string> WholeText(const std::string& file) const;

 private:
  std::string PathOf(const std::string& file) const;
  const std::vector<std::string>& Lines(const std::string& file);

  const std::string program_folder_;
  std::map<std::string, std::vector<std::string>> files_;
};

// The path to show for `file`: relative to the working folder if the file is below it.
std::string ShownPath(const std::string& file);

// `text` from a program or a file, made safe to print as in SourceLines::Text and cut to `longest` bytes.
std::string Printable(const std::string& text, size_t longest);

}  // namespace warpgrade::cli
