// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab5/hints.h"

#include "labs/support/hint_table.h"

namespace lab5 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_hillis_steele", "correctness",
     "Take 8 elements and write down all sums after each step. Which sums of the previous step does a thread read, and "
     "may another thread have replaced them already? What is the first element of an exclusive scan?"},
    {"v2_blelloch", "correctness",
     "Take 8 elements and draw the tree. Which two places of the array belong to pair p of a level? What must the last "
     "place hold between the way up and the way down? On the way down, which two values do the left and the right "
     "place of a pair get? Where do you keep a value that is still needed?"},
    {"v3_padded", "correctness",
     "Every index into the tree has to go through the same function, also when you fill the tree and when you read the "
     "result. How large is the array now?"},
    {"v4_shuffle", "correctness",
     "Every lane that the mask names must execute the shuffle, and so must the lanes past the end of the input. For an "
     "exclusive scan, move the sums by one place: infinity minus infinity is not a number. What "
     "must a warp know about the warps before it, and when is that known?"},
    {"v5_three_phases", "correctness",
     "Which elements belong to chunk c? Do phase 1 and phase 3 agree on this? What does a block carry from tile to "
     "tile? Have all threads read it before it is replaced?"},
    {"v6_look_back", "correctness",
     "d_work still holds what the last call wrote. Which words have to be 0 before the first block begins? If flag and "
     "value are two words, a reader may see the new flag with the old value. Does a tile wait only for tiles whose "
     "blocks have started?"},
    {"v1_hillis_steele", "barriers_per_block",
     "With one buffer a step needs two barriers. What does the second barrier protect? Would two buffers need it?"},
    {"v2_blelloch", "flops_per_element",
     "A tree of pairs has 511 additions for 512 elements on its way up, and as many on its way down. Which additions "
     "does your kernel do beyond these?"},
    {"v4_shuffle", "shuffles_per_warp",
     "5 shuffles scan 32 lanes. How else do values go from lane to lane in your kernel?"},
    {"v4_shuffle", "barriers_per_block",
     "The lanes of a warp need no barrier among themselves. For which two results must the warps of a block wait?"},
    {"v4_shuffle", "shared_requests_per_warp",
     "One number for each warp goes into shared memory, and one comes back. What else do you keep there?"},
    {"v5_three_phases", "global_bytes_per_element",
     "Phase 1 has to write only the sum of each chunk. What else does your kernel write in phase 1 and read again "
     "later? And does each load take 16 bytes, from neighbouring places in neighbouring lanes? If not, some sectors "
     "are "
     "read more than once."},
    {"v5_three_phases", "elements_per_thread",
     "A thread can load 4 neighbouring elements with one instruction, and then go on to the next tile."},
    {"v6_look_back", "global_bytes_per_element",
     "The minimum is 4 bytes read and 4 bytes written for each element. Where are a tile's elements while its block "
     "waits for the tiles before it?"},
    {"v6_look_back", "kernel_launches",
     "A memset or one small kernel can clear the words. The scan itself needs only one more kernel."},
    {"v6_look_back", "elements_per_thread",
     "Each tile looks back once. With a larger tile, more loads are in flight while it waits."},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move?"},
    {kAnyRung, "global_store_sectors_per_request",
     "Look at the store to d_out alone: when threadIdx.x goes up by one, how far does the address move?"},
    {kAnyRung, "global_bytes_per_element",
     "Each element has to be read once and written once. How often does your kernel do that?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) that each lane touches, for distances of 1, 2, 4 and so on. What if "
     "there were an empty word after every 32?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab5
