// Draws requests to memory in characters, at most 80 columns wide: 32 lanes and 32 banks with the turn of each lane, or
// the sectors of 32 bytes with the bytes that are wanted.
#pragma once

#include <string>
#include <vector>

#include "grader/score/pictures.h"

namespace warpgrade::report {

struct PictureStyle {
  bool utf8 = false;  // block characters; otherwise only ASCII
  bool colour = false;
};

// "a load from shared memory takes 32 turns, where 1 would do": what `shown` does, and what it costs.
std::string RequestWords(const score::LineRequests& line);
// "kernel reduce_v1, block (0,0,0), warp 3, threads (96,0,0) to (127,0,0)".
std::string WarpWords(const std::string& kernel, const score::Triple& block, const score::Triple& block_size, int warp);
std::string RequestPlaceWords(const score::MemoryRequest& request);
// "line 34 makes 8192 such requests: 8000 take 32 turns, 192 take 1 turn".
std::string RequestCountWords(const score::LineRequests& line);
// What moves and what is wanted, or which bank is asked for most: a sentence below the drawing.
std::string RequestSumWords(const score::LineRequests& line);

// "lanes 0-7,12", of a mask.
std::string LaneWords(uint32_t lanes);
// "d_out + 4096", at most 20 columns and printable: a place in the array of a request to global memory.
std::string PlaceInArray(const score::MemoryRequest& request, uint64_t at);

// The drawing of line.shown, with these sentences. "" if it is not drawable.
std::string RequestText(const score::LineRequests& line, const PictureStyle& style);

}  // namespace warpgrade::report
