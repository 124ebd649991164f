// Tests: tests/cli/command_line_test.cc.
#include "grader/cli/case_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/config/nearest.h"
#include "grader/submission/printable.h"
#include "labs/labs.h"

namespace warpgrade::cli {

Result<ChosenCase> ChooseCase(const config::Lab& lab, const std::string& typed) {
  const Lab* const judged = FindLab(lab.name);
  if (judged == nullptr || lab.rungs.size() != 1) {
    return Error{ErrorKind::kUsage, fmt::format("--case {}: name one rung of {}, such as v1", typed, lab.name)};
  }
  Random any;  // of the values, which no name depends on
  const std::vector<Case> cases = judged->Cases(lab.rungs[0].name, CaseSet::kPublic, any);
  size_t number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error != std::errc() || end != typed.data() + typed.size()) number = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (number != i + 1 && cases[i].name != typed) continue;
    return ChosenCase{static_cast<int>(i) + 1, fmt::format("case {} of {}: {}", i + 1, cases.size(), cases[i].name)};
  }
  if (cases.empty()) return Error{ErrorKind::kUsage, fmt::format("--case {}: {} has no cases", typed, lab.name)};
  return Error{ErrorKind::kUsage,
               fmt::format("--case {}: {} {} has the cases 1 to {}; name one by its number or by its "
                           "name, such as '{}'",
                           typed, lab.name, lab.rungs[0].name, cases.size(), cases[0].name)};
}

Status CheckNamedCases(const std::string& course_yaml, const config::Course& course) {
  using Place = std::pair<int, int>;
  std::map<Place, std::string> unknown;
  std::set<Place> known;
  std::vector<std::string> names;
  for (const config::Lab& lab : course.labs) {
    const Lab* const judged = FindLab(lab.name);
    if (judged == nullptr && !lab.from.empty()) continue;  // its mistakes are told when it is used
    for (const config::Rung& rung : lab.rungs) {
      if (rung.case_visibility.named.empty()) continue;
      Random any;
      std::set<std::string> cases;
      if (judged != nullptr) {
        for (const Case& one : judged->Cases(rung.name, CaseSet::kPublic, any)) {
          if (cases.insert(one.name).second) names.push_back(one.name);
        }
      }
      for (const auto& [name, named] : rung.case_visibility.named) {
        const Place place(named.line, named.column);
        if (cases.contains(name)) {
          known.insert(place);
        } else {
          unknown[place] = name;
        }
      }
    }
  }
  for (const auto& [place, name] : unknown) {
    if (known.contains(place)) continue;  // a lab or the course names a case of some of its rungs
    const auto near = config::NearestName(name, names);
    return Error{ErrorKind::kUsage,
                 fmt::format("{}:{}:{}: there is no public case '{}'{}", course_yaml, place.first, place.second,
                             submission::Escaped(name),
                             near ? fmt::format("; did you mean '{}'?", *near)
                                  : "; write public_cases, hidden_cases, or the name of a case as reports print it")};
  }
  return Status();
}

}  // namespace warpgrade::cli
