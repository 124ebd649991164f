// A program that calls a function of a shared library, and ends with the status that the loader uses, too.
#include <cstdio>

int Help(int status);

int main() {
  std::puts("begins");
  std::fflush(stdout);
  const int status = Help(127);
  std::puts("helped");
  return status;
}
