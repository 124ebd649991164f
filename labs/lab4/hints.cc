// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all. Tests: tests/course/completeness_test.cc, and the mutants, whose messages quote hints.
#include "labs/lab4/hints.h"

#include "labs/support/hint_table.h"

namespace lab4 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Take the line [1 2 3 4 5] and the mask [10 20 30]. Compute the first and the last element of the output on "
     "paper. Which index of d_in and which index of d_mask does each product have?"},
    {"v2_constant", "correctness",
     "The kernel computes the same as in v1. What does the constant array hold when the kernel starts? Has the whole "
     "mask been copied there?"},
    {"v3_tiled", "correctness",
     "An element that a thread needs is in the tile of its block, or elsewhere in the line, or outside of the line (a "
     "ghost). In which order do you test this? Is the tile complete before you read it?"},
    {"v4_image", "correctness",
     "Rows and columns each have their own radius and their own two borders. An index past the end of its row can "
     "still lie inside the array."},
    {"v5_image_tiled", "correctness",
     "Number the threads of a block, and list the elements that each of them stores in the tile, halo included. Has "
     "every element been stored, with 0 for ghosts, before a thread reads the tile?"},
    {"v6_separable", "correctness",
     "Which of the two masks lies along a row? Each pass has ghosts on two sides only. Which sides?"},
    {"v7_open_1d", "correctness",
     "For which widths and which n is the fast path written? Look at the first few and the last few elements of the "
     "line, and at masks that are wider than what a thread holds in registers."},
    {"v8_open_2d", "correctness",
     "For which columns and which masks is the fast path written? If the length of a row is not a multiple of 4, most "
     "rows do not start at a multiple of 16 bytes."},
    {"v9_halo_from_cache", "correctness",
     "An element that the mask covers is a ghost, or in the tile, or only in d_in. In the tile, both its row and its "
     "column are those of the tile. In which order do you test this? Is the tile complete before you read it?"},
    {"v10_planes", "correctness",
     "On paper, take two planes of 2 x 2, so d_in has 8 elements, and a mask of 3 x 1. Where does plane 1 begin? Which "
     "of "
     "the elements that the mask covers in the last row of plane 0 are ghosts?"},
    {"v1_naive", "elements_per_thread",
     "Use one thread for each element of d_out. Only the last block may have threads without one."},
    {"v2_constant", "global_bytes_per_element",
     "Only d_in should be read from global memory now. Which other array does the inner loop still read from there?"},
    {"v3_tiled", "global_bytes_per_element",
     "An element in the middle of a block's tile is fetched once, and all threads that need it read it from shared "
     "memory. What else do the threads of a block still read from global memory?"},
    {"v4_image", "global_bytes_per_element",
     "How many numbers does each product read from global memory? Where did v2 keep the mask?"},
    {"v4_image", "global_load_sectors_per_request",
     "Lanes of a warp differ in threadIdx.x first. Are the elements of d_in that they read neighbours in a row?"},
    {"v5_image_tiled", "global_bytes_per_element",
     "A tile of 32 x 32 with a mask of 9 x 9 needs 40 x 40 elements, halo included. Fetch each of them once."},
    {"v6_separable", "kernel_launches", "Use one kernel for the rows and one for the columns."},
    {"v6_separable", "flops_per_element",
     "Two passes need mask_rows + mask_columns products for each element. If your kernels need mask_rows * "
     "mask_columns, does the second pass use the result of the first?"},
    {"v6_separable", "global_bytes_per_element",
     "Each pass reads its input once and writes its output once. For both passes together, this is 16 bytes for each "
     "element, plus the halo."},
    {"v7_open_1d", "warp_instructions",
     "Count the instructions of the inner loop that do not multiply. A thread that computes several neighbouring "
     "outputs needs fewer loads for each product."},
    {"v7_open_1d", "elements_per_thread",
     "With one output for each thread, every product needs a load. How many neighbouring outputs could a thread "
     "compute from the numbers that it has in registers?"},
    {"v8_open_2d", "warp_instructions",
     "An instruction that does not multiply costs as much as one that does. Which numbers of the image and of the mask "
     "could be used for a second product while they are in a register?"},
    {"v8_open_2d", "elements_per_thread",
     "With one output for each thread, every product needs a load from shared memory. What if a thread computed a "
     "rectangle of outputs?"},
    {"v9_halo_from_cache", "global_bytes_per_element",
     "With less than 40 bytes, the halo is in the tile: here the tile has one element for each thread, and no halo. "
     "With "
     "more than 230, the code reads elements of the tile from d_in again and again."},
    {"v10_planes", "kernel_launches",
     "A grid has three dimensions, x, y and z. Which of them could count the planes in one launch?"},
    {"v10_planes", "elements_per_thread",
     "Use one thread for each element of each plane: the plane is blockIdx.z, so no thread needs a loop over planes."},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_bytes_per_element",
     "The minimum is 4 bytes read and 4 bytes written for each element. Which elements does your kernel fetch more "
     "than once?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for the load that the report names. If each "
     "lane loads 16 bytes, the hardware serves 8 lanes at a time."},
    {kAnyRung, "kernel_launches", "One kernel is enough."},
    {kAnyRung, "warp_instructions",
     "Which instructions multiply, and which only prepare for it? Count both for one iteration of the inner loop."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab4
