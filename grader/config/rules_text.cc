// Tests: tests/config/rules_text_test.cc.
#include "grader/config/rules_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/config/course.h"
#include "grader/config/course_keys.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {
namespace {

bool IsAboutMarks(const YamlNode& key) {
  return std::find(kMarkKeys.begin(), kMarkKeys.end(), key.text) != kMarkKeys.end();
}

// Appends `node` with the length of every text, so that different trees have different texts.
void AppendTree(const YamlNode& node, std::string* text) {
  *text += std::to_string(static_cast<int>(node.kind)) + (node.quoted ? "q" : "") + std::to_string(node.text.size()) +
           ":" + node.text;
  *text += "[" + std::to_string(node.items.size()) + "," + std::to_string(node.entries.size()) + "]";
  for (const YamlNode& item : node.items) AppendTree(item, text);
  for (const YamlEntry& entry : node.entries) {
    AppendTree(entry.key, text);
    AppendTree(entry.value, text);
  }
}

YamlNode WithoutMarks(YamlNode node) {
  std::erase_if(node.entries, [](const YamlEntry& entry) { return IsAboutMarks(entry.key); });
  return node;
}

YamlNode LabWithoutMarks(YamlNode lab) {
  lab = WithoutMarks(std::move(lab));
  std::erase_if(lab.entries, [](const YamlEntry& entry) { return entry.key.text == "from"; });  // only a place
  for (YamlEntry& entry : lab.entries) {
    if (entry.key.text == "quiz") entry.value = WithoutMarks(std::move(entry.value));
    if (entry.key.text != "rungs") continue;
    for (YamlEntry& rung : entry.value.entries) rung.value = WithoutMarks(std::move(rung.value));
  }
  return lab;
}

// What a lab outside of the kit says in its own files. Mistakes in them are reported when the lab is used.
void AppendOutsideLab(const std::string& course_yaml, const YamlNode& lab, std::string* text) {
  for (const YamlEntry& entry : lab.entries) {
    if (entry.key.text != "from") continue;
    const std::filesystem::path folder = OutsideFolder(course_yaml, entry.value.text);
    for (const char* name : {kLabFileName, "hidden.yaml"}) {
      Problems ignored("");
      const std::optional<YamlNode> root = ReadYamlFile((folder / name).string(), &ignored);
      if (root) AppendTree(LabWithoutMarks(*root), text);
    }
    std::ifstream reference(folder / "reference.cc", std::ios::binary);
    text->append(std::istreambuf_iterator<char>(reference), {});
  }
}

bool IsAboutPlaces(const YamlEntry& entry) {
  return std::find(kPlaceKeys.begin(), kPlaceKeys.end(), entry.key.text) != kPlaceKeys.end();
}

}  // namespace

Result<std::string> RulesText(const std::string& path, const std::string& lab) {
  Problems problems(path);
  std::optional<YamlNode> root = ReadYamlFile(path, &problems);
  if (!root || !problems.empty()) return problems.ToError(ErrorKind::kUsage);
  YamlNode rules = WithoutMarks(std::move(*root));
  std::erase_if(rules.entries, IsAboutPlaces);
  std::string text;
  for (YamlEntry& entry : rules.entries) {
    if (entry.key.text != "labs") continue;
    std::erase_if(entry.value.entries, [&lab](const YamlEntry& one) { return one.key.text != lab; });
    for (YamlEntry& one : entry.value.entries) {
      AppendOutsideLab(path, one.value, &text);
      one.value = LabWithoutMarks(std::move(one.value));
    }
  }
  AppendTree(rules, &text);
  return text;
}

}  // namespace warpgrade::config
