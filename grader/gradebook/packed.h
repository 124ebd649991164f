// How sources and long texts lie in a gradebook. Internal to this room.
//
// The files of an attempt become one text: for each file its name and its content, then for each note of the reader ""
// and the note, all as LENGTH:BYTES. This text has the hash of the sources, and zstd compresses it:
//
//   16:lab1/v1_naive.cu 1042:#include ... 0: 31:lab1/v2.cu: not a name of a rung      (without the spaces)
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::gradebook {

struct Sources {
  std::map<std::string, std::string> files;  // "lab1/v3_sequential.cu" -> its text
  std::vector<std::string> notes;            // of the reader of the submission, for the student
};

std::string Pack(const Sources& sources);
// `path`: of the gradebook, for errors. Errors (kMachine): `packed` is not what Pack makes.
Result<Sources> Unpack(const std::string& path, std::string_view packed);

// The most that a text of a gradebook may unpack to, so that a damaged one takes no memory.
inline constexpr size_t kMostUnpackedBytes = 256 << 20;

std::string Compressed(std::string_view text);
// `path`: as above. Errors (kMachine): `bytes` are not a text that Compressed made.
Result<std::string> Decompressed(const std::string& path, std::string_view bytes);

}  // namespace warpgrade::gradebook
