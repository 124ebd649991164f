// Tests: tests/cli/command_line_test.cc.
#include "grader/cli/case_choice.h"

#include <fmt/format.h>

#include <charconv>

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

}  // namespace warpgrade::cli
