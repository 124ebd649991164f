// The seed of a grading's delays and orders. Tested by tests/cli/delay_seed_test.cc.
#pragma once

#include <cstdint>

namespace warpgrade::cli {

// A seed for SessionOptions::delay_seed, from 64 random bits. It has few enough digits for a person to type. It has too
// many values for a program to try them all while it runs: the judge tells the program seeds that are made from this
// one, and with this one it would know the orders of all cases.
inline uint64_t DelaySeedFrom(uint64_t bits) { return 1 + bits % 999'999'999'999; }

}  // namespace warpgrade::cli
