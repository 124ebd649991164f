#include "grader/host_lines/host_lines.h"

#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace warpgrade::host_lines {
namespace {

// Where this program was loaded.
uintptr_t Base() {
  uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* to) {
        *static_cast<uintptr_t*>(to) = object->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

[[gnu::noinline]] uint64_t PlaceOfCaller() {
  return reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1 - Base();
}

std::string OwnProgram() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::vector<std::string> NamesIn(const std::string& printed) {
  std::vector<std::string> names;
  for (const SourceLine& line : LinesIn(printed)) {
    names.push_back(line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line));
  }
  return names;
}

TEST(HostLinesTest, FindsTheLineOfACall) {
  const uint64_t place = PlaceOfCaller();
  const int line = __LINE__ - 1;
  const std::vector<std::string> names = NamesIn(AskAddr2line(OwnProgram(), std::span(&place, 1), std::nullopt));
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names[0], "host_lines_test.cc:" + std::to_string(line));
}

TEST(HostLinesTest, AddressesWithoutCodeHaveNoLine) {
  const uint64_t wild[] = {0, 1, uint64_t{1} << 40, ~uint64_t{0}};
  EXPECT_TRUE(LinesIn(AskAddr2line(OwnProgram(), wild, std::nullopt)).empty());
}

TEST(HostLinesTest, AFileThatIsNoProgramHasNoLines) {
  const std::string path = testing::TempDir() + "no_program";
  std::ofstream(path) << "\x7f"
                      << "ELF and then nothing";
  const uint64_t place = 0x1000;
  for (const std::string& program : {std::string("/nowhere"), path, std::string("--help"), std::string()}) {
    EXPECT_TRUE(LinesIn(AskAddr2line(program, std::span(&place, 1), std::nullopt)).empty()) << program;
  }
}

// An ELF file whose debug information is damaged at any place: addr2line may say anything, and it must end.
TEST(HostLinesTest, DamagedDebugInformationEndsAllTheSame) {
  std::ifstream file(OwnProgram(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string path = testing::TempDir() + "damaged";
  const uint64_t place = PlaceOfCaller();
  for (int round = 0; round < 8; ++round) {
    std::string damaged = bytes;
    for (size_t at = 4096 + static_cast<size_t>(round) * 37; at < damaged.size(); at += 509) damaged[at] ^= 0x5a;
    std::ofstream(path, std::ios::binary) << damaged;
    for (const SourceLine& line : LinesIn(AskAddr2line(path, std::span(&place, 1), std::nullopt)))
      EXPECT_GT(line.line, 0);
  }
}

TEST(HostLinesTest, ReadsWhatAddr2linePrints) {
  EXPECT_EQ(NamesIn("/a/b/v1.cu:12 (discriminator 3)\n??:0\n??:?\nv1.cu:7\n/x:y/z.h:9\n"),
            (std::vector<std::string>{"v1.cu:12", "v1.cu:7", "z.h:9"}));
  EXPECT_EQ(NamesIn("v1.cu:0\nv1.cu:-4\nv1.cu:99999999999999999999\nv1.cu:\n:3\n\nv1.cu\nv1.cu:?"),
            (std::vector<std::string>{}));
}

}  // namespace
}  // namespace warpgrade::host_lines
