// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all. Tested by tests/course/lab1/lab_test.cc and completeness_test.cc.
#include "labs/lab1/hints.h"

#include "labs/support/hint_table.h"

namespace lab1 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_interleaved_modulo", "correctness",
     "Draw the tree for 8 elements on paper. Which writes must be done before a thread may read an element? What does "
     "a thread past the end of the input contribute? Does every launch write one result for each of its blocks, until "
     "one is left?"},
    {"v2_interleaved_strided", "correctness",
     "With step = 1, 2, 4: which two elements does thread 1 combine? Which is the first thread for which no pair is "
     "left?"},
    {"v3_sequential", "correctness",
     "Write down the pairs of each step, from the first to the last. Does every element reach element 0, once?"},
    {"v4_first_add", "correctness",
     "Each thread now loads two elements, and each of the two may lie past n. A block covers twice as many elements. "
     "Did you change the number of blocks too?"},
    {"v5_last_warp", "correctness",
     "Write down the steps: does the last warp begin where the loop of the block ends? In the last warp a lane reads "
     "an "
     "element that another lane of the same step writes. The lanes of a warp do not "
     "have to run in lockstep. What makes the read come before the write?"},
    {"v6_unrolled", "correctness",
     "Compare your steps with the loop of v5, one by one. Are the steps and the barriers the same, for this block "
     "size?"},
    {"v7_grid_stride", "correctness",
     "Follow thread 0 of block 1 for a small grid: which elements does it take, and who takes the ones in between? How "
     "many partial results does the last launch have to combine?"},
    {"v8_shuffle", "correctness",
     "Every lane that the mask names must execute the shuffle, and no other lane may. Is this true in both places "
     "where you use it? And how does the result of each warp get to the first warp?"},
    {"v9_one_pass", "correctness",
     "Where does d_in lie relative to a 16-byte boundary? Which elements are left over at each end? What is in d_work "
     "before you write there?"},

    {"v1_interleaved_modulo", "global_load_sectors_per_request",
     "32 lanes that load 32 neighbouring floats touch 4 sectors. Which element does the lane next to you load?"},
    {kAnyRung, "divergent_branches_per_warp",
     "Which lanes of warp 5 work in the first step? A warp executes both sides of an if when its lanes disagree. Can "
     "the threads that work be neighbours?"},
    {kAnyRung, "shared_bank_conflicts",
     "Shared memory has 32 banks, 4 bytes wide: element i lies in bank i % 32. For one step, write down the banks of "
     "lanes 0, 1, 2, 3."},
    {"v4_first_add", "elements_per_thread",
     "In v3 half of the threads only load and wait. Could half as many threads do the first step while loading? If "
     "each of yours loads two elements already: does the call in reduce() say how many elements a block takes?"},
    {kAnyRung, "elements_per_thread",
     "How many threads are enough to fill the GPU, and how many do you start? Each thread could do the rest in a "
     "loop."},
    {kAnyRung, "barriers_per_block",
     "How many warps still work when step is 32 or less? A barrier of the whole block waits for all of its warps."},
    {kAnyRung, "branches_per_warp",
     "Which number in the loop is unknown at compile time? A template parameter could make it known."},
    {kAnyRung, "shuffles_per_warp",
     "A tree over 32 lanes takes five steps. In each step, __shfl_down_sync copies a register from another lane."},
    {kAnyRung, "shared_requests_per_warp",
     "Once a warp has reduced its 32 values to one in registers, how many values does it need to store?"},
    {kAnyRung, "kernel_launches",
     "The second launch exists because no block knows when the others have finished. Which block could know, and how?"},
    {kAnyRung, "atomics",
     "Atomics on one address wait for each other. What can a block do first, so that it needs only one atomic?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

std::string Note(std::string_view rung, const std::map<std::string, double>& metrics) {
  constexpr double kTwoElements = 1.9;  // the limit of v4, from which v5 goes on
  const auto found = metrics.find("elements_per_thread");
  if (rung != "v5_last_warp" || found == metrics.end() || found->second >= kTwoElements) return "";
  return "your largest launch has more than one thread for two elements, but in v4 and v5 each thread loads two. Look "
         "at the number of elements of a block in the call of reduce_in_passes, and at the number of blocks in the "
         "launch. This costs no points, but it costs time on a GPU";
}

}  // namespace lab1
