// submission_metadata.yml, which Gradescope puts beside the folders of the submissions that it exports:
//
//   submission_123456789:
//     :submitters:
//     - :name: Ada Lovelace
//       :sid: 's1042'
//       :email: ada@example.org
//     :created_at: 2026-11-22 10:15:00.123456000 Z
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::roster {

inline constexpr char kGradescopeFile[] = "submission_metadata.yml";

struct Submitter {
  std::string name, sid, email;
};

struct GradescopeEntry {
  std::vector<Submitter> submitters;  // several: a group
  std::optional<int64_t> created_at;  // seconds since 1970
};

// By the name of the folder. Errors (kUsage): "FILE:LINE:COLUMN: what; what to do".
Result<std::map<std::string, GradescopeEntry>> ReadGradescope(const std::string& path);

}  // namespace warpgrade::roster
