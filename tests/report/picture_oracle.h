// Counts turns and sectors of a request in a slow way of its own, and counts them once more in a drawing. It shares no
// code with the emulator or with what draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/score/pictures.h"

namespace warpgrade {

// The lanes of a mask, in order.
inline std::vector<int> LanesOfMask(uint32_t mask) {
  std::vector<int> lanes;
  for (int lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) lanes.push_back(lane);
  }
  return lanes;
}

// Serves one word of each bank in a turn, until no lane of the part waits.
inline uint64_t TurnsByService(const score::MemoryRequest& request) {
  const std::vector<int> lanes = LanesOfMask(request.lanes);
  const int of_part = request.bytes <= 4 ? 32 : 128 / request.bytes;
  uint64_t turns = 0;
  for (int part = 0; part * of_part < 32; ++part) {
    std::set<uint64_t> waiting;
    for (size_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i] / of_part != part) continue;
      for (int byte = 0; byte < request.bytes; ++byte)
        waiting.insert((request.at[i] + static_cast<uint64_t>(byte)) / 4);
    }
    for (; !waiting.empty(); ++turns) {
      std::set<uint64_t> busy;
      for (auto word = waiting.begin(); word != waiting.end();) {
        word = busy.insert(*word % 32).second ? waiting.erase(word) : std::next(word);
      }
    }
  }
  return turns;
}

// The bytes that lanes want, each once.
inline std::set<uint64_t> WantedBytes(const score::MemoryRequest& request) {
  std::set<uint64_t> bytes;
  for (const uint64_t at : request.at) {
    for (int byte = 0; byte < request.bytes; ++byte) bytes.insert(at + static_cast<uint64_t>(byte));
  }
  return bytes;
}

inline uint64_t SectorsByByte(const score::MemoryRequest& request) {
  std::set<uint64_t> sectors;
  for (const uint64_t byte : WantedBytes(request)) sectors.insert(byte / 32);
  return sectors.size();
}

// What a drawing in ASCII shows: its rows and the cells in them.
struct CountedDrawing {
  std::set<int> turns;  // the different numbers in the cells
  std::map<int, std::set<int>> banks_of_lane;
  uint64_t sectors = 0, wanted = 0;  // rows with a bar, and '#' in them
};

// REQUIRES: `text` is RequestText without colours, in ASCII.
inline CountedDrawing CountDrawing(const std::string& text, bool in_shared) {
  constexpr size_t kFirstCell = 16;
  CountedDrawing counted;
  std::istringstream lines(text);
  bool drawn = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  lane  offset") || line.starts_with("  line of 128 bytes")) {
      drawn = true;
      if (in_shared) std::getline(lines, line);  // the numbers of the banks
      continue;
    }
    if (!drawn || line.find("not active") != std::string::npos) continue;
    if (line.empty()) break;
    if (!in_shared) {
      ++counted.sectors;
      for (const char c : line) counted.wanted += c == '#' ? 1 : 0;
      continue;
    }
    const int lane = std::stoi(line.substr(0, 6));
    line.resize(std::max(line.size(), kFirstCell + 2 * 32), ' ');  // its end has no blanks
    for (int bank = 0; bank < 32; ++bank) {
      const std::string cell = line.substr(kFirstCell + 2 * static_cast<size_t>(bank), 2);
      if (cell == "  " || cell == " .") continue;
      counted.turns.insert(std::stoi(cell));
      counted.banks_of_lane[lane].insert(bank);
    }
  }
  return counted;
}

}  // namespace warpgrade
