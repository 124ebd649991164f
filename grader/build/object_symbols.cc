// Follows the offsets of an ELF file, and checks each of them:
//
//   ELF header --> section headers --> the section of type SHT_SYMTAB --> its entries
//        |                               '- sh_link --> the section with their names
//        '--> e_shstrndx --> the section with the sections' names
//
// A student hands in a text, so the assembler wrote this file, and its table of symbols is the one that the linker
// uses. All tables of this type are read, in case that an asm statement made another one. A table of dynamic symbols
// means nothing in an object.
//
// Tests: tests/build/object_symbols_test.cc.
#include "grader/build/object_symbols.h"

#include <ar.h>
#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <type_traits>

namespace warpgrade::build {
namespace {

constexpr uint64_t kMostBytesCounted = uint64_t{1} << 40;  // of one section, so that no sum overflows
constexpr std::string_view kLibraryMark = "!<arch>\n";

Error Broken(const std::string& what) { return Error{ErrorKind::kUsage, "the object file is broken: " + what}; }

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  // The T at `offset`; nullopt if it is outside of the file.
  template <typename T>
  std::optional<T> At(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::optional<std::string_view> part = Part(offset, sizeof(T));
    if (!part) return std::nullopt;
    T value;
    std::memcpy(&value, part->data(), sizeof(T));
    return value;
  }

  std::optional<std::string_view> Part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
    return bytes_.substr(offset, size);
  }

 private:
  std::string_view bytes_;
};

std::string_view TextAt(std::string_view names, uint64_t offset) {
  if (offset >= names.size()) return {};
  const std::string_view rest = names.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

void AddSymbols(std::string_view entries, std::string_view names, ObjectSymbols* symbols) {
  const Reader reader(entries);
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= entries.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = *reader.At<Elf64_Sym>(at);
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    std::string name(TextAt(names, symbol.st_name));
    name.resize(std::min(name.size(), name.find('@')));
    if (name.empty()) continue;
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_WEAK) symbols->weak.push_back(name);
    (symbol.st_shndx == SHN_UNDEF ? symbols->undefined : symbols->defined).push_back(std::move(name));
  }
}

// Whether the section has variables or constants of the host's program. The variables of a kernel have a copy there.
bool HasData(const Elf64_Shdr& section, std::string_view name) {
  if ((section.sh_flags & SHF_ALLOC) == 0 || (section.sh_flags & SHF_EXECINSTR) != 0) return false;
  return name.starts_with(".bss") || name.starts_with(".data") || name.starts_with(".rodata");
}

// Whether the section has the addresses of functions that run before main, or after it.
bool HasInitialisers(const Elf64_Shdr& section, std::string_view name) {
  if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY || section.sh_type == SHT_PREINIT_ARRAY) {
    return true;
  }
  for (const std::string_view start : {".init", ".fini", ".preinit", ".ctors", ".dtors"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

Result<ObjectSymbols> ReadObjectSymbols(std::string_view object) {
  const Reader reader(object);
  const auto header = reader.At<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return Broken("it is not an ELF file");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return Broken("it is for another kind of machine");
  }
  const auto section_at = [&](uint64_t index) {
    return reader.At<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto first = section_at(0);
  if (!first || header->e_shentsize != sizeof(Elf64_Shdr)) return Broken("it has no sections");
  // With very many sections their number is in the first one.
  const uint64_t count = header->e_shnum != 0 ? header->e_shnum : first->sh_size;
  const auto names_of_sections = section_at(header->e_shstrndx == SHN_XINDEX ? first->sh_link : header->e_shstrndx);
  const auto section_names =
      names_of_sections ? reader.Part(names_of_sections->sh_offset, names_of_sections->sh_size) : std::nullopt;
  ObjectSymbols symbols;
  for (uint64_t i = 0; i < count; ++i) {
    const auto section = section_at(i);
    if (!section) return Broken("a section is outside of the file");
    const std::string_view name = section_names ? TextAt(*section_names, section->sh_name) : "";
    if (section_names) symbols.sections.emplace_back(name);
    if (HasInitialisers(*section, name)) {
      symbols.initialiser_bytes += std::min<uint64_t>(section->sh_size, kMostBytesCounted);
    }
    if (HasData(*section, name)) symbols.data_bytes += std::min<uint64_t>(section->sh_size, kMostBytesCounted);
    if (section->sh_type != SHT_SYMTAB) continue;
    const auto names_section = section_at(section->sh_link);
    const auto entries = reader.Part(section->sh_offset, section->sh_size);
    if (!names_section || !entries) return Broken("its symbols are outside of the file");
    const auto names = reader.Part(names_section->sh_offset, names_section->sh_size);
    if (!names) return Broken("its names are outside of the file");
    AddSymbols(*entries, *names, &symbols);
  }
  return symbols;
}

// "!<arch>\n", then for each member a header of 60 bytes and its content, at even offsets. The tables of the library
// itself have names that begin with "/".
Result<std::vector<std::string>> UndefinedInLibrary(std::string_view library) {
  const Error broken{ErrorKind::kMachine, "a static library of the kit is broken; build or install the kit again"};
  if (!library.starts_with(kLibraryMark)) return broken;
  std::set<std::string> undefined, defined;
  for (size_t at = kLibraryMark.size(); at < library.size();) {
    const auto header = Reader(library).At<ar_hdr>(at);
    if (!header) return broken;
    const std::string size_text(header->ar_size, sizeof header->ar_size);
    const uint64_t size = std::strtoull(size_text.c_str(), nullptr, 10);
    const auto member = Reader(library).Part(at + sizeof(ar_hdr), size);
    if (!member) return broken;
    at += sizeof(ar_hdr) + size + size % 2;
    const std::string_view name(header->ar_name, sizeof header->ar_name);
    if (name.starts_with("/ ") || name.starts_with("// ") || name.starts_with("/SYM64/")) continue;
    const Result<ObjectSymbols> symbols = ReadObjectSymbols(*member);
    if (!symbols) return broken;
    undefined.insert(symbols->undefined.begin(), symbols->undefined.end());
    defined.insert(symbols->defined.begin(), symbols->defined.end());
  }
  std::vector<std::string> names;
  std::set_difference(undefined.begin(), undefined.end(), defined.begin(), defined.end(), std::back_inserter(names));
  return names;
}

}  // namespace warpgrade::build
