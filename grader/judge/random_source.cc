#include "grader/judge/random_source.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <string>

#include "grader/digest/digest.h"
#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

void FillFromSystem(void* bytes, size_t count) {
  ssize_t got;
  do {
    got = getrandom(bytes, count, 0);
  } while (got < 0 && errno == EINTR);
  WARPGRADE_CHECK(got == static_cast<ssize_t>(count));  // promised for up to 256 bytes
}

}  // namespace

Random RandomSource::Next() {
  std::array<uint32_t, 8> words;
  if (seed_) {
    ++drawn_;
    words = {static_cast<uint32_t>(*seed_), static_cast<uint32_t>(*seed_ >> 32), static_cast<uint32_t>(drawn_),
             static_cast<uint32_t>(drawn_ >> 32)};
  } else {
    FillFromSystem(words.data(), sizeof(words));
  }
  std::seed_seq sequence(words.begin(), words.end());
  return Random(sequence);
}

uint64_t RandomSource::NextBits() {
  if (seed_) return Next()();
  uint64_t bits = 0;
  FillFromSystem(&bits, sizeof(bits));
  return bits;
}

uint64_t SeedFor(std::string_view use, uint64_t seed, uint64_t number) {
  Digest digest;
  digest.Add("seed", std::to_string(seed));
  digest.Add(use, std::to_string(number));
  return std::stoull(digest.Hex().substr(0, 16), nullptr, 16) | 1;
}

}  // namespace warpgrade::judge
