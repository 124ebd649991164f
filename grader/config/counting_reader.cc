// A group is checked as a whole when each of its names is right: then its rungs must have equal points and the same
// visibility. Tests: tests/config/course_counting_test.cc.
#include "grader/config/counting_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "grader/config/course_keys.h"
#include "grader/config/nearest.h"

namespace warpgrade::config {
namespace {

const YamlNode* Find(const YamlNode& map, const char* key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

const Rung* FindRung(const Lab& lab, const std::string& name) {
  const auto found =
      std::find_if(lab.rungs.begin(), lab.rungs.end(), [&](const Rung& one) { return one.name == name; });
  return found == lab.rungs.end() ? nullptr : &*found;
}

void ReadBonus(const NamedNode& rung, Lab* lab, Problems* problems) {
  const YamlNode* const node = Find(*rung.value, "bonus");
  if (node == nullptr) return;
  const bool is_word = node->kind == YamlNode::Kind::kScalar && !node->quoted;
  if (is_word && node->text == "true") {
    lab->counting.bonus.push_back(rung.name);
  } else if (!is_word || node->text != "false") {
    problems->Add(node->place, fmt::format("{}.{}.bonus is neither true nor false; write 'bonus: true' if its points "
                                           "come on top of those of the lab, or leave it out",
                                           lab->name, rung.name));
  }
}

// A lab without points of its own has no mark that a gradebook could compare with.
void CheckNotAllBonus(const std::vector<NamedNode>& rungs, const Lab& lab, Problems* problems) {
  const bool quiz_counts = lab.quiz && *lab.quiz > Points();
  if (rungs.empty() || quiz_counts || lab.counting.bonus.size() != rungs.size()) return;
  problems->Add(Find(*rungs.back().value, "bonus")->place,
                fmt::format("all rungs of {} are a bonus, so the lab itself has no points; remove 'bonus: true' from "
                            "at least one of them",
                            lab.name));
}

std::optional<size_t> ReadBest(const YamlNode& node, const std::string& path, Problems* problems) {
  constexpr size_t kMostDigits = 3;
  const bool is_number = node.kind == YamlNode::Kind::kScalar && !node.text.empty() &&
                         node.text.size() <= kMostDigits &&
                         node.text.find_first_not_of("0123456789") == std::string::npos && std::stoi(node.text) > 0;
  if (is_number) return static_cast<size_t>(std::stoi(node.text));
  problems->Add(node.place, path + " is not a whole number from 1 on; write how many of the rungs count, such as 2");
  return std::nullopt;
}

class GroupReader {
 public:
  GroupReader(const std::vector<NamedNode>& rungs, Lab* lab, Problems* problems) : lab_(*lab), problems_(*problems) {
    for (const NamedNode& rung : rungs) names_.push_back(rung.name);
  }

  void Read(const YamlNode& node, const std::string& path) {
    const size_t before = problems_.count();
    const MapReader map(node, path, kBestOfKeys, &problems_);
    if (!map.is_map()) return;
    BestOf group;
    const YamlNode* const best = map.Require("best", "add 'best: 2', how many of the rungs count");
    if (best != nullptr) group.best = ReadBest(*best, map.PathOf("best"), &problems_).value_or(1);
    const YamlNode* const of = map.Require("of", "add 'of: [NAME, NAME, NAME]', the rungs of which the best count");
    if (of != nullptr) group.of = ReadMembers(*of, map.PathOf("of"), path);
    if (problems_.count() != before) return;
    if (group.best >= group.of.size()) {
      problems_.Add(best->place, fmt::format("{} is {}, but the group has {} rungs, so all of them count; make it "
                                             "smaller, or remove the group",
                                             map.PathOf("best"), group.best, group.of.size()));
    }
    CheckEqual(group, of->place, path);
    if (problems_.count() == before) lab_.counting.best_of.push_back(std::move(group));
  }

 private:
  std::vector<std::string> ReadMembers(const YamlNode& node, const std::string& path, const std::string& group) {
    std::vector<std::string> members;
    if (node.kind != YamlNode::Kind::kSequence || node.items.empty()) {
      problems_.Add(node.place, path + " is not a list of rungs; write [NAME, NAME, NAME]");
      return members;
    }
    for (const YamlNode& item : node.items) {
      const std::optional<std::string> name = ReadText(item, path, &problems_);
      if (!name) continue;
      if (std::find(names_.begin(), names_.end(), *name) == names_.end()) {
        problems_.Add(item.place, fmt::format("{} has no rung '{}'{}", lab_.name, *name,
                                              Suggest(*name, names_, "its rungs are " + ListNames(names_))));
      } else if (lab_.counting.IsBonus(*name)) {
        problems_.Add(item.place, fmt::format("{} is a bonus, so its points are always added; take it out of {}, or "
                                              "remove its 'bonus: true'",
                                              *name, path));
      } else if (const auto [first, is_new] = group_of_.emplace(*name, group); !is_new) {
        problems_.Add(item.place, fmt::format("{} is in {} already, and a rung can be in one group once; remove one of "
                                              "them",
                                              *name, first->second));
      } else {
        members.push_back(*name);
      }
    }
    return members;
  }

  void CheckEqual(const BestOf& group, Place place, const std::string& path) {
    std::string points, visibilities;
    bool same_points = true, same_visibility = true;
    const Rung* first = nullptr;
    for (const std::string& name : group.of) {
      const Rung* const rung = FindRung(lab_, name);
      if (rung == nullptr) return;  // its mistakes are reported
      if (first == nullptr) first = rung;
      same_points &= rung->Total() == first->Total();
      same_visibility &= rung->visibility == first->visibility;
      points += fmt::format("{}{} has {}", points.empty() ? "" : ", ", name, rung->Total().ToString());
      visibilities += fmt::format("{}{} is {}", visibilities.empty() ? "" : ", ", name, Name(rung->visibility));
    }
    if (!same_points) {
      problems_.Add(place, fmt::format("the rungs of {} have different points ({}), so it would depend on the student "
                                       "how many points the lab has; give them equal points",
                                       path, points));
    }
    if (!same_visibility) {
      problems_.Add(place, fmt::format("the rungs of {} have different visibilities ({}), so the sum would tell what "
                                       "students may not see yet; give them the same visibility",
                                       path, visibilities));
    }
  }

  Lab& lab_;
  Problems& problems_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> group_of_;  // by rung
};

}  // namespace

void ReadCounting(const std::vector<NamedNode>& rungs, const YamlNode* best_of, Lab* lab, Problems* problems) {
  for (const NamedNode& rung : rungs) ReadBonus(rung, lab, problems);
  CheckNotAllBonus(rungs, *lab, problems);
  if (best_of == nullptr) return;
  const std::string path = lab->name + ".best_of";
  if (best_of->kind != YamlNode::Kind::kSequence || best_of->items.empty()) {
    problems->Add(best_of->place,
                  path + " is not a list of groups; write '- {best: 2, of: [NAME, NAME, NAME]}' for each");
    return;
  }
  GroupReader reader(rungs, lab, problems);
  for (size_t i = 0; i < best_of->items.size(); ++i) reader.Read(best_of->items[i], fmt::format("{}[{}]", path, i));
}

}  // namespace warpgrade::config
