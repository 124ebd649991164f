// One table: rung (or any), what was missed, and a sentence. The first row that fits is shown, so rows for one rung
// stand before those for all.
#include "labs/lab9/hints.h"

#include "labs/support/hint_table.h"

namespace lab9 {
namespace {

using lab::kAnyRung;

constexpr lab::HintRow kHints[] = {
    {"v1_thread", "correctness",
     "Take a failing case with few rows, and write down for one row: which nonzeros belong to it, and which element of "
     "d_x belongs to each of them? What does an empty row have to write?"},
    {"v2_warp", "correctness",
     "32 lanes each have a part of the sum. Which lane has the whole sum after the last step, and does only this lane "
     "write? How does the warp go on when the row has more than 32 nonzeros?"},
    {"v3_group", "correctness",
     "A warp now has several rows. Does a shuffle bring a lane a number from another row? Does every lane that the "
     "mask names reach the shuffle, also in the last block?"},
    {"v4_open", "correctness",
     "Take a failing case and look at the length of the wrong rows. Is it a row that several blocks share, a row that "
     "several threads share, or an empty one? Who writes it, and who adds to it before that?"},
    {"v1_thread", "elements_per_thread",
     "Use one thread for each row, whatever the row's length. Only the last block may have threads without one."},
    {"v1_thread", "global_store_bytes",
     "How often does a thread store to d_y? A sum that is kept in a register is stored once."},
    {"v2_warp", "global_bytes_per_element",
     "In one load, the 32 lanes of a warp should read 32 neighbours of d_columns or d_values. How far apart are the "
     "elements that your lanes read at the same time?"},
    {"v2_warp", "average_active_lanes",
     "If each lane has a row of its own, the warp goes on until the longest of 32 rows is done. Which lanes work "
     "then?"},
    {"v3_group", "warp_instructions",
     "A row has about 40 nonzeros. With 32 lanes each lane has one or two of them, and every row still costs a warp "
     "five "
     "shuffles and a store. How many rows could the warp do at the same time?"},
    {"v3_group", "global_bytes_per_element",
     "Do the lanes of a group read nonzeros beside each other, and do neighbouring groups have neighbouring rows?"},
    {"v4_open", "warps_at_work",
     "One row has half of all nonzeros. How many warps work on it, and what do the other warps do meanwhile? "
     "Give every warp the same number of nonzeros, not the same number of rows."},
    {"v4_open", "global_bytes_per_element",
     "Count what is read twice: sectors of d_columns and d_values that two warps need, or offsets that many threads "
     "read."},
    {kAnyRung, "warp_instructions", "Which instructions add, and which only prepare for it? Count both for one row."},
};

}  // namespace

std::string Hint(std::string_view rung, std::string_view what) {
  return std::string(lab::FindHint(kHints, rung, what));
}

}  // namespace lab9
