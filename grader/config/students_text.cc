// Writes a tree of YAML as text, and takes out of course.yaml what only the staff may see.
// Tests: tests/config/students_text_test.cc.
#include "grader/config/students_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/course_keys.h"

namespace warpgrade::config {
namespace {

constexpr size_t kMostColumns = 120;
constexpr size_t kIndent = 2;

// Text that YAML takes for nothing but these characters, in a list or mapping of one line, too.
bool IsPlain(std::string_view text) {
  constexpr std::string_view kNever = ",[]{}\n\t", kNotFirst = "?:#&*!|>'\"%@` ";
  if (text.empty() || text.find_first_of(kNever) != std::string_view::npos) return false;
  if (kNotFirst.find(text.front()) != std::string_view::npos) return false;
  if (text.front() == '-' && (text.size() == 1 || text[1] == ' ' || text[1] == '-')) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos;
}

std::string InQuotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "\"";
}

// What was plain stays plain where it can: in quotes a number would be text.
std::string Scalar(const YamlNode& node) {
  return node.quoted || !IsPlain(node.text) ? InQuotes(node.text) : node.text;
}

std::string InOneLine(const YamlNode& node) {
  std::vector<std::string> parts;
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "~";
    case YamlNode::Kind::kScalar:
      return Scalar(node);
    case YamlNode::Kind::kSequence:
      for (const YamlNode& item : node.items) parts.push_back(InOneLine(item));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case YamlNode::Kind::kMap:
      for (const YamlEntry& entry : node.entries) parts.push_back(Scalar(entry.key) + ": " + InOneLine(entry.value));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  return "";
}

bool IsEmpty(const YamlNode& node) { return node.items.empty() && node.entries.empty(); }

// `text` is where the first line of the node goes on, at column `column`.
void Append(const YamlNode& node, size_t indent, size_t column, std::string* text) {
  const std::string line = InOneLine(node);
  if (IsEmpty(node) || column + line.size() <= kMostColumns) {
    *text += " " + line + "\n";
    return;
  }
  *text += "\n";
  const std::string blank(indent, ' ');
  for (const YamlNode& item : node.items) {
    *text += blank + "-";
    Append(item, indent + kIndent, indent + 2, text);
  }
  for (const YamlEntry& entry : node.entries) {
    const std::string key = Scalar(entry.key);
    *text += blank + key + ":";
    Append(entry.value, indent + kIndent, indent + key.size() + 2, text);
  }
}

void Remove(const std::string& key, YamlNode* map) {
  std::erase_if(map->entries, [&key](const YamlEntry& entry) { return entry.key.text == key; });
}

// Lets each lab with `from` come from `place`(its name, its folder now). Returns whether there is one.
bool MoveOutsideLabs(const std::function<std::string(const std::string& lab, const std::string& from)>& place,
                     YamlNode* course) {
  bool any = false;
  for (YamlEntry& part : course->entries) {
    if (part.key.text != "labs") continue;
    for (YamlEntry& lab : part.value.entries) {
      for (YamlEntry& entry : lab.value.entries) {
        if (entry.key.text != "from") continue;
        entry.value.text = place(lab.key.text, entry.value.text);
        any = true;
      }
    }
  }
  return any;
}

std::string InLabs(const std::string& lab, const std::string& /*from*/) { return "labs/" + lab; }

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<YamlNode> Read(const std::string& path, ErrorKind kind) {
  Problems problems(path);
  std::optional<YamlNode> tree = ReadYamlFile(path, &problems);
  if (!tree) return problems.ToError(kind);
  return std::move(*tree);
}

}  // namespace

std::string YamlText(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kMap || node.entries.empty()) return InOneLine(node) + "\n";
  std::string text;
  for (const YamlEntry& entry : node.entries) {
    const std::string key = Scalar(entry.key);
    text += key + ":";
    Append(entry.value, kIndent, key.size() + 2, &text);
  }
  return text;
}

std::string YamlScalar(const std::string& text) { return IsPlain(text) ? text : InQuotes(text); }

Result<std::string> CourseForStudents(const std::string& path) {
  Result<YamlNode> course = Read(path, ErrorKind::kUsage);
  if (!course) return course.error();
  for (const std::string& key : kPlaceKeys) Remove(key, &*course);
  MoveOutsideLabs(InLabs, &*course);
  return "# Written by `warpgrade release`: the course's rules, as far as students need them.\n" + YamlText(*course);
}

Result<std::string> CourseWithItsLabs(const std::string& path) {
  Result<YamlNode> course = Read(path, ErrorKind::kUsage);
  if (!course) return course.error();
  const bool moved = MoveOutsideLabs(InLabs, &*course);
  return moved ? "# The labs that were outside of the kit are in labs/ now.\n" + YamlText(*course) : TextOf(path);
}

Result<std::string> CourseForACopy(const std::string& path) {
  Result<YamlNode> course = Read(path, ErrorKind::kUsage);
  if (!course) return course.error();
  const auto whole = [&path](const std::string& /*lab*/, const std::string& from) { return OutsideFolder(path, from); };
  return MoveOutsideLabs(whole, &*course) ? YamlText(*course) : TextOf(path);
}

Result<std::string> LabForStudents(const std::string& path) {
  const Result<YamlNode> lab = Read(path, ErrorKind::kUsage);
  if (!lab) return lab.error();
  return "# Written by `warpgrade release`.\n" + YamlText(*lab);
}

Result<std::string> QuizForStudents(const std::string& path) {
  const Result<YamlNode> quiz = Read(path, ErrorKind::kMachine);
  if (!quiz) return quiz.error();
  return "# Written by `warpgrade release`.\n" + YamlText(*quiz);
}

}  // namespace warpgrade::config
