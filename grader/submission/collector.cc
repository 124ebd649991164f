// Decides which files of a submission are taken. WantedFiles knows the names that the labs ask for. Collector keeps the
// best file for each name and a message for each file that it refuses. Tests: tests/submission/discover_test.cc.
#include "grader/submission/collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/result/counted.h"
#include "grader/submission/printable.h"

namespace warpgrade::submission {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

// The reason why this cannot be a source file, or "". Letters beyond ASCII are allowed in any encoding, because
// comments have them.
std::string NotText(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return "it is UTF-16; save it as UTF-8";
  int line = 1;
  for (char c : text) {
    if (c == '\n') ++line;
    const auto byte = static_cast<unsigned char>(c);
    const bool space = byte >= '\t' && byte <= '\r';
    if (byte < 0x20 && !space) {
      return fmt::format("it is not text: line {} holds a byte \\x{:02x}; send the source file itself", line, byte);
    }
  }
  return "";
}

}  // namespace

WantedFiles::WantedFiles(const std::vector<LabFiles>& labs) {
  for (const LabFiles& lab : labs) {
    labs_.insert(lab.lab);
    for (const std::string& rung : lab.rungs) labs_of_[rung + ".cu"].push_back(lab.lab);
    for (const std::string& other : lab.others) labs_of_[other].push_back(lab.lab);
  }
}

std::optional<Place> WantedFiles::Find(const std::vector<std::string>& path) const {
  if (path.empty() || path.size() > 3) return std::nullopt;
  const auto found = labs_of_.find(path.back());
  if (found == labs_of_.end()) return std::nullopt;
  const std::vector<std::string>& labs = found->second;
  if (path.size() >= 2) {
    const std::string& folder = path[path.size() - 2];
    if (std::count(labs.begin(), labs.end(), folder) > 0)
      return Place{folder + "/" + path.back(), path.size() == 2 ? 0 : 2};
    // The folder is that of another lab: lab2/v1_interleaved_modulo.cu, but only lab1 has such a rung.
    if (IsLab(folder)) return std::nullopt;
  }
  if (path.size() > 2 || labs.size() != 1) return std::nullopt;
  return Place{labs[0] + "/" + path.back(), path.size() == 1 ? 1 : 3};
}

std::string WantedFiles::Resembling(std::string_view name) const {
  const std::string lower = Lower(name);
  std::string best;
  for (const auto& [file, labs] : labs_of_) {
    const std::string stem = Lower(file.substr(0, file.rfind('.')));
    if (lower.find(stem) != std::string::npos && file.size() > best.size()) best = file;
  }
  return best;
}

std::optional<std::vector<std::string>> PathParts(std::string_view path) {
  if (path.starts_with('/')) return std::nullopt;
  std::vector<std::string> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    if (part == "..") return std::nullopt;
    if (!part.empty() && part != ".") parts.emplace_back(part);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

void Collector::Refuse(std::string_view name, std::string_view reason) {
  if (messages_.size() >= kMaxMessages) {
    ++messages_dropped_;
    return;
  }
  messages_.push_back(fmt::format("{}: {}", Escaped(name), reason));
}

void Collector::PassOver(std::string_view name, std::string_view file_name) {
  // macOS puts a "._NAME" beside each file in its archives.
  if (file_name.starts_with("._")) return;
  const bool source = Lower(file_name).find(".cu") != std::string::npos;
  const bool flat = name == file_name;
  if (wanted_.IsLabFile(std::string(file_name))) {
    if (!source && !flat) return;  // the folder of a lab may hold files that this course does not ask for
    return Refuse(name, "not taken, because it is in the wrong folder; put it into the folder of its lab (lab1/, ...)");
  }
  const std::string resembling = wanted_.Resembling(file_name);
  // Other files that do not look like a file of a lab need no message.
  if (!source && (resembling.empty() || resembling.ends_with(".cu"))) return;
  Refuse(name,
         resembling.empty()
             ? "not taken, because no lab asks for a file with this name"
             : fmt::format("not taken, because no lab asks for a file with this name; did you mean {}?", resembling));
}

void Collector::Offer(std::string_view name, const Place& place, std::string text) {
  if (text.size() > kMaxFileBytes)
    return Refuse(
        name, fmt::format("refused: it is larger than {} KB, the limit for a source file; send the source file itself",
                          kMaxFileBytes >> 10));
  if (const std::string reason = NotText(text); !reason.empty()) return Refuse(name, "refused: " + reason);

  const auto found = files_.find(place.file);
  if (found != files_.end() && (found->second.name != name && found->second.rank <= place.rank)) {
    return Refuse(name, fmt::format("not taken, because {} was taken for {}; send only one of them",
                                    Escaped(found->second.name), place.file));
  }
  const size_t replaced = found == files_.end() ? 0 : found->second.text.size();
  if (total_bytes_ - replaced + text.size() > kMaxSubmissionBytes) {
    return Refuse(name,
                  fmt::format("refused: the files of the submission are larger than {} MB in total; make them smaller",
                              kMaxSubmissionBytes >> 20));
  }
  if (found != files_.end() && found->second.name == name) {
    Refuse(name, "occurs more than once, so the last one was taken; send only one");
  } else if (found != files_.end()) {
    Refuse(found->second.name,
           fmt::format("not taken, because {} was taken for {}; send only one of them", Escaped(name), place.file));
  }
  total_bytes_ = total_bytes_ - replaced + text.size();
  files_[place.file] = Taken{std::move(text), std::string(name), place.rank};
}

void Collector::FinishInto(Submission* submission) {
  for (auto& [file, taken] : files_) submission->files[file] = std::move(taken.text);
  submission->messages = std::move(messages_);
  if (messages_dropped_ > 0) submission->messages.push_back("and " + Counted(messages_dropped_, "more message"));
}

}  // namespace warpgrade::submission
