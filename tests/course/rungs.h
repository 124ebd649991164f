// The rungs of a lab, for the tests of its judge.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

// One for each solution, sorted: "v1_naive", "v2_shared".
inline std::vector<std::string> RungsOf(const std::string& lab) {
  std::vector<std::string> rungs;
  for (const auto& file : std::filesystem::directory_iterator(WARPGRADE_SOURCE_DIR "/solutions/" + lab)) {
    if (file.path().extension() == ".cu") rungs.push_back(file.path().stem());
  }
  std::sort(rungs.begin(), rungs.end());
  return rungs;
}

}  // namespace warpgrade
