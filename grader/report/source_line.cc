#include "grader/report/source_line.h"

#include <algorithm>

#include "grader/report/text.h"

namespace warpgrade::report {

std::string SourceLine(const std::string& source, int line) {
  size_t at = 0;
  for (int skipped = 1; skipped < line; ++skipped) {
    at = source.find('\n', at);
    if (at == std::string::npos) return "";
    ++at;
  }
  const size_t end = std::min(source.find('\n', at), source.size());
  const size_t text = std::min(source.find_first_not_of(" \t", at), end);
  return PrintableLine(source.substr(text, end - text));
}

}  // namespace warpgrade::report
