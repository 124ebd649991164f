// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab2/hints.h"

#include "labs/support/hint_table.h"

namespace lab2 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Draw a 2 x 3 matrix and its transpose, and number the elements of both. Follow one element. How long is a row of "
     "each matrix?"},
    {"v2_shared", "correctness",
     "Two things change for a tile: its place in the matrix, and the order of the elements inside it. Check each "
     "change alone. What must be true before a thread may read what another thread wrote?"},
    {"v3_padded", "correctness",
     "Padding makes a row of the tile longer, but the kernel uses the same elements as before. If v2 was right, what "
     "else have you changed?"},
    {"v4_unrolled", "correctness",
     "A thread now moves several elements. Does each of them have its own bounds check, for the load and for the "
     "store?"},
    {"v5_open", "correctness", "Which sizes and addresses does the fast path need? All others need another path."},
    {"v1_naive", "global_bytes_per_element",
     "At least one of the two accesses is scattered in this rung, but the other one need not be. Which index does "
     "threadIdx.x stand for, and which elements do neighbouring lanes touch?"},
    {"v1_naive", "global_load_sectors_per_request",
     "Lanes of one warp differ in threadIdx.x. Are the elements that they read neighbours in memory?"},
    {"v2_shared", "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at the load from d_in alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_load_efficiency",
     "The GPU reads whole sectors of 32 bytes. Which of these bytes do the lanes of this load use?"},
    {kAnyRung, "global_store_efficiency",
     "The GPU writes whole sectors of 32 bytes. Which of these bytes do the lanes of this store fill?"},
    {kAnyRung, "global_bytes_per_element",
     "Every element has to be read once and written once. What else does your kernel read or write, and why?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches when it reads a column of the tile. What if a "
     "row were one element longer?"},
    {"v4_unrolled", "elements_per_thread",
     "The tile still has 32 x 32 elements, but the block has only 32 x 8 threads. How many elements must each thread "
     "move?"},
    {kAnyRung, "elements_per_thread",
     "A thread does some work once for all of its elements. Give each thread more elements, so that this work counts "
     "less."},
    {"v5_open", "warp_instructions",
     "Most instructions of v4 compute addresses and check bounds, for 4 bytes at a time. What is the widest load and "
     "the widest store of a thread?"},
    {kAnyRung, "warp_instructions",
     "Which instructions move data, and which only prepare for it? Count both for one warp."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab2
