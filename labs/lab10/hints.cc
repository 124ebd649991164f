// One table: rung, what was missed, and a sentence.
#include "labs/lab10/hints.h"

#include "labs/support/hint_table.h"

namespace lab10 {
namespace {

constexpr lab::HintRow kHints[] = {
    {"v1_bitonic", "correctness",
     "Write down the pairs of all steps for n = 4, and then for n = 3. Does each element belong to one pair of a step? "
     "Which pairs does each thread get, and in which "
     "order do the steps follow each other? The smaller key always goes to the left."},
    {"v2_shared", "correctness",
     "Which steps stay within a tile, and are they done exactly once, in the order of v1? Between two steps in shared "
     "memory, which threads must have finished?"},
    {"v3_split", "correctness",
     "Sort with bits = 1 first: one pass. Elements with a 0 come first, in their old order. Then bits = 2: from which "
     "array does the second pass read, and into which does the last pass write?"},
    {"v4_four_bits", "correctness",
     "Sort with bits = 4 first: one pass. Two elements with the same digit keep their order if those of earlier "
     "tiles, warps, rows and lanes come first, in this order. Which of the four is missing?"},
    {"v5_one_sweep", "correctness",
     "Which words must hold 0 before a pass, and who clears them? Does a tile wait only for tiles that run already? Is "
     "each status word read and written in one piece?"},
    {"v1_bitonic", "elements_per_thread",
     "Let P be n, rounded up to a power of two. A step has P / 2 pairs. How many threads do you launch, and how many "
     "of "
     "them have a pair?"},
    {"v1_bitonic", "global_load_efficiency",
     "When threadIdx.x goes up by one, how far does the left place of the pair move, if the distance is large?"},
    {"v2_shared", "global_bytes_per_element",
     "How many of your launches read the whole array? A step whose pairs lie within a tile needs no launch of its "
     "own."},
    {"v2_shared", "kernel_launches",
     "All steps of the first 11 phases stay within tiles of 2048 elements. How many launches do you need for them?"},
    {"v3_split", "global_bytes_per_element",
     "A pass has to read each element, and to write it once. Which numbers do you write for each element, although one "
     "for each tile is enough?"},
    {"v3_split", "kernel_launches",
     "Three launches are enough for a pass: count, scan, move. The next pass can read what this one has written, "
     "wherever it is."},
    {"v4_four_bits", "global_bytes_per_element",
     "Neighbouring threads should store to neighbouring places. Sort the tile in shared memory first: then thread i "
     "stores element i of the sorted tile."},
    {"v4_four_bits", "kernel_launches",
     "How many passes do 32 bits need with four bits each? And how many launches does each pass have?"},
    {"v5_one_sweep", "global_store_bytes",
     "Eight bits in each pass are four passes, and each of them may store an element once. How many status words does "
     "a "
     "tile store besides?"},
    {"v5_one_sweep", "kernel_launches",
     "One launch for each pass, and one that counts the digits of all passes together. What tells a tile where its "
     "runs "
     "begin, without another launch?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab10
