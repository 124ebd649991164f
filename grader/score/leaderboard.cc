// Finds each submission's fastest right rung, adds the penalty for wrong answers in whole microseconds, sorts, and
// gives equal results equal ranks. Tests: tests/score/leaderboard_test.cc.
#include "grader/score/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace warpgrade::score {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

// An entry on its way to a rank: the least `key` is first.
struct Contestant {
  LeaderboardEntry entry;
  std::optional<int64_t> key;
};

bool HandedIn(const RungScore& rung) {
  return rung.measurement.status != RungStatus::kMissing && rung.measurement.status != RungStatus::kNotWritten;
}

int WrongAnswers(const RungMeasurement& measurement) {
  if (measurement.status == RungStatus::kPassed) return 0;
  return std::max(1, measurement.cases - measurement.cases_passed);
}

// Whole microseconds of a time that counts.
std::optional<int64_t> CountedTime(const ThroughputMeasurement& throughput) {
  if (throughput.status != ThroughputMeasurement::Status::kMeasured || !throughput.seconds) return std::nullopt;
  if (!std::isfinite(*throughput.seconds) || *throughput.seconds <= 0) return std::nullopt;
  return std::llround(*throughput.seconds * kMicrosecondsPerSecond);
}

const LabScore* FindLab(const SubmissionScore& submission, const std::string& name) {
  for (const LabScore& lab : submission.labs) {
    if (lab.lab == name) return &lab;
  }
  return nullptr;
}

// The rungs of the contest that were graded and handed in. `*complete`: all rungs of the contest were graded.
std::vector<const RungScore*> Contesting(const SubmissionScore& submission, const config::Lab& lab, bool* complete) {
  std::vector<const RungScore*> contesting;
  *complete = false;
  const LabScore* const scored = FindLab(submission, lab.name);
  if (scored == nullptr) return contesting;
  const std::vector<std::string>& wanted = lab.leaderboard->rungs;
  size_t graded = 0;
  for (const RungScore& rung : scored->rungs) {
    if (std::find(wanted.begin(), wanted.end(), rung.rung) == wanted.end()) continue;
    ++graded;
    if (HandedIn(rung)) contesting.push_back(&rung);
  }
  *complete = graded == wanted.size();
  return contesting;
}

// Why a submission without a time that counts has none.
std::string WhyNoTime(const std::vector<const RungScore*>& rungs) {
  for (const RungScore* rung : rungs) {
    if (rung->measurement.throughput.status == ThroughputMeasurement::Status::kFlagged) {
      return fmt::format("the time of {} is flagged", rung->rung);
    }
  }
  return "not timed";
}

Contestant Enter(const SubmissionScore& submission, const config::Lab& lab, bool timed) {
  Contestant contestant;
  LeaderboardEntry& entry = contestant.entry;
  entry.id = entry.shown_as = submission.id;
  bool complete = false;
  const std::vector<const RungScore*> rungs = Contesting(submission, lab, &complete);
  std::optional<int64_t> fastest;
  bool any_right = false;
  for (const RungScore* rung : rungs) {
    entry.wrong_answers += WrongAnswers(rung->measurement);
    if (rung->measurement.status != RungStatus::kPassed) continue;
    any_right = true;
    const std::optional<int64_t> time = CountedTime(rung->measurement.throughput);
    if (!time || (fastest && *time >= *fastest)) continue;
    fastest = time;
    entry.rung = rung->rung;
  }
  if (fastest) {
    const int64_t score =
        *fastest + int64_t{1'000'000} * lab.leaderboard->wrong_answer_s * int64_t{entry.wrong_answers};
    entry.time_s = static_cast<double>(*fastest) / kMicrosecondsPerSecond;
    entry.score_s = static_cast<double>(score) / kMicrosecondsPerSecond;
    contestant.key = score;
  } else if (!timed && any_right) {
    contestant.key = entry.wrong_answers;
  }
  if (!complete) {
    contestant.key.reset();
    entry.note = "not all rungs were graded";
  } else if (rungs.empty()) {
    entry.note = "nothing handed in";
  } else if (!any_right) {
    entry.note = "no rung is right yet";
  } else if (!contestant.key) {
    entry.note = WhyNoTime(rungs);
  }
  return contestant;
}

// Those without a rank come last; the order of equals is that of the names shown.
void Sort(std::vector<LeaderboardEntry>* entries) {
  const auto place = [](const LeaderboardEntry& entry) {
    return std::pair(entry.rank.value_or(std::numeric_limits<int>::max()), entry.shown_as);
  };
  std::sort(entries->begin(), entries->end(),
            [&](const LeaderboardEntry& a, const LeaderboardEntry& b) { return place(a) < place(b); });
}

void ShowAs(const std::map<std::string, std::string>& names, std::vector<Leaderboard>* leaderboards) {
  for (Leaderboard& leaderboard : *leaderboards) {
    for (LeaderboardEntry& entry : leaderboard.entries) {
      const auto name = names.find(entry.id);
      if (name != names.end()) entry.shown_as = name->second;
    }
    Sort(&leaderboard.entries);
  }
}

}  // namespace

Leaderboard MakeLeaderboard(const config::Lab& lab, const std::vector<SubmissionScore>& submissions, bool timed) {
  WARPGRADE_CHECK(lab.leaderboard.has_value());
  Leaderboard leaderboard{lab.name, lab.title, lab.leaderboard->wrong_answer_s, timed, {}};
  std::vector<Contestant> contestants;
  std::vector<int64_t> keys;
  for (const SubmissionScore& submission : submissions) {
    contestants.push_back(Enter(submission, lab, timed));
    if (contestants.back().key) keys.push_back(*contestants.back().key);
  }
  std::sort(keys.begin(), keys.end());
  for (Contestant& contestant : contestants) {
    if (contestant.key) {
      const auto first_of_its_kind = std::lower_bound(keys.begin(), keys.end(), *contestant.key);
      contestant.entry.rank = 1 + static_cast<int>(first_of_its_kind - keys.begin());
    }
    leaderboard.entries.push_back(std::move(contestant.entry));
  }
  Sort(&leaderboard.entries);
  return leaderboard;
}

void HideNames(uint64_t seed, std::vector<Leaderboard>* leaderboards) {
  std::set<std::string> ids;
  for (const Leaderboard& leaderboard : *leaderboards) {
    for (const LeaderboardEntry& entry : leaderboard.entries) ids.insert(entry.id);
  }
  std::vector<size_t> numbers;
  for (size_t i = 1; i <= ids.size(); ++i) numbers.push_back(i);
  std::mt19937_64 random(seed);
  std::shuffle(numbers.begin(), numbers.end(), random);
  const size_t digits = std::to_string(ids.size()).size();
  std::map<std::string, std::string> names;
  for (const std::string& id : ids) {
    names.emplace(id, fmt::format("player {:0{}}", numbers.back(), digits));
    numbers.pop_back();
  }
  ShowAs(names, leaderboards);
}

void KeepNames(const std::vector<Leaderboard>& before, std::vector<Leaderboard>* leaderboards) {
  std::map<std::string, std::string> names;
  for (const Leaderboard& leaderboard : before) {
    for (const LeaderboardEntry& entry : leaderboard.entries) names[entry.id] = entry.shown_as;
  }
  ShowAs(names, leaderboards);
}

}  // namespace warpgrade::score
