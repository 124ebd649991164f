// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab5/hints.h"

#include "labs/support/hint_table.h"

namespace lab5 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_hillis_steele", "correctness",
     "Take 8 elements and write down all sums after each step. Which of the last step's sums does a thread read, and "
     "may another thread have replaced them already? What does an exclusive scan have in its first place?"},
    {"v2_blelloch", "correctness",
     "Take 8 elements and draw the tree. Which two places does pair p of a level have? What must the last place hold "
     "between the way up and the way down? Where does its old value belong?"},
    {"v3_padded", "correctness",
     "Every index into the tree has to go through the same function, also when you fill the tree and when you read the "
     "result. How large is the array now?"},
    {"v4_shuffle", "correctness",
     "Every lane that the mask names must execute the shuffle, also lanes past the end. What must a warp know about "
     "the warps before it, and when is that known?"},
    {"v5_three_phases", "correctness",
     "Which elements belong to chunk c, and do phase 1 and phase 3 agree? What does a block carry from tile to tile, "
     "and have all threads read it before it is replaced?"},
    {"v6_look_back", "correctness",
     "d_work holds what the last call left: which words have to be 0 before the first block begins? If flag and value "
     "are two words, a reader may see only one of them. Does a tile wait only for tiles whose blocks have started?"},
    {"v1_hillis_steele", "barriers_per_block",
     "With one buffer a step needs two barriers. What does the second one protect, and would two buffers need it?"},
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
     "Phase 1 needs only the sum of each chunk. What else do you write there and read again later?"},
    {"v5_three_phases", "elements_per_thread",
     "A thread can take 4 neighbours with one load, and then go on to the next tile."},
    {"v6_look_back", "global_bytes_per_element",
     "The least is 4 bytes read and 4 bytes written for each element. Where are a tile's elements while its block "
     "waits for the tiles before it?"},
    {"v6_look_back", "kernel_launches",
     "A memset or one small kernel clears the words. The scan itself needs one more kernel."},
    {"v6_look_back", "elements_per_thread",
     "Each tile looks back once. With a larger tile, more bytes are under way while it waits."},
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
