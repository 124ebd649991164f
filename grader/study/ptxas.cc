// Reads the output of ptxas, cubins and PTX, as far as the study needs it. Tested by tests/study/compile_test.cc.
#include "grader/study/ptxas.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <regex>
#include <sstream>

namespace warpgrade::study {
namespace {

// The number in group 1; 0 if the line has no such text.
int NumberIn(const std::string& line, const std::regex& pattern) {
  std::smatch found;
  return std::regex_search(line, found, pattern) ? std::stoi(found[1]) : 0;
}

// A number of `T`'s size at an offset of the file; nullopt past its end.
template <typename T>
std::optional<uint64_t> FieldAt(std::string_view file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

struct SectionPlace {
  uint64_t name, offset, size;
};

constexpr uint64_t kSectionTable = 40, kSectionBytes = 58, kSectionCount = 60, kSectionNames = 62;  // of the ELF header

std::optional<SectionPlace> PlaceOfSection(std::string_view elf, uint64_t index) {
  const auto table = FieldAt<uint64_t>(elf, kSectionTable), bytes = FieldAt<uint16_t>(elf, kSectionBytes);
  if (!table || !bytes || *table > elf.size()) return std::nullopt;
  const uint64_t header = *table + index * *bytes;
  const auto name = FieldAt<uint32_t>(elf, header), offset = FieldAt<uint64_t>(elf, header + 24),
             size = FieldAt<uint64_t>(elf, header + 32);
  if (!name || !offset || !size) return std::nullopt;
  return SectionPlace{*name, *offset, *size};
}

std::optional<std::string_view> Piece(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || file.size() - offset < size) return std::nullopt;
  return file.substr(offset, size);
}

}  // namespace

std::map<std::string, KernelResources> ReadResources(std::string_view ptxas_output) {
  static const std::regex kKernel("Compiling entry function '([^']*)'"), kRegisters("Used ([0-9]{1,4}) registers"),
      kStack("([0-9]{1,8}) bytes stack frame"), kStores("([0-9]{1,8}) bytes spill stores"),
      kLoads("([0-9]{1,8}) bytes spill loads"), kConstant("([0-9]{1,8}) bytes cmem\\[0\\]");
  std::map<std::string, KernelResources> all;
  KernelResources* kernel = nullptr;
  std::istringstream lines{std::string(ptxas_output)};
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, kKernel)) kernel = &all[found[1]];
    if (kernel == nullptr) continue;
    if (std::regex_search(line, kStack)) {
      kernel->stack_bytes = NumberIn(line, kStack);
      kernel->spill_stores_bytes = NumberIn(line, kStores);
      kernel->spill_loads_bytes = NumberIn(line, kLoads);
    }
    if (std::regex_search(line, kRegisters)) {
      kernel->registers = NumberIn(line, kRegisters);
      kernel->constant_bytes = NumberIn(line, kConstant);
    }
  }
  return all;
}

std::optional<std::string_view> SectionOf(std::string_view elf, std::string_view name) {
  if (!elf.starts_with("\177ELF\2")) return std::nullopt;
  const auto count = FieldAt<uint16_t>(elf, kSectionCount), names_index = FieldAt<uint16_t>(elf, kSectionNames);
  if (!count || !names_index) return std::nullopt;
  const auto names_place = PlaceOfSection(elf, *names_index);
  if (!names_place) return std::nullopt;
  const auto names = Piece(elf, names_place->offset, names_place->size);
  if (!names) return std::nullopt;
  for (uint64_t i = 0; i < *count; ++i) {
    const auto place = PlaceOfSection(elf, i);
    if (!place || place->name >= names->size()) continue;
    const std::string_view its_name = names->substr(place->name);
    if (its_name.substr(0, its_name.find('\0')) == name) return Piece(elf, place->offset, place->size);
  }
  return std::nullopt;
}

size_t DifferentInstructions(std::string_view a, std::string_view b) {
  size_t different = 0;
  for (size_t at = 0; at < a.size(); at += kInstructionBytes) {
    different += a.substr(at, kInstructionBytes) == b.substr(at, kInstructionBytes) ? 0 : 1;
  }
  return different;
}

size_t InstructionsOf(std::string_view ptx, const std::string& kernel, const std::string& opcode) {
  const size_t begin = ptx.find(".entry " + kernel + "(");
  if (begin == std::string_view::npos) return 0;
  std::istringstream lines{std::string(ptx.substr(begin, ptx.find("\n}", begin) - begin))};
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line.compare(first, opcode.size(), opcode) == 0) ++count;
  }
  return count;
}

}  // namespace warpgrade::study
