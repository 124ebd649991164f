// Turns a fuzzer's input into choices: a grammar asks it what comes next, so that every input is a sentence of the
// grammar, and a small change of the input is a small change of the sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade::fuzz {

class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool AtEnd() const { return at_ >= size_; }
  // The next byte; 0 at the end of the input.
  uint8_t Byte() { return at_ < size_ ? data_[at_++] : 0; }
  // A number from 0 to count - 1. REQUIRES: 0 < count <= 65536.
  size_t Below(size_t count) {
    const size_t value = count <= 256 ? Byte() : Byte() << 8 | Byte();
    return value % count;
  }
  // True for about one in `count`. At the end of the input: false.
  bool OneIn(size_t count) { return !AtEnd() && Below(count) == count - 1; }
  template <typename T>
  const T& Of(const std::vector<T>& values) {
    return values[Below(values.size())];
  }
  uint64_t Word() {
    uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word = word << 8 | Byte();
    return word;
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace warpgrade::fuzz
