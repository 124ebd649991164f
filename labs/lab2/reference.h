// The transpose on the CPU, and the comparison that both the tests and the judge use. Elements are moved as bits, never
// as numbers: -0.0 is not 0.0 here, and a NaN equals itself only if its payload arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lab2 {

// A rows x columns matrix, row-major, of elements of 4 or 8 bytes.
struct Shape {
  size_t rows = 0, columns = 0;
  size_t element_bytes = 4;

  size_t Elements() const { return rows * columns; }
  size_t Bytes() const { return Elements() * element_bytes; }
};

// Writes the transpose of `in` (shape.Bytes() bytes) to `out` (as many). Uses all cores for large matrices.
void TransposeReference(const Shape& shape, const void* in, void* out);

// Where an output differs from the transpose of its input. Indices count elements of the output, which has
// shape.columns rows and shape.rows columns.
struct Difference {
  size_t count = 0;  // wrong elements; 0: all others are meaningless
  size_t first = 0;  // index of the first
  // The smallest rectangle of the output that holds all of them, bounds inclusive.
  size_t min_row = 0, max_row = 0, min_column = 0, max_column = 0;
};

// Compares `out` with the transpose of `in` bit by bit, without building it. Uses all cores for large matrices.
Difference Compare(const Shape& shape, const void* in, const void* out);

// Index of the only element of `in` that has the same bits as `element`; Elements() when there is none or several.
size_t FindUnique(const Shape& shape, const void* in, const void* element);

}  // namespace lab2
