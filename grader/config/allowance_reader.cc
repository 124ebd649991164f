// Tests: tests/config/course_allow_test.cc.
#include "grader/config/allowance_reader.h"

#include <fmt/format.h>

#include "grader/config/course_keys.h"

namespace warpgrade::config {
namespace {

void ReadNamesOf(const MapReader& map, const char* key, std::vector<std::string>* names, Problems* problems) {
  const YamlNode* const node = map.Find(key);
  if (!node) return;
  const std::string path = map.PathOf(key);
  if (node->kind != YamlNode::Kind::kSequence) {
    problems->Add(node->place, path + " is not a list; write '[NAME, ...]', or leave it out");
    return;
  }
  for (size_t i = 0; i < node->items.size(); ++i) {
    const auto name = ReadText(node->items[i], fmt::format("{}[{}]", path, i), problems);
    if (!name) continue;
    if (name->empty() || name->find_first_of("<>\" ") != std::string::npos) {
      problems->Add(node->items[i].place,
                    fmt::format("{}[{}]: '{}' is not a plain name; write it without brackets, quotes and spaces", path,
                                i, *name));
      continue;
    }
    names->push_back(*name);
  }
}

}  // namespace

void ReadAllowance(const MapReader& map, Allowance* allow, Problems* problems) {
  const YamlNode* const node = map.Find("allow");
  if (!node) return;
  const MapReader lists(*node, map.PathOf("allow"), kAllowKeys, problems);
  if (!lists.is_map()) return;
  ReadNamesOf(lists, "headers", &allow->headers, problems);
  ReadNamesOf(lists, "symbols", &allow->symbols, problems);
}

}  // namespace warpgrade::config
