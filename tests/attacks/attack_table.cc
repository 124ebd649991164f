#include "tests/attacks/attack_table.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

namespace warpgrade::attacks {
namespace {

// "01_fake_verdict/stdout.cu" -> "01_fake_verdict.stdout".
std::string IdOf(const std::string& file) {
  std::string id = std::filesystem::path(file).replace_extension().string();
  std::replace(id.begin(), id.end(), '/', '.');
  return id;
}

// "lab1/v3_sequential".
void ReadRung(const std::string& rung, std::string* lab, std::string* name) {
  const size_t slash = rung.find('/');
  *lab = rung.substr(0, slash);
  *name = rung.substr(slash + 1);
}

HonestTwin ReadTwin(const YAML::Node& entry) {
  HonestTwin twin;
  twin.file = entry["file"].as<std::string>();
  twin.does = entry["does"].as<std::string>();
  ReadRung(entry["rung"].as<std::string>(), &twin.lab, &twin.rung);
  return twin;
}

void AddOnce(const std::string& word, std::vector<std::string>* words) {
  if (std::find(words->begin(), words->end(), word) == words->end()) words->push_back(word);
}

// The statuses in "crashed|compile_error" as a person reads them.
void AddStatuses(const std::string& pattern, std::vector<std::string>* words) {
  std::istringstream statuses(pattern);
  for (std::string status; std::getline(statuses, status, '|');) {
    std::replace(status.begin(), status.end(), '_', ' ');
    AddOnce(status, words);
  }
}

// "failed, crashed or refused".
std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (size_t k = 0; k < words.size(); ++k) {
    joined += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
  }
  return joined;
}

}  // namespace

std::string HostileSubmission::Id() const { return IdOf(file); }
std::string HonestTwin::Id() const { return IdOf(file); }

std::vector<Attack> ReadAttacks(const std::string& path) {
  std::vector<Attack> attacks;
  for (const YAML::Node& row : YAML::LoadFile(path)["attacks"]) {
    Attack attack;
    attack.row = row["row"].as<int>();
    attack.attack = row["attack"].as<std::string>();
    attack.holds = row["holds"].as<std::string>();
    attack.honest = ReadTwin(row["honest"]);
    for (const YAML::Node& entry : row["submissions"]) {
      HostileSubmission submission;
      submission.file = entry["file"].as<std::string>();
      submission.tries = entry["tries"].as<std::string>();
      submission.status = entry["status"].as<std::string>();
      submission.told = entry["told"].as<std::string>();
      submission.told_on_gpu = entry["told_on_gpu"].as<std::string>(submission.told);
      const std::string points = entry["points"].as<std::string>("0");
      submission.as_honest = points == "honest";
      if (!submission.as_honest) submission.without_it = entry["points"].as<double>(0);
      submission.needs_gpu = entry["device"].as<std::string>("emulator") == "gpu";
      submission.by_both_users = entry["users"].as<std::string>("") == "both";
      submission.honest = entry["honest"] ? ReadTwin(entry["honest"]) : attack.honest;
      submission.lab = submission.honest.lab;
      submission.rung = submission.honest.rung;
      if (entry["rung"]) ReadRung(entry["rung"].as<std::string>(), &submission.lab, &submission.rung);
      attack.submissions.push_back(submission);
    }
    attacks.push_back(attack);
  }
  return attacks;
}

std::vector<Attack> RowsOf(const std::vector<Attack>& attacks, const std::string& rows) {
  std::set<int> chosen;
  std::istringstream list(rows);
  for (std::string range; list >> range;) {
    const size_t dash = range.find('-');
    const int first = std::stoi(range), last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
    for (int row = first; row <= last; ++row) chosen.insert(row);
  }
  std::vector<Attack> kept;
  for (const Attack& attack : attacks) {
    if (chosen.contains(attack.row)) kept.push_back(attack);
  }
  return kept;
}

std::vector<Attack> OfBothUsers(const std::vector<Attack>& attacks) {
  std::vector<Attack> kept;
  for (Attack attack : attacks) {
    std::erase_if(attack.submissions, [](const HostileSubmission& submission) { return !submission.by_both_users; });
    if (!attack.submissions.empty()) kept.push_back(std::move(attack));
  }
  return kept;
}

std::string MarkdownTable(const std::vector<Attack>& attacks) {
  std::string table =
      "| # | attack | tried in | verdict | points |\n"
      "|---|---|---|---|---|\n";
  for (const Attack& attack : attacks) {
    std::vector<std::string> verdicts;
    bool keeps_points = false, gets_none = false;
    int on_gpu = 0;
    for (const HostileSubmission& submission : attack.submissions) {
      AddStatuses(submission.status, &verdicts);
      (submission.as_honest || submission.without_it > 0 ? keeps_points : gets_none) = true;
      on_gpu += submission.needs_gpu ? 1 : 0;
    }
    const int all = static_cast<int>(attack.submissions.size());
    std::string where = std::to_string(all) + (all == 1 ? " way" : " ways");
    if (on_gpu > 0) where += ", " + std::to_string(on_gpu) + " on a GPU only";
    table += "| " + std::to_string(attack.row) + " | " + attack.attack + " | " + where + " | " + Joined(verdicts) +
             " | " + (gets_none ? keeps_points ? "0, or no more than without it" : "0" : "no more than without it") +
             " |\n";
  }
  return table;
}

}  // namespace warpgrade::attacks
