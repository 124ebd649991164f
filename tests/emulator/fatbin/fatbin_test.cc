// Reads what nvcc makes of testdata/scale.cu (built by CMakeLists.txt), and damaged copies of it.
#include "grader/emulator/fatbin/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace warpgrade::fatbin {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Load(const std::string& name) {
  std::ifstream file(std::string(FATBIN_TESTDATA) + "/" + name + ".fatbin", std::ios::binary);
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<std::vector<Entry>> ReadString(const std::string& bytes) {
  return Read(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

std::vector<Entry> ReadFile(const std::string& name) {
  Result<std::vector<Entry>> entries = ReadString(Load(name));
  EXPECT_TRUE(entries.ok()) << name << ": " << (entries.ok() ? "" : entries.error().message);
  return entries.ok() ? *entries : std::vector<Entry>{};
}

template <typename T>
void Put(std::string* bytes, size_t offset, T value) {
  std::memcpy(bytes->data() + offset, &value, sizeof value);
}

// Offset of the header of the first entry of `kind` in a fat binary.
size_t FirstEntry(const std::string& bytes, uint16_t kind) {
  size_t offset = 16;
  while (offset < bytes.size()) {
    uint16_t found;
    uint32_t header_size;
    uint64_t payload_size;
    std::memcpy(&found, bytes.data() + offset, sizeof found);
    std::memcpy(&header_size, bytes.data() + offset + 4, sizeof header_size);
    std::memcpy(&payload_size, bytes.data() + offset + 8, sizeof payload_size);
    if (found == kind) return offset;
    offset += header_size + payload_size;
  }
  ADD_FAILURE() << "no entry of kind " << kind;
  return 16;
}

class FatbinStorage : public ::testing::TestWithParam<const char*> {};

TEST_P(FatbinStorage, HoldsTwoPtxTextsAndAnElf) {
  const std::vector<Entry> entries = ReadFile(GetParam());
  ASSERT_EQ(entries.size(), 3u);
  int ptx = 0;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::kElf) {
      EXPECT_EQ(entry.arch, 75);
      EXPECT_THAT(entry.payload, StartsWith("\x7F"
                                            "ELF"));
      continue;
    }
    ++ptx;
    EXPECT_THAT(entry.payload, HasSubstr(".target sm_" + std::to_string(entry.arch) + "\n"));
    EXPECT_THAT(entry.payload, HasSubstr(".entry _Z5ScalePfPKfif("));
    EXPECT_THAT(entry.payload, EndsWith("ret;\n\n}\n\n")) << "with neither NUL nor padding";
  }
  EXPECT_EQ(ptx, 2);
}

TEST_P(FatbinStorage, GivesTheSameContentsHoweverStored) {
  const std::vector<Entry> raw = ReadFile("raw");
  const std::vector<Entry> entries = ReadFile(GetParam());
  ASSERT_EQ(entries.size(), raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    EXPECT_EQ(entries[i].kind, raw[i].kind);
    EXPECT_EQ(entries[i].arch, raw[i].arch);
    // nvcc names each image anew, so that machine code differs between runs; its size does not.
    EXPECT_EQ(entries[i].payload.size(), raw[i].payload.size());
    if (raw[i].kind == Entry::Kind::kPtx) {
      EXPECT_EQ(entries[i].payload, raw[i].payload);
    }
  }
}

TEST_P(FatbinStorage, ClaimsTheSizeOfItsFile) {
  const std::string bytes = Load(GetParam());
  ASSERT_GE(bytes.size(), 16u);
  EXPECT_EQ(ClaimedSize(bytes.data()), bytes.size());
}

TEST_P(FatbinStorage, TruncatedAnywhereIsAnError) {
  const std::string whole = Load(GetParam());
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string cut(whole, 0, size);  // a copy of its own, so that a sanitizer sees reads past its end
    ASSERT_FALSE(ReadString(cut).ok()) << size << " of " << whole.size() << " bytes";
  }
}

TEST_P(FatbinStorage, TruncatedAnywhereWithASizeToMatchDoesNotCrash) {
  const std::string whole = Load(GetParam());
  for (size_t size = 16; size < whole.size(); ++size) {
    std::string cut(whole, 0, size);
    Put<uint64_t>(&cut, 8, size - 16);
    const Result<std::vector<Entry>> entries = ReadString(cut);
    if (entries.ok()) {
      EXPECT_LT(entries->size(), 3u) << size;
    }
  }
}

TEST_P(FatbinStorage, FlippedBitsDoNotCrash) {
  const std::string whole = Load(GetParam());
  std::mt19937 random(1);
  std::uniform_int_distribution<size_t> bit(0, whole.size() * 8 - 1);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    const int flips = 1 + round % 8;
    for (int flip = 0; flip < flips; ++flip) {
      const size_t place = bit(random);
      damaged[place / 8] = static_cast<char>(damaged[place / 8] ^ (1 << place % 8));
    }
    const Result<std::vector<Entry>> entries = ReadString(damaged);
    if (!entries.ok()) {
      EXPECT_THAT(entries.error().message, StartsWith("fat binary, byte "));
    }
  }
}

TEST_P(FatbinStorage, FlippedBitsInTheHeadersDoNotCrash) {
  const std::string whole = Load(GetParam());
  const size_t ptx = FirstEntry(whole, 1);
  for (size_t place = 0; place < 80; ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      for (const size_t offset : {place, ptx + place}) {
        std::string damaged = whole;
        damaged[offset] = static_cast<char>(damaged[offset] ^ (1 << bit));
        const Result<std::vector<Entry>> entries = ReadString(damaged);
        if (!entries.ok()) {
          EXPECT_THAT(entries.error().message, StartsWith("fat binary, byte "));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FatbinStorage, ::testing::Values("raw", "zstd", "zstd_all", "lz4"),
                         [](const auto& info) { return std::string(info.param); });

TEST(FatbinTest, EntriesWithNamesAndOptionsHaveLongerHeaders) {
  for (const char* name : {"lineinfo", "debug", "separate"}) {
    const std::vector<Entry> entries = ReadFile(name);
    ASSERT_EQ(entries.size(), 1u) << name;
    EXPECT_EQ(entries[0].arch, 75) << name;
    EXPECT_THAT(entries[0].payload, HasSubstr(".entry _Z5ScalePfPKfif(")) << name;
  }
}

TEST(FatbinTest, LinkTimeCodeIsPassedOver) {
  const std::vector<Entry> entries = ReadFile("link_time");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].arch, 75);
}

TEST(FatbinTest, TheSourceOfAnEntryIsInItsHeader) {
  EXPECT_EQ(ReadFile("lineinfo")[0].source, "scale.cu");
  EXPECT_EQ(ReadFile("raw")[0].source, "");
}

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(FatbinTest, EachUnitOfAProgramGivesItsPtx) {
  const std::string named = Load("lineinfo"), unnamed = Load("separate");
  const Result<std::vector<Unit>> units = SelectUnits({BytesOf(named), BytesOf(unnamed)}, 90);
  ASSERT_TRUE(units.ok()) << units.error().message;
  ASSERT_EQ(units->size(), 2u);
  EXPECT_EQ((*units)[0].source, "scale.cu");
  EXPECT_EQ((*units)[1].source, "object 2 of the program");
  EXPECT_THAT((*units)[1].ptx.payload, HasSubstr(".entry _Z5ScalePfPKfif("));
}

TEST(FatbinTest, AUnitWithoutPtxIsNamed) {
  const std::string right = Load("separate"), elf = Load("elf_only"), link_time = Load("link_time_only");
  EXPECT_THAT(SelectUnits({BytesOf(right), BytesOf(elf)}, 90).error().message,
              AllOf(StartsWith("object 2 of the program: "), HasSubstr("(it holds sm_75)")));
  EXPECT_THAT(SelectUnits({BytesOf(link_time)}, 90).error().message,
              AllOf(HasSubstr("it holds nothing"), EndsWith("and without -dlto: link-time code is not PTX")));
}

TEST(FatbinTest, ADamagedUnitIsAnError) {
  std::string cut = Load("separate");
  cut.resize(cut.size() - 8);
  EXPECT_THAT(SelectUnits({BytesOf(cut)}, 90).error().message, HasSubstr("it ends before"));
}

TEST(FatbinTest, BytesBehindTheClaimedSizeAreNotRead) { EXPECT_EQ(ReadString(Load("zstd") + "more")->size(), 3u); }

TEST(FatbinTest, AnEmptyFatBinaryHasNoEntries) {
  std::string bytes(16, '\0');
  Put<uint32_t>(&bytes, 0, 0xBA55ED50);
  Put<uint16_t>(&bytes, 4, 1);
  Put<uint16_t>(&bytes, 6, 16);
  ASSERT_TRUE(ReadString(bytes).ok());
  EXPECT_TRUE(ReadString(bytes)->empty());
}

TEST(FatbinTest, AWrongMagicIsNotAFatBinary) {
  std::string bytes = Load("raw");
  bytes[0] = 'x';
  EXPECT_THAT(ReadString(bytes).error().message, StartsWith("fat binary, byte 0: no fat binary begins here"));
  EXPECT_EQ(ReadString(bytes).error().kind, ErrorKind::kSubmission);
  EXPECT_EQ(ClaimedSize(bytes.data()), 0u);
}

TEST(FatbinTest, AnAbsurdClaimIsNoClaim) {
  std::string bytes = Load("raw");
  Put<uint64_t>(&bytes, 8, ~uint64_t{0});
  EXPECT_EQ(ClaimedSize(bytes.data()), 0u);
  EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("byte 8: 18446744073709551615 bytes of entries expected"));
}

TEST(FatbinTest, AnotherVersionIsNamed) {
  std::string bytes = Load("raw");
  Put<uint16_t>(&bytes, 4, 2);
  EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("byte 4: version 2, expected 1"));
}

TEST(FatbinTest, AnEntryHeaderOfNoSizeIsAnErrorNotALoop) {
  std::string bytes = Load("raw");
  Put<uint32_t>(&bytes, 16 + 4, 0);
  Put<uint64_t>(&bytes, 16 + 8, 0);
  EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("byte 20: an entry's header of 0 bytes"));
}

TEST(FatbinTest, APayloadSizeThatOverflowsIsAnError) {
  std::string bytes = Load("raw");
  Put<uint64_t>(&bytes, 16 + 8, ~uint64_t{0} - 63);
  EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("byte 24: a payload of 18446744073709551552 bytes"));
}

TEST(FatbinTest, ABombIsRefusedBeforeItGrows) {
  for (const char* name : {"zstd", "lz4"}) {
    std::string bytes = Load(name);
    const size_t entry = FirstEntry(bytes, 1);
    Put<uint64_t>(&bytes, entry + 56, uint64_t{1} << 40);
    EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("its images are larger than 256 MiB")) << name;
    Put<uint64_t>(&bytes, entry + 56, uint64_t{200} << 20);
    EXPECT_THAT(ReadString(bytes).error().message, HasSubstr("an uncompressed size of 209715200, which is wrong"))
        << name;
  }
}

TEST(FatbinTest, ACompressedSizeBeyondThePayloadIsAnError) {
  std::string bytes = Load("zstd");
  const size_t entry = FirstEntry(bytes, 1);
  Put<uint32_t>(&bytes, entry + 16, ~uint32_t{0});
  EXPECT_THAT(ReadString(bytes).error().message,
              HasSubstr("byte " + std::to_string(entry + 16) + ": a compressed size of 4294967295"));
}

TEST(SelectPtxTest, TakesTheHighestArchitecture) {
  const Result<Entry> ptx = SelectPtx(ReadFile("zstd"), 90);
  ASSERT_TRUE(ptx.ok());
  EXPECT_EQ(ptx->arch, 80);
  EXPECT_THAT(ptx->payload, HasSubstr(".target sm_80\n"));
}

TEST(SelectPtxTest, TakesArchitectureSpecificPtx) {
  const Result<Entry> ptx = SelectPtx(ReadFile("specific"), 90);
  ASSERT_TRUE(ptx.ok());
  EXPECT_THAT(ptx->payload, HasSubstr(".target sm_90a\n"));
}

TEST(SelectPtxTest, PassesOverPtxForNewerArchitectures) {
  const std::vector<Entry> entries = {{Entry::Kind::kPtx, 100, "new"}, {Entry::Kind::kPtx, 90, "old"}};
  EXPECT_EQ(SelectPtx(entries, 90)->payload, "old");
  EXPECT_EQ(SelectPtx(entries, 100)->payload, "old") << "the emulator itself ends at 90";
}

TEST(SelectPtxTest, TakesTheHighestThatTheGpuCanRun) {
  const std::vector<Entry> entries = {{Entry::Kind::kPtx, 75, "t4"}, {Entry::Kind::kPtx, 90, "h100"}};
  EXPECT_EQ(SelectPtx(entries, 75)->payload, "t4");
  EXPECT_EQ(SelectPtx(entries, 89)->payload, "t4");
  EXPECT_EQ(SelectPtx(entries, 90)->payload, "h100");
  EXPECT_THAT(SelectPtx({entries[1]}, 75).error().message, HasSubstr("no PTX for compute_75 or lower"));
}

TEST(SelectPtxTest, MachineCodeAloneSaysHowToCompile) {
  const Result<Entry> ptx = SelectPtx(ReadFile("elf_only"), 90);
  ASSERT_FALSE(ptx.ok());
  EXPECT_EQ(ptx.error().kind, ErrorKind::kSubmission);
  EXPECT_EQ(ptx.error().message,
            "the program holds no PTX for compute_90 or lower (it holds sm_75), which the emulator needs; compile with "
            "-gencode arch=compute_75,code=compute_75");
}

TEST(SelectPtxTest, PtxThatIsTooNewIsNamed) {
  EXPECT_THAT(SelectPtx(ReadFile("too_new"), 90).error().message, HasSubstr("(it holds compute_100)"));
}

}  // namespace
}  // namespace warpgrade::fatbin
