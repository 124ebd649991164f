// Scans a text for #include lines and reads the make rules of the compilers. The scan is only a first check; the list
// of files that the preprocessor opened decides, because no macro can hide them. Tests: tests/build/includes_test.cc.
#include "grader/build/includes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>

#include "grader/build/files.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

std::string_view SkipBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\f\v\r"), text.size()));
}

std::optional<std::string> FindHeader(const std::string& name, const std::vector<std::string>& include_dirs) {
  for (const std::string& directory : include_dirs) {
    if (auto text = ReadWholeFile(fs::path(directory) / name)) return text;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Include> IncludesIn(std::string_view text) {
  std::vector<Include> includes;
  for (int line = 1; !text.empty(); ++line) {
    const size_t newline = std::min(text.find('\n'), text.size());
    std::string_view rest = SkipBlanks(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (!rest.starts_with('#')) continue;
    rest = SkipBlanks(rest.substr(1));
    if (!rest.starts_with("include")) continue;
    rest = SkipBlanks(rest.substr(rest.starts_with("include_next") ? 12 : 7));
    if (rest.empty()) continue;
    const char end = rest[0] == '<' ? '>' : '"';
    if (rest[0] == '<' || rest[0] == '"') {
      rest = rest.substr(1, std::min(rest.find(end, 1), rest.size()) - 1);
    } else {
      rest = rest.substr(0, rest.find_first_of(" \t\r/"));
    }
    includes.push_back({line, std::string(rest)});
  }
  return includes;
}

int LineDirectiveIn(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const size_t newline = std::min(text.find('\n'), text.size());
    std::string_view rest = SkipBlanks(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (!rest.starts_with('#')) continue;
    rest = SkipBlanks(rest.substr(1));
    if (rest.starts_with("line") || (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])))) return line;
  }
  return 0;
}

Result<std::map<std::string, std::string>> LabHeaders(const std::string& lab,
                                                      const std::vector<std::string>& include_dirs) {
  std::map<std::string, std::string> headers;
  std::vector<std::string> wanted = {fmt::format("labs/{0}/{0}.h", lab)};
  while (!wanted.empty()) {
    const std::string name = wanted.back();
    wanted.pop_back();
    if (headers.count(name)) continue;
    auto text = FindHeader(name, include_dirs);
    if (!text) {
      return Error{ErrorKind::kMachine,
                   fmt::format("{}: not found in {}, so the kit is incomplete; build or install it "
                               "again",
                               name, fmt::join(include_dirs, ", "))};
    }
    for (const Include& include : IncludesIn(*text)) {
      if (include.name.starts_with("labs/")) wanted.push_back(include.name);
    }
    headers[name] = std::move(*text);
  }
  return headers;
}

std::vector<std::string> DependenciesIn(std::string_view rule) {
  std::vector<std::string> dependencies;
  // The target ends at a colon followed by a blank; a colon may also occur in its name.
  size_t at = 0;
  while (at < rule.size() && !(rule[at] == ':' && (at + 1 == rule.size() || std::isspace(rule[at + 1])))) ++at;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) dependencies.push_back(std::move(name));
    name.clear();
  };
  for (++at; at < rule.size(); ++at) {
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (rule[at] == '\\' && (next == ' ' || next == '#' || next == '\t')) {
      name += next;
      ++at;
    } else if (rule[at] == '$' && next == '$') {
      name += '$';
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(rule[at])) ||
               (rule[at] == '\\' && (next == '\n' || next == '\r'))) {
      finish();
    } else {
      name += rule[at];
    }
  }
  finish();
  return dependencies;
}

std::vector<std::string> ForbiddenDependencies(const std::vector<std::string>& dependencies, const fs::path& base,
                                               const std::vector<fs::path>& allowed) {
  std::vector<std::string> forbidden;
  for (const std::string& dependency : dependencies) {
    std::error_code error;
    const fs::path real = fs::canonical(base / dependency, error);  // base / absolute is absolute
    const auto below = [&real](const fs::path& folder) {
      return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
    };
    if (error || std::none_of(allowed.begin(), allowed.end(), below)) forbidden.push_back(dependency);
  }
  return forbidden;
}

}  // namespace warpgrade::build
