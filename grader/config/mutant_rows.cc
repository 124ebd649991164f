// Tests: tests/config/mutant_rows_test.cc.
#include "grader/config/mutant_rows.h"

#include "grader/config/yaml_tree.h"

namespace warpgrade::config {
namespace {

const YamlNode* Find(const YamlNode& map, const std::string& key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace

Result<std::vector<MutantRow>> ReadMutantRows(const std::string& path) {
  Problems problems(path);
  const std::optional<YamlNode> root = ReadYamlFile(path, &problems);
  std::vector<MutantRow> rows;
  const YamlNode* list = root ? Find(*root, "mutants") : nullptr;
  if (root && list == nullptr) problems.Add(root->place, "there is no list 'mutants'; add it");
  for (const YamlNode& item : list == nullptr ? std::vector<YamlNode>() : list->items) {
    const YamlNode* name = Find(item, "name");
    const YamlNode* lost = Find(item, "lost");
    if (name == nullptr || name->text.empty() || lost == nullptr) {
      problems.Add(item.place, "a mutant needs 'name' and 'lost'; add them");
      continue;
    }
    rows.push_back({name->text, lost->text});
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return rows;
}

}  // namespace warpgrade::config
