// Compares an answer with the reference and says in words how they differ. If a known mistake (a mask that is turned
// around, say) gives the wrong values, the message names it. It also says whether the wrong elements lie at borders or
// where tiles meet.
// Tested by tests/course/lab4/lab4_judge_test.cc.
#include "labs/lab4/explain.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace lab4 {
namespace {

using Place = ptrdiff_t;  // a row or a column, also of a ghost

constexpr size_t kTiles[] = {1024, 512, 256, 128, 64, 32, 16};  // sides of blocks that rungs have

bool IsPoison(float element) {
  unsigned char bytes[sizeof(element)];
  std::memcpy(bytes, &element, sizeof(element));
  return std::all_of(bytes, bytes + sizeof(bytes), [](unsigned char byte) { return byte == kPoisonByte; });
}

// An element of the input or of the output: a place in its plane, or beside it.
struct Spot {
  Place plane, row, column;
};

Spot SpotOf(const Problem& p, size_t index) {
  const size_t row = index / p.columns;
  return {static_cast<Place>(row / p.rows), static_cast<Place>(row % p.rows), static_cast<Place>(index % p.columns)};
}

// "d_out[70]", "d_out[70] (row 2, column 4)", "d_out[70] (plane 1, row 2, column 4)".
std::string NameOf(const Problem& p, size_t index) {
  std::string name = "d_out[" + std::to_string(index) + "]";
  if (p.variant == kLine) return name;
  const Spot spot = SpotOf(p, index);
  name += " (";
  if (p.variant == kPlanes) name += "plane " + std::to_string(spot.plane) + ", ";
  return name + "row " + std::to_string(spot.row) + ", column " + std::to_string(spot.column) + ")";
}

// One element of the output of something that is not quite the convolution.
class Variation {
 public:
  Variation(const Problem& p, const Inputs& inputs) : p_(p), in_(inputs.in), mask_(WholeMask(p, inputs)) {}

  // Index of the element of the input for a place, or -1 for a ghost.
  using Reader = std::function<Place(const Spot& spot)>;
  // A part of the mask: rows and columns that are left out at its beginning and at its end.
  struct Without {
    int first_rows = 0, last_rows = 0, first_columns = 0, last_columns = 0;
  };

  // `turned_down`, `turned_across`: whether the mask is turned upside down, and left to right.
  double Sum(size_t index, bool turned_down, bool turned_across, const Reader& reader, const Without& without) const {
    const auto [plane, y, x] = SpotOf(p_, index);
    double sum = 0;
    for (int i = without.first_rows; i < p_.mask_rows - without.last_rows; ++i) {
      for (int j = without.first_columns; j < p_.mask_columns - without.last_columns; ++j) {
        const Place down = i - p_.mask_rows / 2, right = j - p_.mask_columns / 2;
        const Place at = reader({plane, turned_down ? y - down : y + down, turned_across ? x - right : x + right});
        if (at >= 0)
          sum += mask_[static_cast<size_t>(i) * static_cast<size_t>(p_.mask_columns) + static_cast<size_t>(j)] *
                 static_cast<double>(in_[at]);
      }
    }
    return sum;
  }

  Place Right(const Spot& at) const { return Contains(at) ? (at.plane * Rows() + at.row) * Columns() + at.column : -1; }
  // The nearest element that there is.
  Place Clamped(const Spot& at) const {
    return Right({at.plane, std::clamp<Place>(at.row, 0, Rows() - 1), std::clamp<Place>(at.column, 0, Columns() - 1)});
  }
  // Whatever lies there in memory: the end of the row above, the beginning of the row below.
  Place NextRow(const Spot& at) const {
    const Place in_plane = at.row * Columns() + at.column, size = Rows() * Columns();
    return in_plane >= 0 && in_plane < size ? at.plane * size + in_plane : -1;
  }
  // Above and below a plane: the rows of its neighbours.
  Place NextPlane(const Spot& at) const {
    const Place row = at.plane * Rows() + at.row;
    const bool inside = row >= 0 && row < static_cast<Place>(p_.planes) * Rows();
    return inside && at.column >= 0 && at.column < Columns() ? row * Columns() + at.column : -1;
  }
  // Of an array that has the planes' elements side by side.
  Place Interleaved(const Spot& at) const {
    return Contains(at) ? (at.row * Columns() + at.column) * static_cast<Place>(p_.planes) + at.plane : -1;
  }
  // The nearest element of the tile of side `side` that `index` is in.
  Place ClampedToTile(const Spot& at, size_t index, Place side) const {
    if (!Contains(at)) return -1;
    const Spot of = SpotOf(p_, index);
    const auto nearest = [side](Place place, Place in_tile) {
      const Place first = in_tile / side * side;
      return std::clamp<Place>(place, first, first + side - 1);
    };
    return Right({at.plane, p_.variant == kLine ? at.row : nearest(at.row, of.row), nearest(at.column, of.column)});
  }
  // A ghost when it is not in the tile of side `side` that `index` is in.
  Place InTile(const Spot& at, size_t index, Place side) const {
    const Spot of = SpotOf(p_, index);
    if (at.column < 0 || at.column / side != of.column / side) return -1;
    if (p_.variant != kLine && (at.row < 0 || at.row / side != of.row / side)) return -1;
    return Right(at);
  }

 private:
  bool Contains(const Spot& at) const {
    return at.row >= 0 && at.row < Rows() && at.column >= 0 && at.column < Columns();
  }
  Place Rows() const { return static_cast<Place>(p_.rows); }
  Place Columns() const { return static_cast<Place>(p_.columns); }

  const Problem& p_;
  const float* in_;
  std::vector<double> mask_;
};

constexpr size_t kSamples = 9;  // wrong elements that an explanation has to fit

// Mistakes with planes. `is` says whether a reader gives the wrong values.
template <typename Is>
std::string LikenessOfPlanes(const Problem& p, const Variation& v, const Is& is) {
  if (p.planes <= 1) return "";
  if (is([&v](const Spot& at) { return v.NextPlane(at); })) return ": as if planes went on where the next one begins";
  if (is([&v](const Spot& at) { return v.Right({0, at.row, at.column}); })) {
    return ": as if every plane had been the first one";
  }
  if (is([&v](const Spot& at) { return v.Interleaved(at); })) {
    return ": as if the planes' elements had been stored side by side";
  }
  return "";
}

// Mistakes with what lies outside of a block's tile. `all` says whether a sum gives the wrong values.
template <typename All>
std::string LikenessOfTiles(const Variation& v, const All& all) {
  for (const size_t side : kTiles) {
    const auto tile = static_cast<Place>(side);
    if (all([&](size_t index) {
          const auto reader = [&](const Spot& at) { return v.InTile(at, index, tile); };
          return v.Sum(index, false, false, reader, {});
        })) {
      return ": as if everything outside of its tile of " + std::to_string(side) + " had been a ghost";
    }
    if (all([&](size_t index) {
          const auto reader = [&](const Spot& at) { return v.ClampedToTile(at, index, tile); };
          return v.Sum(index, false, false, reader, {});
        })) {
      return ": as if the halo were copies of the nearest element of its tile of " + std::to_string(side);
    }
  }
  return "";
}

// The mistake that gives the wrong values. Only for exact sums, since other sums could be near by chance.
std::string Likeness(const Problem& p, const Inputs& inputs, const Difference& d, const float* out) {
  if (p.pattern != kExact) return "";
  std::vector<size_t> samples;  // the first, the last, and some in between
  for (size_t i = 0; i < kSamples; ++i) samples.push_back(d.wrong[i * (d.wrong.size() - 1) / (kSamples - 1)]);
  const Variation v(p, inputs);
  const auto all = [&](const auto& value) {
    return std::all_of(samples.begin(), samples.end(),
                       [&](size_t index) { return value(index) == static_cast<double>(out[index]); });
  };
  const Variation::Reader right = [&v](const Spot& at) { return v.Right(at); };
  const auto is = [&](const Variation::Reader& reader, Variation::Without without = {}) {
    return all([&](size_t index) { return v.Sum(index, false, false, reader, without); });
  };
  const auto is_turned = [&](bool down, bool across) {
    return all([&](size_t index) { return v.Sum(index, down, across, right, {}); });
  };

  if (all([](size_t) { return 0.0; })) return ": as if nothing had been added";
  if (is_turned(true, true)) return ": as if the mask had been turned around";
  if (is_turned(false, true)) return ": as if the mask had been turned left to right";
  if (is_turned(true, false)) return ": as if the mask had been turned upside down";
  if (is([&v](const Spot& at) { return v.Clamped(at); })) {
    return ": as if ghosts were copies of the nearest element, not 0";
  }
  if (p.rows > 1 && is([&v](const Spot& at) { return v.NextRow(at); })) {
    return ": as if rows went on where the next one begins";
  }
  if (std::string planes = LikenessOfPlanes(p, v, is); !planes.empty()) return planes;
  for (const int by : {1, -1}) {
    if (is([&](const Spot& at) { return v.Right({at.plane, at.row, at.column + by}); })) {
      return std::string(": as if the mask stood one column too far to the ") + (by > 0 ? "right" : "left");
    }
    if (p.variant != kLine && is([&](const Spot& at) { return v.Right({at.plane, at.row + by, at.column}); })) {
      return std::string(": as if the mask stood one row too far ") + (by > 0 ? "down" : "up");
    }
  }
  if (std::string tiles = LikenessOfTiles(v, all); !tiles.empty()) return tiles;
  if (p.mask_columns > 1) {
    if (is(right, {.last_columns = 1})) return ": as if the last column of the mask had been left out";
    if (is(right, {.first_columns = 1})) return ": as if the first column of the mask had been left out";
    if (is(right, {.first_columns = 1, .last_columns = 1})) return ": as if the radius across were one too small";
  }
  if (p.mask_rows > 1) {
    if (is(right, {.last_rows = 1})) return ": as if the last row of the mask had been left out";
    if (is(right, {.first_rows = 1})) return ": as if the first row of the mask had been left out";
    if (is(right, {.first_rows = 1, .last_rows = 1})) return ": as if the radius down were one too small";
  }
  return "";
}

// Whether a place is nearer than `reach` to a beginning of a tile, other than the first: on either side of it.
bool IsNearSeam(size_t place, size_t extent, size_t tile, size_t reach) {
  const size_t in_tile = place % tile, next = place - in_tile + tile;
  return (place >= tile && in_tile < reach) || (tile - in_tile <= reach && next < extent);
}

// What the wrong elements have in common.
std::string Region(const Problem& p, const Difference& d) {
  if (d.wrong.size() != d.count) return "";
  const auto all = [&](const auto& fits) {
    return std::all_of(d.wrong.begin(), d.wrong.end(),
                       [&](size_t index) { return fits(index / p.columns % p.rows, index % p.columns); });
  };
  const std::string who = d.count == 1 ? " It lies" : " All of them lie";
  const Place first_plane = SpotOf(p, d.wrong.front()).plane;
  if (first_plane > 0 && d.count > 1) return who + " in planes " + std::to_string(first_plane) + " and up.";
  const auto down = static_cast<size_t>(p.mask_rows / 2), across = static_cast<size_t>(p.mask_columns / 2);
  const bool is_line = p.variant == kLine;
  // The largest multiple of a tile's side such that no wrong element comes before it.
  const auto last_multiple = [&](size_t extent, const auto& place) {
    std::pair<size_t, size_t> best = {0, 0};  // the multiple, and of what
    for (const size_t tile : kTiles) {
      const size_t full = extent / tile * tile;
      if (full > best.first && d.count > 1 &&
          all([&](size_t row, size_t column) { return place(row, column) >= full; })) {
        best = {full, tile};
      }
    }
    return best;
  };
  const auto past = [&](const std::string& what, const std::pair<size_t, size_t>& multiple) {
    return who + what + std::to_string(multiple.first) + " and up, past the last multiple of " +
           std::to_string(multiple.second) + ".";
  };
  const auto in_columns = last_multiple(p.columns, [](size_t, size_t column) { return column; });
  if (in_columns.first > 0) return past(is_line ? " at " : " in columns ", in_columns);
  const auto in_rows = last_multiple(p.rows, [](size_t row, size_t) { return row; });
  if (in_rows.first > 0) return past(" in rows ", in_rows);
  const auto is_border = [&](size_t row, size_t column) {
    return column < across || column + across >= p.columns || (!is_line && (row < down || row + down >= p.rows));
  };
  if (2 * across < p.columns && (is_line || 2 * down < p.rows) && all(is_border)) {
    return who + " where the mask covers ghosts.";
  }
  for (const size_t tile : kTiles) {
    if (4 * across > tile || 4 * down > tile) continue;  // then most elements are near a seam
    if (all([&](size_t row, size_t column) {
          return IsNearSeam(column, p.columns, tile, across) || (!is_line && IsNearSeam(row, p.rows, tile, down));
        })) {
      return who + " where the mask reaches across a multiple of " + std::to_string(tile) +
             ": out of one block's part into its neighbour's.";
    }
  }
  return "";
}

std::string HowMany(const Problem& p, const Difference& d) {
  if (d.count == 1) return " (the only one)";
  if (d.count == p.Elements()) return " (first of " + std::to_string(d.count) + ", which is all of them)";
  return " (first of " + std::to_string(d.count) + ")";
}

}  // namespace

std::optional<Explanation> Explain(const Problem& p, const Inputs& inputs, const float* out) {
  const Difference d = Compare(p, inputs, out);
  if (d.count == 0) return std::nullopt;
  const size_t first = d.wrong.front(), row = first / p.columns, column = first % p.columns;  // of all planes' rows
  const float got = out[first];
  const bool never_written = IsPoison(got);

  Explanation e;
  e.index = first;
  e.count = d.count;
  e.got = never_written ? "never written" : lab::Print(static_cast<double>(got));
  e.want = lab::Print(ComputeSpan(p, inputs.in, WholeMask(p, inputs), row, column, column + 1).sum.front());
  e.message = Size(p) + ": " + NameOf(p, first) +
              (never_written ? " was never written" : " is " + e.got + ", want " + e.want) + HowMany(p, d);
  if (!never_written) e.message += Likeness(p, inputs, d, out);
  e.message += ".";
  e.message += Region(p, d);
  return e;
}

}  // namespace lab4
