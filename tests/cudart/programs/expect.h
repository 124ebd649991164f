// Checks of a program about itself: what does not hold is printed, and Failures() is the exit code.
#pragma once

#include <cstdio>

inline int& Failures() {
  static int failures = 0;
  return failures;
}

#define EXPECT(condition)                                                            \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      Failures() = 1;                                                                \
    }                                                                                \
  } while (0)

#define EXPECT_CODE(call, wanted)                                                                            \
  do {                                                                                                       \
    const cudaError_t code = (call);                                                                         \
    if (code != (wanted)) {                                                                                  \
      std::fprintf(stderr, "%s:%d: %s gave %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(code), \
                   cudaGetErrorName(wanted));                                                                \
      Failures() = 1;                                                                                        \
    }                                                                                                        \
  } while (0)

#define EXPECT_OK(call) EXPECT_CODE(call, cudaSuccess)
