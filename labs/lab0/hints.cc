// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all. Tests: tests/course/completeness_test.cc, and the mutants, whose messages quote hints.
#include "labs/lab0/hints.h"

#include "labs/support/hint_table.h"

namespace lab0 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_vector_add", "correctness",
     "Follow the first wrong element. Which copy carries it to the device? Which thread adds it? Which copy carries it "
     "back? How many blocks are there for this n?"},
    {"v2_image", "correctness",
     "Take a picture of 2 rows and 3 columns and number its pixels. What is the number of the pixel in row 1, column "
     "0? At which byte of d_rgb does this pixel start?"},
    {"v3_managed", "correctness",
     "The pointers are the same for host and kernel, so only two questions are left. Did the host or the kernel write "
     "an array last? Had that write finished when the other one read the array?"},
    {"v4_mapped", "correctness",
     "There are two pointers to each array. Which of them does the kernel get? And has the kernel finished when the "
     "host reads the answer?"},
    {"v5_streams", "correctness",
     "Each part has its own start and its own length. Which elements belong to part number p, and where in the three "
     "host arrays do they lie? Is the device memory of a stream free again when the next part is copied there?"},
    {"v6_shared_arrays", "correctness",
     "Write down the byte at which each of the three arrays starts when a segment has 3 elements. May a double start "
     "there? And has the block loaded the whole segment before a thread follows the first link?"},
    {"v7_configuration", "correctness",
     "Which thread uses counters[c * blockDim.x + t], and when may another thread read it? What did the counters and "
     "d_counts hold before the first element was counted?"},
    {kAnyRung, "host_to_device_bytes",
     "Which copies to the device does this rung need? How often must each array be copied?"},
    {kAnyRung, "device_to_host_bytes",
     "Only the answer has to be copied back, once. In v3 and v4 nothing has to be copied at all."},
    {kAnyRung, "bytes_not_freed",
     "Compare what you allocate with what you free. Is everything freed after an error too?"},
    {kAnyRung, "managed_bytes",
     "In this rung all three arrays are in managed memory. The kernel works on them there, and nothing is copied."},
    {kAnyRung, "mapped_bytes",
     "In this rung all three arrays are in page-locked host memory. The kernel works on them there, and nothing is "
     "copied."},
    {kAnyRung, "host_waits",
     "A launch returns before its kernel has run. With explicit copies, the last copy waits for the kernel. What waits "
     "for it here?"},
    {kAnyRung, "overlap",
     "The device has three engines: one copies to the device, one runs kernels, one copies back. Draw them as three "
     "lines, and each copy and kernel as a bar on one of them. What keeps a bar from starting earlier: its own stream, "
     "a call that waits, or parts that are too large?"},
    {kAnyRung, "streams_used",
     "Which stream gets the copies and the kernel of part number p? Does each stream get a part?"},
    {"v2_image", "global_load_sectors_per_request",
     "Neighbouring threads along threadIdx.x should read pixels that are neighbours in memory. Are the pixels of a row "
     "neighbours, or the pixels of a column?"},
    {"v2_image", "global_store_sectors_per_request",
     "When threadIdx.x goes up by one, how far does the address in d_grey move?"},
    {kAnyRung, "global_load_sectors_per_request",
     "Look at one load at a time: when threadIdx.x goes up by one, how far does its address move? Follow the links in "
     "shared memory."},
    {"v6_shared_arrays", "global_bytes_per_element",
     "Each array has to be read from global memory once, and the answer written once. How many bytes is this for each "
     "element? Which bytes does your kernel read more than once?"},
    {kAnyRung, "shared_requests_per_warp",
     "Three arrays go into shared memory and are read there. How many accesses is that for each element?"},
    {kAnyRung, "elements_per_thread",
     "Use one thread for each element. Only the last blocks may have threads without an element."},
    {kAnyRung, "threads",
     "How many blocks fit on one multiprocessor, and how many multiprocessors are there? The runtime can tell you both "
     "numbers. With which block size are the most threads resident?"},
    {kAnyRung, "shared_bank_conflicts",
     "Write down the bank (word index modulo 32) of the counter that each lane touches. Which counters should be "
     "neighbours: all counters of one thread, or the counters that all threads have for one class?"},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab0
