// Generated from solutions/lab10/v1_bitonic.cu by `warpgrade make-starter`; yours to edit.
// lab10 v1: a bitonic sort, one launch for each step.
//
// A sort on one core of a CPU compares one pair after the other. A *sorting network* has a fixed list of pairs, which
// does not depend on the keys. All pairs of a step have different elements, so all threads can compare at the same
// time. With 8 elements there are 3 phases, and phase p has p steps:
//
//   phase 1   0-1 2-3 4-5 6-7                                    a mirror: first with last, in parts of 2
//   phase 2   0-3 1-2 4-7 5-6    0-1 2-3 4-5 6-7                 a mirror in parts of 4, then distance 1
//   phase 3   0-7 1-6 2-5 3-4    0-2 1-3 4-6 5-7    0-1 2-3 ...  a mirror in parts of 8, then distances 2 and 1
//
// In each pair the smaller key goes to the left. So elements past n, which do not exist, can count as larger than all
// keys: they would never move, and their pairs are left out.
#include "labs/lab10/lab10.h"

[[maybe_unused]] constexpr unsigned kThreads = 256;

// One step. Each thread has one pair. `part` is 2 * distance, the number of elements among which the pairs lie.
template <bool mirror>
__global__ void step_v1(uint32_t* d_out, unsigned n, unsigned part) {
  // TODO(v1) Produce: one step of the network. If the right element of this thread's pair is smaller than the left
  //   one, exchange them.
  //   Constraint: one thread for each pair. A pair whose right place is n or more does not exist.
  //   Hint: pair i is number i % distance in part i / distance. Which two places are that without the mirror, and
  //     which with it?
  //   Check: ./warpgrade check lab10 v1
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: the elements in d_out, and then all steps of the network, in place.
  //   Constraint: one launch for each step, on `stream`. n need not be a power of two: take the network for the
  //     next power of two. In v1 and v2 the whole element is the key, so you need neither `bits` nor d_work.
  //   Hint: phase p begins with a mirror in parts of 2^p. Which parts do its other steps have?
  //   Check: ./warpgrade check lab10 v1
}

LAB10_RUNG();
