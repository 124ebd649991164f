#include "grader/judge/findings.h"

#include <algorithm>

namespace warpgrade::judge {
std::string ShortFile(const std::string& file, const std::string& rung) {
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return file;
  std::string name = file.substr(slash + 1);
  if (name == rung + ".cu" || slash == 0) return name;
  const size_t folder = file.rfind('/', slash - 1);
  return folder == std::string::npos ? file : file.substr(folder + 1);
}

void MergeFinding(score::Finding finding, std::vector<score::Finding>* findings) {
  const auto same = std::find_if(findings->begin(), findings->end(), [&finding](const score::Finding& other) {
    return other.kind == finding.kind && other.kernel == finding.kernel && other.file == finding.file &&
           other.line == finding.line;
  });
  if (same != findings->end()) {
    same->count += finding.count;
  } else {
    findings->push_back(std::move(finding));
  }
}

std::string Sentence(const score::Finding& finding) {
  std::string sentence = finding.message;
  if (!finding.kernel.empty()) sentence = "kernel " + finding.kernel + ": " + sentence;
  if (!finding.file.empty()) sentence += "; " + finding.file + ":" + std::to_string(finding.line);
  return sentence;
}

}  // namespace warpgrade::judge
