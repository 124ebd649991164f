#include "grader/cli/assignment_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/cli/selection.h"

namespace warpgrade::cli {

void AddAssignmentOption(CLI::App& command, std::vector<std::string>* typed) {
  command
      .add_option("--canvas-assignment", *typed,
                  "For --canvas: the number of the lab's assignment in Canvas; repeat the option for several labs")
      ->type_name("LAB=NUMBER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<std::map<std::string, score::AssignmentFacts>> AssignmentsOf(const std::vector<std::string>& typed,
                                                                    const std::vector<std::string>& labs,
                                                                    const std::string& where) {
  std::map<std::string, score::AssignmentFacts> assignments;
  for (const std::string& text : typed) {
    const size_t equals = std::min(text.find('='), text.size());
    const std::string lab = text.substr(0, equals), number = text.substr(std::min(equals + 1, text.size()));
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (lab.empty() || !is_number) {
      return Error{ErrorKind::kUsage,
                   fmt::format("--canvas-assignment {}: write LAB=NUMBER, such as lab2=4711; the number stands in "
                               "the address of the assignment's page",
                               text)};
    }
    if (std::find(labs.begin(), labs.end(), lab) == labs.end()) return Unknown("lab", lab, labs, where);
    assignments[lab].canvas_id = number;
  }
  return assignments;
}

}  // namespace warpgrade::cli
