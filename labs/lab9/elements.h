// Elements of the inputs, each from random bits. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/lab9/values.h"
#include "labs/support/mix.h"

namespace lab9 {

// The most nonzeros of the one long row of kSkewed. A warp needs some milliseconds for it, and its sum is exact.
inline constexpr uint64_t kMostOfLongRow = uint64_t{1} << 19;

// Which half of a part of a timed matrix gets more nonzeros is fixed for the first levels of the tree below, as if the
// rows were in an order of their own. If all of it is drawn, the time of one kernel differs by 3% from matrix to matrix
// (H200), since its slow blocks come first in one and last in another.
inline constexpr uint64_t kFixedRows = uint64_t{1} << 20;  // of a matrix with at least this many rows
inline constexpr int kFixedLevels = 10;

// How many of `nonzeros` come before row i, by a tree: each node shares its nonzeros out to the two halves of its rows,
// seven parts to one half and three to the other. So the logarithms of the rows' lengths have nearly a normal
// distribution, as in many graphs, and any row's offset is known without the rows before it.
LAB_BOTH inline uint64_t SharedOutBefore(uint64_t rows, uint64_t nonzeros, uint64_t seed, uint64_t i) {
  if (i == rows) return nonzeros;
  uint64_t low = 0, high = rows, before = 0, here = nonzeros;
  int levels_left = rows >= kFixedRows ? kFixedLevels : 0;
  bool is_odd = false;  // the path to this node has an odd number of turns to the right
  while (high - low > 1 && here > 0) {
    const uint64_t middle = low + (high - low) / 2;
    const uint64_t noise = lab::Noise(seed, middle);  // every node has a middle of its own
    const bool more_on_the_left = levels_left-- > 0 ? is_odd : (noise & 1) != 0;
    const uint64_t share = more_on_the_left ? 179 : 77;
    const uint64_t left = (here * share + (noise >> 1 & 255)) >> 8;  // rounded up or down at random
    if (i < middle) {
      high = middle;
      here = left;
    } else {
      low = middle;
      before += left;
      here -= left;
      is_odd = !is_odd;
    }
  }
  return before;
}

LAB_BOTH inline uint64_t LongRow(uint64_t rows, uint64_t seed) { return lab::Noise(seed, ~uint64_t{0}) % rows; }

// Element i of d_offsets. REQUIRES: i <= rows.
LAB_BOTH inline int Offset(Lengths lengths, uint64_t rows, uint64_t nonzeros, uint64_t seed, uint64_t i) {
  if (i == 0) return 0;
  if (i == rows) return static_cast<int>(nonzeros);
  if (lengths == kOneRow) return i > LongRow(rows, seed) ? static_cast<int>(nonzeros) : 0;
  if (lengths == kSkewed) {
    const uint64_t of_long = nonzeros / 2 < kMostOfLongRow ? nonzeros / 2 : kMostOfLongRow;
    const uint64_t of_others = SharedOutBefore(rows, nonzeros - of_long, seed, i);
    return static_cast<int>(of_others + (i > LongRow(rows, seed) ? of_long : 0));
  }
  const uint64_t even = i * nonzeros / rows, mean = nonzeros / rows;
  if (lengths == kEven || mean == 0) return static_cast<int>(even);
  return static_cast<int>(even + lab::Noise(seed, i) % mean);
}

// Columns lie near the diagonal, as those of a mesh do: in a window of this many. Four neighbours of d_columns are
// neighbours in the matrix, too.
inline constexpr uint64_t kWindow = 512;
inline constexpr uint64_t kTogether = 4;

// Element k of d_columns. REQUIRES: k < nonzeros, and there are columns.
LAB_BOTH inline int Column(uint64_t columns, uint64_t nonzeros, uint64_t seed, uint64_t k) {
  const uint64_t window = columns < kWindow ? columns : kWindow;
  const uint64_t centre = k / kTogether * kTogether * columns / nonzeros;
  uint64_t first = centre < window / 2 ? 0 : centre - window / 2;
  if (first > columns - window) first = columns - window;
  first -= first % 8;  // a sector of d_x
  const uint64_t place = lab::Noise(seed, k / kTogether) % window * kTogether + k % kTogether;
  return static_cast<int>(first + place % window);
}

// 1 or 2, or the negative of it: an element of d_values or d_x.
LAB_BOTH inline float OneOrTwo(uint64_t noise) { return lab::Signed(static_cast<float>(1 + (noise >> 1 & 1)), noise); }

}  // namespace lab9
