// How the video instructions (vadd, vset4, ...) are described to their handlers: PTX ISA "Video Instructions". The
// description is packed into FunctionCode::vectors at Inst::vectors, because there are too many forms to give each a
// handler, and they are too rare to be worth it.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

enum class VideoOp : uint8_t { kAdd, kSub, kAbsDiff, kMin, kMax, kShl, kShr, kMad, kSet, kAverage };
enum class VideoSecond : uint8_t { kNone, kAdd, kMin, kMax };
enum class VideoCompare : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

struct VideoForm {
  VideoOp op : 4;
  VideoSecond second : 2;
  VideoCompare compare : 3;
  uint8_t d_signed : 1, a_signed : 1, b_signed : 1;
  uint8_t saturate : 1;
  uint8_t wrap : 1;                                  // shifts: else clamp
  uint8_t plus_one : 1;                              // vmad.po
  uint8_t negate_a : 1, negate_b : 1, negate_c : 1;  // vmad; a and b have one sign together
  uint8_t scale : 4;                                 // vmad: 0, 7 or 15
  // Scalar forms: 0 the whole word, 1..4 byte 0..3, 5..6 half 0..1.
  uint8_t d_part : 3, a_part : 3, b_part : 3;
  // SIMD forms: the number of parts (0: scalar), which parts of d are written, and for each of them which part of a and
  // b together it takes (3 bits each, the lowest first).
  uint8_t lanes : 3;
  uint8_t mask : 4;
  uint16_t a_select : 12, b_select : 12;
};
static_assert(sizeof(VideoForm) <= 12);

}  // namespace warpgrade::emulator
