// Tests: tests/cli/finding_lines_test.cc and, with programs, tests/programs/faulty.
#include "grader/cli/finding_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "grader/host_lines/host_lines.h"

namespace warpgrade::cli {
namespace {

constexpr size_t kMostLookedUp = 100;  // each takes some milliseconds

class Lines {
 public:
  // nullopt: not known.
  std::optional<SourcePlace> Of(const std::string& program, uint64_t address) {
    if (program.empty() || address == 0) return std::nullopt;
    const auto key = std::pair(program, address);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kMostLookedUp) return std::nullopt;
    return known_[key] = LookUp(program, address);
  }

 private:
  static std::optional<SourcePlace> LookUp(const std::string& program, uint64_t address) {
    const std::string printed = host_lines::AskAddr2line(program, std::span(&address, 1), std::nullopt);
    for (host_lines::SourceLine& line : host_lines::LinesIn(printed)) {
      if (!IsOfToolkit(line.file)) return SourcePlace{std::move(line.file), line.line};
    }
    return std::nullopt;
  }

  std::map<std::pair<std::string, uint64_t>, std::optional<SourcePlace>> known_;
};

std::string NameOf(const std::string& file) { return file.substr(file.rfind('/') + 1); }

}  // namespace

bool IsOfToolkit(const std::string& file) {
  constexpr std::string_view kFolders[] = {"/usr/include/", "/usr/lib/", "/usr/local/cuda"};
  constexpr std::string_view kParts[] = {"/include/cuda_runtime.h", "/include/crt/", "/include/cccl/", ".cudafe1."};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return file.starts_with(folder); }) ||
         std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return file.find(part) != std::string::npos; });
}

void FindHostLines(std::vector<SeenFinding>* findings) {
  Lines lines;
  for (SeenFinding& finding : *findings) {
    std::vector<std::optional<SourcePlace>> found;
    for (const HostPlace& place : finding.host_places) found.push_back(lines.Of(finding.program, place.address));
    const bool any = std::any_of(found.begin(), found.end(), [](const auto& place) { return place.has_value(); });
    if (!any) continue;
    if (found[0]) finding.place = *found[0];
    if (found.size() > 1) finding.other = found[1];
    // From the last one on, so that the places of the others stay right.
    for (size_t i = found.size(); i-- > 0;) {
      const size_t at = finding.host_places[i].in_message;
      if (at > finding.message.size()) continue;
      finding.message.insert(at, found[i] ? fmt::format(" ({}:{})", NameOf(found[i]->file), found[i]->line)
                                          : std::string(" (line not known)"));
    }
  }
}

}  // namespace warpgrade::cli
