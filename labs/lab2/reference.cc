// The CPU transpose and its comparison, in square blocks that fit the L1 cache, spread over threads by rows of the
// output. Tested by tests/course/lab2/lab2_judge_test.cc, which holds it against a two-loop transpose.
#include "labs/lab2/reference.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>

#include "grader/lab/parallel.h"

namespace lab2 {
namespace {

constexpr size_t kBlock = 32;  // 32 x 32 elements of 8 bytes: 8 KB

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

// Calls visit(index, want) for pieces of the output's rows [begin, end): `want` is what belongs at out[index] and after
// it. Lines of `in` are read once each and as a whole, since 32 of them a power of two apart would not stay in the
// cache.
template <typename Word, typename Visit>
void ForEachPiece(const Shape& shape, const Word* in, size_t begin, size_t end, Visit visit) {
  Word tile[kBlock][kBlock];
  for (size_t first_row = begin; first_row < end; first_row += kBlock) {
    const size_t rows = std::min(kBlock, end - first_row);
    for (size_t first_column = 0; first_column < shape.rows; first_column += kBlock) {
      const size_t columns = std::min(kBlock, shape.rows - first_column);
      for (size_t column = 0; column < columns; ++column) {
        const Word* const from = in + (first_column + column) * shape.columns + first_row;
        for (size_t row = 0; row < rows; ++row) tile[row][column] = from[row];
      }
      for (size_t row = 0; row < rows; ++row) {
        visit((first_row + row) * shape.rows + first_column, std::span<const Word>(tile[row], columns));
      }
    }
  }
}

template <typename Word>
void TransposeWords(const Shape& shape, const Word* in, Word* out) {
  warpgrade::ParallelFor(shape.columns, shape.Elements(), [&](size_t begin, size_t end) {
    ForEachPiece(shape, in, begin, end,
                 [out](size_t index, std::span<const Word> want) { std::copy(want.begin(), want.end(), out + index); });
  });
}

template <typename Word>
Difference CompareWords(const Shape& shape, const Word* in, const Word* out) {
  Difference all;
  std::mutex mutex;
  warpgrade::ParallelFor(shape.columns, shape.Elements(), [&](size_t begin, size_t end) {
    Difference part;
    ForEachPiece(shape, in, begin, end, [&](size_t index, std::span<const Word> want) {
      if (std::memcmp(out + index, want.data(), want.size_bytes()) == 0) return;
      for (size_t k = 0; k < want.size(); ++k) {
        if (out[index + k] == want[k]) continue;
        const size_t row = index / shape.rows, column = index % shape.rows + k;
        Merge({.count = 1,
               .first = index + k,
               .min_row = row,
               .max_row = row,
               .min_column = column,
               .max_column = column},
              part);
      }
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
