// What is drawn of the steps of one block, without a form: the elements with their values before and after a step, and
// wires from what was read to what was written. The terminal and the page draw it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/score/steps.h"

namespace warpgrade::report {

// An element of an array. `value` is "" where nobody has read or written it yet.
struct StepCell {
  std::string label;  // "3", or "d_in[3]" in another array than that of the panel
  std::string value;
  bool is_used = false;    // read (above) or written (below) in this step
  bool after_gap = false;  // elements between this one and the one before it are left out
};

// From what a thread reads to what it writes.
struct StepWire {
  std::vector<size_t> from;  // cells above, each once
  size_t to = 0;             // a cell below
  size_t track = 0;          // wires of one track do not meet
  uint32_t thread = 0;
  uint64_t more_sources = 0;  // that are not drawn
};

// One array that is written. If values are read from it as well, a cell below stands below the same element above.
struct StepPanel {
  std::string title;         // "partial[256], 4-byte float"
  std::string above, below;  // what the two rows are
  std::vector<StepCell> top, bottom;
  std::vector<StepWire> wires;
  size_t tracks = 0;
  size_t writes = 0, drawn = 0;  // writes of the step to this array
  bool is_aligned = false;
};

// Neighbouring warps whose lanes do the same.
struct StepLanes {
  int first = 0, last = 0;  // warps
  uint32_t lanes = 0;       // those that read or write in this step
};

struct StepDrawing {
  std::vector<StepPanel> panels;
  std::vector<StepLanes> warps;
  uint32_t threads = 0;  // that read or write
  // "2 threads read partial without writing to memory": of arrays that no panel shows.
  std::vector<std::string> notes;
};

// Of all steps. `columns`: the most cells in a row. `width`: the most characters of a value.
std::vector<StepDrawing> DrawSteps(const score::BlockSteps& block, size_t columns, size_t width);

// The most characters that an integer among the values of these steps has, written in full. 0: there are no integers.
size_t WidestInteger(const score::BlockSteps& block);

// A value of an array in at most `width` characters (7 or more), rounded if it must be.
std::string StepValueText(const score::StepArray& array, uint64_t bits, size_t width);

// False for data that no emulator records: it is not drawn.
bool IsDrawable(const score::BlockSteps& block);

}  // namespace warpgrade::report
