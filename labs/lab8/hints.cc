// One table: rung, what was missed, and a sentence. Tests: tests/course/completeness_test.cc, and the mutants.
#include "labs/lab8/hints.h"

#include "labs/support/hint_table.h"

namespace lab8 {
namespace {

constexpr lab::HintRow kHints[] = {
    {"v1_tail", "correctness",
     "Number the threads of the last block and write down what each of them stores before the barrier. Which elements "
     "does the tree read?"},
    {"v2_second_load", "correctness",
     "Line (B) loads two elements. What does its comparison say about the index of each of them?"},
    {"v3_last_warp", "correctness",
     "Take two lanes of the last warp and one step. Which element does one of them read that the other one writes? "
     "What "
     "makes sure that this happens in the right order?"},
    {"v4_two_warps", "correctness",
     "In which warp is the thread that stores the element, and in which warp is the thread that loads it? Which "
     "functions order threads of different warps?"},
    {"v5_block_sizes", "correctness",
     "List the steps of a block of 64 threads and of a block of 1024 threads: how many threads add, and how far away "
     "is "
     "the element that each of them adds?"},
    {"v6_in_place", "correctness",
     "Take two blocks of one launch. Which element does one of them write that the other one reads? What orders two "
     "blocks of one launch, and what orders two launches?"},
    {"v7_mask", "correctness",
     "The mask has a bit for each lane that takes part. Write down the lanes that are at this line, and the bits of "
     "the "
     "mask."},
    {"v8_transpose", "correctness",
     "How many rows does d_out have, and how long is each of them? Compare this with the two comparisons before the "
     "store, for a matrix with 32 rows and 64 columns."},
    {"v9_neurons", "correctness",
     "Take a group that is smaller than a block. Which threads come to each barrier? And how many threads change "
     "`quiet` at the same time?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab8
