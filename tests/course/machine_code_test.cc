// The grader times rungs that were compiled together, and a rung that only lacks speed is not compiled again
// (grader/cli/grade_stages.cc). So a kernel must have the same machine code in a unit as alone. Here the files of
// solutions/ are compiled in both ways for compute capability 9.0: those of lab2, and those of all labs with
// WARPGRADE_TEST_AUDIT=all. Files that are never in a unit are left out.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/build/includes.h"
#include "grader/build/rung_compiler.h"
#include "grader/build/rungs_together.h"
#include "grader/build/toolchain.h"
#include "tests/course/course_files.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

// The machine code of each kernel and function in a cubin, without its name. Other sections hold what the code does not
// show, such as tables of lines. REQUIRES: ptxas made the file.
std::multiset<std::string> MachineCodeIn(const std::string& cubin) {
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof(header));
  const auto section = [&](size_t i) {
    Elf64_Shdr found;
    std::memcpy(&found, cubin.data() + header.e_shoff + i * sizeof(found), sizeof(found));
    return found;
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  std::multiset<std::string> codes;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    const std::string name = cubin.data() + names.sh_offset + s.sh_name;
    if (name.starts_with(".text.")) codes.insert(cubin.substr(s.sh_offset, s.sh_size));
  }
  return codes;
}

class MachineCode {
 public:
  explicit MachineCode(const std::string& lab) : lab_(lab) {
    for (const auto& file : std::filesystem::directory_iterator(SourcePath("solutions/" + lab))) {
      if (file.path().extension() != ".cu") continue;
      const build::BuildRequest rung = {lab, file.path().stem().string(), ReadText(file.path()), 90};
      if (build::CanBeTogether(rung)) rungs_.push_back(rung);
    }
    tools_ = *build::FindToolchain("");
    headers_ = *build::LabHeaders(lab, {SourcePath("")});
  }

  std::multiset<std::string> OfRungsAlone() const {
    std::multiset<std::string> codes;
    for (const build::BuildRequest& rung : rungs_) {
      std::map<std::string, std::string> texts = headers_;
      texts[rung.rung + ".cu"] = rung.source;
      codes.merge(CodeOf(rung.rung, texts, rung.rung + ".cu"));
    }
    return codes;
  }

  std::multiset<std::string> OfUnits() const {
    std::map<std::set<std::string>, std::vector<const build::BuildRequest*>> units;
    for (const build::BuildRequest& rung : rungs_) {
      units[build::HeadersOf(rung, headers_)].push_back(&rung);
    }
    std::multiset<std::string> codes;
    for (const auto& [names, unit] : units) {
      std::map<std::string, std::string> texts = build::HeadersOfUnit(lab_, headers_);
      texts[build::kUnitName] = build::UnitOf(unit, headers_);
      for (const build::BuildRequest* rung : unit) texts[rung->rung + ".cu"] = rung->source;
      codes.merge(CodeOf("unit_" + build::UnitTag(unit), texts, build::kUnitName));
    }
    return codes;
  }

 private:
  std::multiset<std::string> CodeOf(const std::string& directory, const std::map<std::string, std::string>& texts,
                                    const std::string& source) const {
    for (const auto& [name, text] : texts) folder_.Write(directory + "/" + name, text);
    std::vector<std::string> command = {"env", "-C", folder_.Path(directory)};
    for (std::string& word : build::CompileCommand(tools_, 90, source, "out.o", build::StandardHeaders::kAll)) {
      command.push_back(std::move(word));
    }
    command.emplace_back("--keep");
    const ProgramResult compiled = RunProgram(command);
    EXPECT_EQ(compiled.exit_code, 0) << directory << "\n" << compiled.err;
    for (const auto& file : std::filesystem::directory_iterator(folder_.Path(directory))) {
      if (file.path().extension() == ".cubin") return MachineCodeIn(ReadText(file.path()));
    }
    ADD_FAILURE() << directory << ": nvcc left no cubin";
    return {};
  }

  const std::string lab_;
  const TemporaryFolder folder_;
  std::vector<build::BuildRequest> rungs_;
  build::Toolchain tools_;
  std::map<std::string, std::string> headers_;
};

std::vector<std::string> ComparedLabs() {
  const char* const audit = std::getenv("WARPGRADE_TEST_AUDIT");
  return audit != nullptr && std::string(audit) == "all" ? CourseLabNames() : std::vector<std::string>{"lab2"};
}

TEST(MachineCodeTest, EachKernelIsTheSameInAUnitAsAlone) {
  for (const std::string& lab : ComparedLabs()) {
    const MachineCode code(lab);
    const std::multiset<std::string> alone = code.OfRungsAlone(), units = code.OfUnits();
    EXPECT_GE(alone.size(), 4u) << lab;
    size_t found = 0;
    for (const std::string& kernel : alone) found += units.contains(kernel) ? 1 : 0;
    EXPECT_EQ(found, alone.size()) << lab;
  }
}

}  // namespace
}  // namespace warpgrade
