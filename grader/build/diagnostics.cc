// nvcc 13's front end writes "v1.cu(12): error: ...", gcc "v1.cu:12:5: error: ...", ptxas and nvcc themselves
// "ptxas error   : ..." and "nvcc fatal   : ...". A message ends where the next one begins. This file splits the output
// into messages and keeps the first errors. Tests: tests/build/diagnostics_test.cc.
#include "grader/build/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include "grader/result/counted.h"

namespace warpgrade::build {
namespace {

constexpr size_t kMaxLineBytes = 240;
constexpr size_t kMaxLinesPerMessage = 10;

void ReplaceAll(std::string* text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// The line without control characters, and cut to kMaxLineBytes.
std::string Printable(std::string_view line) {
  std::string out;
  for (char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) out += c;
    if (c == '\t') out += "  ";
  }
  if (out.size() > kMaxLineBytes) {
    size_t cut = kMaxLineBytes;
    while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;
    out = out.substr(0, cut) + "...";
  }
  return out;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t newline = std::min(text.find('\n'), text.size());
    lines.push_back(Printable(text.substr(0, newline)));
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  return lines;
}

// The assembler speaks of a file that the student never saw: "tmp/cc1.s:6: Error: no such instruction: `bogus %eax'".
void ExplainAssembler(std::string_view file, std::string* line) {
  static const std::regex kAssembler(R"(^\S+\.s:\d+: (?:Fatal error|Error): (.*))");
  static const std::regex kHeading(R"(^\S+\.s: Assembler messages:)");
  std::smatch match;
  if (std::regex_match(*line, kHeading)) {
    line->clear();
  } else if (std::regex_match(*line, match, kAssembler)) {
    *line = fmt::format("{}:1: error: an asm statement in host code is no valid assembly: {}; correct it, or remove it",
                        file, match[1].str());
  }
}

enum class Kind { kNone, kError, kWarning, kNote };

// Whether a line opens a message, and of which kind.
Kind KindOf(const std::string& line) {
  static const std::regex kLocated(
      R"(^\S.*(?:\(\d+\)|:\d+|:\d+:\d+):\s+(?:(fatal|internal|catastrophic) )?(error|warning|note|remark)\b.*)");
  static const std::regex kBare(
      R"(^(nvcc|ptxas|nvlink|cc1plus|collect2|g\+\+|gcc|cudafe\+\+|cicc)\s*(error|fatal|:).*)");
  std::smatch match;
  if (std::regex_match(line, match, kLocated)) {
    if (match[2] == "error") return Kind::kError;
    return match[2] == "warning" ? Kind::kWarning : Kind::kNote;
  }
  return std::regex_match(line, kBare) ? Kind::kError : Kind::kNone;
}

bool IsNoise(const std::string& line) {
  static const std::regex kNoise(
      R"(\s*|\d+ (?:errors?|warnings?) (?:detected|generated).*|Remark: The warnings can be suppressed.*|)"
      R"(compilation terminated\.|Compilation terminated\.|Error limit reached\.|In file included from .*|)"
      R"(\s+from \S+:\d+[:,]?)");
  return std::regex_match(line, kNoise);
}

// The front end shows "__attribute__((global)) void k()" for "__global__ void k()". `caret` is the line below, which
// points into it.
void RestoreKeywords(std::string* line, std::string* caret) {
  for (std::string_view word : {"global", "device", "host", "shared", "constant", "managed"}) {
    const std::string internal = fmt::format("__attribute__(({}))", word);
    const std::string keyword = fmt::format("__{}__", word);
    for (size_t at = line->find(internal); at != std::string::npos; at = line->find(internal)) {
      line->replace(at, internal.size(), keyword);
      const size_t removed = internal.size() - keyword.size();
      if (caret != nullptr && caret->size() > at + internal.size()) caret->erase(0, removed);
    }
  }
}

bool IsCaret(const std::string& line) {
  return line.find('^') != std::string::npos && line.find_first_not_of(" ^~|") == std::string::npos;
}

struct Message {
  Kind kind;
  std::vector<std::string> lines;
};

std::vector<Message> Messages(std::vector<std::string> lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool pointed_at = i + 1 < lines.size() && IsCaret(lines[i + 1]);
    RestoreKeywords(&lines[i], pointed_at ? &lines[i + 1] : nullptr);
  }
  std::vector<Message> messages;
  for (std::string& line : lines) {
    if (IsNoise(line)) continue;
    const Kind kind = KindOf(line);
    if (kind == Kind::kError || kind == Kind::kWarning || messages.empty()) messages.push_back({kind, {}});
    if (messages.back().lines.size() < kMaxLinesPerMessage) messages.back().lines.push_back(std::move(line));
  }
  return messages;
}

std::string Shown(const std::vector<Message>& messages, Kind kind, int most, std::string_view one) {
  std::string out;
  int count = 0;
  std::set<std::vector<std::string>> seen;  // a template's message comes once per instantiation
  for (const Message& message : messages) {
    if (message.kind != kind || !seen.insert(message.lines).second) continue;
    if (++count > most) continue;
    for (const std::string& line : message.lines) out += line + "\n";
  }
  if (count > most) {
    out += fmt::format("and {}\n", Counted(static_cast<uint64_t>(count - most), fmt::format("more {}", one)));
  }
  return out;
}

}  // namespace

std::string CompilerDiagnostics(std::string_view output, std::string_view work_directory, std::string_view end_of_file,
                                int most) {
  std::string text(output);
  ReplaceAll(&text, "At end of source: ", fmt::format("{}: ", end_of_file));
  ReplaceAll(&text, std::string(work_directory) + "/", "");
  ReplaceAll(&text, "./labs/", "labs/");
  const std::string_view file = end_of_file.substr(0, end_of_file.find('('));
  std::vector<std::string> lines = Lines(text);
  for (std::string& line : lines) ExplainAssembler(file, &line);
  const std::vector<Message> messages = Messages(std::move(lines));
  std::string shown = Shown(messages, Kind::kError, most, "error");
  if (shown.empty()) shown = Shown(messages, Kind::kWarning, most, "warning");
  if (shown.empty()) shown = Shown(messages, Kind::kNone, most, "message");
  return shown;
}

std::string LinkDiagnostics(std::string_view output, std::string_view file, std::string_view object,
                            std::string_view header, int most) {
  constexpr std::string_view kLinker = "/usr/bin/ld: ";
  static const std::regex kUndefined(R"(.*undefined reference to [`'](.*)')");
  static const std::regex kTwice(R"(.*multiple definition of [`']([^`']*)'.*)");
  std::vector<std::string> found, rest;
  bool by_student = false;  // the place that the linker speaks of is in the student's object
  for (const std::string& line : Lines(output)) {
    std::smatch match;
    const bool names_place = line.find(": in function ") != std::string::npos || line.find(":(.") != std::string::npos;
    // "v1.cu:(.text+0x5): ..." continues what "ld: v1.o: in function ..." has begun.
    const bool in_object = line.find(object) != std::string::npos || line.rfind(file, 0) == 0;
    if (names_place && (line.find(": in function ") != std::string::npos || in_object)) by_student = in_object;
    if (std::regex_match(line, match, kUndefined)) {
      const std::string name = match[1];
      found.push_back(by_student
                          ? fmt::format("{}: uses {}, which is not defined; define it in this file", file, name)
                          : fmt::format("{}: does not define {}; keep the name and the parameters that {} declares",
                                        file, name, header));
    } else if (std::regex_match(line, match, kTwice)) {
      const std::string name = match[1];
      found.push_back(
          name == "main"
              ? fmt::format("{}: defines main(), but the program of the grader has its own; remove yours", file)
              : fmt::format("{}: defines {}, but the program of the grader also defines it; rename yours", file, name));
    } else if (!IsNoise(line) && line.find(": in function ") == std::string::npos && !line.starts_with("collect2: ")) {
      rest.push_back(!in_object ? line
                                : fmt::format("{}: cannot be linked with the grader: {}; does an asm statement or an "
                                              "attribute make symbols or sections?",
                                              file, line.substr(line.starts_with(kLinker) ? kLinker.size() : 0)));
    }
  }
  std::vector<std::string>& chosen = found.empty() ? rest : found;
  std::string out;
  int count = 0;
  std::set<std::string> seen;
  for (const std::string& line : chosen) {
    if (seen.insert(line).second && ++count <= most) out += line + "\n";
  }
  if (count > most) out += fmt::format("and {}\n", Counted(static_cast<uint64_t>(count - most), "more error"));
  return out;
}

}  // namespace warpgrade::build
