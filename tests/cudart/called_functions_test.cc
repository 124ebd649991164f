// Every exported function against what the compiled test programs import: a function that no program calls is not
// tested.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace {

using Names = std::set<std::string>;

// Without aliases: those are other names of functions in this set.
Names FunctionsOfTable() {
  std::ifstream file(EXPORTS_DEF);
  const std::regex row("^WARPGRADE_EXPORT\\((\\w+)\\)");
  Names names;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, match, row)) names.insert(match[1]);
  }
  return names;
}

// "cudaMemcpy" of "cudaMemcpy_ptds@libcudart.so.13".
std::string WithoutSuffixes(std::string name) {
  name = name.substr(0, name.find('@'));
  for (const char* per_thread : {"_ptsz", "_ptds"}) {
    if (name.ends_with(per_thread)) name.resize(name.size() - 5);
  }
  return name;
}

// The dynamic symbols that the program takes from libraries.
void AddImports(const std::string& program, Names* names) {
  const std::string command = "nm -D --undefined-only '" + program + "'";  // a path may hold spaces
  std::FILE* pipe = popen(command.c_str(), "r");
  char kind[8], name[65536];
  while (std::fscanf(pipe, "%7s %65535s", kind, name) == 2) {
    names->insert(WithoutSuffixes(name));
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
}

TEST(CalledFunctionsTest, EveryRowIsImportedByATestProgram) {
  Names imported;
  for (const auto& program : std::filesystem::directory_iterator(PROGRAMS)) AddImports(program.path(), &imported);
  const Names rows = FunctionsOfTable();
  EXPECT_GT(rows.size(), 100u) << EXPORTS_DEF;
  for (const std::string& name : rows) {
    EXPECT_TRUE(imported.contains(name)) << name << ": no program of tests/cudart/programs/ calls it; add a call";
  }
}

}  // namespace
