// Chooses the request of each line that is shown, and gives its addresses as offsets in their array. Tests:
// tests/judge/pictures_test.cc, and tests/course/explain_test.cc for the course's mutants.
#include "grader/judge/pictures.h"

#include <algorithm>
#include <tuple>

#include "grader/judge/findings.h"

namespace warpgrade::judge {
namespace {

using emulator::RequestSample;

constexpr uint64_t kLineBytes = 128;

score::Triple ToScore(const emulator::Dim3& d) { return {d.x, d.y, d.z}; }

uint64_t Above(const RequestSample& sample) { return sample.cost.cost - sample.cost.fewest; }

// Whether `a` is shown rather than `b`, of one line. The most costly is shown, or the most frequent if nothing costs
// more than it must.
bool IsWorse(const RequestSample& a, const RequestSample& b) {
  return std::tuple(Above(a), a.count) > std::tuple(Above(b), b.count);
}

score::MemoryRequest ToScore(const RequestSample& sample) {
  score::MemoryRequest shown;
  const emulator::Request& request = sample.request;
  shown.bytes = request.bytes;
  shown.lanes = request.lanes;
  for (size_t lane = 0; lane < request.at.size(); ++lane) {
    if ((request.lanes >> lane & 1) != 0) shown.at.push_back(request.at[lane]);
  }
  const uint64_t lowest = *std::min_element(shown.at.begin(), shown.at.end());
  if (!sample.array.empty() && sample.array_base % kLineBytes == 0 && lowest >= sample.array_base) {
    shown.array = sample.array;
    for (uint64_t& at : shown.at) at -= sample.array_base;
  }
  shown.kernel = sample.kernel;
  shown.block = ToScore(sample.block);
  shown.block_size = ToScore(sample.block_size);
  shown.warp = sample.warp;
  shown.cost = sample.cost.cost;
  shown.fewest = sample.cost.fewest;
  return shown;
}

score::LineRequests ToScore(const emulator::LineRequests& from) {
  using Does = score::LineRequests::Does;
  score::LineRequests to;
  to.line = from.line;
  to.in_shared = from.space == emulator::RequestSpace::kShared;
  to.does = from.direction == emulator::AccessDirection::kLoad    ? Does::kLoad
            : from.direction == emulator::AccessDirection::kStore ? Does::kStore
                                                                  : Does::kAtomic;
  to.requests = from.requests;
  to.cost = from.cost;
  to.fewest = from.fewest;
  const RequestSample* worst = from.samples.data();
  for (const RequestSample& sample : from.samples) {
    to.costs.push_back({sample.cost.cost, sample.cost.fewest, sample.count});
    if (IsWorse(sample, *worst)) worst = &sample;
  }
  std::stable_sort(to.costs.begin(), to.costs.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  to.shown = ToScore(*worst);
  return to;
}

// Leaves those of most weight, by line.
template <typename Line, typename Weight>
void Bound(std::vector<Line>* lines, const Weight& weight) {
  if (lines->size() <= kMostPicturedLines) return;
  std::stable_sort(lines->begin(), lines->end(), [&](const Line& a, const Line& b) { return weight(a) > weight(b); });
  lines->resize(kMostPicturedLines);
  std::stable_sort(lines->begin(), lines->end(), [](const Line& a, const Line& b) { return a.line < b.line; });
}

}  // namespace

std::vector<score::LineRequests> ToScore(const std::vector<emulator::LineRequests>& recorded, const std::string& rung) {
  std::vector<score::LineRequests> lines;
  for (const emulator::LineRequests& one : recorded) {
    if (one.samples.empty() || ShortFile(one.file, rung) != rung + ".cu") continue;
    lines.push_back(ToScore(one));
  }
  Bound(&lines, [](const score::LineRequests& line) { return line.Above(); });
  return lines;
}

std::vector<score::LineBranches> ToScore(const std::vector<emulator::LineBranches>& recorded, const std::string& rung) {
  std::vector<score::LineBranches> lines;
  for (const emulator::LineBranches& one : recorded) {
    if (one.divergent == 0 || ShortFile(one.file, rung) != rung + ".cu") continue;
    score::LineBranches line{one.line, one.executed, one.divergent, one.kernel};
    line.block = ToScore(one.block);
    line.block_size = ToScore(one.block_size);
    line.warp = one.worst.warp;
    line.warp_executed = one.worst.executed;
    line.warp_divergent = one.worst.divergent;
    for (const emulator::BranchStep& step : one.worst.steps) line.steps.push_back({step.alive, step.at, step.inside});
    lines.push_back(std::move(line));
  }
  Bound(&lines, [](const score::LineBranches& line) { return line.divergent; });
  return lines;
}

std::vector<score::RaceOfTwo> RacesOf(const std::vector<emulator::Finding>& findings, const std::string& rung) {
  constexpr uint32_t kLanes = 32;
  const auto access = [&rung](const std::string& file, int line, const char* verb, const emulator::Dim3& block,
                              const emulator::Dim3& thread, const emulator::Dim3& block_size) {
    const uint32_t number = thread.x + block_size.x * (thread.y + block_size.y * thread.z);
    return score::RaceAccess{ShortFile(file, rung) == rung + ".cu" ? line : 0,
                             verb,
                             ToScore(block),
                             ToScore(thread),
                             static_cast<int>(number / kLanes),
                             static_cast<int>(number % kLanes)};
  };
  std::vector<score::RaceOfTwo> races;
  for (const emulator::Finding& f : findings) {
    if (!emulator::IsRace(f.kind) || f.file.empty() || f.other_file.empty()) continue;
    // A barrier of the block may be needed for threads of one warp: in another run they may be of two.
    const bool block = f.reach == emulator::RaceReach::kWarp && !f.warp_barrier;
    score::RaceOfTwo race{f.kernel, f.place, emulator::Name(block ? emulator::RaceReach::kBlock : f.reach)};
    race.first = access(f.other_file, f.other_line, f.other_verb, f.other_block, f.other_thread, f.block_size);
    race.second = access(f.file, f.line, f.verb, f.block, f.thread, f.block_size);
    race.barrier_line = f.barrier_line;
    races.push_back(std::move(race));
  }
  return races;
}

Status RecordCase(const RungContext& context, const Case& c, score::RungMeasurement* measurement) {
  context.device.RecordPictures(true);
  // RunCases resets the observations before the case, so what is there afterwards is this case's alone.
  Status status = RunCases(context, {c}, measurement);
  context.device.RecordPictures(false);
  measurement->line_counts = context.device.LineCounts(context.rung);
  measurement->pictures = context.device.Pictures(context.rung);
  measurement->pictures.case_name = c.name;
  DropRacesWithoutFinding(context.rung, measurement);
  return status;
}

}  // namespace warpgrade::judge
