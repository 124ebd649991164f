// A case of lab0 and what its arrays hold. Contents depend on the case and a seed only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab0/lab0.h"

namespace lab0 {

enum Pattern : uint32_t {
  kOrdinary = 0,     // random values; bytes are often 0 or 255
  kSpoiled = 1,      // vectors: some elements are infinite, NaN, -0 or tiny, each at its own places in a and b
  kNoRoom = 2,       // vectors: n is kTooLarge and there are no arrays; the answer is an error
  kSecondFails = 3,  // vectors: ordinary values, and the second allocation fails: the answer is its error
  kThirdFails = 4,   // the same for the third one
};

struct Problem {
  Task task = kVectorAdd;
  size_t first = 0, second = 0;  // as the table in lab0.h says
  Pattern pattern = kOrdinary;

  // Elements of the answer: of h_c, d_grey, d_out, d_counts. 0 with kNoRoom.
  size_t Outputs() const;
  // The number of the allocation that fails, from 1. 0: none.
  int FailingAllocation() const;
  // Elements of the input: pixels, or n.
  size_t Inputs() const;
};

inline constexpr int kInputs = 3;  // the most that a task has

// How many input arrays the task has, and the bytes of each of them, and of its answer.
int InputCount(Task task);
size_t InputBytes(const Problem& p, int input);
size_t OutputBytes(const Problem& p);

// Fills input array number `input`. REQUIRES: `to` has InputBytes(p, input) bytes.
void Draw(const Problem& p, int input, uint64_t seed, void* to);

}  // namespace lab0
