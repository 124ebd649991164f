// The main() of a batch: several programs that are compiled together (CMakeLists.txt), each in a namespace of its own.
// The first argument names the program that runs. It sees the arguments from there on.
#pragma once

#include <cstdio>
#include <cstring>

namespace batch {

struct Program {
  const char* name;
  int (*main)(int argc, char** argv);
};
extern const Program kPrograms[];  // ends with a null name

inline int Run(int (*main)(), int, char**) { return main(); }
inline int Run(int (*main)(int, char**), int argc, char** argv) { return main(argc, argv); }

// A program's main(), with or without parameters.
template <auto kMain>
int Main(int argc, char** argv) {
  return Run(kMain, argc, argv);
}

}  // namespace batch

int main(int argc, char** argv) {
  for (const batch::Program* program = batch::kPrograms; argc > 1 && program->name != nullptr; ++program) {
    if (std::strcmp(program->name, argv[1]) == 0) return program->main(argc - 1, argv + 1);
  }
  std::fprintf(stderr, "usage: %s PROGRAM, one of:\n", argv[0]);
  for (const batch::Program* program = batch::kPrograms; program->name != nullptr; ++program) {
    std::fprintf(stderr, "  %s\n", program->name);
  }
  return 2;
}
