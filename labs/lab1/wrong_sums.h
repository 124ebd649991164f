// The sums that common mistakes give, for guesses about a wrong one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lab1 {

inline constexpr size_t kBlockSizes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};

struct WrongSum {
  double value = 0;
  uint64_t taken = 0;  // which elements are added, and how often: equal only where these are the same
  std::string words;   // "as if the last 232 elements had been left out"
};

// "element" for 1, else "232 elements".
std::string Elements(size_t count);

// The sums over `input` that mistakes in indices and in the number of blocks give; the likeliest first. Those of v4 to
// v6, where a thread loads two elements, are played through all launches; of inputs with more than 2^17 elements they
// are left out. `sum` is the right sum. REQUIRES: T is int32_t, float or double; `input` is not empty.
template <typename T>
std::vector<WrongSum> WrongSums(std::span<const T> input, double sum);

}  // namespace lab1
