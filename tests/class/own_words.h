// Sources that different people could have written for the same task, and copies that try not to look like copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace warpgrade::classes {

// Random numbers that are the same for a seed with every standard library.
using Random = std::mt19937_64;
// A number below `count`.
size_t Draw(size_t count, Random* random);

// How many sources OwnWords can tell apart.
size_t CountOfOwnWords();
// A right v1_naive.cu of lab2: one thread for each element, without shared memory. `which` chooses how the elements are
// numbered, how the bounds are checked, how blocks are counted and what is in a function of its own; names, comments
// and layout are drawn. REQUIRES: which < CountOfOwnWords().
std::string OwnWords(size_t which, Random* random);

// What a student does to a file before handing it in as his own: names are changed, comments are replaced, and
// declarations that do not need each other change places. The program does the same as before.
std::string Disguised(const std::string& source, Random* random);

}  // namespace warpgrade::classes
