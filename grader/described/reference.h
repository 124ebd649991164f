// Runs the reference of a described lab, a program that was compiled from the course's reference.cc. It runs in a
// process of its own, so that a reference that crashes or does not end is told from a judge that does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/described/description.h"

namespace warpgrade::described {

// The outputs of a case, as the reference wrote them: for each output of the lab its elements, of_reference.
class ReferenceAnswer {
 public:
  ReferenceAnswer(void* mapped, uint64_t bytes, std::vector<uint64_t> offsets)
      : mapped_(mapped), bytes_(bytes), offsets_(std::move(offsets)) {}
  ReferenceAnswer(ReferenceAnswer&& other) noexcept;
  ReferenceAnswer& operator=(ReferenceAnswer&&) = delete;
  ~ReferenceAnswer();
  // The first element of an output. REQUIRES: `buffer` is one.
  const void* Of(size_t buffer) const { return static_cast<const std::byte*>(mapped_) + offsets_.at(buffer); }

 private:
  void* mapped_;
  uint64_t bytes_;
  std::vector<uint64_t> offsets_;
};

// `buffers` are those of Lab::Check. Errors: kUsage if the reference crashes, does not end in time or holds too much
// memory; kMachine if there is no memory for the arrays, or no such program.
Result<ReferenceAnswer> RunReference(const Description& lab, const std::string& program, const Case& c,
                                     std::span<const std::span<const std::byte>> buffers);

}  // namespace warpgrade::described
