// For each metric, a rule says how much each source line contributes to it. The line that contributes most is named,
// with one sentence about what it does. Reports of rungs that miss a limit show it, and so does `warpgrade run
// --profile`. Tests: tests/cli/profile_test.cc.
#include "grader/emulator/counters/culprit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace warpgrade::emulator {
namespace {

using Line = std::pair<std::string, int>;

double Ratio(uint64_t over, uint64_t under) {
  return under == 0 ? 0 : static_cast<double>(over) / static_cast<double>(under);
}

uint64_t SharedRequests(const Counters& c) { return c.shared_load_requests + c.shared_store_requests; }
uint64_t SharedTurns(const Counters& c) { return c.shared_load_wavefronts + c.shared_store_wavefronts; }
uint64_t SharedIdeal(const Counters& c) { return c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts; }

// Sectors beyond the number that the requested bytes would fill.
uint64_t Wasted(uint64_t sectors, uint64_t bytes) { return sectors - std::min(sectors, (bytes + 31) / 32); }

struct Rule {
  const char* metric;
  std::function<uint64_t(const Counters&)> weight;  // the line with the most is the culprit; 0: this line cannot be one
  std::function<std::string(const Counters&)> what;
};

std::string Sectors(const char* access, uint64_t sectors, uint64_t requests, uint64_t bytes) {
  return fmt::format("each {} of a warp touches {:.4g} sectors of 32 bytes for {:.4g} bytes that it wants", access,
                     Ratio(sectors, requests), Ratio(bytes, requests));
}

std::string Loads(const Counters& c) {
  return Sectors("load", c.global_load_sectors, c.global_load_requests, c.global_load_bytes);
}
std::string Stores(const Counters& c) {
  return Sectors("store", c.global_store_sectors, c.global_store_requests, c.global_store_bytes);
}
uint64_t WastedByLoads(const Counters& c) { return Wasted(c.global_load_sectors, c.global_load_bytes); }
uint64_t WastedByStores(const Counters& c) { return Wasted(c.global_store_sectors, c.global_store_bytes); }

const std::vector<Rule>& Rules() {
  static const std::vector<Rule>* rules = new std::vector<Rule>{
      {"shared_bank_conflicts",
       [](const Counters& c) { return SharedTurns(c) - std::min(SharedTurns(c), SharedIdeal(c)); },
       [](const Counters& c) {
         return fmt::format("shared memory takes {:.4g} turns per request where {:.4g} would do",
                            Ratio(SharedTurns(c), SharedRequests(c)), Ratio(SharedIdeal(c), SharedRequests(c)));
       }},
      {"global_load_sectors_per_request", WastedByLoads, Loads},
      {"global_load_efficiency", WastedByLoads, Loads},
      {"global_store_sectors_per_request", WastedByStores, Stores},
      {"global_store_efficiency", WastedByStores, Stores},
      {"global_bytes_per_element", [](const Counters& c) { return WastedByLoads(c) + WastedByStores(c); },
       [](const Counters& c) { return WastedByLoads(c) >= WastedByStores(c) ? Loads(c) : Stores(c); }},
      {"divergent_branches_per_warp", [](const Counters& c) { return c.divergent_branches; },
       [](const Counters& c) {
         return fmt::format("lanes of one warp go both ways at {} of {} branches", c.divergent_branches, c.branches);
       }},
      {"shared_requests_per_warp", SharedRequests,
       [](const Counters& c) { return fmt::format("{} requests to shared memory", SharedRequests(c)); }},
      {"barriers_per_block", [](const Counters& c) { return c.barriers; },
       [](const Counters& c) { return fmt::format("{} barriers, over all blocks", c.barriers); }},
      {"branches_per_warp", [](const Counters& c) { return c.branches; },
       [](const Counters& c) { return fmt::format("{} branches, over all warps", c.branches); }},
      {"atomics", [](const Counters& c) { return c.global_atomic_requests; },
       [](const Counters& c) { return fmt::format("{} atomic requests", c.global_atomic_requests); }},
  };
  return *rules;
}

// All that a copy moves could be left out, not only what it wastes.
uint64_t MovedByCopies(const std::string& metric, const Rule& rule, const Counters& copies) {
  const bool all = metric == "global_bytes_per_element";
  return all ? copies.global_load_sectors + copies.global_store_sectors : rule.weight(copies);
}

std::string Copies(const Counters& c) {
  return fmt::format(
      "copies and sets on the device load {} bytes in {} sectors of 32 bytes, and store {} bytes in {} sectors; let "
      "the kernels do this",
      c.global_load_bytes, c.global_load_sectors, c.global_store_bytes, c.global_store_sectors);
}

}  // namespace

std::map<std::string, Culprit> FindCulprits(const std::vector<LaunchRecord>& launches, const Counters& copies) {
  std::map<Line, Counters> lines;
  for (const LaunchRecord& launch : launches) {
    for (const LineCounters& l : launch.lines) lines[{l.file, l.line}].Add(l.counters);
  }
  std::map<std::string, Culprit> culprits;
  for (const Rule& rule : Rules()) {
    const std::pair<const Line, Counters>* worst = nullptr;
    for (const auto& entry : lines) {
      uint64_t weight = rule.weight(entry.second);
      if (weight > 0 && (worst == nullptr || weight > rule.weight(worst->second))) worst = &entry;
    }
    const uint64_t by_copies = MovedByCopies(rule.metric, rule, copies);
    if (by_copies > 0 && (worst == nullptr || by_copies > rule.weight(worst->second))) {
      culprits[rule.metric] = Culprit{"", 0, Copies(copies)};
      continue;
    }
    if (worst == nullptr) continue;
    culprits[rule.metric] = Culprit{worst->first.first, worst->first.second, rule.what(worst->second)};
  }
  return culprits;
}

}  // namespace warpgrade::emulator
