// Debug data: from what nvcc writes, and from sections that are damaged or made to exhaust.
#include "grader/emulator/ptx/dwarf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Names and sizes of what the local variable of the function holds.
std::map<std::string, uint64_t> PartsIn(const Module& module, const std::string& function) {
  std::map<std::string, uint64_t> parts;
  for (const Function& f : module.functions) {
    if (f.prototype.name.find(function) == std::string::npos) continue;
    for (const Variable& v : f.variables) {
      for (const SourceVariable& part : v.parts) {
        EXPECT_LE(part.offset + part.bytes, v.size) << part.name;
        parts[part.name] = part.bytes;
      }
    }
  }
  return parts;
}

TEST(DwarfTest, NvccsDebugDataNamesTheVariablesOfEachFunction) {
  const Module module = Parsed(CompiledPtx("locals_75_second_look"));
  const std::map<std::string, uint64_t> locals = PartsIn(module, "Locals");
  EXPECT_EQ(locals.at("packs"), 60u);
  EXPECT_EQ(locals.at("rows"), 40u);
  EXPECT_EQ(locals.at("angle"), 8u);
  EXPECT_EQ(locals.at("pointer"), 8u);
  EXPECT_EQ(locals.at("flags"), 7u);
  EXPECT_EQ(PartsIn(module, "Fill").at("countdown"), 8u);
}

TEST(DwarfTest, TheVariablesDoNotOverlap) {
  for (const Function& f : Parsed(CompiledPtx("locals_75_second_look")).functions) {
    for (const Variable& v : f.variables) {
      for (const SourceVariable& a : v.parts) {
        for (const SourceVariable& b : v.parts) {
          EXPECT_TRUE(&a == &b || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset)
              << a.name << " " << b.name;
        }
      }
    }
  }
}

TEST(DwarfTest, ADebugBuildHasThemAndAnOptimisedOneHasNone) {
  EXPECT_FALSE(PartsIn(Parsed(CompiledPtx("language_90_debug")), "Memory").empty());
  EXPECT_TRUE(PartsIn(Parsed(CompiledPtx("language_75")), "Memory").empty());
}

TEST(DebugSectionTest, ValuesHaveTheirSizeAndKeepTheirSymbols) {
  TokenStream tokens("{ .b8 1,2\n.b16 -2 .b32 .debug_abbrev+258\n$L__label:\n.b64 name .b8 0xff }");
  DebugSection section;
  ReadDebugSection(&tokens, &section);
  EXPECT_TRUE(tokens.AtEnd());
  EXPECT_THAT(section.bytes, ElementsAre(1, 2, 0xfe, 0xff, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff));
  EXPECT_THAT(section.symbols, ElementsAre(Pair(4, "debug_abbrev"), Pair(8, "name")));
}

TEST(DebugSectionTest, WhatItDoesNotUnderstandIsNoError) {
  TokenStream tokens("{ .align 8 foo ( .b8 , .b99 7 \"text\" .b8 4 }");
  DebugSection section;
  ReadDebugSection(&tokens, &section);
  EXPECT_FALSE(tokens.failed());
  EXPECT_EQ(section.bytes.back(), 4);
}

// A unit that holds one variable of 12 bytes at __local_depot0 + 8: an array of 3 floats.
struct Sections {
  DebugSection abbreviations, info;
};

Sections Small() {
  Sections s;
  s.abbreviations.bytes = {1, 0x11, 1, 0,    0,                                   // unit, with children
                           2, 0x34, 0, 0x03, 0x08, 0x02, 0x0a, 0x49, 0x13, 0, 0,  // variable: name, location, type
                           3, 0x01, 1, 0x49, 0x13, 0,    0,                       // array, with children: type
                           4, 0x21, 0, 0x37, 0x0b, 0,    0,                       // subrange: count
                           5, 0x24, 0, 0x0b, 0x0b, 0,    0,                       // base type: bytes
                           0};
  std::vector<uint8_t>& info = s.info.bytes;
  info = {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 1};
  info.insert(info.end(), {2, 'x', 0, 11, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0x23, 8});
  s.info.symbols[17] = "__local_depot0";
  const auto array = static_cast<uint8_t>(info.size() + 4);
  info.insert(info.end(), {array, 0, 0, 0});                                        // the variable's type
  info.insert(info.end(), {3, static_cast<uint8_t>(array + 8), 0, 0, 0, 4, 3, 0});  // the array's type, its bound
  info.insert(info.end(), {5, 4, 0});
  info[0] = static_cast<uint8_t>(info.size() - 4);
  return s;
}

TEST(DwarfTest, ASmallUnitIsRead) {
  const Sections s = Small();
  const auto found = LocalVariablesOf(s.abbreviations, s.info);
  ASSERT_THAT(found, UnorderedElementsAre(Pair("__local_depot0", ::testing::SizeIs(1))));
  const SourceVariable& x = found.at("__local_depot0")[0];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.offset, 8u);
  EXPECT_EQ(x.bytes, 12u);
}

TEST(DwarfTest, ANameThatIsNoNameIsLeftOut) {
  Sections s = Small();
  s.info.bytes[13] = 0x1b;  // an escape, which would reach a terminal
  EXPECT_EQ(LocalVariablesOf(s.abbreviations, s.info).at("__local_depot0")[0].name, "");
}

TEST(DwarfTest, ATypeThatContainsItselfHasNoSize) {
  Sections s = Small();
  const size_t array = 31;
  ASSERT_EQ(s.info.bytes[array], 3);
  s.info.bytes[array + 1] = array;
  EXPECT_THAT(LocalVariablesOf(s.abbreviations, s.info), IsEmpty());
}

TEST(DwarfTest, AnArrayThatIsLargerThanMemoryHasNoSize) {
  Sections s = Small();
  ASSERT_EQ(s.abbreviations.bytes[26], 0x37);
  s.abbreviations.bytes[27] = 0x0f;  // the count as LEB128
  ASSERT_EQ(s.info.bytes[37], 3);
  for (int wide = 0; wide < 2; ++wide) {
    EXPECT_EQ(LocalVariablesOf(s.abbreviations, s.info).empty(), wide == 1);
    s.info.bytes.insert(s.info.bytes.begin() + 37, 8, 0xff);
    s.info.bytes[0] += 8;
    s.info.bytes[32] += 8;
  }
}

// Each of these asks for 10^11 steps.
TEST(DwarfTest, WorkThatNeverEndsIsNotDone) {
  Sections flags;  // 400,000 entries with 300,000 attributes of no bytes
  flags.abbreviations.bytes = {1, 0x11, 0};
  for (int k = 0; k < 300'000; ++k) flags.abbreviations.bytes.insert(flags.abbreviations.bytes.end(), {0x3f, 0x19});
  flags.abbreviations.bytes.insert(flags.abbreviations.bytes.end(), {0, 0, 0});
  flags.info.bytes = {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8};
  flags.info.bytes.resize(400'000, 1);
  const uint32_t length = static_cast<uint32_t>(flags.info.bytes.size() - 4);
  for (int k = 0; k < 4; ++k) flags.info.bytes[static_cast<size_t>(k)] = static_cast<uint8_t>(length >> (8 * k));
  EXPECT_THAT(LocalVariablesOf(flags.abbreviations, flags.info), IsEmpty());

  Sections units;  // 300,000 units, each with a table of its own
  units.abbreviations = flags.abbreviations;
  for (uint32_t k = 0; k < 300'000; ++k) {
    const uint32_t at = k % 2;
    units.info.bytes.insert(units.info.bytes.end(), {7, 0, 0, 0, 2, 0, static_cast<uint8_t>(at), 0, 0, 0, 8});
  }
  EXPECT_THAT(LocalVariablesOf(units.abbreviations, units.info), IsEmpty());
}

TEST(DwarfTest, APointerIsKnownThroughOtherNamesOfItsType) {
  Sections s = Small();
  ASSERT_EQ(s.abbreviations.bytes[17], 0x01);
  s.abbreviations.bytes[17] = 0x10;  // the array becomes a reference
  ASSERT_TRUE(LocalVariablesOf(s.abbreviations, s.info).at("__local_depot0")[0].is_pointer);
  EXPECT_EQ(LocalVariablesOf(s.abbreviations, s.info).at("__local_depot0")[0].bytes, 8u);
  EXPECT_FALSE(LocalVariablesOf(Small().abbreviations, Small().info).at("__local_depot0")[0].is_pointer);
}

TEST(DwarfTest, EveryDamageEndsWithAnAnswer) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Sections s = Small();
    for (DebugSection* section : {&s.abbreviations, &s.info}) {
      if (random() % 4 == 0) section->bytes.resize(random() % (section->bytes.size() + 1));
      for (int k = 0; k < 3 && !section->bytes.empty(); ++k) {
        section->bytes[random() % section->bytes.size()] =
            static_cast<uint8_t>(random() % 3 == 0 ? 0xff : random() % 64);
      }
    }
    for (const auto& [symbol, variables] : LocalVariablesOf(s.abbreviations, s.info)) {
      for (const SourceVariable& v : variables) {
        EXPECT_LE(v.offset, uint64_t{1} << 30);
        EXPECT_LE(v.bytes, uint64_t{1} << 30);
      }
    }
  }
}

}  // namespace
}  // namespace warpgrade::ptx
