// attacks.yaml, and the table of docs/security.md made from it.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::attacks {

struct HonestTwin {
  std::string file, lab, rung, does;
  std::string Id() const;
};

struct HostileSubmission {
  std::string file;  // below tests/attacks: a rung's file, or a folder that is a whole submission
  std::string lab, rung;
  std::string tries, status, told;  // status and told: regular expressions
  std::string told_on_gpu;          // or this, with a GPU, where nobody watches the kernels
  bool as_honest = false;           // points up to its twin's
  double without_it = 0;            // otherwise: points that the rung has without the attack, throughput left out
  bool needs_gpu = false;
  bool by_both_users = false;  // graded by root, and once more by an ordinary user
  HonestTwin honest;           // its own, or its row's
  std::string Id() const;      // "01_fake_verdict.stdout": the name under which it is handed in
};

struct Attack {
  int row = 0;
  std::string attack, holds;
  HonestTwin honest;
  std::vector<HostileSubmission> submissions;
};

// tests/attacks/attacks.yaml; throws what yaml-cpp throws when it is broken.
std::vector<Attack> ReadAttacks(const std::string& path);

// Those whose rows are among "1-5 7". Throws std::invalid_argument when that is not a list of numbers and ranges.
std::vector<Attack> RowsOf(const std::vector<Attack>& attacks, const std::string& rows);

// Those that are graded by both users, and the rows that have any.
std::vector<Attack> OfBothUsers(const std::vector<Attack>& attacks);

// The lines of docs/security.md between the comments "attacks" and "/attacks".
std::string MarkdownTable(const std::vector<Attack>& attacks);

}  // namespace warpgrade::attacks
