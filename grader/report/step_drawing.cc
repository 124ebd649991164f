// Goes through the steps in order and keeps the last known value of each element. Of the writes of a step it draws the
// first ones, as many as have room. Tests: tests/report/step_drawing_test.cc.
#include "grader/report/step_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using score::BlockStep;
using score::BlockSteps;
using score::StepArray;
using score::StepValue;
using score::StepWrite;

constexpr uint32_t kMostThreads = 1024;  // of a block
constexpr int kWarpSize = 32;

using Place = std::pair<uint32_t, uint64_t>;  // array, element
Place PlaceOf(const StepValue& value) { return {value.array, value.element}; }

// Half a float: 1 sign bit, 5 bits of exponent, 10 of fraction.
double HalfOf(uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? HUGE_VAL : NAN)
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

double FloatOf(uint64_t bits, int bytes) {
  if (bytes == 2) return HalfOf(bits);
  if (bytes == 4) {
    const auto narrow = static_cast<uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &narrow, sizeof(value));
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The bits that the element has, without those above it.
uint64_t ValueBits(const StepArray& array, uint64_t bits) {
  const int unused = 64 - 8 * std::clamp(array.bytes, 1, 8);
  return bits << unused >> unused;
}

int64_t SignedOf(const StepArray& array, uint64_t bits) {
  const int unused = 64 - 8 * std::clamp(array.bytes, 1, 8);
  return static_cast<int64_t>(bits << unused) >> unused;
}

std::string IntegerText(const StepArray& array, uint64_t bits) {
  return array.type == StepArray::Type::kSigned ? std::to_string(SignedOf(array, bits))
                                                : std::to_string(ValueBits(array, bits));
}

std::string NameOf(const StepArray& array) { return PrintableLine(array.name); }

std::string TitleOf(const StepArray& array) {
  constexpr int kMostColumns = 40;
  if (array.space == StepArray::Space::kRegisters) return "registers: one value for each lane";
  std::string name = Shorten(NameOf(array), kMostColumns);
  if (array.elements > 0) name += fmt::format("[{}]", array.elements);
  return name + (array.space == StepArray::Space::kShared ? ", in shared memory" : ", in global memory");
}

class Drawer {
 public:
  Drawer(const BlockSteps& block, size_t columns, size_t width)
      : block_(block), columns_(std::max<size_t>(columns, 2)), width_(width) {}

  StepDrawing Draw(const BlockStep& step) {
    StepDrawing drawing;
    std::map<uint32_t, std::vector<StepWrite>> of_array;
    for (const StepWrite& write : step.writes) of_array[write.what.array].push_back(FromMemory(write));
    const Values before = ValuesBefore(step);
    Values after = values_;
    for (const StepWrite& write : step.writes) after[PlaceOf(write.what)] = write.what.bits;
    for (auto& [array, writes] : of_array) {
      std::stable_sort(writes.begin(), writes.end(),
                       [](const StepWrite& a, const StepWrite& b) { return a.thread < b.thread; });
      std::vector<const StepWrite*> in_order;
      in_order.reserve(writes.size());
      for (const StepWrite& write : writes) in_order.push_back(&write);
      drawing.panels.push_back(PanelOf(array, in_order, before, after));
    }
    AddLanes(step, &drawing);
    AddNotes(step, &drawing);
    for (const score::StepRead& read : step.reads) values_.try_emplace(PlaceOf(read.what), read.what.bits);
    for (const StepWrite& write : step.writes) values_[PlaceOf(write.what)] = write.what.bits;
    // A shuffle changes no register that another one offers.
    std::erase_if(values_, [this](const auto& value) {
      return block_.arrays[value.first.first].space == StepArray::Space::kRegisters;
    });
    return drawing;
  }

 private:
  using Values = std::map<Place, uint64_t>;

  // What each element held when it was first read in this step, or before it.
  Values ValuesBefore(const BlockStep& step) const {
    Values values = values_;
    std::set<Place> read;
    for (const score::StepRead& one : step.reads) {
      if (read.insert(PlaceOf(one.what)).second) values[PlaceOf(one.what)] = one.what.bits;
    }
    return values;
  }

  // Without sources in registers, as what a shuffle gave is mostly added to something there before it is stored.
  StepWrite FromMemory(StepWrite write) const {
    if (write.does != StepWrite::Does::kShuffle) {
      std::erase_if(write.sources, [this](const StepValue& source) {
        return block_.arrays[source.array].space == StepArray::Space::kRegisters;
      });
    }
    return write;
  }

  // The places above and below of the first writes that have room.
  struct Chosen {
    std::vector<Place> top, bottom;
    std::vector<const StepWrite*> writes;
  };

  // Whether all sources are in this array, and some of the elements that are written are among them. A thread that
  // reads one half of the array and writes the other one has two rows of different elements.
  static bool ReadsOwnArray(uint32_t array, const std::vector<const StepWrite*>& writes) {
    std::set<uint64_t> read;
    for (const StepWrite* write : writes) {
      for (const StepValue& source : write->sources) {
        if (source.array != array) return false;
        read.insert(source.element);
      }
    }
    return std::any_of(writes.begin(), writes.end(),
                       [&read](const StepWrite* write) { return read.contains(write->what.element); });
  }

  Chosen Choose(const std::vector<const StepWrite*>& writes, bool is_aligned) const {
    std::set<Place> top, bottom;
    Chosen chosen;
    for (const StepWrite* write : writes) {
      std::set<Place> new_top = top, new_bottom = bottom;
      for (const StepValue& source : write->sources) new_top.insert(PlaceOf(source));
      (is_aligned ? new_top : new_bottom).insert(PlaceOf(write->what));
      if (new_top.size() > columns_ || new_bottom.size() > columns_) {
        if (!chosen.writes.empty()) break;
        // One write alone has more sources than there is room for.
        for (auto last = std::prev(new_top.end()); new_top.size() > columns_;) {
          last = *last == PlaceOf(write->what) ? std::prev(last) : std::prev(new_top.erase(last));
        }
      }
      top = std::move(new_top);
      bottom = std::move(new_bottom);
      chosen.writes.push_back(write);
    }
    chosen.top.assign(top.begin(), top.end());
    chosen.bottom = is_aligned ? chosen.top : std::vector<Place>(bottom.begin(), bottom.end());
    return chosen;
  }

  // The first elements of the array, if enough happens among them.
  std::optional<Chosen> FirstElements(uint32_t array, const std::vector<const StepWrite*>& writes) const {
    constexpr size_t kEnough = 2;
    Chosen chosen;
    const auto is_among = [this](const StepValue& value) { return value.element < columns_; };
    for (const StepWrite* write : writes) {
      const bool all = is_among(write->what) && std::all_of(write->sources.begin(), write->sources.end(), is_among);
      if (all) chosen.writes.push_back(write);
    }
    if (chosen.writes.size() < std::min(kEnough, writes.size())) return std::nullopt;
    const uint64_t elements = block_.arrays[array].elements;
    const uint64_t shown = elements == 0 ? columns_ : std::min<uint64_t>(columns_, elements);
    for (uint64_t element = 0; element < shown; ++element) chosen.top.emplace_back(array, element);
    chosen.bottom = chosen.top;
    return chosen;
  }

  std::string ValueOf(const Values& values, const Place& place) const {
    const auto known = values.find(place);
    return known == values.end() ? "" : StepValueText(block_.arrays[place.first], known->second, width_);
  }

  std::vector<StepCell> CellsOf(const std::vector<Place>& places, uint32_t array, const Values& values) const {
    std::vector<StepCell> cells;
    cells.reserve(places.size());
    for (size_t i = 0; i < places.size(); ++i) {
      StepCell& cell = cells.emplace_back();
      const auto& [of, element] = places[i];
      cell.label = of == array ? std::to_string(element) : fmt::format("{}[{}]", NameOf(block_.arrays[of]), element);
      cell.value = ValueOf(values, places[i]);
      cell.after_gap = i > 0 && (places[i - 1].first != of || places[i - 1].second + 1 != element);
    }
    return cells;
  }

  static size_t IndexOf(const std::vector<Place>& places, const Place& place) {
    return static_cast<size_t>(std::find(places.begin(), places.end(), place) - places.begin());
  }

  StepPanel PanelOf(uint32_t array, const std::vector<const StepWrite*>& writes, const Values& before,
                    const Values& after) const {
    StepPanel panel;
    const StepArray& written = block_.arrays[array];
    panel.title = TitleOf(written);
    panel.writes = writes.size();
    const bool is_shuffle = writes[0]->does == StepWrite::Does::kShuffle;
    const bool own = ReadsOwnArray(array, writes);
    panel.is_aligned = own;
    std::optional<Chosen> first = own ? FirstElements(array, writes) : std::nullopt;
    const Chosen chosen = first ? std::move(*first) : Choose(writes, own);
    panel.drawn = chosen.writes.size();
    const uint32_t above = own || chosen.top.empty() ? array : chosen.top[0].first;
    panel.above = is_shuffle ? "offers" : own ? "before" : "read";
    panel.below = is_shuffle ? "gets" : own ? "after" : "written";
    panel.top = CellsOf(chosen.top, own ? array : above, before);
    if (panel.top.empty()) panel.title = "registers, to " + panel.title;
    if (above != array) panel.title = TitleOf(block_.arrays[above]) + ", to " + panel.title;
    panel.bottom = CellsOf(chosen.bottom, array, after);
    for (const StepWrite* write : chosen.writes) {
      StepWire wire;
      wire.thread = write->thread;
      wire.more_sources = write->more_sources;
      wire.to = IndexOf(chosen.bottom, PlaceOf(write->what));
      for (const StepValue& source : write->sources) {
        const size_t cell = IndexOf(chosen.top, PlaceOf(source));
        if (cell == panel.top.size()) {
          ++wire.more_sources;
        } else if (std::find(wire.from.begin(), wire.from.end(), cell) == wire.from.end()) {
          wire.from.push_back(cell);
          panel.top[cell].is_used = true;
        }
      }
      panel.bottom[wire.to].is_used = true;
      panel.wires.push_back(std::move(wire));
    }
    LayTracks(&panel);
    return panel;
  }

  // Gives each wire the first track on which it meets no other one.
  static void LayTracks(StepPanel* panel) {
    std::vector<std::vector<std::pair<size_t, size_t>>> taken;  // by track: the cells from, to
    for (StepWire& wire : panel->wires) {
      size_t first = wire.to, last = wire.to;
      for (const size_t cell : wire.from) {
        first = std::min(first, cell);
        last = std::max(last, cell);
      }
      const auto is_free = [&](const std::vector<std::pair<size_t, size_t>>& track) {
        return std::all_of(track.begin(), track.end(),
                           [&](const auto& other) { return other.second < first || last < other.first; });
      };
      const auto track = std::find_if(taken.begin(), taken.end(), is_free);
      wire.track = static_cast<size_t>(track - taken.begin());
      if (track == taken.end()) taken.emplace_back();
      taken[wire.track].emplace_back(first, last);
    }
    panel->tracks = taken.size();
  }

  void AddLanes(const BlockStep& step, StepDrawing* drawing) const {
    const uint64_t threads = uint64_t{block_.block_size.x} * block_.block_size.y * block_.block_size.z;
    std::vector<uint32_t> warps((threads + kWarpSize - 1) / kWarpSize);
    const auto add = [&warps](uint32_t thread) { warps[thread / kWarpSize] |= 1u << thread % kWarpSize; };
    for (const score::StepRead& read : step.reads) add(read.thread);
    for (const StepWrite& write : step.writes) add(write.thread);
    for (size_t warp = 0; warp < warps.size(); ++warp) {
      drawing->threads += static_cast<uint32_t>(__builtin_popcount(warps[warp]));
      const int number = static_cast<int>(warp);
      if (!drawing->warps.empty() && drawing->warps.back().lanes == warps[warp]) {
        drawing->warps.back().last = number;
      } else {
        drawing->warps.push_back({number, number, warps[warp]});
      }
    }
  }

  // What is read and goes into no write of this step.
  void AddNotes(const BlockStep& step, StepDrawing* drawing) const {
    std::map<uint32_t, std::set<uint64_t>> read;
    for (const score::StepRead& one : step.reads) read[one.what.array].insert(one.what.element);
    for (const StepWrite& write : step.writes) {
      for (const StepValue& source : write.sources) read.erase(source.array);
    }
    for (const auto& [array, elements] : read) {
      if (block_.arrays[array].space == StepArray::Space::kRegisters) continue;
      drawing->notes.push_back(
          fmt::format("Also read: {} of {}.", Counted(elements.size(), "element"), NameOf(block_.arrays[array])));
    }
  }

  const BlockSteps& block_;
  const size_t columns_, width_;
  Values values_;  // before the next step
};

}  // namespace

bool IsDrawable(const BlockSteps& block) {
  const uint64_t threads = uint64_t{block.block_size.x} * block.block_size.y * block.block_size.z;
  if (threads == 0 || threads > kMostThreads) return false;
  const auto is_sound = [&block](const StepValue& value) { return value.array < block.arrays.size(); };
  for (const BlockStep& step : block.steps) {
    for (const score::StepRead& read : step.reads) {
      if (read.thread >= threads || !is_sound(read.what)) return false;
    }
    for (const StepWrite& write : step.writes) {
      if (write.thread >= threads || !is_sound(write.what)) return false;
      if (!std::all_of(write.sources.begin(), write.sources.end(), is_sound)) return false;
    }
  }
  return true;
}

std::string StepValueText(const StepArray& array, uint64_t bits, size_t width) {
  double rounded = 0;
  std::string text;
  if (array.type == StepArray::Type::kFloat) {
    rounded = FloatOf(ValueBits(array, bits), array.bytes);
  } else {
    text = IntegerText(array, bits);
    if (text.size() <= width) return text;
    rounded = array.type == StepArray::Type::kSigned ? static_cast<double>(SignedOf(array, bits))
                                                     : static_cast<double>(ValueBits(array, bits));
  }
  for (int digits = 9; digits > 0; --digits) {
    text = fmt::format("{:.{}g}", rounded, digits);
    if (text.size() <= width) break;
  }
  return text;
}

size_t WidestInteger(const BlockSteps& block) {
  size_t widest = 0;
  const auto look_at = [&](const StepValue& value) {
    const StepArray& array = block.arrays[value.array];
    if (array.type != StepArray::Type::kFloat) widest = std::max(widest, IntegerText(array, value.bits).size());
  };
  for (const BlockStep& step : block.steps) {
    for (const score::StepRead& read : step.reads) look_at(read.what);
    for (const StepWrite& write : step.writes) look_at(write.what);
  }
  return widest;
}

std::vector<StepDrawing> DrawSteps(const BlockSteps& block, size_t columns, size_t width) {
  Drawer drawer(block, columns, width);
  std::vector<StepDrawing> drawings;
  drawings.reserve(block.steps.size());
  for (const BlockStep& step : block.steps) drawings.push_back(drawer.Draw(step));
  return drawings;
}

}  // namespace warpgrade::report
