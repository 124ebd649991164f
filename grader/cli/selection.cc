// Tests: tests/cli/selection_test.cc.
#include "grader/cli/selection.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/config/nearest.h"

namespace warpgrade::cli {
namespace {

bool MeantByAny(const std::string& rung, const std::vector<std::string>& typed) {
  return std::any_of(typed.begin(), typed.end(), [&](const std::string& name) { return Means(name, rung); });
}

}  // namespace

bool Means(const std::string& typed, const std::string& rung) {
  return typed == rung || (rung.starts_with(typed) && rung.size() > typed.size() && rung[typed.size()] == '_');
}

Error Unknown(const char* what, const std::string& typed, const std::vector<std::string>& known,
              const std::string& where) {
  const std::vector<std::string> nearest = config::NearestNames(typed, known);
  return {ErrorKind::kUsage,
          fmt::format("there is no {} '{}' in {}; {}", what, typed, where,
                      nearest.empty() ? "it has " + config::ListNames(known)
                                      : fmt::format("did you mean '{}'?", fmt::join(nearest, "' or '")))};
}

Result<std::vector<config::Lab>> SelectRungs(const config::Course& course, const std::vector<std::string>& labs,
                                             const std::vector<std::string>& rungs) {
  std::vector<std::string> lab_names;
  for (const config::Lab& lab : course.labs) lab_names.push_back(lab.name);
  for (const std::string& name : labs) {
    for (const config::BrokenLab& lab : course.broken) {
      if (lab.name == name) return Error{ErrorKind::kUsage, lab.why};
    }
    if (course.FindLab(name) == nullptr) return Unknown("lab", name, lab_names, "course.yaml");
  }
  std::vector<config::Lab> chosen;
  std::vector<std::string> rung_names;
  for (const config::Lab& lab : course.labs) {
    if (!labs.empty() && std::find(labs.begin(), labs.end(), lab.name) == labs.end()) continue;
    for (const config::Rung& rung : lab.rungs) rung_names.push_back(rung.name);
    config::Lab part = lab;
    if (lab.quiz) rung_names.emplace_back(config::kQuizName);
    if (!rungs.empty()) {
      std::erase_if(part.rungs, [&](const config::Rung& r) { return !MeantByAny(r.name, rungs); });
      if (!MeantByAny(config::kQuizName, rungs)) part.quiz.reset();
    }
    if (!part.rungs.empty() || part.quiz) chosen.push_back(std::move(part));
  }
  for (const std::string& typed : rungs) {
    const bool known =
        std::any_of(rung_names.begin(), rung_names.end(), [&](const std::string& name) { return Means(typed, name); });
    if (!known) return Unknown("rung", typed, rung_names, labs.empty() ? "course.yaml" : config::ListNames(labs));
  }
  return chosen;
}

}  // namespace warpgrade::cli
