// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab7/hints.h"

#include "labs/support/hint_table.h"

namespace lab7 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_global", "correctness",
     "Three questions: what do the bins hold before the first element is counted? What if two threads count the same "
     "value at the same time? Which values belong to no bin?"},
    {"v2_shared", "correctness",
     "A block clears its counters, counts into them, and adds them to d_bins. What separates these three phases? Does "
     "a thread that has nothing to count take part in all of them?"},
    {"v3_warp", "correctness",
     "When one lane counts for other lanes, it has to know which lanes these are. Does every lane that the mask names "
     "execute the warp instruction that finds this out? And which thread counts the elements that are left over after "
     "the packs of four?"},
    {"v4_open", "correctness",
     "Take a case that fails and add up all counts: too few, too many, or right? The answer tells you whether elements "
     "are missing, counted twice, or counted in the wrong bin."},
    {"v1_global", "elements_per_thread",
     "Use one thread for each element. Only the last block may have threads without one."},
    {"v1_global", "global_load_efficiency",
     "When threadIdx.x goes up by one, how far does the address of the element move?"},
    {"v2_shared", "atomics",
     "Every block adds each of its counters to d_bins once. How many blocks are there, and how many elements has each "
     "block counted before that?"},
    {"v2_shared", "elements_per_thread",
     "If a block counts 256 elements into 256 counters, it needs about as many atomics on d_bins as v1. Use fewer "
     "blocks, so that each one counts more elements."},
    {"v3_warp", "shared_wavefronts",
     "Each of the 32 lanes holds four elements. If all these elements are equal, how many additions to a counter are "
     "needed?"},
    {"v3_warp", "global_load_sectors_per_request",
     "How many bytes does one lane load at a time? A struct of four elements that is aligned to its size needs one "
     "load."},
    {"v4_open", "shared_wavefronts",
     "Counter b is in bank b % 32. With 32 random values, the fullest bank serves three or four lanes. Where would the "
     "counters of a lane have to be, so that it never shares a bank with another lane?"},
    {"v4_open", "warp_instructions",
     "One load brings sixteen bytes. For each byte three things are left to do: take it out of its word, compute an "
     "address from it, and count."},
    {kAnyRung, "shared_bank_conflicts",
     "Look at the loads and stores that clear the counters and add them up. Which bank does each lane of a warp "
     "touch?"},
    {kAnyRung, "atomics", "Use atomics on d_bins to add what a whole block has counted, not to count single elements."},
    {kAnyRung, "global_load_efficiency",
     "The lanes of a warp should load neighbouring elements. When threadIdx.x goes up by one, how far does the address "
     "move?"},
    {kAnyRung, "global_load_sectors_per_request",
     "If each of 32 lanes loads 16 bytes and the lanes are neighbours, the load touches 16 sectors."},
    {kAnyRung, "elements_per_thread", "Let each thread count more elements before the counters are added up."},
    {kAnyRung, "warp_instructions",
     "Which instructions count, and which only prepare for it? Count both for one element."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab7
