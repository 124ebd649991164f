// Programs are made here byte by byte: an ELF header, one loaded segment with the dynamic section and its names, and
// section headers.
#include "grader/cli/program_file.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ElfParts {
  std::vector<std::string> needed;
  bool rpath = false;
  bool kernels = false;
  uint16_t machine = EM_X86_64;
  uint16_t type = ET_DYN;
};

template <typename T>
void Append(std::string* bytes, const T& part) {
  bytes->append(reinterpret_cast<const char*>(&part), sizeof(part));
}

constexpr uint64_t kLoadedAt = 0x400000;

std::string MakeElf(const ElfParts& parts) {
  std::string names(1, '\0');
  std::vector<Elf64_Dyn> dynamic;
  for (const std::string& library : parts.needed) {
    dynamic.push_back({DT_NEEDED, {names.size()}});
    names += library + '\0';
  }
  if (parts.rpath) dynamic.push_back({DT_RPATH, {0}});
  const uint64_t dynamic_at = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const uint64_t dynamic_bytes = (dynamic.size() + 2) * sizeof(Elf64_Dyn);
  dynamic.push_back({DT_STRTAB, {kLoadedAt + dynamic_at + dynamic_bytes}});
  dynamic.push_back({DT_NULL, {0}});
  const uint64_t section_names_at = dynamic_at + dynamic_bytes + names.size();
  const std::string section_names = std::string("\0.text\0", 7) + (parts.kernels ? ".nv_fatbin" : ".data") + '\0';
  const uint64_t sections_at = section_names_at + section_names.size();

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = parts.type;
  header.e_machine = parts.machine;
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  header.e_shoff = sections_at;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  header.e_shstrndx = 0;
  std::string bytes;
  Append(&bytes, header);
  Append(&bytes, Elf64_Phdr{PT_LOAD, 0, 0, kLoadedAt, kLoadedAt, sections_at, sections_at, 0});
  Append(&bytes, Elf64_Phdr{PT_DYNAMIC, 0, dynamic_at, kLoadedAt + dynamic_at, 0, dynamic_bytes, dynamic_bytes, 0});
  for (const Elf64_Dyn& entry : dynamic) Append(&bytes, entry);
  bytes += names + section_names;
  Elf64_Shdr string_section{};
  string_section.sh_offset = section_names_at;
  Append(&bytes, string_section);
  Elf64_Shdr second{};
  second.sh_name = 7;
  Append(&bytes, second);
  return bytes;
}

class ProgramFileTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes, mode_t mode = 0755) {
    const std::string path = folder_.Write(name, bytes);
    chmod(path.c_str(), mode);
    return path;
  }
  std::string Refused(const std::string& name) {
    const auto program = ReadProgram(name);
    return program.ok() ? "" : program.error().message;
  }
  // What CheckRunsEmulated says of such a program; "" when it may run.
  std::string Verdict(const ElfParts& parts) {
    const auto program = ReadProgram(Write("a.out", MakeElf(parts)));
    if (!program.ok()) return program.error().message;
    const Status status = CheckRunsEmulated(*program);
    return status.ok() ? "" : status.error().message;
  }

  TemporaryFolder folder_;
};

#if defined(__x86_64__)

TEST_F(ProgramFileTest, ReadsLibrariesAndKernels) {
  const auto program =
      ReadProgram(Write("a.out", MakeElf({.needed = {"libcudart.so.13", "libc.so.6"}, .kernels = true})));
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(program->is_elf);
  EXPECT_TRUE(program->has_kernels);
  EXPECT_THAT(program->needed, ElementsAre("libcudart.so.13", "libc.so.6"));
  EXPECT_TRUE(NeedsCudart(*program));
  EXPECT_TRUE(CheckRunsEmulated(*program).ok());
}

TEST_F(ProgramFileTest, LetsAProgramThroughThatOnlyStartsOthers) { EXPECT_EQ(Verdict({.needed = {"libc.so.6"}}), ""); }

TEST_F(ProgramFileTest, SaysHowToCompileAProgramThatHoldsTheRuntimeItself) {
  EXPECT_THAT(Verdict({.needed = {"libc.so.6"}, .kernels = true}), HasSubstr("compile it with -cudart shared: nvcc "));
}

TEST_F(ProgramFileTest, NamesALibraryThatNeedsTheDriver) {
  EXPECT_THAT(Verdict({.needed = {"libcudart.so.13", "libcublas.so.13"}, .kernels = true}),
              HasSubstr("is linked with libcublas.so.13, which needs NVIDIA's driver"));
}

TEST_F(ProgramFileTest, SaysThatAnOlderRuntimeIsAnotherOne) {
  EXPECT_THAT(Verdict({.needed = {"libcudart.so.12"}, .kernels = true}),
              HasSubstr("is linked with libcudart.so.12, but the emulator replaces libcudart.so.13"));
}

TEST_F(ProgramFileTest, WarnsOfAnRpathThatGoesBeforeOurs) {
  EXPECT_THAT(Verdict({.needed = {"libcudart.so.13"}, .rpath = true, .kernels = true}), HasSubstr("RPATH"));
}

TEST_F(ProgramFileTest, SaysWhatIsWrongWithAFileThatCannotRun) {
  EXPECT_THAT(Refused(Write("object.o", MakeElf({.type = ET_REL}))), HasSubstr("object file"));
  EXPECT_THAT(Refused(Write("arm", MakeElf({.machine = EM_AARCH64}))), HasSubstr("another machine"));
}

TEST_F(ProgramFileTest, SurvivesAnyTruncation) {
  const std::string whole = MakeElf({.needed = {"libcudart.so.13", "libm.so.6"}, .rpath = true, .kernels = true});
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const auto program = ReadProgram(Write("cut", whole.substr(0, bytes)));
    if (program.ok()) static_cast<void>(CheckRunsEmulated(*program).ok());
  }
}

TEST_F(ProgramFileTest, SurvivesAnyChangedByte) {
  const std::string whole = MakeElf({.needed = {"libcudart.so.13"}, .kernels = true});
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(0xff);
    const auto program = ReadProgram(Write("changed", changed));
    if (program.ok()) static_cast<void>(CheckRunsEmulated(*program).ok());
  }
}

#endif

TEST_F(ProgramFileTest, SaysWhatIsWrongWithTheName) {
  EXPECT_THAT(Refused(folder_.Path("none")), HasSubstr("No such file"));
  EXPECT_THAT(Refused(folder_.Path("")), HasSubstr("it is a folder"));
  EXPECT_THAT(Refused(Write("sum.cu", "int main() {}\n", 0644)),
              HasSubstr("it is a source file; compile it first: nvcc "));
  EXPECT_THAT(Refused(Write("plain", "text\n", 0644)), HasSubstr("not executable"));
  EXPECT_THAT(Refused(Write("text", "text\n")), HasSubstr("neither a program"));
}

TEST_F(ProgramFileTest, LetsScriptsThrough) {
  const auto program = ReadProgram(Write("run.sh", "#!/bin/sh\n./a.out\n"));
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE(program->is_elf);
  EXPECT_TRUE(CheckRunsEmulated(*program).ok());
}

TEST_F(ProgramFileTest, FindsAProgramOnThePath) {
  const auto program = ReadProgram("sh");
  ASSERT_TRUE(program.ok());
  EXPECT_THAT(program->path, HasSubstr("/sh"));
}

}  // namespace
}  // namespace warpgrade::cli
