// Walks over the tree of a course.yaml that loads, with the Course that was read from it. The tree has the places, and
// the Course has the values with their defaults. Each function looks at one item. Advice on throughput and technique is
// in rung_advice.cc. Tests: tests/cli/validate_command_test.cc, with the mistakes in tests/cli/seeded_mistakes.yaml.
#include "grader/config/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/config/course_keys.h"
#include "grader/config/rung_advice.h"
#include "grader/times/times.h"

namespace warpgrade::config {
namespace {

constexpr size_t kMostNamed = 6;  // of a list in a remark

std::string FirstFew(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

void AdviseOnNames(const YamlNode& root, const Course& course, Problems* remarks) {
  if (!course.term.empty()) return;
  remarks->Add(PlaceAt(root, {"course"}),
               "the course has no 'term', so the numbers in its quizzes are those of the years before; add 'term: "
               "2027 spring'");
}

void AdviseOnTarget(const YamlNode& root, const Course& course, const Target& target, Problems* remarks) {
  std::vector<std::string> rungs;
  Points lost;
  for (const Lab& lab : course.labs) {
    for (const Rung& rung : lab.rungs) {
      if (rung.throughput == Points()) continue;
      if (rung.throughput_scales.contains(target.id) || rung.throughput_scales.contains(kAnyTarget)) continue;
      rungs.push_back(lab.name + ' ' + rung.name);
      lost += rung.throughput;
    }
  }
  if (rungs.empty()) return;
  remarks->Add(KeyPlaceAt(root, {"targets", target.id}),
               fmt::format("on target {0} nobody can get {1} throughput points, because rungs have no scale for it: "
                           "{2}; add a line '{0}:' or 'any:' to their 'throughput'",
                           target.id, lost.ToString(), FirstFew(rungs)));
}

void AdviseOnLimits(const YamlNode& root, const Course& course, Problems* remarks) {
  const RunLimits& run = course.run_limits;
  if (run.instruction_budget > run.total_instruction_budget) {
    remarks->Add(PlaceAt(root, {"limits", "run", "instructions"}),
                 "limits.run.instructions of one launch is above instructions_in_all of all launches, so it never "
                 "counts; lower it, or raise instructions_in_all");
  }
  if (run.cpu_s < 2 || run.wall_s < 2) {
    remarks->Add(PlaceAt(root, {"limits", "run"}),
                 "limits.run gives a program less than 2 s, which right programs may need on a busy machine; write "
                 "60s");
  }
  if (course.build_limits.cpu_s < 10 || course.build_limits.wall_s < 10) {
    remarks->Add(PlaceAt(root, {"limits", "build"}),
                 "limits.build gives the compiler less than 10 s, which a right file may need on a busy machine; "
                 "write cpu: 60s and wall: 5min");
  }
}

void AdviseOnSlurm(const YamlNode& root, const Course& course, Problems* remarks) {
  if (!course.slurm || course.slurm->gpu.empty() || course.FindTarget(course.slurm->gpu) != nullptr) return;
  remarks->Add(PlaceAt(root, {"slurm", "gpu"}),
               fmt::format("slurm.gpu '{}' matches no target, so speeds count by the lines 'any' only; add a target "
                           "with this name, or correct it",
                           course.slurm->gpu));
}

// "*" alone would allow everything.
void AdviseOnAllowance(const YamlNode* node, const std::string& path, Problems* remarks) {
  if (node == nullptr) return;
  for (const YamlEntry& entry : node->entries) {
    for (const YamlNode& item : entry.value.items) {
      if (item.text.find_first_not_of('*') != std::string::npos) continue;
      remarks->Add(item.place, fmt::format("{}.{} has '{}', which allows everything, also what breaks the grading; "
                                           "name what rungs need, such as cub/block/*",
                                           path, entry.key.text, item.text));
    }
  }
}

void AdviseOnDates(const YamlNode& root, const Lab& lab, int64_t now, Problems* remarks) {
  if (!lab.due) return;
  const Place due = PlaceAt(root, {"labs", lab.name, "due"});
  if (*lab.due < now) {
    remarks->Add(due, fmt::format("{0} was due at {1}, so whatever is handed in now is late; if this is a new term, "
                                  "write a new date",
                                  lab.name, UtcText(*lab.due)));
  }
  if (lab.published && *lab.published < *lab.due) {
    remarks->Add(
        PlaceAt(root, {"labs", lab.name, "published"}),
        fmt::format("{} is published at {}, before it is due; write a later date", lab.name, UtcText(*lab.published)));
  }
  if (lab.hand_in.late_per_day == 0 && !lab.hand_in.most_days_late) {
    remarks->Add(due,
                 fmt::format("{} has a due date, but late work loses nothing; add 'hand_in: {{late_per_day: 10%}}' "
                             "or 'most_days_late', for the course or the lab",
                             lab.name));
  }
}

void AdviseOnLab(const YamlNode& root, const Lab& lab, const AdviceFacts& facts, const std::string& measured_target,
                 Problems* remarks) {
  if (At(root, {"labs", lab.name, "points"}) == nullptr) {
    remarks->Add(
        KeyPlaceAt(root, {"labs", lab.name}),
        fmt::format("{0} has no 'points', so a slip in the points of a rung is not noticed; add 'points: {1}', "
                    "the sum now",
                    lab.name, lab.Total().ToString()));
  }
  if (lab.quiz && *lab.quiz == Points()) {
    remarks->Add(PlaceAt(root, {"labs", lab.name, "quiz", "points"}),
                 fmt::format("the quiz of {} gives no points; give it some, or remove 'quiz'", lab.name));
  }
  AdviseOnDates(root, lab, facts.now, remarks);
  AdviseOnAllowance(At(root, {"labs", lab.name, "allow"}), lab.name + ".allow", remarks);
  for (const Rung& rung : lab.rungs) {
    AdviseOnAllowance(At(root, {"labs", lab.name, "rungs", rung.name, "allow"}),
                      fmt::format("{}.{}.allow", lab.name, rung.name), remarks);
    AdviseOnRung(root, lab, rung, facts, measured_target, remarks);
  }
}

// The dates of such a lab stand in course.yaml, all else in its own file.
void AdviseOnOutsideLab(const YamlNode& root, const Lab& lab, const AdviceFacts& facts,
                        const std::string& measured_target, CheckedCourse* checked) {
  AdviseOnDates(root, lab, facts.now, &checked->remarks);
  const std::string file = lab.from + "/" + kLabFileName;
  Problems remarks(file);
  const std::optional<YamlNode> lab_root = ReadYamlFile(file, &remarks);
  if (!lab_root) return;
  const auto map_with = [](const std::string& key, YamlNode value) {
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.place = value.place;
    YamlNode name;
    name.kind = YamlNode::Kind::kScalar;
    name.text = key;
    name.place = value.place;
    map.entries.push_back({std::move(name), std::move(value)});
    return map;
  };
  Lab without_dates = lab;
  without_dates.due = without_dates.published = std::nullopt;
  AdviseOnLab(map_with("labs", map_with(lab.name, *lab_root)), without_dates, facts, measured_target, &remarks);
  checked->outside.emplace_back(file, std::move(remarks));
}

}  // namespace

CheckedCourse CheckCourse(const std::string& path, const KnownNames& known, const AdviceFacts& facts) {
  CheckedCourse checked{Problems(path), Problems(path), std::nullopt, {}, {}};
  const std::optional<YamlNode> root = ReadYamlFile(path, &checked.mistakes);
  if (!root) return checked;
  Course course = ReadCourse(*root, known, &checked.mistakes);
  for (const BrokenLab& lab : course.broken) checked.broken.push_back(lab.why);
  if (!checked.mistakes.empty()) return checked;
  AdviseOnNames(*root, course, &checked.remarks);
  for (const Target& target : course.targets) AdviseOnTarget(*root, course, target, &checked.remarks);
  AdviseOnLimits(*root, course, &checked.remarks);
  AdviseOnSlurm(*root, course, &checked.remarks);
  AdviseOnAllowance(At(*root, {"allow"}), "allow", &checked.remarks);
  const Target* measured = course.FindTarget(facts.measured_on);
  const std::string measured_target = measured == nullptr ? "" : measured->id;
  for (const Lab& lab : course.labs) {
    if (lab.from.empty()) {
      AdviseOnLab(*root, lab, facts, measured_target, &checked.remarks);
    } else {
      AdviseOnOutsideLab(*root, lab, facts, measured_target, &checked);
    }
  }
  checked.course = std::move(course);
  return checked;
}

}  // namespace warpgrade::config
