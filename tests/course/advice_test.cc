// Does to wrong answers what their findings advise, to the letter and as one who knows nothing else, until they pass.
// Where the advice names the place of a barrier, the test puts it there. Every other repair is a row of kRepairs: what
// the advice must say, and an edit that does it.
//
// By default a handful of mutants is tried. WARPGRADE_TEST_ALL_ADVICE=1 in the environment tries all mutants of lab1
// and lab3 that a finding catches, which takes several minutes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int kMostRounds = 3;

struct Repair {
  const char* mutant;
  const char* advice;  // a part of it
  const char *from, *to;
};

constexpr const char* kBounds = "compare it with the array's size";
constexpr const char* kGivenStream = "give each launch and each copy the stream that your function gets";
constexpr const char* kStore = "let every thread of the block store its element, also at the edges";

// The repairs that put no barrier at a line.
constexpr Repair kRepairs[] = {
    {"v1_interleaved_modulo__reads_past_n", kBounds, "= d_in[i];", "= i < n ? d_in[i] : Op::neutral();"},
    {"v2_interleaved_strided__pair_past_the_end", "must be compared with the number of elements", "index <= blockDim.x",
     "index < blockDim.x"},
    {"v1_interleaved_modulo__in_the_default_stream", kGivenStream, "<<<blocks, kThreads>>>",
     "<<<blocks, kThreads, 0, stream>>>"},
    {"v1_naive__in_the_default_stream", kGivenStream, "<<<grid, block>>>", "<<<grid, block, 0, stream>>>"},
    {"v4_first_add__second_load_unguarded", kBounds, "second = i < n", "second = i + blockDim.x < n"},
    {"v8_shuffle__half_mask", "let the mask name every lane that executes this call", "0x0000ffffu", "0xffffffffu"},
    {"v8_shuffle__shuffle_in_branch", "move the shuffle out of the branch",
     "if (threadIdx.x % 32 < offset) value = Op()(value, __shfl_down_sync(kAllLanes, value, offset));",
     "const T other = __shfl_down_sync(kAllLanes, value, offset);\n"
     "if (threadIdx.x % 32 < offset) value = Op()(value, other);"},
    {"v9_one_pass__assumes_alignment", "size: look at the start of the array", "to_boundary = 0 * past_boundary",
     "to_boundary = (kWidth - past_boundary) % kWidth"},
    {"v9_one_pass__ticket_never_reset", "let the last block set it back", "if (threadIdx.x == 0) d_out[0] = value;",
     "if (threadIdx.x == 0) {\n d_out[0] = value;\n ticket = 0;\n }"},
    {"v1_naive__rows_of_b_as_long_as_those_of_a", "check how the index is computed", "d_b[l * k", "d_b[l * n"},
    {"v2_coalesced__bound_of_the_rows_forgotten", kBounds, "if (column < n)", "if (row < m && column < n)"},
    {"v2_coalesced__bounds_swapped", kBounds, "row < n && column < m", "row < m && column < n"},
    {"v3_tiled__early_return", "let no thread return before", "  if (row >= m || column >= n) return;\n", ""},
    {"v3_tiled__stale_at_the_edge", kStore, "if (row < m && a_column < k) a_tile[threadIdx.y][threadIdx.x] = d_a",
     "a_tile[threadIdx.y][threadIdx.x] = 0;\n"
     "if (row < m && a_column < k) a_tile[threadIdx.y][threadIdx.x] = d_a"},
    {"v3_tiled__stale_at_the_edge", kStore, "if (b_row < k && column < n) b_tile[threadIdx.y][threadIdx.x] = d_b",
     "b_tile[threadIdx.y][threadIdx.x] = 0;\n"
     "if (b_row < k && column < n) b_tile[threadIdx.y][threadIdx.x] = d_b"},
    {"v4_block__one_check_for_all", kBounds, "first_row + threadIdx.y < m && first_column + threadIdx.x < n",
     "row < m && column < n"},
    {"v5_vector__wide_loads_for_every_size", "take them one at a time", "kernel = matmul_v5<true>;",
     "kernel = k % 4 == 0 && n % 4 == 0 ? matmul_v5<true> : matmul_v5<false>;"},
    {"v5_vector__the_buffer_that_is_read", "or write to a buffer that no thread reads in this iteration",
     "put(buffer, next_a", "put(buffer ^ 1, next_a"},
    {"v6_open__k_of_whole_slices", kBounds, "k % 4 == 0", "k % S::kDepth == 0"},
    {"v6_open__whole_tiles_for_every_size", "take them one at a time", "whole = true",
     "whole = m % S::kBlockM == 0 && n % S::kBlockN == 0 && k % S::kDepth == 0"},
    {"v7_tensor__edge_stored_whole", kBounds, "c_row < m && c_column < n && n % 4",
     "c_row + kSide <= m && c_column + kSide <= n && n % 4"},
};

const std::set<std::string> kHandful = {"v3_sequential__missing_barrier_after_load",
                                        "v3_sequential__missing_barrier_before_unrolled_loop",
                                        "v5_last_warp__no_syncwarp",
                                        "v9_one_pass__missing_barrier",
                                        "v9_one_pass__ticket_never_reset",
                                        "v3_tiled__no_barrier_after_reading"};

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The number of the nearest line above line `line` that begins a loop.
int LineOfLoopAround(const std::string& text, int line) {
  const std::vector<std::string> lines = Lines(text);
  while (line > 1 && lines.at(static_cast<size_t>(line) - 1).find("for (") == std::string::npos) --line;
  return line;
}

// The barriers that `advice` on `text` places, by the number of the line that they stand before.
std::map<int, std::string> Barriers(const std::string& text, const std::string& advice) {
  static const std::regex kPlace(
      "(put a (__sync[a-z]+\\(\\))|another one) (before line (\\d+)|before the loop around line (\\d+)|between line "
      "\\d+ and line (\\d+)(?!, outside)"
      "|at the end of [^;]*?, after line (\\d+))");
  std::map<int, std::string> barriers;
  std::string name;
  for (std::sregex_iterator m(advice.begin(), advice.end(), kPlace), end; m != end; ++m) {
    if ((*m)[2].matched) name = (*m)[2];
    const int line = (*m)[4].matched   ? std::stoi((*m)[4])
                     : (*m)[5].matched ? LineOfLoopAround(text, std::stoi((*m)[5]))
                     : (*m)[6].matched ? std::stoi((*m)[6])
                                       : std::stoi((*m)[7]) + 1;
    barriers[line] = name + ";";
  }
  return barriers;
}

// `text` after its findings' advice. Unchanged if nothing in it is known.
std::string Repaired(const std::string& mutant, const std::string& text, const json& rung) {
  std::map<int, std::string> barriers;
  std::string repaired = text;
  std::set<const Repair*> done;
  for (const json& finding : rung.at("findings")) {
    const std::string advice = finding.at("advice");
    if (finding.at("file") == rung.at("rung").get<std::string>() + ".cu") barriers.merge(Barriers(text, advice));
    for (const Repair& repair : kRepairs) {
      if (repair.mutant != mutant || advice.find(repair.advice) == std::string::npos) continue;
      const size_t at = repaired.find(repair.from);
      if (at != std::string::npos && !done.insert(&repair).second) continue;
      if (at != std::string::npos) repaired.replace(at, std::string(repair.from).size(), repair.to);
    }
  }
  if (barriers.empty() || repaired != text) return repaired;
  std::vector<std::string> lines = Lines(text);
  repaired.clear();
  for (size_t k = 0; k < lines.size(); ++k) {
    const bool pragma = lines[k].rfind("#pragma", 0) == 0;  // belongs to the next line
    for (const size_t line : {k + 1, pragma ? k + 2 : 0}) {
      const auto barrier = barriers.find(static_cast<int>(line));
      if (barrier == barriers.end()) continue;
      repaired += barrier->second + "\n";
      barriers.erase(barrier);
    }
    repaired += lines[k] + "\n";
  }
  return repaired;
}

std::string RungOf(const std::string& mutant) { return mutant.substr(0, mutant.find("__")); }

class AdviceTest : public testing::TestWithParam<std::string> {};

TEST_P(AdviceTest, FollowedToTheLetterMakesARungPass) {
  const std::string& lab = GetParam();
  const bool all = std::getenv("WARPGRADE_TEST_ALL_ADVICE") != nullptr;
  std::map<std::string, std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath("labs/" + lab + "/mutants"))) {
    const std::string mutant = entry.path().stem();
    if (entry.path().extension() != ".yaml" && (all || kHandful.count(mutant) > 0))
      left[mutant] = MutantText(lab, mutant);
  }
  ASSERT_FALSE(left.empty());
  for (int round = 0; round <= kMostRounds && !left.empty(); ++round) {
    const TemporaryFolder folder;
    for (const auto& [mutant, text] : left)
      folder.Write("class/" + mutant + "/" + lab + "/" + RungOf(mutant) + ".cu", text);
    const Graded graded = Grade(folder.Path("class"), {"--lab", lab});
    ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
    for (auto it = left.begin(); it != left.end();) {
      const json& rung = graded.Rung(it->first, lab, RungOf(it->first));
      SCOPED_TRACE(it->first + ", round " + std::to_string(round) + ":\n" + Told(rung));
      const bool caught = round > 0 || !rung.at("findings").empty();  // else a value or a metric catches it
      const std::string repaired = Repaired(it->first, it->second, rung);
      const bool passed = rung.at("status") == "passed";
      const bool stuck = caught && !passed && (repaired == it->second || round == kMostRounds);
      EXPECT_FALSE(stuck) << "the advice leads no further; the file is now:\n" << it->second;
      it->second = repaired;
      it = passed || stuck || !caught ? left.erase(it) : std::next(it);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, AdviceTest, testing::Values("lab1", "lab3"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
