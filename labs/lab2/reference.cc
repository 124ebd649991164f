// The CPU transpose and its comparison, in square blocks that fit the L1 cache, spread over threads by rows of the
// output. Tested by tests/course/lab2/lab2_judge_test.cc, which holds it against a two-loop transpose.
#include "labs/lab2/reference.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "labs/support/parallel.h"

namespace lab2 {
namespace {

constexpr size_t kBlock = 32;  // 32 x 32 elements of 8 bytes, twice: 16 KB

// The position of `difference` after `other`, which looked at later or earlier rows, was added to it.
void Merge(const Difference& other, Difference& difference) {
  if (other.count == 0) return;
  if (difference.count == 0) {
    difference = other;
    return;
  }
  difference.count += other.count;
  difference.first = std::min(difference.first, other.first);
  difference.min_row = std::min(difference.min_row, other.min_row);
  difference.max_row = std::max(difference.max_row, other.max_row);
  difference.min_column = std::min(difference.min_column, other.min_column);
  difference.max_column = std::max(difference.max_column, other.max_column);
}

// Calls visit(out_row, out_column) for every element of the output rows [begin, end), block by block.
template <typename Visit>
void ForEachElement(const Shape& shape, size_t begin, size_t end, Visit visit) {
  for (size_t row_block = begin; row_block < end; row_block += kBlock) {
    const size_t row_end = std::min(row_block + kBlock, end);
    for (size_t column_block = 0; column_block < shape.rows; column_block += kBlock) {
      const size_t column_end = std::min(column_block + kBlock, shape.rows);
      for (size_t row = row_block; row < row_end; ++row) {
        for (size_t column = column_block; column < column_end; ++column) visit(row, column);
      }
    }
  }
}

template <typename Word>
void TransposeWords(const Shape& shape, const Word* in, Word* out) {
  lab::ParallelFor(shape.columns, shape.Elements(), [&](size_t begin, size_t end) {
    ForEachElement(shape, begin, end, [&](size_t row, size_t column) {
      out[row * shape.rows + column] = in[column * shape.columns + row];
    });
  });
}

template <typename Word>
Difference CompareWords(const Shape& shape, const Word* in, const Word* out) {
  Difference all;
  std::mutex mutex;
  lab::ParallelFor(shape.columns, shape.Elements(), [&](size_t begin, size_t end) {
    Difference part;
    ForEachElement(shape, begin, end, [&](size_t row, size_t column) {
      if (out[row * shape.rows + column] == in[column * shape.columns + row]) [[likely]]
        return;
      Merge({.count = 1,
             .first = row * shape.rows + column,
             .min_row = row,
             .max_row = row,
             .min_column = column,
             .max_column = column},
            part);
    });
    const std::lock_guard lock(mutex);
    Merge(part, all);
  });
  return all;
}

template <typename Word>
size_t FindUniqueWord(const Shape& shape, const Word* in, const void* element) {
  Word wanted;
  std::memcpy(&wanted, element, sizeof(wanted));
  const Word* end = in + shape.Elements();
  const Word* found = std::find(in, end, wanted);
  if (found == end || std::find(found + 1, end, wanted) != end) return shape.Elements();
  return static_cast<size_t>(found - in);
}

}  // namespace

void TransposeReference(const Shape& shape, const void* in, void* out) {
  if (shape.element_bytes == 8) {
    TransposeWords(shape, static_cast<const uint64_t*>(in), static_cast<uint64_t*>(out));
  } else {
    TransposeWords(shape, static_cast<const uint32_t*>(in), static_cast<uint32_t*>(out));
  }
}

Difference Compare(const Shape& shape, const void* in, const void* out) {
  if (shape.element_bytes == 8) {
    return CompareWords(shape, static_cast<const uint64_t*>(in), static_cast<const uint64_t*>(out));
  }
  return CompareWords(shape, static_cast<const uint32_t*>(in), static_cast<const uint32_t*>(out));
}

size_t FindUnique(const Shape& shape, const void* in, const void* element) {
  if (shape.element_bytes == 8) return FindUniqueWord(shape, static_cast<const uint64_t*>(in), element);
  return FindUniqueWord(shape, static_cast<const uint32_t*>(in), element);
}

}  // namespace lab2
