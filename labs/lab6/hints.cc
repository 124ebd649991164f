// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab6/hints.h"

#include "labs/support/hint_table.h"

namespace lab6 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_naive", "correctness",
     "Do the case with 3 x 3 elements on paper, for 1 step and for 2: which array does each step read, which does it "
     "write, and who writes the ring?"},
    {"v2_shared", "correctness",
     "A tile of 32 columns needs 34. Who fetches the first and the last of them, who fetches the corners, and when may "
     "anyone read them?"},
    {"v3_rolling", "correctness",
     "When a thread goes one row down, which row in its registers becomes which? And which lanes have a neighbour on "
     "one side only?"},
    {"v4_open", "correctness",
     "Each step done in one pass needs one more row and one more column all around. How many lanes and rows are right "
     "after the last step? And does the ring keep its values in every step?"},
    {"v1_naive", "global_load_efficiency",
     "When threadIdx.x goes up by one, how far does the address of the element move?"},
    {"v1_naive", "kernel_launches",
     "All elements of a step must be written before the next step begins. The end of a kernel guarantees that."},
    {"v2_shared", "global_bytes_per_element",
     "Each element that a block fetches serves up to nine of its threads. How often is it fetched?"},
    {"v3_rolling", "shared_wavefronts",
     "A lane's left neighbour holds, in a register, what it needs. How can a lane of the same warp get it?"},
    {"v3_rolling", "barriers_per_block",
     "Does a warp still need data from other warps? If not, why does it wait for them?"},
    {"v3_rolling", "global_bytes_per_element",
     "Of the nine elements that a step down needs, six were there for the row before. How many are new? How many of "
     "the new ones does a neighbour load anyway?"},
    {"v3_rolling", "elements_per_thread",
     "A thread loads some rows before its first result. If it computes many rows after that, these loads count "
     "little."},
    {"v4_open", "global_bytes_per_element",
     "A pass that does one step reads and writes every element once. What if a pass did two?"},
    {"v4_open", "warp_instructions",
     "One load brings four neighbours, and one store writes four. They also share elements of the rows above and "
     "below."},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_bytes_per_element",
     "Each element is needed by nine others. How often does your kernel ask for it?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for the load that the report names."},
    {kAnyRung, "elements_per_thread", "Let each thread compute more rows before it starts again."},
    {kAnyRung, "warp_instructions",
     "Which instructions multiply, and which only prepare for it? How many per element?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab6
