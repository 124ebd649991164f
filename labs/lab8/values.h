// A case of lab8 and what its arrays hold. Contents depend on the case and a seed only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/lab8/lab8.h"

namespace lab8 {

struct Problem {
  Task task = kBlockSums;
  size_t first = 0, second = 0;  // as the table in lab8.h says

  // Elements of each input array, and of all of them.
  size_t InputElements() const { return task == kName ? 0 : task == kTranspose ? first * second : first; }
  // Blocks, or groups of neurons: elements of d_out or d_quiet.
  size_t Parts() const {
    const size_t part = task == kNeurons ? kGroup : 2 * second;
    return part == 0 ? 0 : (first + part - 1) / part;
  }
};

inline constexpr int kArrays = 2;  // the most inputs and the most outputs that a task has

// How many input and output arrays the task has. Buffers come in the order of lab8.h.
int InputCount(Task task);
int OutputCount(Task task);

// Elements of output array number `output`: ints, all of them.
size_t OutputElements(const Problem& p, int output);

// Fills input array number `input`. REQUIRES: `to` has p.InputElements() ints.
void Draw(const Problem& p, int input, uint64_t seed, int* to);

}  // namespace lab8
