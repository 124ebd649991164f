// lab0, first kernel: what you implement. Rungs v1, v3 and v4 share a function; v2, v5, v6 and v7 have one each.
//
// Names say where an array lives: h_ is host memory, d_ is device memory. Includable without nvcc: the judge and the
// tests read it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/not_written.h"

// The same declaration as the CUDA headers' own, so that this header needs none of them.
typedef struct CUstream_st* cudaStream_t;

// v1, v3, v4: h_c[i] = h_a[i] + h_b[i] for every i < n, computed by a kernel.
//
// - All three are ordinary host arrays that do not overlap. h_a and h_b are read-only. They may be null when n = 0.
// - Return cudaSuccess (0) when h_c is complete, else the first error of a CUDA call. After an error h_c may hold
//   anything, but all memory that you allocated must be freed. Any allocation may fail, not only the first one.
// - n may be too large for the memory of any device, but n * sizeof(float) always fits into a size_t. Then cudaMalloc
//   returns an error. So call cudaMalloc before you access h_a.
// - n may pass 2^32, so indices are size_t. A grid has at most 2^31 - 1 blocks along x, and 65535 along y and along z.
int vector_add(const float* h_a, const float* h_b, float* h_c, size_t n);

// v5: the same in `streams` streams, 1 to 32. All of them are used when there are enough elements. The host arrays are
// page-locked already. The copies of one part overlap with the kernel and the copies of other parts.
int vector_add_in_streams(const float* h_a, const float* h_b, float* h_c, size_t n, size_t streams);

// v2: the grey of each pixel, (299 * red + 587 * green + 114 * blue + 500) / 1000 in whole numbers.
//
//            columns ->
//          +-----------------------------+
//     rows | r g b r g b r g b ...       |     d_rgb    rows x columns pixels of 3 bytes: red of row i, column j is
//      |   | r g b ...                   |              byte 3 * (i * columns + j), green and blue are the next two
//      v   |                             |     d_grey   rows x columns bytes: row i, column j is i * columns + j
//          +-----------------------------+
//
// - Any rows and columns. If one of them is 0, launch nothing. rows may be more than a grid can have blocks along y.
// - Launches on `stream` and returns. Its blocks are 2D: threadIdx.x counts columns, threadIdx.y rows.
void image_to_grey(const uint8_t* d_rgb, uint8_t* d_grey, size_t rows, size_t columns, cudaStream_t stream);

// v6: follows links. The n elements are cut into segments of `segment` elements; the last one may be shorter. Within a
// segment elements are numbered from 0. d_next[i] is the link of element i: the number of an element of the same
// segment. With k = next[next[i]], the number of the element two links after element i:
//
//     d_out[i] = d_flag[k] ? -d_value[k] : d_value[k]
//
// - Any n; segment is 1 to lab0::kMostSegment, may be odd, and may be larger than n.
// - One block for each segment. It keeps flags, links and values of its segment in dynamic shared memory, where
//   scattered accesses cost no more than accesses in order.
// - Launches on `stream` and returns.
void two_links_on(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out, size_t n,
                  size_t segment, cudaStream_t stream);

// v7: d_counts[c] = how many i < n have d_class[i] == c, for every c < classes.
//
// - Any n; classes is 1 to lab0::kMostClasses, and every d_class[i] is below it. d_counts can hold anything before the
//   call.
// - Each thread keeps `classes` counters of its own, 4 bytes each, in dynamic shared memory. The grid has as many
//   blocks as the device can hold at once, on any device, and no more: a thread has several elements.
// - Works on `stream` and returns.
void count_classes(const uint8_t* d_class, unsigned long long* d_counts, size_t n, int classes, cudaStream_t stream);

namespace lab0 {

inline constexpr size_t kMostSegment = 4096;  // 11 bytes of shared memory each: what a kernel gets without asking
inline constexpr int kMostClasses = 128;
inline constexpr size_t kTooLarge = size_t{1} << 58;  // for v1, v3, v4: the n that no device has room for
inline constexpr size_t kMostStreams = 32;

// What a rung computes. LabCall::variant, Case::variant. Sizes and buffers; `fails` is the number of the allocation
// that fails, from 1, or 0:
enum Task : int32_t {
  kVectorAdd = 0,  // {n, 0, fails}       h_a, h_b, h_c, h_result (an int: what vector_add returned)
  kImage = 1,      // {rows, columns}     d_rgb, d_grey
  kStreams = 2,    // {n, streams, fails} h_a, h_b, h_c, h_result
  kLinks = 3,      // {n, segment}        d_flag, d_next, d_value, d_out
  kClasses = 4,    // {n, classes}        d_class, d_counts
};

struct Arguments {
  void* buffers[4] = {};  // without h_result, which is what CallRung gives
  size_t first = 0, second = 0;
  cudaStream_t stream = nullptr;
};

// What the tests and the grader call: the rung's function, and what it returned (0 for those that return nothing).
// Defined by the last line of every rung's file.
int CallRung(const Arguments& arguments);
Task RungTask();

}  // namespace lab0

// The last line of v1, v3 and v4; of v2; of v5; of v6; of v7.
#define LAB0_VECTOR_RUNG()                                                                                         \
  LAB0_RUNG_OF(lab0::kVectorAdd,                                                                                   \
               return vector_add(static_cast<const float*>(a.buffers[0]), static_cast<const float*>(a.buffers[1]), \
                                 static_cast<float*>(a.buffers[2]), a.first))
#define LAB0_IMAGE_RUNG()                                                                                     \
  LAB0_RUNG_OF(lab0::kImage, image_to_grey(static_cast<const uint8_t*>(a.buffers[0]),                         \
                                           static_cast<uint8_t*>(a.buffers[1]), a.first, a.second, a.stream); \
               return 0)
#define LAB0_STREAMS_RUNG()                                                                          \
  LAB0_RUNG_OF(lab0::kStreams, return vector_add_in_streams(static_cast<const float*>(a.buffers[0]), \
                                                            static_cast<const float*>(a.buffers[1]), \
                                                            static_cast<float*>(a.buffers[2]), a.first, a.second))
#define LAB0_LINKS_RUNG()                                                                                          \
  LAB0_RUNG_OF(lab0::kLinks,                                                                                       \
               two_links_on(static_cast<const uint8_t*>(a.buffers[0]), static_cast<const uint16_t*>(a.buffers[1]), \
                            static_cast<const double*>(a.buffers[2]), static_cast<double*>(a.buffers[3]), a.first, \
                            a.second, a.stream);                                                                   \
               return 0)
#define LAB0_CLASSES_RUNG()                                                                           \
  LAB0_RUNG_OF(lab0::kClasses, count_classes(static_cast<const uint8_t*>(a.buffers[0]),               \
                                             static_cast<unsigned long long*>(a.buffers[1]), a.first, \
                                             static_cast<int>(a.second), a.stream);                   \
               return 0)
#define LAB0_RUNG_OF(task, ...)                                 \
  lab0::Task lab0::RungTask() { return task; }                  \
  int lab0::CallRung(const lab0::Arguments& a) { __VA_ARGS__; } \
  static_assert(true, "so that a semicolon may follow")
