// The C++ texts that are made of a description: the header that students include, the adapter that the worker calls,
// and the program that runs the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/described/description.h"

namespace warpgrade::described {

// labs/NAME/NAME.h.
std::string HeaderText(const Description& lab);
// What `warpgrade_lab_call` (grader/lab/call.h) is for this lab.
std::string AdapterText(const Description& lab);
// A program that includes reference.cc from its own folder, and answers the ReferenceCall in descriptor 3.
std::string ReferenceProgramText(const Description& lab);
// How the lab's Reference() is declared, for messages.
std::string ReferenceSignature(const Description& lab);
// The last line of each rung's file, such as "DOT_INSTANTIATE();"; "" if the function is no template.
std::string LastLine(const Description& lab);
// How students' function is declared, without a template's first line.
std::string FunctionSignature(const Description& lab, std::string_view type);

// A call of the reference: a file in memory that begins with this. The arrays follow, each at a multiple of
// kArrayAlignment: for an input its elements, for an output zeros, of_reference.
struct ReferenceCall {
  static constexpr uint64_t kBegin = 0x57475245'46303031, kDone = 0x57475245'46444f4e;
  uint64_t mark = kBegin;  // kDone when the reference has returned
  uint64_t bytes = 0;      // of the whole file
  int64_t variant = 0;
  uint64_t sizes[kMaxSizes] = {};      // as LabCall::sizes
  uint64_t offsets[kMaxBuffers] = {};  // of the arrays, from the begin of the file
};
inline constexpr uint64_t kArrayAlignment = 64;

}  // namespace warpgrade::described
