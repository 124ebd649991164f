// Shared by the tests of the parser.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "grader/emulator/ptx/parser.h"

namespace warpgrade::ptx {

// The module of a text that must parse.
inline Module Parsed(const std::string& text) {
  Result<Module> module = Parse(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message) << "\n" << text;
  return module.ok() ? std::move(*module) : Module{};
}

// The function that `body` makes of: .entry k(.param .u64 arg) { body }. The body begins on line 2.
inline Function Kernel(const std::string& body) {
  Module module = Parsed(".global .b32 global_word; .entry k(.param .u64 arg) {\n" + body + "\n}");
  return module.functions.empty() ? Function{} : module.functions[0];
}

// The message of a text that must not parse.
inline std::string ErrorOf(const std::string& text) {
  const Result<Module> module = Parse(text);
  EXPECT_FALSE(module.ok()) << text;
  return module.ok() ? "" : module.error().message;
}

// The same for a body as in Kernel: its first line is line 2.
inline std::string KernelError(const std::string& body) {
  return ErrorOf(".global .b32 global_word; .entry k(.param .u64 arg) {\n" + body + "\n}");
}

// PTX that CMakeLists.txt has nvcc make of testdata.
inline std::string CompiledPtx(const std::string& name) {
  std::ifstream file(std::string(PTX_TESTDATA) + "/" + name + ".ptx");
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace warpgrade::ptx
