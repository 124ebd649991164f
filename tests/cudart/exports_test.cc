// What was linked against the table it was linked from, and against NVIDIA's own library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace {

using Names = std::set<std::string>;

Names NamesOfTable() {
  std::ifstream file(EXPORTS_DEF);
  const std::regex row("^WARPGRADE_EXPORT(_ALIAS)?\\((\\w+).*");
  Names names;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, match, row)) continue;
    EXPECT_TRUE(names.insert(match[2]).second) << "twice: " << match[2];
  }
  return names;
}

// What nm prints of the defined symbols, but for absolute ones such as the version node. Dynamic symbols are
// name@@version.
Names DefinedSymbols(const char* path, const char* option) {
  const std::string command = std::string("nm ") + option + " --defined-only '" + path + "'";  // a path may hold spaces
  std::FILE* pipe = popen(command.c_str(), "r");
  Names names;
  char address[64], kind[8], name[65536];  // C++ names are long
  while (std::fscanf(pipe, "%63s %7s %65535s", address, kind, name) == 3) {
    if (std::string(kind) != "A") names.insert(name);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return names;
}

Names NamesOfLibrary(const char* path) { return DefinedSymbols(path, "-D"); }

Names WithVersion(const Names& names) {
  Names versioned;
  for (const std::string& name : names) versioned.insert(name + "@@libcudart.so.13");
  return versioned;
}

TEST(ExportsTest, AreExactlyTheRowsOfTheTableUnderTheOneVersionNode) {
  EXPECT_EQ(NamesOfLibrary(WARPGRADE_CUDART), WithVersion(NamesOfTable()));
}

// The linker hides a function that has no row; the library's own symbol table still has it.
TEST(ExportsTest, EveryDefinedApiFunctionHasARow) {
  const Names rows = NamesOfTable();
  const std::regex api_name("^(__)?cuda[A-Z]\\w*$");
  size_t defined = 0;
  for (const std::string& name : DefinedSymbols(WARPGRADE_CUDART, "")) {
    if (!std::regex_match(name, api_name)) continue;
    ++defined;
    EXPECT_TRUE(rows.contains(name)) << name << " is defined; give it a row in grader/cudart/api/exports.def";
  }
  EXPECT_GT(defined, 0u) << "the library was stripped, so this test sees nothing";
}

TEST(ExportsTest, AreAllNamesThatNvidiasRuntimeHasToo) {
  const Names nvidias = NamesOfLibrary(NVIDIA_CUDART);
  for (const std::string& name : NamesOfLibrary(WARPGRADE_CUDART)) EXPECT_TRUE(nvidias.contains(name)) << name;
}

// A program compiled with per-thread default streams must not lose a function that it has without.
TEST(ExportsTest, HaveThePerThreadFormOfEveryFunctionThatHasOne) {
  const Names ours = NamesOfTable();
  for (const std::string& name : NamesOfLibrary(NVIDIA_CUDART)) {
    const std::regex per_thread("^(\\w+)(_pt[sd][zs])@@.*");
    std::smatch match;
    if (std::regex_match(name, match, per_thread) && ours.contains(match[1])) {
      EXPECT_TRUE(ours.contains(match[1].str() + match[2].str())) << name;
    }
  }
}

}  // namespace
