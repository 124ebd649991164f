// Compares an answer with the reference and says in words how they differ. The message also says where in d_in a wrong
// value comes from, and whether all wrong elements lie past the last whole tile, or belong to threads that loaded
// nothing.
// Tested by tests/course/lab2/lab2_judge_test.cc.
#include "labs/lab2/explain.h"

#include <algorithm>
#include <iterator>

#include "labs/lab2/values.h"

namespace lab2 {
namespace {

constexpr size_t kTile = 32;  // of rungs v1 to v4

const unsigned char* ElementAt(const Shape& shape, const void* matrix, size_t index) {
  return static_cast<const unsigned char*>(matrix) + index * shape.element_bytes;
}

bool IsPoison(const Shape& shape, const unsigned char* element) {
  return std::all_of(element, element + shape.element_bytes, [](unsigned char byte) { return byte == kPoisonByte; });
}

// "in[70] (row 2, column 4)", for a matrix with rows of `columns` elements.
std::string Place(const char* matrix, size_t index, size_t columns) {
  return std::string(matrix) + "[" + std::to_string(index) + "] (row " + std::to_string(index / columns) + ", column " +
         std::to_string(index % columns) + ")";
}

// Where the value that was found instead comes from, if it can be said: " 3.25 is in[70] (row 2, column 4)."
std::string Origin(const Shape& shape, const Explanation& e, const void* in, const unsigned char* got) {
  const size_t origin = FindUnique(shape, in, got);
  if (origin == shape.Elements()) return "";
  std::string text = " " + e.got + " is " + Place("in", origin, shape.columns);
  text += origin == e.index ? ": copied, not transposed." : ".";
  return text;
}

// What the wrong elements have in common: all past the last full tile.
std::string Region(const Shape& shape, const Difference& d) {
  const size_t full_columns = shape.rows / kTile * kTile;
  const size_t full_rows = shape.columns / kTile * kTile;
  const std::string who = d.count == 1 ? " It lies" : " All of them lie";
  if (full_columns > 0 && d.min_column >= full_columns) {
    return who + " in columns " + std::to_string(full_columns) + " and up of the output, past its last multiple of 32.";
  }
  if (full_rows > 0 && d.min_row >= full_rows) {
    return who + " in rows " + std::to_string(full_rows) + " and up of the output, past its last multiple of 32.";
  }
  return "";
}

// Of each element of the output that was not written, the thread that should have stored it has nothing to load: it has
// returned, or its store has the bounds of the load. "": some such element is right, or another one is wrong.
std::string NothingToLoad(const Shape& shape, const void* out, const Difference& d) {
  struct {
    bool by_row, by_column;
    size_t missing = 0;
    bool fits = true;
  } ways[] = {{true, true}, {true, false}, {false, true}};
  for (size_t out_row = 0; out_row < shape.columns; ++out_row) {
    for (size_t out_column = 0; out_column < shape.rows; ++out_column) {
      const size_t row = out_column / kTile * kTile + out_row % kTile;
      const size_t column = out_row / kTile * kTile + out_column % kTile;
      if (row < shape.rows && column < shape.columns) continue;
      const bool left_out = IsPoison(shape, ElementAt(shape, out, out_row * shape.rows + out_column));
      for (auto& way : ways) {
        if (!(way.by_row && row >= shape.rows) && !(way.by_column && column >= shape.columns)) continue;
        ++way.missing;
        way.fits = way.fits && left_out;
      }
    }
  }
  // Of the elements that are wrong all are of such a thread, since there are as many of both.
  if (std::none_of(std::begin(ways), std::end(ways), [&](const auto& w) { return w.fits && w.missing == d.count; })) {
    return "";
  }
  const std::string who = d.count == 1 ? " It belongs to a thread" : " All of them belong to threads";
  return who +
         " with nothing to load, which may still have an element to store. Guard the load and the store, each with "
         "its own test, and let all threads reach the barrier.";
}

std::string HowMany(const Shape& shape, size_t count) {
  if (count == 1) return " (the only one)";
  if (count == shape.Elements()) return " (first of " + std::to_string(count) + ", which is all of them)";
  return " (first of " + std::to_string(count) + ")";
}

}  // namespace

std::optional<Explanation> Explain(const Shape& shape, int32_t variant, const void* in, const void* out) {
  const Difference d = Compare(shape, in, out);
  if (d.count == 0) return std::nullopt;

  const size_t out_row = d.first / shape.rows;
  const size_t out_column = d.first % shape.rows;
  const unsigned char* got = ElementAt(shape, out, d.first);
  const unsigned char* want = ElementAt(shape, in, out_column * shape.columns + out_row);
  const bool never_written = IsPoison(shape, got);

  Explanation e;
  e.index = d.first;
  e.count = d.count;
  e.got = never_written ? "never written" : Print(variant, got);
  e.want = Print(variant, want);
  e.message =
      std::to_string(shape.rows) + " x " + std::to_string(shape.columns) + ": " + Place("out", d.first, shape.rows) +
      (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(shape, d.count) + ".";
  if (!never_written) e.message += Origin(shape, e, in, got);
  const std::string threads = never_written ? NothingToLoad(shape, out, d) : "";
  e.message += threads.empty() ? Region(shape, d) : threads;
  return e;
}

}  // namespace lab2
