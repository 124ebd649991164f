// lab8, from textbook to truth: what each rung's function must do (v1_tail.cu ... v9_neurons.cu), and how you name the
// fault that you have found.
//
// Includable without nvcc: the judge and the tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// For all functions:
// - All arrays are in device memory. They do not overlap, and they may be null when they have no elements.
// - Elements are small: no sum overflows an int.
// - Launches on `stream` and returns: no allocation, no synchronisation, no other stream.

// v1 to v5, v7: the sums of blocks. Each block of `threads` threads adds up its part of d_in, which has 2 * threads
// elements. The last part may be shorter.
//
//      d_in   [ 3 1 4 1 5 9 2 6 | 5 3 5 8 9 7 9 3 | 2 3 ]      threads = 4: parts of 8 elements
//      d_out  [       31        |       49        |  5  ]
//
// - Any n; when n is 0, d_out has no element. `threads` is 64, 128, 256, 512 or 1024.
void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream);

// v6: d_out[0] is the sum of all n elements of d_in, or 0 when n is 0. d_work has room for 2 * n ints, which can have
// any values before the call.
void total(const int* d_in, int* d_work, int* d_out, size_t n, cudaStream_t stream);

// v8: d_out[j][i] = d_in[i][j]. d_in has `rows` rows of `columns` elements, d_out has `columns` rows of `rows`
// elements. Any rows and columns, up to 2^20 each.
void transpose(const int* d_in, int* d_out, size_t rows, size_t columns, cudaStream_t stream);

// v9: one time step of n neurons. Neuron k has the potential d_v[k] and gets the current d_current[k], both at least 0:
//
//      next = d_v[k] - d_v[k] / 16 + d_current[k]             it leaks a sixteenth, and the current comes in
//      d_next[k] = next >= lab8::kThreshold ? 0 : next        at the threshold it fires, and begins again at 0
//
// A group is lab8::kGroup neurons with consecutive numbers; the last one may be smaller. d_quiet[g] is 1 if no neuron
// of group g fires in this step, else 0.
void step_neurons(const int* d_v, const int* d_current, int* d_next, int* d_quiet, size_t n, cudaStream_t stream);

namespace lab8 {

inline constexpr int kThreshold = 100;
inline constexpr int kGroup = 128;  // neurons

// What can be wrong with a kernel. Not all of them are.
enum Kind : int32_t {
  kNotNamed = 0,
  kNotInitialised,   // memory is read that nothing has written
  kNoBound,          // no comparison keeps an index inside of its array
  kWrongBound,       // an index is compared with the length of something else
  kNoBarrier,        // threads of a block need a __syncthreads() that is not there
  kBarrierInBranch,  // not all threads of a block come to a __syncthreads()
  kNoSyncwarp,       // lanes of a warp need a __syncwarp() that is not there
  kWrongMask,        // a warp function gets a mask of other lanes than those that call it
  kNotAtomic,        // several threads read, change and write one variable
  kOtherBlock,       // a block writes what another block of the launch may still have to read
  kTooFewBlocks,     // a part of the array belongs to no block
  kKindCount
};

inline constexpr const char* kKindNames[kKindCount] = {"kNotNamed",  "kNotInitialised",  "kNoBound",     "kWrongBound",
                                                       "kNoBarrier", "kBarrierInBranch", "kNoSyncwarp",  "kWrongMask",
                                                       "kNotAtomic", "kOtherBlock",      "kTooFewBlocks"};

// The answer that you write into a rung's file: the kind of its fault, and two of the lines that have a letter, (A) to
// (H), in the file as it was given:
//
// Take the first rule that fits:
//
//   - Two barriers have the same fault: the first, then the second.
//   - Two accesses clash, or one reads what the other should have written: the line of the store, then that of the
//     load, even if the load comes first in the file.
//   - One line is enough to say what is wrong: its letter twice.
struct Fault {
  Kind kind = kNotNamed;
  char first = '-', second = '-';
};

// LabCall::variant, Case::variant: which function. sizes: two each.
enum Task : int32_t {
  kBlockSums = 0,  // {n, threads}        d_in, d_out
  kTotal = 1,      // {n, 0}              d_in, d_work, d_out
  kTranspose = 2,  // {rows, columns}     d_in, d_out
  kNeurons = 3,    // {n, 0}              d_v, d_current, d_next, d_quiet
  kName = 4,       // {rung number, 0}    h_fault: the answer, in three ints
};

struct Arguments {
  void* buffers[4] = {};
  size_t first = 0, second = 0;
  cudaStream_t stream = nullptr;
};

// What the tests and the grader call. Defined by the last two lines of every rung's file.
void CallRung(const Arguments& arguments);
Task RungTask();
Fault NamedFault();

}  // namespace lab8

// The answer: LAB8_FAULT(kNoBarrier, 'A', 'C');
#define LAB8_FAULT(kind, first, second)                                      \
  lab8::Fault lab8::NamedFault() { return {lab8::kind, (first), (second)}; } \
  static_assert(true, "so that a semicolon may follow")

// The last line of v1 to v5 and v7; of v6; of v8; of v9.
#define LAB8_SUMS_RUNG()                                                                                            \
  LAB8_RUNG_OF(lab8::kBlockSums, block_sums(static_cast<const int*>(a.buffers[0]), static_cast<int*>(a.buffers[1]), \
                                            a.first, static_cast<int>(a.second), a.stream))
#define LAB8_TOTAL_RUNG()                                                                                  \
  LAB8_RUNG_OF(lab8::kTotal, total(static_cast<const int*>(a.buffers[0]), static_cast<int*>(a.buffers[1]), \
                                   static_cast<int*>(a.buffers[2]), a.first, a.stream))
#define LAB8_TRANSPOSE_RUNG()                                                                                      \
  LAB8_RUNG_OF(lab8::kTranspose, transpose(static_cast<const int*>(a.buffers[0]), static_cast<int*>(a.buffers[1]), \
                                           a.first, a.second, a.stream))
#define LAB8_NEURONS_RUNG()                                                                               \
  LAB8_RUNG_OF(lab8::kNeurons,                                                                            \
               step_neurons(static_cast<const int*>(a.buffers[0]), static_cast<const int*>(a.buffers[1]), \
                            static_cast<int*>(a.buffers[2]), static_cast<int*>(a.buffers[3]), a.first, a.stream))
#define LAB8_RUNG_OF(task, call)                          \
  lab8::Task lab8::RungTask() { return task; }            \
  void lab8::CallRung(const lab8::Arguments& a) { call; } \
  static_assert(true, "so that a semicolon may follow")
