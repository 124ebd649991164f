// One table: rung (or any), what was missed, and a sentence. The first row that fits is said, so rows for one rung
// stand before those for all.
#include "labs/lab3/hints.h"

#include "labs/support/hint_table.h"

namespace lab3 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Write down a 2 x 3 matrix A and a 3 x 4 matrix B, number the elements of each from 0 row by row, and list which "
     "numbers C's last element needs."},
    {"v2_coalesced", "correctness",
     "Only who computes what has changed since v1, not what is computed. Do row, column and both of their bounds still "
     "belong together?"},
    {"v3_tiled", "correctness",
     "Three things can go wrong with a tile: it is read before it is complete, it is overwritten before everyone has "
     "read it, or it holds something at the edge that is not 0. Which sizes fail?"},
    {"v4_block", "correctness",
     "A thread now has several elements of C and fetches several of each slice; each of them needs its own place and "
     "its own bounds."},
    {"v5_vector", "correctness",
     "Which of the buffers is read and which is written in between two barriers? And do all rows of this size start at "
     "a multiple of 16 bytes?"},
    {"v6_open", "correctness",
     "Which sizes does the fast path assume? Everything else has to take another one. Is there anything that is copied "
     "and not waited for?"},
    {"v7_tensor", "correctness",
     "Which dimension is the leading one of each fragment, and is it stored by rows or by columns? The sum has to be "
     "float throughout; a half has 11 bits."},
    {"v1_naive", "global_bytes_per_element",
     "An element of C has to be written once, when its sum is complete. Where is the sum until then?"},
    {"v1_naive", "elements_per_thread",
     "One thread for each element of C, no more and no fewer, but for the last blocks."},
    {"v2_coalesced", "global_load_sectors_per_request",
     "Lanes of a warp differ in threadIdx.x first. Are the elements of B that they read neighbours? And those of A?"},
    {"v2_coalesced", "global_store_sectors_per_request",
     "When threadIdx.x goes up by one, how far does the address in d_c move?"},
    {"v3_tiled", "global_bytes_per_element",
     "Each element that a block fetches can serve 32 others of the block. How many times is it fetched?"},
    {"v4_block", "elements_per_thread",
     "The tile has 64 x 64 elements, the block 16 x 16 threads. How many elements is each of them in charge of?"},
    {"v4_block", "warp_instructions",
     "For every number that is fetched from shared memory, how many multiplications use it while it is in a register?"},
    {"v5_vector", "shared_requests_per_warp",
     "A thread that needs 4 neighbours from shared memory can ask for them at once, if they lie side by side. Which of "
     "the two slices has to be turned for that?"},
    {"v5_vector", "barriers_per_block",
     "The second barrier keeps the next slice from overwriting this one. What if it had a place of its own?"},
    {"v6_open", "warp_instructions",
     "2^25 products are 2^20 instructions of a warp, whatever you do. Everything above that number is yours to save: "
     "loads from shared memory first, then addresses."},
    {"v6_open", "flops",
     "This rung is about multiplying in float, with FFMA. What multiplies on tensor cores belongs into v7."},
    {"v7_tensor", "warp_instructions",
     "One wmma::mma_sync multiplies 4096 pairs of numbers. What do your warps spend their instructions on instead?"},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_c alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_bytes_per_element",
     "Each element of A is needed n times and each of B m times. How often does your kernel fetch them?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for the load that the report names. Which "
     "lanes differ in the row of the tile alone?"},
    {kAnyRung, "elements_per_thread", "What a thread has fetched can serve all of its results. Give it more of them."},
    {kAnyRung, "warp_instructions",
     "Which instructions multiply, and which only prepare for it? Count both for one turn of the inner loop."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab3
