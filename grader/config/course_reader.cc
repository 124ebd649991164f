// course.yaml from the top: course, targets, limits, labs. Rungs are read in rung_reader.cc.
//
// Every reader reports to one Problems and goes on with what it has, so that one pass finds all mistakes; a check that
// needs several values (a sum) is skipped when one of them is already reported.
// Tests: tests/config/course_test.cc.
#include "grader/config/course_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "grader/config/allowance_reader.h"
#include "grader/config/counting_reader.h"
#include "grader/config/course.h"
#include "grader/config/course_keys.h"
#include "grader/config/hand_in_reader.h"
#include "grader/config/nearest.h"
#include "grader/config/rung_reader.h"
#include "grader/config/slurm_reader.h"
#include "grader/config/visibility_reader.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {
namespace {

void ReadCourseNames(const YamlNode& node, Course* course, Problems* problems) {
  const MapReader map(node, "course", kCourseKeys, problems);
  if (const YamlNode* name = map.Require("name", "add 'name: TEXT'")) {
    course->name = ReadText(*name, "course.name", problems).value_or("");
  }
  if (const YamlNode* term = map.Find("term")) course->term = ReadText(*term, "course.term", problems).value_or("");
}

std::optional<double> ReadPeak(const MapReader& map, const char* key, const char* unit, Problems* problems) {
  const YamlNode* const node = map.Find(key);
  if (!node) return std::nullopt;
  const std::optional<double> peak = ReadNumber(*node, map.PathOf(key), problems);
  if (peak && *peak <= 0) {
    problems->Add(node->place, fmt::format("{} is not above 0; write a positive number of {}, or leave it out",
                                           map.PathOf(key), unit));
  }
  return peak;
}

void ReadTargets(const YamlNode& node, Course* course, Problems* problems) {
  std::map<std::string, std::string> id_of_match;
  for (const NamedNode& named : ReadNames(node, "targets", "target", problems)) {
    const MapReader map(*named.value, "targets." + named.name, kTargetKeys, problems);
    Target target;
    target.id = named.name;
    if (named.name == kAnyTarget) {
      problems->Add(named.name_place,
                    "'any' stands for every GPU, so a target cannot have this name; choose another name");
    }
    if (const YamlNode* match = map.Require("match", "add 'match: NVIDIA H200', the name that nvidia-smi prints")) {
      target.match = ReadText(*match, map.PathOf("match"), problems).value_or("");
      const auto [first, is_new] = id_of_match.emplace(target.match, named.name);
      if (!is_new && !target.match.empty()) {
        problems->Add(match->place, fmt::format("targets {} and {} both match '{}'; remove one of them", first->second,
                                                named.name, target.match));
      }
    }
    target.peak_bandwidth_gb_s = ReadPeak(map, "peak_bandwidth", "GB/s", problems);
    target.peak_gflop_s = ReadPeak(map, "peak_arithmetic", "GFLOP/s", problems);
    target.peak_tensor_gflop_s = ReadPeak(map, "peak_tensor", "GFLOP/s", problems);
    course->targets.push_back(std::move(target));
  }
}

class LimitReader {
 public:
  LimitReader(const YamlNode& node, const std::string& path, const std::vector<std::string>& keys, Problems* problems)
      : map_(node, path, keys, problems), problems_(problems) {}

  void Seconds(const char* key, int* seconds) const {
    const YamlNode* node = map_.Find(key);
    if (!node) return;
    *seconds = ReadSeconds(*node, map_.PathOf(key), problems_).value_or(*seconds);
  }
  // `unit_bytes` is 2^20 for a field in MB.
  void Size(const char* key, int64_t unit_bytes, const char* unit, int64_t* size) const {
    const YamlNode* node = map_.Find(key);
    if (!node) return;
    const std::optional<int64_t> bytes = ReadBytes(*node, map_.PathOf(key), problems_);
    if (!bytes) return;
    if (*bytes % unit_bytes != 0) {
      problems_->Add(node->place, fmt::format("{}: '{}' is not a whole number of {}; round it up", map_.PathOf(key),
                                              node->text, unit));
      return;
    }
    *size = *bytes / unit_bytes;
  }
  void Count(const char* key, uint64_t* count) const {
    const YamlNode* node = map_.Find(key);
    if (!node) return;
    *count = ReadCount(*node, map_.PathOf(key), problems_).value_or(*count);
  }
  template <typename Limits>
  void Common(Limits* limits) const {
    Seconds("wall", &limits->wall_s);
    Seconds("cpu", &limits->cpu_s);
    Size("memory", 1 << 20, "MB", &limits->memory_mb);
    Size("output", 1 << 10, "KB", &limits->output_kb);
    Size("file", 1 << 20, "MB", &limits->file_mb);
  }

 private:
  MapReader map_;
  Problems* problems_;
};

void ReadLimits(const YamlNode& node, Course* course, Problems* problems) {
  const MapReader map(node, "limits", kLimitsKeys, problems);
  if (const YamlNode* build = map.Find("build")) {
    LimitReader(*build, "limits.build", kBuildLimitKeys, problems).Common(&course->build_limits);
  }
  if (const YamlNode* run = map.Find("run")) {
    const LimitReader reader(*run, "limits.run", kRunLimitKeys, problems);
    reader.Common(&course->run_limits);
    reader.Size("host_visible", 1 << 10, "KB", &course->run_limits.host_visible_kb);
    reader.Count("instructions", &course->run_limits.instruction_budget);
    reader.Count("instructions_in_all", &course->run_limits.total_instruction_budget);
  }
}

void CheckLabSum(const Lab& lab, const YamlNode& points_node, Problems* problems) {
  const std::optional<Points> points = ReadPoints(points_node, lab.name + ".points", problems);
  if (!points || *points == lab.Total()) return;
  std::string what = lab.quiz ? "rungs and the quiz of " : "rungs of ";
  what += lab.name;
  if (!lab.counting.bonus.empty()) what += ", without bonus";
  if (!lab.counting.best_of.empty()) what += ", with as many rungs of each group as count";
  problems->Add(points_node.place,
                fmt::format("the points of the {}{} sum to {}, but 'points' of {} is {}; change one of them", what,
                            lab.counting.CountsAll() ? "" : ",", lab.Total().ToString(), lab.name, points->ToString()));
}

// Reads the quiz's points and visibility. False after reporting a mistake.
bool ReadQuiz(const YamlNode& node, Lab* lab, Problems* problems) {
  const size_t before = problems->count();
  const MapReader map(node, lab->name + ".quiz", kQuizKeys, problems);
  if (const YamlNode* points =
          map.Require("points", "add 'points: 10', the points for a quiz with all answers right")) {
    lab->quiz = ReadPoints(*points, map.PathOf("points"), problems);
  }
  VisibilityRule rule = {lab->visibility, {}};
  ReadVisibility(map, &rule, problems);
  lab->quiz_visibility = rule.rung;
  return problems->count() == before;
}

// The rungs of `node` that the lab has; all of the lab's when there is no node.
std::vector<std::string> ReadContestants(const YamlNode* node, const std::string& path, const Lab& lab,
                                         Problems* problems) {
  std::vector<std::string> all, chosen;
  for (const Rung& rung : lab.rungs) all.push_back(rung.name);
  if (!node) return all;
  if (node->kind != YamlNode::Kind::kSequence || node->items.empty()) {
    problems->Add(node->place, path + " is not a list of rungs; write [NAME, ...], or leave it out to name all rungs");
    return {};
  }
  for (const YamlNode& item : node->items) {
    const std::optional<std::string> name = ReadText(item, path, problems);
    if (!name) continue;
    if (std::find(all.begin(), all.end(), *name) == all.end()) {
      problems->Add(item.place, fmt::format("{} has no rung '{}'{}", lab.name, *name,
                                            Suggest(*name, all, "its rungs are " + ListNames(all))));
    } else if (std::find(chosen.begin(), chosen.end(), *name) != chosen.end()) {
      problems->Add(item.place, fmt::format("{} names {} twice; remove one of them", path, *name));
    } else {
      chosen.push_back(*name);
    }
  }
  return chosen;
}

// REQUIRES: the lab's rungs have been read.
void ReadLeaderboard(const YamlNode& node, Lab* lab, Problems* problems) {
  const MapReader map(node, lab->name + ".leaderboard", kLeaderboardKeys, problems);
  if (!map.is_map()) return;
  LeaderboardRule rule;
  if (const YamlNode* wrong =
          map.Require("wrong_answer", "add 'wrong_answer: 20s', the time that each wrong answer adds")) {
    rule.wrong_answer_s = ReadSeconds(*wrong, map.PathOf("wrong_answer"), problems).value_or(0);
  }
  rule.rungs = ReadContestants(map.Find("rungs"), map.PathOf("rungs"), *lab, problems);
  lab->leaderboard = std::move(rule);
}

// `known`: the rungs of this lab in the kit; empty: not known.
void CheckRungName(const NamedNode& rung, const std::string& lab, const std::vector<std::string>& known,
                   Problems* problems) {
  const std::pair<const char*, const char*> taken[] = {{kQuizName, "the quiz of the lab"},
                                                       {kLateName, "points that a late attempt loses"},
                                                       {kOverrideName, "points that a person changed"},
                                                       {kNotShownName, "the points of rungs that are hidden"},
                                                       {kNotCountedName, "points that the lab does not count"}};
  for (const auto& [name, meaning] : taken) {
    if (rung.name != name) continue;
    problems->Add(
        rung.name_place,
        fmt::format("'{}' stands for {}, so a rung cannot have this name; choose another name", name, meaning));
    return;
  }
  if (known.empty() || std::find(known.begin(), known.end(), rung.name) != known.end()) return;
  problems->Add(rung.name_place, fmt::format("{} of the kit has no rung '{}'{}", lab, rung.name,
                                             Suggest(rung.name, known, "its rungs are " + ListNames(known))));
}

// What course.yaml says of every lab: when it is due, and who sees what.
Lab ReadLabRules(const MapReader& map, const std::string& name, const Course& course, RungNames* names,
                 Problems* problems) {
  Lab lab;
  lab.name = name;
  if (const YamlNode* due = map.Find("due")) lab.due = ReadDue(*due, map.PathOf("due"), problems);
  lab.hand_in = course.hand_in;
  if (const YamlNode* rule = map.Find("hand_in")) ReadLabHandIn(*rule, lab.name, &lab.hand_in, problems);
  if (const YamlNode* node = map.Find("published")) {
    lab.published = ReadPublished(*node, map.PathOf("published"), problems);
  }
  ReadVisibility(map, &names->visibility, problems);
  lab.visibility = names->visibility.rung;
  return lab;
}

// What students get points for. For a lab outside of the kit, `map` is its lab.yaml.
void ReadLabPoints(const MapReader& map, RungNames names, Lab* to, Problems* problems) {
  Lab& lab = *to;
  if (const YamlNode* title = map.Require("title", "add 'title: TEXT', the name that reports show")) {
    lab.title = ReadText(*title, map.PathOf("title"), problems).value_or("");
  }
  ReadAllowance(map, &names.allow, problems);
  bool all_points_known = true;
  std::vector<NamedNode> rung_nodes;
  if (const YamlNode* rungs = map.Require("rungs", "add 'rungs:' with one entry for each rung")) {
    const size_t before = problems->count();
    rung_nodes = ReadNames(*rungs, map.PathOf("rungs"), "rung", problems);
    all_points_known = problems->count() == before;
    for (const NamedNode& rung_node : rung_nodes) {
      CheckRungName(rung_node, lab.name, names.rungs, problems);
      if (const std::optional<Rung> rung = ReadRung(rung_node, lab.name, names, problems)) {
        lab.rungs.push_back(*rung);
      } else {
        all_points_known = false;
      }
    }
  }
  if (const YamlNode* quiz = map.Find("quiz"); quiz && !ReadQuiz(*quiz, &lab, problems)) {
    all_points_known = false;
  }
  const size_t before_counting = problems->count();
  ReadCounting(rung_nodes, map.Find("best_of"), &lab, problems);
  all_points_known &= problems->count() == before_counting;
  if (const YamlNode* leaderboard = map.Find("leaderboard"); leaderboard && !lab.rungs.empty()) {
    ReadLeaderboard(*leaderboard, &lab, problems);
  }
  if (const YamlNode* points = map.Find("points")) {
    if (all_points_known && !lab.rungs.empty()) {
      CheckLabSum(lab, *points, problems);
    } else {
      (void)ReadPoints(*points, map.PathOf("points"), problems);  // a mistake in the number itself is still reported
    }
  }
}

void ReadLab(const NamedNode& named, RungNames names, Course* course, Problems* problems) {
  const MapReader map(*named.value, named.name, kLabKeys, problems);
  Lab lab = ReadLabRules(map, named.name, *course, &names, problems);
  ReadLabPoints(map, std::move(names), &lab, problems);
  CheckDueForVisibility(lab, named.name_place, problems);
  course->labs.push_back(std::move(lab));
}

// lab.yaml without the keys that describe the lab itself, which grader/described reads.
YamlNode CoursePartOf(YamlNode lab_file) {
  std::erase_if(lab_file.entries, [](const YamlEntry& entry) {
    const auto& keys = kLabFileCourseKeys;
    return entry.key.kind != YamlNode::Kind::kScalar ||
           std::find(keys.begin(), keys.end(), entry.key.text) == keys.end();
  });
  return lab_file;
}

// A lab with `from`. Mistakes of its entry in course.yaml go to `problems`, others break only this lab.
void ReadOutsideLab(const NamedNode& named, const YamlNode& from, RungNames names, const KnownNames& known,
                    Course* course, Problems* problems) {
  const MapReader map(*named.value, named.name, kOutsideLabKeys, problems);
  Lab lab = ReadLabRules(map, named.name, *course, &names, problems);
  const std::optional<std::string> text = ReadText(from, map.PathOf("from"), problems);
  if (!text) return;
  lab.from = OutsideFolder(known.course_yaml, *text);
  const auto is_broken = [&](const Problems& why) {
    if (!why.empty()) course->broken.push_back({named.name, why.ToError(ErrorKind::kUsage).message});
    return !why.empty();
  };
  Problems here(known.course_yaml);
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::path(lab.from) / kLabFileName;
  if (known.kit.contains(named.name)) {
    here.Add(named.name_place,
             fmt::format("the kit has a lab '{}' of its own; give this one another name, here and in {}", named.name,
                         file.string()));
  } else if (!std::filesystem::exists(file, ignored)) {
    here.Add(from.place, fmt::format("{} is not there; write the folder of the lab, as seen from {}", file.string(),
                                     known.course_yaml));
  }
  if (is_broken(here)) return;
  Problems inside(file.string());
  const std::optional<YamlNode> root = ReadYamlFile(file.string(), &inside);
  if (root && root->kind != YamlNode::Kind::kMap)
    inside.Add(root->place, "the file is no mapping; write 'name: NAME' and the other keys of a lab");
  if (is_broken(inside)) return;
  const YamlNode points = CoursePartOf(*root);
  names.rungs.clear();
  ReadLabPoints(MapReader(points, named.name, kLabFileCourseKeys, &inside), std::move(names), &lab, &inside);
  if (is_broken(inside)) return;
  CheckDueForVisibility(lab, named.name_place, problems);
  course->labs.push_back(std::move(lab));
}

const YamlNode* FromOf(const YamlNode& lab) {
  for (const YamlEntry& entry : lab.entries) {
    if (entry.key.text == "from") return &entry.value;
  }
  return nullptr;
}

// A student's file for a lab or rung that the kit does not have would never be found.
void CheckKitHasLab(const NamedNode& lab, const KnownNames& known, Problems* problems) {
  const KitRungs& kit = known.kit;
  if (kit.empty() || kit.contains(lab.name)) return;
  if (!known.labs.empty() && std::find(known.labs.begin(), known.labs.end(), lab.name) == known.labs.end()) return;
  std::vector<std::string> labs;
  for (const auto& [name, rungs] : kit) labs.push_back(name);
  problems->Add(lab.name_place, fmt::format("the kit has no lab '{}'{}", lab.name,
                                            Suggest(lab.name, labs, "its labs are " + ListNames(labs))));
}

}  // namespace

Course ReadCourse(const YamlNode& root, const KnownNames& known, Problems* problems) {
  Course course;
  const MapReader map(root, "", kFileKeys, problems);
  if (const YamlNode* node = map.Require("course", "add 'course: {name: TEXT}'")) {
    ReadCourseNames(*node, &course, problems);
  }
  if (const YamlNode* node = map.Find("targets")) ReadTargets(*node, &course, problems);
  if (const YamlNode* node = map.Find("limits")) ReadLimits(*node, &course, problems);
  if (const YamlNode* node = map.Find("hand_in")) {
    ReadCourseHandIn(*node, &course.hand_in, &course.grace_days, problems);
  }
  if (const YamlNode* node = map.Find("slurm")) course.slurm = ReadSlurm(*node, problems);
  RungNames names;
  names.metrics = known.metrics;
  ReadVisibility(map, &names.visibility, problems);
  ReadAllowance(map, &names.allow, problems);
  names.targets = course.targets;
  if (const YamlNode* node = map.Require("labs", "add 'labs:' with one entry for each lab")) {
    for (const NamedNode& named : ReadNames(*node, "labs", "lab", problems)) {
      if (const YamlNode* from = FromOf(*named.value)) {
        ReadOutsideLab(named, *from, names, known, &course, problems);
        continue;
      }
      CheckKitHasLab(named, known, problems);
      const auto rungs = known.kit.find(named.name);
      names.rungs = rungs == known.kit.end() ? std::vector<std::string>() : rungs->second;
      ReadLab(named, names, &course, problems);
    }
  }
  return course;
}

Result<Course> LoadCourse(const std::string& path, const std::vector<std::string>& known_metrics, const KitRungs& kit,
                          const std::vector<std::string>& labs, BrokenLabs broken) {
  Problems problems(path);
  const std::optional<YamlNode> root = ReadYamlFile(path, &problems);
  Course course;
  if (root) course = ReadCourse(*root, {known_metrics, kit, labs, path}, &problems);
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  if (broken == BrokenLabs::kKeep || course.broken.empty()) return course;
  std::string why;
  for (const BrokenLab& lab : course.broken) why += (why.empty() ? "" : "\n") + lab.why;
  return Error{ErrorKind::kUsage, why};
}

std::string OutsideFolder(const std::string& course_yaml, const std::string& text) {
  namespace fs = std::filesystem;
  const fs::path folder = (fs::absolute(course_yaml).parent_path() / text).lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).string();
}

void AddOutsideLabs(const Course& course, Kit* kit) {
  for (const Lab& lab : course.labs) {
    if (!lab.from.empty()) kit->outside[lab.name].folder = lab.from;
  }
}

Result<Course> ParseCourse(const std::string& text, const std::string& path,
                           const std::vector<std::string>& known_metrics, const KitRungs& kit) {
  Problems problems(path);
  const std::optional<YamlNode> root = ParseYaml(text, &problems);
  Course course;
  if (root) course = ReadCourse(*root, {known_metrics, kit, {}, path}, &problems);
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return course;
}

}  // namespace warpgrade::config
