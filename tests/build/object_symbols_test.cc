#include "grader/build/object_symbols.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace warpgrade::build {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

constexpr char kNames[] = "\0wanted\0offered\0local";  // at 1, 8 and 16

// An object with a wanted, an offered and a local symbol: header, symbols, names, three section headers.
struct Object {
  Elf64_Ehdr header{};
  Elf64_Sym symbols[3]{};
  Elf64_Shdr sections[3]{};

  Object() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shoff = sizeof(header) + sizeof(symbols) + sizeof(kNames);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    symbols[0].st_name = 1;
    symbols[0].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
    symbols[1].st_name = 8;
    symbols[1].st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
    symbols[1].st_shndx = 1;
    symbols[2].st_name = 16;
    symbols[2].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
    symbols[2].st_shndx = 1;
    sections[1].sh_type = SHT_SYMTAB;
    sections[1].sh_offset = sizeof(header);
    sections[1].sh_size = sizeof(symbols);
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = sizeof(header) + sizeof(symbols);
    sections[2].sh_size = sizeof(kNames);
  }

  std::string Bytes() const {
    std::string bytes;
    Append(header, &bytes);
    Append(symbols, &bytes);
    bytes.append(kNames, sizeof(kNames));
    Append(sections, &bytes);
    return bytes;
  }
};

TEST(ObjectSymbolsTest, TellsWhatIsWantedFromWhatIsOfferedAndLeavesLocalsOut) {
  const auto symbols = ReadObjectSymbols(Object().Bytes());
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_THAT(symbols->undefined, ElementsAre("wanted"));
  EXPECT_THAT(symbols->defined, ElementsAre("offered"));
}

TEST(ObjectSymbolsTest, WhatIsNoObjectIsAnError) {
  for (const std::string& text : {std::string(), std::string("\177ELF"), std::string(1000, 'x')}) {
    const auto symbols = ReadObjectSymbols(text);
    ASSERT_FALSE(symbols);
    EXPECT_THAT(symbols.error().message, HasSubstr("broken"));
  }
}

TEST(ObjectSymbolsTest, OffsetsAndSizesThatLeadOutAreErrors) {
  Object far;
  far.header.e_shoff = ~uint64_t{0} - 10;
  EXPECT_FALSE(ReadObjectSymbols(far.Bytes()));
  Object large;
  large.sections[1].sh_size = ~uint64_t{0};
  EXPECT_FALSE(ReadObjectSymbols(large.Bytes()));
  Object names;
  names.sections[1].sh_link = 77;
  EXPECT_FALSE(ReadObjectSymbols(names.Bytes()));
  Object many;
  many.header.e_shnum = 60000;
  EXPECT_FALSE(ReadObjectSymbols(many.Bytes()));
}

TEST(ObjectSymbolsTest, ATruncatedObjectIsNeverReadBeyondItsEnd) {
  const std::string whole = Object().Bytes();
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(ReadObjectSymbols(whole.substr(0, size))) << size;
}

}  // namespace
}  // namespace warpgrade::build
