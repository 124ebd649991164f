// Reads the files as text, and lab.yaml as a tree, so that a message can name the line. Tests:
// tests/cli/author_test.cc.
#include "grader/cli/prove_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "grader/build/files.h"
#include "grader/cli/finding_text.h"
#include "grader/cli/metric_names.h"
#include "grader/config/nearest.h"
#include "grader/config/yaml_reader.h"
#include "grader/config/yaml_tree.h"
#include "grader/described/description.h"
#include "grader/desk/mutants.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kNotWritten[] = "NOT_WRITTEN_YET";

const config::Lab& RulesOf(const LabToAuthor& lab) { return *lab.course.FindLab(lab.lab); }

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_regular_file(ignored)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool HasRung(const config::Lab& rules, const std::string& name) {
  return std::any_of(rules.rungs.begin(), rules.rungs.end(),
                     [&](const config::Rung& rung) { return rung.name == name; });
}

// As messages name a file: from the folder of the lab, or of the kit.
std::string Shown(const LabToAuthor& lab, const fs::path& file) {
  const bool is_outside = lab.kit.outside.contains(lab.lab);
  const fs::path root = is_outside ? fs::path(lab.kit.LabFolder(lab.lab)) : fs::path(lab.kit.labs_dir).parent_path();
  const fs::path shown = file.lexically_relative(root);
  return shown.empty() || shown.native().starts_with("..") ? file.string() : shown.string();
}

const config::YamlNode* Value(const config::YamlNode& map, const std::string& key) {
  for (const config::YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

// A hint of lab.yaml.
struct Hint {
  std::string rung, what;  // `rung` may be "any"
  config::Place place;
};

std::vector<Hint> HintsOf(const LabToAuthor& lab) {
  std::vector<Hint> hints;
  if (!lab.kit.outside.contains(lab.lab)) return hints;
  config::Problems ignored("");
  const auto root = config::ReadYamlFile(lab.kit.LabFolder(lab.lab) + "/" + described::kLabFile, &ignored);
  const config::YamlNode* const all = root ? Value(*root, "hints") : nullptr;
  if (all == nullptr) return hints;
  for (const config::YamlEntry& rung : all->entries) {
    for (const config::YamlEntry& hint : rung.value.entries) {
      hints.push_back({rung.key.text, hint.key.text, hint.key.place});
    }
  }
  return hints;
}

bool HasLimitOn(const config::Rung& rung, const std::string& metric) {
  return std::any_of(rung.technique_limits.begin(), rung.technique_limits.end(),
                     [&](const config::TechniqueLimit& limit) { return limit.bounds.metric == metric; });
}

std::vector<std::string> FindingKinds() {
  std::vector<std::string> kinds;
  for (const std::string_view kind : AllFindingKinds()) kinds.emplace_back(kind);
  return kinds;
}

// The lines of a file that say TODO to the author.
void AddTodos(const LabToAuthor& lab, const fs::path& file, std::vector<std::string>* left) {
  const auto text = build::ReadWholeFile(file);
  if (!text) return;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t at = line.find("TODO");
    if (at == std::string::npos || line.compare(at, 5, "TODO(") == 0 || (at > 0 && line[at - 1] == '`')) continue;
    left->push_back(fmt::format("{}:{}: it still says TODO; do it, and remove the word", Shown(lab, file), number));
    return;  // one for each file is enough
  }
}

}  // namespace

std::vector<std::string> FilesOfNoRung(const LabToAuthor& lab) {
  const config::Lab& rules = RulesOf(lab);
  std::vector<std::string> strangers;
  const auto look = [&](const fs::path& folder) {
    for (const fs::path& file : FilesIn(folder)) {
      if (file.extension() != ".cu" && file.extension() != ".diff") continue;
      const std::string name = file.stem().string(), rung = name.substr(0, name.find("__"));
      if (HasRung(rules, rung)) continue;
      strangers.push_back(
          fmt::format("{}: it belongs to no rung of the lab; rename it with its rung, or remove it", Shown(lab, file)));
    }
  };
  look(lab.kit.SolutionsOf(lab.lab));
  look(lab.kit.StarterOf(lab.lab));
  look(lab.kit.LabFolder(lab.lab) + "/mutants");
  look(lab.kit.LabFolder(lab.lab) + "/alternatives");
  return strangers;
}

std::vector<std::string> StartersThatSayNothing(const LabToAuthor& lab) {
  std::vector<std::string> silent;
  bool any_says = false, any_runs = false;
  for (const config::Rung& rung : RulesOf(lab).rungs) {
    const fs::path file = fs::path(lab.kit.StarterOf(lab.lab)) / (rung.name + ".cu");
    const auto text = build::ReadWholeFile(file);
    if (!text) continue;  // its own promise says so
    if (text->find(kNotWritten) != std::string::npos) {
      any_says = true;
      continue;
    }
    any_runs |= text->find("<<<") != std::string::npos;
    silent.push_back(
        fmt::format("{}: it does not say {}(), so a student who has only begun is told that the rung is "
                    "wrong; write '//| {}();' after ELSE STARTER in the solution",
                    Shown(lab, file), kNotWritten, kNotWritten));
  }
  // A lab of programs to mend has starter files that run, and none of them says it.
  return !any_says && any_runs ? std::vector<std::string>() : silent;
}

std::vector<std::string> UnknownNames(const LabToAuthor& lab) {
  std::vector<std::string> unknown;
  const std::string folder = lab.kit.LabFolder(lab.lab);
  std::vector<std::string> known = MetricNames();
  known.emplace_back("correctness");
  for (const Hint& hint : HintsOf(lab)) {
    if (std::find(known.begin(), known.end(), hint.what) != known.end()) continue;
    unknown.push_back(
        fmt::format("{}:{}: no hint is asked for '{}'{}", described::kLabFile, hint.place.line, hint.what,
                    config::Suggest(hint.what, known,
                                    "write correctness, or the name of a metric; `warpgrade course --metrics` "
                                    "lists them")));
  }
  const auto mutants = desk::ReadMutants(folder + "/mutants");
  const std::vector<std::string> kinds = FindingKinds(), metrics = MetricNames();
  for (const desk::Mutant& mutant : mutants ? *mutants : std::vector<desk::Mutant>()) {
    const auto check = [&](const std::string& name, const std::vector<std::string>& names, const char* what) {
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
      unknown.push_back(fmt::format("mutants/mutants.yaml:{}: {} '{}' is not known{}", mutant.place.line, what, name,
                                    config::Suggest(name, names, "correct it")));
    };
    check(mutant.finding, kinds, "the finding");
    for (const std::string& metric : mutant.metrics) check(metric, metrics, "the metric");
  }
  return unknown;
}

std::vector<std::string> HintsThatNobodySees(const LabToAuthor& lab) {
  std::vector<std::string> unseen;
  const config::Lab& rules = RulesOf(lab);
  const std::vector<std::string> metrics = MetricNames();
  for (const Hint& hint : HintsOf(lab)) {
    if (std::find(metrics.begin(), metrics.end(), hint.what) == metrics.end()) continue;
    const bool is_seen = std::any_of(rules.rungs.begin(), rules.rungs.end(), [&](const config::Rung& rung) {
      return (hint.rung == "any" || hint.rung == rung.name) && HasLimitOn(rung, hint.what);
    });
    if (is_seen) continue;
    unseen.push_back(
        fmt::format("{}:{}: no limit of {} is on {}, so nobody sees this hint; remove it, or add the limit",
                    described::kLabFile, hint.place.line, hint.rung == "any" ? "the lab" : hint.rung, hint.what));
  }
  return unseen;
}

std::vector<std::string> LeftToDo(const LabToAuthor& lab) {
  const fs::path folder = lab.kit.LabFolder(lab.lab);
  std::vector<std::string> left;
  for (const char* name : {"README.md", "lab.yaml", "hidden.yaml", "quiz.yaml", "reference.cc"}) {
    AddTodos(lab, folder / name, &left);
  }
  for (const fs::path& of : {fs::path(lab.kit.SolutionsOf(lab.lab)), folder / "mutants"}) {
    for (const fs::path& file : FilesIn(of)) {
      if (file.filename() != "answers.yaml") AddTodos(lab, file, &left);  // it repeats the quiz
    }
  }
  return left;
}

Status HasSources(const LabToAuthor& lab) {
  std::error_code ignored;
  if (lab.kit.outside.contains(lab.lab) || fs::is_directory(lab.kit.solutions_dir, ignored)) return Status();
  return Error{ErrorKind::kUsage,
               fmt::format("this kit is installed, and has no solutions of its own labs, so {} cannot be proved here; "
                           "prove it in the source tree of warpgrade, or name the folder of a lab of your own",
                           lab.lab)};
}

}  // namespace warpgrade::cli
