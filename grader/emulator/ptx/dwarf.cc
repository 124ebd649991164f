// Two steps: all entries are read into a flat list, and then the size of each variable's type is computed. The data
// comes from a program that may be hostile, so each offset is checked, and chains of types are followed only so far.
// Tested by tests/emulator/ptx/dwarf_test.cc.
#include "grader/emulator/ptx/dwarf.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace warpgrade::ptx {
namespace {

constexpr size_t kMostEntries = 400'000;
constexpr uint64_t kMostWork = 20'000'000;  // attributes, and what else is read again and again
constexpr int kLongestChain = 64;           // of types: an array of const volatile ... of a structure
constexpr uint64_t kLargest = uint64_t{1} << 30;
constexpr size_t kLongestName = 200;

// Numbers of the DWARF standard.
enum : uint64_t {
  kTagArray = 0x01,
  kTagParameter = 0x05,
  kTagPointer = 0x0f,
  kTagReference = 0x10,
  kTagTypedef = 0x16,
  kTagSubrange = 0x21,
  kTagConst = 0x26,
  kTagVariable = 0x34,
  kTagVolatile = 0x35,
  kTagRestrict = 0x37,
  kTagRvalueReference = 0x42,
};
enum : uint64_t {
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kUpperBound = 0x2f,
  kAbstractOrigin = 0x31,
  kCount = 0x37,
  kType = 0x49,
};
enum : uint8_t { kOpAddress = 0x03, kOpPlusConstant = 0x23 };

// Reads numbers from front to back. After the first one that does not fit, all are 0 and ok() is false.
class Cursor {
 public:
  Cursor(const std::vector<uint8_t>& bytes, uint64_t at, uint64_t end)
      : bytes_(bytes), at_(at), end_(std::min<uint64_t>(end, bytes.size())) {}

  bool ok() const { return ok_; }
  uint64_t at() const { return at_; }
  bool AtEnd() const { return !ok_ || at_ >= end_; }

  uint64_t Unsigned(uint64_t size) {
    if (!Has(size)) return 0;
    uint64_t value = 0;
    for (uint64_t k = 0; k < size; ++k) value |= uint64_t{bytes_[at_ + k]} << (8 * k);
    at_ += size;
    return value;
  }
  // LEB128: seven bits in each byte, the lowest first.
  uint64_t Leb() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint64_t byte = Unsigned(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view String() {
    const uint64_t begin = at_;
    while (ok_ && Unsigned(1) != 0) {
    }
    return ok_ ? std::string_view(reinterpret_cast<const char*>(bytes_.data()) + begin, at_ - begin - 1)
               : std::string_view();
  }
  void Skip(uint64_t size) {
    if (Has(size)) at_ += size;
  }

 private:
  bool Has(uint64_t size) {
    ok_ = ok_ && at_ <= end_ && size <= end_ - at_;
    return ok_;
  }

  const std::vector<uint8_t>& bytes_;
  uint64_t at_, end_;
  bool ok_ = true;
};

struct Attribute {
  uint64_t name = 0, form = 0;
};
struct Abbreviation {
  uint64_t tag = 0;
  bool has_children = false;
  std::vector<Attribute> attributes;
};
using Abbreviations = std::map<uint64_t, Abbreviation>;  // by code

// What one entry says; offsets are in the section.
struct Entry {
  uint64_t tag = 0;
  size_t parent = SIZE_MAX;  // index of an entry
  std::string_view name;
  std::optional<uint64_t> bytes, elements, type, origin;
  std::string symbol;  // the variable lies at `place` in it
  uint64_t place = 0;
};

Abbreviations ReadAbbreviations(const DebugSection& section, uint64_t from) {
  Abbreviations table;
  Cursor cursor(section.bytes, from, section.bytes.size());
  while (!cursor.AtEnd()) {
    const uint64_t code = cursor.Leb();
    if (code == 0) break;
    Abbreviation abbreviation;
    abbreviation.tag = cursor.Leb();
    abbreviation.has_children = cursor.Unsigned(1) != 0;
    while (!cursor.AtEnd()) {
      const Attribute attribute = {cursor.Leb(), cursor.Leb()};
      if (attribute.name == 0 && attribute.form == 0) break;
      abbreviation.attributes.push_back(attribute);
    }
    if (cursor.ok()) table.emplace(code, std::move(abbreviation));
  }
  return table;
}

class Reader {
 public:
  Reader(const DebugSection& abbreviations, const DebugSection& info) : abbreviations_(abbreviations), info_(info) {}

  std::map<std::string, std::vector<SourceVariable>> Run() {
    for (Cursor cursor(info_.bytes, 0, info_.bytes.size()); !cursor.AtEnd();) {
      const uint64_t length = cursor.Unsigned(4), begin = cursor.at();
      if (!cursor.ok() || length > info_.bytes.size() - begin || !ReadUnit(begin, begin + length)) break;
      cursor.Skip(length);
    }
    std::map<std::string, std::vector<SourceVariable>> found;
    for (const Entry& entry : entries_) {
      if (entry.symbol.empty() || (entry.tag != kTagVariable && entry.tag != kTagParameter)) continue;
      const Entry& declared = Declared(entry);
      const uint64_t bytes = declared.type ? KnownSizeOf(*declared.type) : 0;
      if (bytes == 0) continue;
      found[entry.symbol].push_back({NameOf(declared), entry.place, bytes, IsPointer(*declared.type)});
    }
    return found;
  }

 private:
  // The entries of one compilation unit. False if its end was not reached.
  bool ReadUnit(uint64_t begin, uint64_t end) {
    Cursor cursor(info_.bytes, begin, end);
    const uint64_t version = cursor.Unsigned(2);
    const uint64_t table_at = cursor.Unsigned(4);
    if (cursor.Unsigned(1) != 8 || version < 2 || version > 4) return false;
    if (table_at != table_at_ || table_.empty()) {
      work_ += abbreviations_.bytes.size() - std::min<uint64_t>(table_at, abbreviations_.bytes.size());
      if (work_ > kMostWork) return false;
      table_ = ReadAbbreviations(abbreviations_, table_at);
      table_at_ = table_at;
    }
    const Abbreviations& table = table_;
    unit_ = begin - 4;
    std::vector<size_t> parents;
    while (!cursor.AtEnd()) {
      const uint64_t at = cursor.at(), code = cursor.Leb();
      if (code == 0) {
        if (!parents.empty()) parents.pop_back();
        continue;
      }
      const auto abbreviation = table.find(code);
      if (abbreviation == table.end() || entries_.size() >= kMostEntries) return false;
      work_ += 1 + abbreviation->second.attributes.size();
      if (work_ > kMostWork) return false;
      Entry entry;
      entry.tag = abbreviation->second.tag;
      if (!parents.empty()) entry.parent = parents.back();
      for (const Attribute& attribute : abbreviation->second.attributes) ReadAttribute(attribute, &cursor, &entry);
      if (!cursor.ok()) return false;
      if (entry.tag == kTagSubrange && entry.parent != SIZE_MAX) bounds_[entry.parent].push_back(entries_.size());
      index_.emplace(at, entries_.size());
      if (abbreviation->second.has_children) parents.push_back(entries_.size());
      entries_.push_back(std::move(entry));
    }
    return cursor.ok();
  }

  void ReadAttribute(const Attribute& attribute, Cursor* cursor, Entry* entry) {
    uint64_t form = attribute.form;
    for (int depth = 0; form == 0x16 && depth < 4; ++depth) form = cursor->Leb();  // DW_FORM_indirect
    uint64_t block = 0;
    switch (form) {
      case 0x08:  // DW_FORM_string
        if (const std::string_view text = cursor->String(); attribute.name == kName) entry->name = text;
        return;
      case 0x03:  // blocks of bytes, by the size of their length
        block = cursor->Unsigned(2);
        break;
      case 0x04:
        block = cursor->Unsigned(4);
        break;
      case 0x0a:
        block = cursor->Unsigned(1);
        break;
      case 0x09:
      case 0x18:  // DW_FORM_exprloc
        block = cursor->Leb();
        break;
      default:
        return Note(attribute.name, Number(form, cursor), entry);
    }
    if (attribute.name == kLocation) ReadLocation(cursor->at(), block, entry);
    cursor->Skip(block);
  }

  // Forms of one number. References to an entry of the same unit become offsets in the section.
  uint64_t Number(uint64_t form, Cursor* cursor) const {
    switch (form) {
      case 0x01:  // addr
      case 0x07:  // data8
      case 0x20:  // ref_sig8
        return cursor->Unsigned(8);
      case 0x05:  // data2
        return cursor->Unsigned(2);
      case 0x06:  // data4
      case 0x0e:  // strp
      case 0x10:  // ref_addr
      case 0x17:  // sec_offset
        return cursor->Unsigned(4);
      case 0x0b:  // data1
      case 0x0c:  // flag
        return cursor->Unsigned(1);
      case 0x0d:  // sdata: only its length matters, since no attribute that is read has it with a sign
      case 0x0f:  // udata
        return cursor->Leb();
      case 0x11:  // ref1
        return unit_ + cursor->Unsigned(1);
      case 0x12:  // ref2
        return unit_ + cursor->Unsigned(2);
      case 0x13:  // ref4
        return unit_ + cursor->Unsigned(4);
      case 0x14:  // ref8
        return unit_ + cursor->Unsigned(8);
      case 0x15:  // ref_udata
        return unit_ + cursor->Leb();
      case 0x19:  // flag_present
        return 1;
      default:
        cursor->Skip(UINT64_MAX);  // its length is not known
        return 0;
    }
  }

  static void Note(uint64_t attribute, uint64_t value, Entry* entry) {
    if (attribute == kByteSize) entry->bytes = value;
    if (attribute == kCount) entry->elements = value;
    if (attribute == kUpperBound && value < kLargest) entry->elements = value + 1;
    if (attribute == kType) entry->type = value;
    if (attribute == kAbstractOrigin) entry->origin = value;
  }

  // A symbol, and perhaps a number that is added to it. Other places, such as registers, are not of interest.
  void ReadLocation(uint64_t at, uint64_t bytes, Entry* entry) const {
    Cursor cursor(info_.bytes, at, at + std::min<uint64_t>(bytes, info_.bytes.size()));
    if (cursor.Unsigned(1) != kOpAddress) return;
    const auto symbol = info_.symbols.find(cursor.at());
    uint64_t place = cursor.Unsigned(8);
    if (symbol == info_.symbols.end()) return;
    if (!cursor.AtEnd()) {
      if (cursor.Unsigned(1) != kOpPlusConstant) return;
      place += cursor.Leb();
    }
    if (!cursor.AtEnd() || !cursor.ok() || place > kLargest) return;
    entry->symbol = symbol->second;
    entry->place = place;
  }

  // The entry with the name and the type: the variable of an inlined function refers to another one.
  const Entry& Declared(const Entry& entry) const {
    if (entry.type || !entry.origin) return entry;
    const auto at = index_.find(*entry.origin);
    return at != index_.end() ? entries_[at->second] : entry;
  }

  static std::string NameOf(const Entry& entry) {
    const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    const bool is_name =
        entry.name.size() <= kLongestName && std::all_of(entry.name.begin(), entry.name.end(), is_of_name);
    return is_name ? std::string(entry.name) : "";
  }

  bool IsPointer(uint64_t offset) {
    for (int depth = 0; depth < kLongestChain && ++work_ <= kMostWork; ++depth) {
      const auto at = index_.find(offset);
      if (at == index_.end()) return false;
      const Entry& type = entries_[at->second];
      if (type.tag == kTagPointer || type.tag == kTagReference || type.tag == kTagRvalueReference) return true;
      const bool is_another_name =
          type.tag == kTagTypedef || type.tag == kTagConst || type.tag == kTagVolatile || type.tag == kTagRestrict;
      if (!is_another_name || !type.type) return false;
      offset = *type.type;
    }
    return false;
  }

  uint64_t KnownSizeOf(uint64_t type) {
    const auto [known, is_new] = sizes_.try_emplace(type, 0);
    if (is_new) known->second = SizeOf(type);
    return known->second;
  }

  // Bytes of the type; 0 if they are not told.
  uint64_t SizeOf(uint64_t offset) {
    uint64_t elements = 1;
    for (int depth = 0; depth < kLongestChain && ++work_ <= kMostWork; ++depth) {
      const auto at = index_.find(offset);
      if (at == index_.end()) return 0;
      const Entry& type = entries_[at->second];
      if (type.bytes) return *type.bytes < kLargest ? Times(elements, *type.bytes) : 0;
      switch (type.tag) {
        case kTagPointer:
        case kTagReference:
        case kTagRvalueReference:
          return Times(elements, 8);
        case kTagArray:
          elements = Times(elements, ElementsOf(at->second));
          break;
        case kTagTypedef:
        case kTagConst:
        case kTagVolatile:
        case kTagRestrict:
          break;
        default:
          return 0;
      }
      if (!type.type || elements == 0) return 0;
      offset = *type.type;
    }
    return 0;
  }

  uint64_t ElementsOf(size_t array) {
    const auto bounds = bounds_.find(array);
    if (bounds == bounds_.end()) return 0;
    work_ += bounds->second.size();
    if (work_ > kMostWork) return 0;
    uint64_t elements = 1;
    for (const size_t bound : bounds->second) elements = Times(elements, entries_[bound].elements.value_or(0));
    return elements;
  }

  // 0 if it is more than any variable has.
  static uint64_t Times(uint64_t a, uint64_t b) { return a == 0 || b > kLargest / a ? 0 : a * b; }

  const DebugSection& abbreviations_;
  const DebugSection& info_;
  uint64_t unit_ = 0;    // where the unit that is read begins
  Abbreviations table_;  // those at table_at_, which most units share
  uint64_t table_at_ = 0;
  uint64_t work_ = 0;
  std::map<uint64_t, uint64_t> sizes_;  // of types
  std::vector<Entry> entries_;
  std::map<uint64_t, size_t> index_;              // of entries, by offset
  std::map<size_t, std::vector<size_t>> bounds_;  // of an array: its subranges
};

}  // namespace

std::map<std::string, std::vector<SourceVariable>> LocalVariablesOf(const DebugSection& abbreviations,
                                                                    const DebugSection& info) {
  return Reader(abbreviations, info).Run();
}

}  // namespace warpgrade::ptx
