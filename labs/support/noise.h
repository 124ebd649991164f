// Numbers for inputs: a counter-based generator, so that any element can be drawn by any thread.
#pragma once

#include <cstdint>

namespace lab {

// splitmix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): every output bit
// depends on every input bit, and no two inputs have the same output.
inline uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// 64 random bits for element `index`, which nobody can tell who does not know `seed`.
inline uint64_t Noise(uint64_t seed, uint64_t index) { return Mix(Mix(index + seed) ^ (seed * 0x9e3779b97f4a7c15)); }

}  // namespace lab
