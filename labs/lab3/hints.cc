// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all. Tests: tests/course/completeness_test.cc, and the mutants, whose messages quote hints.
#include "labs/lab3/hints.h"

#include "labs/support/hint_table.h"

namespace lab3 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Write down a 2 x 3 matrix A and a 3 x 4 matrix B. Number the elements of each from 0, row by row. Which of them "
     "does the last element of C need?"},
    {"v2_coalesced", "correctness",
     "Since v1 only one thing has changed: which thread computes which element. Do you still compare the row with the "
     "number of rows, and the column with the number of columns?"},
    {"v3_tiled", "correctness",
     "Three things can go wrong with a tile. A thread reads it before it is complete. A thread overwrites it before "
     "all threads have read it. Or a place of the tile that lies outside of the matrix is not 0. Which sizes fail?"},
    {"v4_block", "correctness",
     "A thread now computes several elements of C, and it fetches several elements of each slice. Does each of these "
     "elements have its own index and its own bounds check?"},
    {"v5_vector", "correctness",
     "Which buffer is read, and which is written, between two barriers? For the size that fails, does each row start "
     "at a multiple of 16 bytes?"},
    {"v6_open", "correctness",
     "Which sizes does the fast path assume? All others need another path. Does the kernel wait for each copy before "
     "it uses what was copied?"},
    {"v7_tensor", "correctness",
     "What is the leading dimension of each fragment, and is it stored by rows or by columns? Keep the sums in float "
     "throughout: a half has only 11 bits of precision."},
    {"v1_naive", "global_bytes_per_element",
     "An element of C has to be written once, when its sum is complete. Where do you keep the sum until then?"},
    {"v1_naive", "elements_per_thread",
     "Use one thread for each element of C. Only the last blocks may have threads without one."},
    {"v2_coalesced", "global_load_sectors_per_request",
     "Lanes of a warp differ in threadIdx.x first. Are the elements of B that they read neighbours? And those of A?"},
    {"v2_coalesced", "global_store_sectors_per_request",
     "When threadIdx.x goes up by one, how far does the address in d_c move?"},
    {"v3_tiled", "global_bytes_per_element",
     "32 threads of a block need the same element. How many times does the block fetch it?"},
    {"v4_block", "elements_per_thread",
     "The tile has 64 x 64 elements, and the block has 16 x 16 threads. How many elements must each thread compute?"},
    {"v4_block", "warp_instructions",
     "For every number that is fetched from shared memory, how many multiplications use it while it is in a register?"},
    {"v5_vector", "shared_requests_per_warp",
     "A thread can load 4 neighbours from shared memory with one request, if they lie side by side. Which of the two "
     "slices must be stored transposed for that?"},
    {"v5_vector", "barriers_per_block",
     "The second barrier keeps the next slice from overwriting this one. What if the next slice had memory of its "
     "own?"},
    {"v6_open", "warp_instructions",
     "2^25 products take 2^20 warp instructions at least. All other instructions are overhead. First reduce the loads "
     "from shared memory, then the instructions that compute addresses."},
    {"v6_open", "flops", "This rung multiplies in float, with FFMA. Tensor cores are for v7."},
    {"v7_tensor", "warp_instructions",
     "One wmma::mma_sync multiplies 4096 pairs of numbers. Which other instructions do your warps execute?"},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_c alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_bytes_per_element",
     "Each element of A is needed n times, and each element of B m times. How often does your kernel fetch them?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for the load that the report names. Which "
     "lanes read the same column of the tile, but another row?"},
    {kAnyRung, "elements_per_thread",
     "A thread can use a number that it has loaded for several of its results. Let each thread compute more results."},
    {kAnyRung, "warp_instructions",
     "Which instructions multiply, and which only prepare for it? Count both for one iteration of the inner loop."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab3
