// Each kind of submission is a function that fills in the files of a lab and what they should get. Solutions, starter,
// mutants and attacks are the kit's own, so this class changes with the course. Tests: tests/class/class_test.cc.
#include "tests/class/class_maker.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "grader/config/course.h"
#include "grader/emulator/counters/counters.h"
#include "grader/submission/printable.h"
#include "tests/attacks/attack_table.h"
#include "tests/class/own_words.h"
#include "tests/class/packing.h"
#include "tests/cli/program.h"
#include "tests/course/graded.h"
#include "tests/course/mutant_rows.h"

namespace warpgrade::classes {
namespace {

constexpr int64_t kDue = 1'794'960'000;  // 2026-11-18 00:00 UTC
constexpr int64_t kDay = 86'400;
constexpr const char* kLabOfOwnWords = "lab2";  // own_words.cc writes programs for it only

// What a status is when the program is not right, whatever the reason.
constexpr const char* kNotRight = "failed|crashed|timeout|limit|refused";

config::Lab ReadLab(const std::string& name) {
  std::vector<std::string> metrics;
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) metrics.push_back(metric.name);
  const auto course = config::LoadCourse(SourcePath("course.yaml"), metrics);
  if (!course) throw std::runtime_error(course.error().message);
  const config::Lab* lab = course->FindLab(name);
  if (lab == nullptr) throw std::runtime_error("course.yaml has no " + name);
  return *lab;
}

class Maker {
 public:
  Maker(const ClassOptions& options, std::string folder)
      : options_(options), folder_(std::move(folder)), random_(options.seed), lab_(ReadLab(options.lab)) {}

  MadeClass Run() {
    const auto kinds = Kinds();
    std::vector<Packing> found, unfound;
    for (const Packing packing : AllPackings()) (IsFound(packing) ? found : unfound).push_back(packing);
    while (made_.members.size() < options_.size) {
      const size_t i = made_.members.size();
      files_.clear();
      Member member;
      // First one of each kind, then whatever comes.
      const auto& [kind, make] = kinds[i < kinds.size() ? i : Draw(kinds.size(), &random_)];
      member.kind = kind;
      for (const config::Rung& rung : lab_.rungs) Starter(rung, &member);
      (this->*make)(&member);
      Finish(kind == "packed wrongly" ? unfound[Draw(unfound.size(), &random_)] : found[i % found.size()], &member);
    }
    return std::move(made_);
  }

 private:
  using Make = void (Maker::*)(Member*);

  // Those that this lab can have.
  std::vector<std::pair<std::string, Make>> Kinds() const {
    std::vector<std::pair<std::string, Make>> kinds = AllKinds();
    std::erase_if(kinds, [this](const auto& kind) {
      const std::string& name = kind.first;
      if (name == "own words" || name == "duplicate") return options_.lab != kLabOfOwnWords;
      if (name == "slow") return Mutants("technique").empty();
      if (name == "wrong") return Mutants("correctness").empty();
      if (name == "hostile") return Attacks().empty();
      return false;
    });
    return kinds;
  }

  static std::vector<std::pair<std::string, Make>> AllKinds() {
    return {{"own words", &Maker::InOwnWords},
            {"honest", &Maker::Honest},
            {"duplicate", &Maker::Duplicate},
            {"slow", &Maker::Slow},
            {"wrong", &Maker::Wrong},
            {"hostile", &Maker::Hostile},
            {"honest to a rung", &Maker::HonestToARung},
            {"not compiling", &Maker::NotCompiling},
            {"late", &Maker::Late},
            {"untouched", &Maker::Untouched},
            {"nothing", &Maker::Nothing},
            {"odd name", &Maker::OddName},
            {"packed wrongly", &Maker::Honest}};
  }

  std::string File(const config::Rung& rung) const { return options_.lab + "/" + rung.name + ".cu"; }

  static std::string Kit(const std::string& path) {
    const std::string text = ReadText(SourcePath(path));
    if (text.empty()) throw std::runtime_error(path + ": cannot be read");
    return text;
  }

  // A solution as a student would hand it in: without the markers and the lines of the starter.
  static std::string WithoutMarkers(const std::string& solution) {
    std::string text;
    bool in_starter = false;
    for (size_t at = 0; at < solution.size();) {
      const size_t end = std::min(solution.find('\n', at), solution.size());
      const std::string line = solution.substr(at, end - at);
      at = end + 1;
      if (line.ends_with("// ELSE STARTER")) in_starter = true;
      const bool is_marker = line.ends_with("// BEGIN SOLUTION") || line.ends_with("// END SOLUTION");
      if (!in_starter && !is_marker) text += line + "\n";
      if (line.ends_with("// END SOLUTION")) in_starter = false;
    }
    return text;
  }

  void Starter(const config::Rung& rung, Member* member) {
    files_[File(rung)] = Kit("starter/" + File(rung));
    member->rungs[rung.name] = {"not_written", 0, 0};
  }

  void Solve(const config::Rung& rung, Member* member) {
    files_[File(rung)] = WithoutMarkers(Kit("solutions/" + File(rung)));
    const double points = (rung.correctness + rung.technique).ToDouble();
    member->rungs[rung.name] = {"passed", points, points};
  }

  void SolveUpTo(size_t count, Member* member) {
    for (size_t i = 0; i < count; ++i) Solve(lab_.rungs[i], member);
  }

  const config::Rung& RungNamed(const std::string& name) const {
    for (const config::Rung& rung : lab_.rungs) {
      if (rung.name == name) return rung;
    }
    throw std::runtime_error(options_.lab + " has no rung " + name);
  }

  void Honest(Member* member) { SolveUpTo(lab_.rungs.size(), member); }
  void HonestToARung(Member* member) { SolveUpTo(1 + Draw(lab_.rungs.size() - 1, &random_), member); }
  void Untouched(Member* /*member*/) {}
  void Nothing(Member* member) {
    files_ = {{"notes.txt", "I was ill.\n"}};
    for (auto& [rung, expected] : member->rungs) expected = {"missing", 0, 0};
  }
  void Late(Member* member) {
    SolveUpTo(1, member);
    member->late = true;
  }
  void OddName(Member* member) { SolveUpTo(1, member); }

  void InOwnWords(Member* member) {
    // In an order of their own, so that no two of a class of any size up to their number are alike.
    if (unused_words_.empty()) {
      for (size_t i = 0; i < CountOfOwnWords(); ++i) unused_words_.push_back(i);
    }
    const size_t at = Draw(unused_words_.size(), &random_);
    const config::Rung& rung = lab_.rungs[0];
    files_[File(rung)] = OwnWords(unused_words_[at], &random_);
    unused_words_.erase(unused_words_.begin() + static_cast<ptrdiff_t>(at));
    // Whether it meets the limit depends on how the elements are numbered.
    member->rungs[rung.name] = {"passed", rung.correctness.ToDouble(), (rung.correctness + rung.technique).ToDouble()};
  }

  void Duplicate(Member* member) {
    std::vector<size_t> originals;
    for (size_t i = 0; i < made_.members.size(); ++i) {
      if (made_.members[i].kind == "own words") originals.push_back(i);
    }
    const size_t original = originals[Draw(originals.size(), &random_)];
    const config::Rung& rung = lab_.rungs[0];
    files_[File(rung)] = Disguised(handed_in_[original].at(File(rung)), &random_);
    member->rungs[rung.name] = made_.members[original].rungs.at(rung.name);
    member->copied_from = made_.members[original].id;
    member->what = "names, comments and the order of declarations are changed";
  }

  // Those that lose the points of this kind.
  std::vector<Mutant> Mutants(const std::string& lost) const {
    std::vector<Mutant> mutants = ReadMutants(options_.lab);
    std::erase_if(mutants, [&lost](const Mutant& mutant) { return mutant.lost != lost; });
    return mutants;
  }

  // One of them, to be handed in beside right rungs.
  Mutant AMutant(const std::string& lost) {
    const std::vector<Mutant> mutants = Mutants(lost);
    return mutants[Draw(mutants.size(), &random_)];
  }

  void Slow(Member* member) {
    const Mutant mutant = AMutant("technique");
    const config::Rung& rung = RungNamed(mutant.rung());
    files_[File(rung)] = MutantText(options_.lab, mutant.name);
    double points = rung.correctness.ToDouble();
    for (const config::TechniqueLimit& limit : rung.technique_limits) {
      if (mutant.metrics.count(limit.bounds.metric) == 0) points += limit.points.ToDouble();
    }
    // Those limits are missed for sure; others may be.
    member->rungs[rung.name] = {"passed", rung.correctness.ToDouble(), points};
    member->what = mutant.name;
  }

  void Wrong(Member* member) {
    SolveUpTo(1, member);
    const Mutant mutant = AMutant("correctness");
    files_[options_.lab + "/" + mutant.rung() + ".cu"] = MutantText(options_.lab, mutant.name);
    member->rungs[mutant.rung()] = {kNotRight, 0, 0};
    member->what = mutant.name;
  }

  void NotCompiling(Member* member) {
    SolveUpTo(2, member);
    const config::Rung& rung = lab_.rungs[Draw(2, &random_)];
    std::string& text = files_[File(rung)];
    const size_t semicolon = text.rfind(';', text.rfind("<<<"));
    text.erase(semicolon, 1);
    text += "this is no C++\n";
    member->rungs[rung.name] = {"compile_error", 0, 0};
    member->what = rung.name;
  }

  // The attacks on this lab that end by themselves. Those of rows 20 to 23 take the machine's time or memory.
  std::vector<attacks::HostileSubmission> Attacks() const {
    std::vector<attacks::HostileSubmission> all;
    for (const attacks::Attack& attack : attacks::ReadAttacks(SourcePath("tests/attacks/attacks.yaml"))) {
      if (attack.row >= 20 && attack.row <= 23) continue;
      for (const attacks::HostileSubmission& submission : attack.submissions) {
        if (submission.lab != options_.lab || submission.needs_gpu || !submission.file.ends_with(".cu")) continue;
        if (Kit("tests/attacks/" + submission.file).find("@") == std::string::npos) all.push_back(submission);
      }
    }
    return all;
  }

  void Hostile(Member* member) {
    const std::vector<attacks::HostileSubmission> all = Attacks();
    const attacks::HostileSubmission& chosen = all[Draw(all.size(), &random_)];
    const config::Rung& rung = RungNamed(chosen.rung);
    files_[File(rung)] = Kit("tests/attacks/" + chosen.file);
    const double honest = (rung.correctness + rung.technique).ToDouble();
    member->rungs[rung.name] = {chosen.status, 0, chosen.as_honest ? honest : chosen.without_it};
    member->what = chosen.file;
  }

  std::string DrawName(const Member& member) {
    static const std::vector<std::string> kOdd = {"=cmd|' .C calc'!A0",
                                                  "Zo\u00eb \U0001F600",
                                                  "O'Brien, Pat",
                                                  "-rf",
                                                  "a;b",
                                                  "\u202Eevil",
                                                  std::string(180, 'x'),
                                                  "{0} [x](y)",
                                                  "not \xff UTF-8",
                                                  "    Points Possible",
                                                  "Doe, Jane_1234_late_9",
                                                  "@SUM(1)"};
    const std::string number = std::to_string(1000 + made_.members.size());
    if (member.kind != "odd name") return "s" + number;
    const size_t which = Draw(kOdd.size(), &random_);
    return used_odd_.insert(which).second ? kOdd[which] : kOdd[which] + number;
  }

  void Sign(const std::string& name, const Member& member) {
    for (const auto& [rung, expected] : member.rungs) {
      const auto file = files_.find(options_.lab + "/" + rung + ".cu");
      if (file != files_.end() && expected.status != "not_written") {
        file->second += kSignature + submission::IdFrom(name) + "\n";
      }
    }
  }

  void Finish(Packing packing, Member* member) {
    const std::string name = DrawName(*member);
    if (options_.signed_by_name) Sign(name, *member);
    const int64_t shift = static_cast<int64_t>(Draw(3 * kDay, &random_)) / 2 * 2;  // even, as in a zip
    member->handed_in = member->late ? kDue + 60 + shift : kDue - 60 - shift;
    member->packing = Name(packing);
    member->file = HandIn(folder_, name, files_, packing, member->handed_in);
    member->id = submission::IdFrom(name);
    if (!IsFound(packing)) {
      for (auto& [rung, expected] : member->rungs) expected = {"missing", 0, 0};
    }
    made_.due = kDue;
    made_.members.push_back(*member);
    handed_in_.push_back(files_);
  }

  const ClassOptions& options_;
  const std::string folder_;
  Random random_;
  const config::Lab lab_;
  MadeClass made_;
  std::vector<Files> handed_in_;  // of each member
  Files files_;                   // of the member that is being made
  std::vector<size_t> unused_words_;
  std::set<size_t> used_odd_;
};

}  // namespace

MadeClass MakeClass(const ClassOptions& options, const std::string& folder) {
  std::filesystem::create_directories(folder);
  return Maker(options, folder).Run();
}

nlohmann::json ManifestOf(const ClassOptions& options, const MadeClass& made) {
  nlohmann::json submissions = nlohmann::json::array();
  for (const Member& member : made.members) {
    nlohmann::json rungs;
    for (const auto& [rung, expected] : member.rungs) {
      rungs[rung] = {{"status", expected.status}, {"least", expected.least}, {"most", expected.most}};
    }
    submissions.push_back({{"id", member.id},
                           {"file", submission::Escaped(member.file)},
                           {"kind", member.kind},
                           {"packing", member.packing},
                           {"what", member.what},
                           {"copied_from", member.copied_from},
                           {"handed_in", member.handed_in},
                           {"late", member.late},
                           {"rungs", rungs}});
  }
  return {{"lab", options.lab}, {"seed", options.seed}, {"due", made.due}, {"submissions", submissions}};
}

}  // namespace warpgrade::classes
