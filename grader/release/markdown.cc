// Goes through a document line by line: code stays as it is, comments go. The links of the text between two pieces of
// code are looked up together, since a link may go over two lines. Tests: tests/release/markdown_test.cc.
#include "grader/release/markdown.h"

#include <filesystem>
#include <regex>
#include <sstream>
#include <utility>

namespace warpgrade::release {
namespace {

namespace fs = std::filesystem;

// Cuts <!-- ... -->, which may go over several lines. *inside: the line begins in a comment.
std::string WithoutComments(std::string line, bool* inside) {
  std::string kept;
  while (!line.empty()) {
    const size_t mark = line.find(*inside ? "-->" : "<!--");
    if (!*inside) kept += line.substr(0, mark);
    if (mark == std::string::npos) break;
    line.erase(0, mark + (*inside ? 3 : 4));
    *inside = !*inside;
  }
  return kept;
}

std::string WithKnownLinks(const std::string& text, const fs::path& folder,
                           const std::function<bool(const std::string&)>& has) {
  static const std::regex kLink(R"re((!?)\[([^\[\]]{0,200})\]\(([^)#\s]+)(#[^)\s]*)?\))re");
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it) {
    out.append(rest, (*it)[0].first);
    rest = (*it)[0].second;
    const bool is_picture = (*it)[1].length() > 0;
    const std::string target = (*it)[3].str();
    const bool is_url = target.find("://") != std::string::npos;
    const bool is_known = is_url || has((folder / target).lexically_normal().string());
    if (is_known) {
      out += it->str();
    } else if (!is_picture) {
      out += (*it)[2].str();
    }
  }
  return out.append(rest, text.cend());
}

}  // namespace

std::string MarkdownForReaders(const std::string& name, const std::string& text,
                               const std::function<bool(const std::string&)>& has) {
  const fs::path folder = fs::path(name).parent_path();
  std::string out, prose;
  bool in_code = false, in_comment = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!in_comment && line.starts_with("```")) {
      out += WithKnownLinks(std::exchange(prose, ""), folder, has);
      in_code = !in_code;
      out += line.substr(0, line.find(' ')) + "\n";  // behind the language stands what a test needs
    } else if (in_code) {
      out += line + "\n";
    } else {
      const bool was_empty = line.empty();
      line = WithoutComments(std::move(line), &in_comment);
      if (!line.empty() || was_empty) prose += line + "\n";
    }
  }
  return out + WithKnownLinks(prose, folder, has);
}

}  // namespace warpgrade::release
