// One table: rung (or any), what was missed, and a sentence. The first row that fits is said, so rows for one rung
// stand before those for all.
#include "labs/lab2/hints.h"

#include "labs/support/hint_table.h"

namespace lab2 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Draw a 2 x 3 matrix and its transpose, number both by element index, and follow one element. How long is a row "
     "of "
     "each?"},
    {"v2_shared", "correctness",
     "A tile moves twice: its place in d_out is not its place in d_in, and its inside is turned. Check the two apart, "
     "and ask for each what must be true before a thread may read what another one wrote."},
    {"v3_padded", "correctness",
     "Padding changes how long a row of the tile is, not which elements are in use. If v2 was right, what else moved?"},
    {"v4_unrolled", "correctness",
     "A thread now has several elements, and each of them needs its own bounds check, on the way in and on the way "
     "out."},
    {"v5_open", "correctness",
     "Which sizes and addresses does the fast path need? Everything else has to take another one."},
    {"v1_naive", "global_bytes_per_element",
     "One of the two accesses has to be scattered, not both. Which index does threadIdx.x count, and which neighbours "
     "does a warp have?"},
    {"v1_naive", "global_load_sectors_per_request",
     "Lanes of one warp differ in threadIdx.x. Are the elements that they read neighbours in memory?"},
    {"v2_shared", "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at the load from d_in alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_load_efficiency",
     "Sectors are fetched whole. Which of their 32 bytes do the lanes of this load use?"},
    {kAnyRung, "global_store_efficiency",
     "Sectors are written whole. Which of their 32 bytes do the lanes of this store fill?"},
    {kAnyRung, "global_bytes_per_element",
     "Every element has to be read once and written once. What else crosses the bus, and why?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches when it reads a column of the tile. What if a "
     "row were one element longer?"},
    {"v4_unrolled", "elements_per_thread",
     "The tile stays 32 x 32, but the block has only 32 x 8 threads. How many elements is each of them in charge of?"},
    {kAnyRung, "elements_per_thread",
     "Work that is the same for all elements of a thread is paid once for each thread. Give it more elements."},
    {"v5_open", "warp_instructions",
     "Most of what v4 executes computes addresses and checks bounds, over and over, for 4 bytes at a time. What is the "
     "widest access that a thread has?"},
    {kAnyRung, "warp_instructions",
     "Which instructions move data, and which only prepare for it? Count both for one warp."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab2
