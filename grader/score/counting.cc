// Tests: tests/score/counting_test.cc (situations), tests/report/counting_test.cc (labs at random, in all formats).
#include "grader/score/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grader/config/course.h"

namespace warpgrade::score {
namespace {

using config::Points;
using Counts = RungScore::Counts;

bool IsNotCountedRow(const RungScore& rung) { return rung.rung == config::kNotCountedName; }

// "v5_b 10/20".
std::string Words(const RungScore& rung) {
  return fmt::format("{} {}/{}", rung.rung, rung.points.ToString(), rung.max_points.ToString());
}

// What the lab does not count.
struct NotCounted {
  RungScore row;

  void TakeMaximum(const RungScore& rung) {
    row.max_points = row.max_points - rung.max_points;
    row.measurable_points = row.measurable_points - rung.measurable_points;
  }
  void TakePoints(const RungScore& rung) { row.points = row.points - rung.points; }
  void Say(std::string words) { row.measurement.messages.push_back(std::move(words)); }
};

void CountBonus(const config::CountingRule& rule, std::vector<RungScore>* rungs, NotCounted* out) {
  std::vector<std::string> words;
  for (RungScore& rung : *rungs) {
    if (IsBesideRungs(rung) || !rule.IsBonus(rung.rung)) continue;
    rung.counts = Counts::kBonus;
    out->TakeMaximum(rung);
    words.push_back(Words(rung));
  }
  if (!words.empty()) out->Say(fmt::format("a bonus, on top of the lab's points: {}", fmt::join(words, ", ")));
}

void CountBest(const config::BestOf& group, std::vector<RungScore>* rungs, NotCounted* out) {
  std::vector<RungScore*> members;
  for (RungScore& rung : *rungs) {
    if (std::find(group.of.begin(), group.of.end(), rung.rung) != group.of.end()) members.push_back(&rung);
  }
  if (members.size() <= group.best) return;
  std::stable_sort(members.begin(), members.end(),
                   [](const RungScore* a, const RungScore* b) { return a->points > b->points; });
  std::vector<std::string> words;
  for (size_t i = group.best; i < members.size(); ++i) {
    members[i]->counts = Counts::kNo;
    out->TakeMaximum(*members[i]);
    out->TakePoints(*members[i]);
    words.push_back(Words(*members[i]));
  }
  out->Say(fmt::format("not counted: {}; only the best {} of {} count", fmt::join(words, ", "), group.best,
                       fmt::join(group.of, ", ")));
}

// After the lab's own rungs.
void Insert(NotCounted out, std::vector<RungScore>* rungs) {
  if (out.row.measurement.messages.empty()) return;
  out.row.rung = config::kNotCountedName;
  out.row.correctness_points = out.row.points;
  out.row.correctness_max = out.row.max_points;
  rungs->insert(std::find_if(rungs->begin(), rungs->end(), IsBesideRungs), std::move(out.row));
}

void SumUp(LabScore* lab) {
  lab->points = lab->max_points = lab->measurable_points = Points();
  for (const RungScore& rung : lab->rungs) {
    lab->points += rung.points;
    lab->max_points += rung.max_points;
    lab->measurable_points += rung.measurable_points;
  }
}

// The rung by itself as it counts.
void ShowCounted(RungScore* rung) {
  if (rung->counts == Counts::kYes) return;
  std::vector<std::string>& messages = rung->measurement.messages;
  if (rung->counts == Counts::kBonus) {
    messages.push_back(
        fmt::format("a bonus of up to {} points, on top of the lab's points", rung->max_points.ToString()));
  } else {
    messages.push_back(
        fmt::format("{}/{} points are not counted, because other rungs of its group have as many or "
                    "more",
                    rung->points.ToString(), rung->max_points.ToString()));
    rung->points = rung->correctness_points = rung->technique_points = rung->throughput_points = Points();
  }
  rung->max_points = rung->measurable_points = Points();
}

}  // namespace

bool IsBesideRungs(const RungScore& rung) {
  return IsNotCountedRow(rung) || rung.rung == config::kLateName || rung.rung == config::kOverrideName ||
         rung.rung == config::kNotShownName;
}

void CountPoints(const config::CountingRule& rule, LabScore* lab) {
  const bool counted_before = std::any_of(lab->rungs.begin(), lab->rungs.end(), IsNotCountedRow);
  if (&rule != &lab->counting) lab->counting = rule;
  if (rule.CountsAll() && !counted_before) return;
  std::erase_if(lab->rungs, IsNotCountedRow);
  for (RungScore& rung : lab->rungs) rung.counts = Counts::kYes;
  NotCounted out;
  CountBonus(rule, &lab->rungs, &out);
  for (const config::BestOf& group : rule.best_of) CountBest(group, &lab->rungs, &out);
  Insert(std::move(out), &lab->rungs);
  SumUp(lab);
}

GradingReport OnlyCounted(GradingReport report) {
  for (SubmissionScore& submission : report.submissions) {
    for (LabScore& lab : submission.labs) {
      std::erase_if(lab.rungs, IsNotCountedRow);
      for (RungScore& rung : lab.rungs) ShowCounted(&rung);
    }
  }
  return report;
}

}  // namespace warpgrade::score
