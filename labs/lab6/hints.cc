// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab6/hints.h"

#include "labs/support/hint_table.h"

namespace lab6 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Do the case with 3 x 3 elements on paper, for 1 step and for 2 steps. Which array does each step read, and which "
     "does it write? Who writes the ring?"},
    {"v2_shared", "correctness",
     "A tile that is 32 columns wide needs 34 columns. Which threads fetch the first column, the last column and the "
     "corners? When may a thread read them?"},
    {"v3_rolling", "correctness",
     "When a thread goes down by one row, which row in its registers becomes which? And which lanes have a neighbour "
     "on one side only?"},
    {"v4_open", "correctness",
     "For each step of a pass, the tile needs one more row and one more column on every side. How many lanes and rows "
     "are still right after the last step? And does the ring keep its values in every step?"},
    {"v1_naive", "global_load_efficiency",
     "When threadIdx.x goes up by one, how far does the address of the element move?"},
    {"v1_naive", "kernel_launches",
     "All elements of a step must be written before the next step begins. The end of a kernel guarantees that."},
    {"v2_shared", "global_bytes_per_element",
     "Up to nine threads of a block need the same element. How often does the block fetch it?"},
    {"v3_rolling", "shared_wavefronts",
     "A lane needs a value that is in a register of its left neighbour. How can a lane read a register of another lane "
     "of its warp?"},
    {"v3_rolling", "barriers_per_block",
     "Does a warp still need data from other warps? If not, why does it wait for them?"},
    {"v3_rolling", "global_bytes_per_element",
     "When a thread goes down by one row, it has six of the nine elements already. How many are new? How many of the "
     "new ones does a neighbouring lane load anyway?"},
    {"v3_rolling", "elements_per_thread",
     "A thread loads some rows before its first result. If it computes many rows after that, these first loads count "
     "little."},
    {"v4_open", "global_bytes_per_element",
     "A pass that does one step reads and writes every element once. What if a pass did two steps?"},
    {"v4_open", "warp_instructions",
     "One load can bring four neighbouring elements, and one store can write four. Four neighbouring results also need "
     "many of the same elements in the rows above and below."},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_bytes_per_element", "Nine threads need each element. How often does your kernel load it?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for the load that the report names."},
    {kAnyRung, "elements_per_thread",
     "Let each thread compute more rows, so that the loads before its first result count less."},
    {kAnyRung, "warp_instructions",
     "Which instructions multiply, and which only prepare for it? Count both for one element."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab6
