// Lists the programs, with the texts of mutants (grader/desk). Tests: tests/cli/calibrate_command_test.cc.
#include "grader/cli/calibrate_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "grader/desk/mutants.h"
#include "grader/score/throughput.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using calibrate::Kind;
using calibrate::Program;

std::optional<std::string> SourceAt(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The case with which a rung is timed; nullopt: it is not timed.
std::optional<Case> TimedCase(const std::string& lab, const std::string& rung) {
  const Lab* judged = FindLab(lab);
  if (judged == nullptr) return std::nullopt;
  Random any;
  std::vector<Case> cases = judged->Cases(rung, CaseSet::kThroughput, any);
  return cases.empty() ? std::nullopt : std::optional(std::move(cases.front()));
}

bool IsSameWork(const Case& a, const Case& b) {
  return a.variant == b.variant && a.sizes == b.sizes && a.pattern == b.pattern && a.elements == b.elements &&
         a.bytes_moved == b.bytes_moved && a.flops == b.flops;
}

// `kit`'s folder of the lab has its mutants; their bases start at the root of the kit, or at the lab's own folder.
Result<std::string> MutantText(const config::Kit& kit, const std::string& lab, const std::string& name) {
  const bool is_outside = kit.outside.contains(lab);
  const std::string root = is_outside ? kit.LabFolder(lab) : fs::path(kit.solutions_dir).parent_path().string();
  return desk::MutantText(kit.LabFolder(lab) + "/mutants", name, root);
}

// Whether the mutant is the solution of an earlier rung: "v3_sequential__is_v2", "v5_open__v4_handed_in".
bool IsEarlierRung(const std::string& mutant) {
  static const std::regex kEarlier("__(is_v[0-9]+|v[0-9]+_handed_in)$");
  return std::regex_search(mutant, kEarlier);
}

// The part after RUNG__.
std::string NameAfterRung(const std::string& stem, const std::string& rung) { return stem.substr(rung.size() + 2); }

bool IsOf(const std::string& stem, const std::string& rung) { return stem.starts_with(rung + "__"); }

// The earlier rungs of `lab` with the same function to write as `rung`, the nearest first.
std::vector<std::string> EarlierRungs(const config::Lab& lab, const std::string& rung) {
  std::vector<std::string> earlier;
  const std::optional<Case> own = TimedCase(lab.name, rung);
  for (const config::Rung& other : lab.rungs) {
    if (other.name == rung || !own) break;
    const std::optional<Case> theirs = TimedCase(lab.name, other.name);
    if (theirs && theirs->variant == own->variant && score::IsTimed(lab, other)) {
      earlier.insert(earlier.begin(), other.name);
    }
  }
  return earlier;
}

class Lister {
 public:
  Lister(const config::Kit& kit, const calibrate::Ladder& ladder, bool thorough)
      : kit_(kit), ladder_(ladder), thorough_(thorough) {}

  Status Add(const config::Lab& lab, const config::Lab& all_rungs) {
    Result<std::vector<desk::Mutant>> mutants = MutantsOf(lab.name);
    if (!mutants) return mutants.error();
    for (const config::Rung& rung : lab.rungs) {
      if (!score::IsTimed(lab, rung) || !TimedCase(lab.name, rung.name)) continue;
      if (!AddSolution(lab.name, rung.name, {lab.name, rung.name, Kind::kSolution, "solution"})) {
        list_.remarks.push_back(fmt::format("{} {} is left out: the kit has no solution of it", lab.name, rung.name));
        continue;
      }
      if (score::IsComparedWithSolution(rung) && !thorough_) continue;
      for (const std::string& name : EarlierRungs(all_rungs, rung.name)) {
        const Program program{lab.name, rung.name, Kind::kEarlier, name};
        if (!ladder_.same_as.contains(program)) AddSolution(lab.name, name, program);
      }
      AddMutants(lab.name, rung.name, *mutants);
      AddAlternatives(lab.name, rung.name);
    }
    return Status();
  }

  ProgramsToTime Take() { return std::move(list_); }

 private:
  bool AddSolution(const std::string& lab, const std::string& of, const Program& program) {
    std::optional<std::string> source = SourceAt(fs::path(kit_.SolutionsOf(lab)) / (of + ".cu"));
    if (!source) return false;
    list_.programs.push_back({program, std::move(*source)});
    return true;
  }

  Result<std::vector<desk::Mutant>> MutantsOf(const std::string& lab) {
    const std::string folder = kit_.LabFolder(lab) + "/mutants";
    std::error_code ignored;
    if (!fs::exists(folder, ignored) && list_.remarks.empty()) {
      list_.remarks.emplace_back("an installed kit has no mutants, so none was timed");
    }
    return desk::ReadMutants(folder);
  }

  void AddMutants(const std::string& lab, const std::string& rung, const std::vector<desk::Mutant>& mutants) {
    for (const desk::Mutant& mutant : mutants) {
      if (mutant.lost != "technique" || !IsOf(mutant.name, rung) || IsEarlierRung(mutant.name)) continue;
      Result<std::string> text = MutantText(kit_, lab, mutant.name);
      if (!text) {
        list_.remarks.push_back("a mutant is left out: " + text.error().message);
        continue;
      }
      list_.programs.push_back({{lab, rung, Kind::kMutant, NameAfterRung(mutant.name, rung)}, std::move(*text)});
    }
  }

  void AddAlternatives(const std::string& lab, const std::string& rung) {
    std::error_code ignored;
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(fs::path(kit_.LabFolder(lab)) / "alternatives", ignored)) {
      if (file.path().extension() == ".cu" && IsOf(file.path().stem(), rung)) files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      std::optional<std::string> source = SourceAt(file);
      if (!source) continue;
      list_.programs.push_back({{lab, rung, Kind::kAlternative, NameAfterRung(file.stem(), rung)}, std::move(*source)});
    }
  }

  const config::Kit& kit_;
  const calibrate::Ladder& ladder_;
  const bool thorough_;
  ProgramsToTime list_;
};

}  // namespace

calibrate::Ladder LadderOf(const config::Course& course) {
  calibrate::Ladder ladder;
  for (const config::Lab& lab : course.labs) {
    for (const config::Rung& rung : lab.rungs) {
      const std::vector<std::string> earlier = EarlierRungs(lab, rung.name);
      if (earlier.empty() || !score::IsTimed(lab, rung)) continue;
      ladder.before[{lab.name, rung.name}] = earlier.front();
      for (const std::string& name : earlier) {
        if (name == earlier.front() || !IsSameWork(*TimedCase(lab.name, rung.name), *TimedCase(lab.name, name)))
          continue;
        ladder.same_as[{lab.name, rung.name, Kind::kEarlier, name}] = {lab.name, name, Kind::kSolution, "solution"};
      }
    }
  }
  return ladder;
}

Result<ProgramsToTime> ProgramsOf(const config::Kit& kit, const config::Course& course,
                                  const std::vector<config::Lab>& labs, bool thorough) {
  const calibrate::Ladder ladder = LadderOf(course);
  Lister lister(kit, ladder, thorough);
  for (const config::Lab& lab : labs) {
    if (Status s = lister.Add(lab, *course.FindLab(lab.name)); !s.ok()) return s.error();
  }
  return lister.Take();
}

}  // namespace warpgrade::cli
