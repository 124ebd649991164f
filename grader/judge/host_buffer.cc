// The file is sealed against shrinking, because our own accesses would then fault, and against growing, so that a
// worker holds no more of our memory than it was given. Tested by tests/judge/host_buffer_test.cc.
#include "grader/judge/host_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>

#include "grader/judge/large_arrays.h"
#include "grader/lab/parallel.h"

namespace warpgrade::judge {
namespace {

// All programs of the machine share the number of open files; the rest can only be used up by the rung itself.
Error NoMemory(uint64_t bytes) {
  return Error{errno == ENFILE ? ErrorKind::kMachine : ErrorKind::kLimit,
               "cannot make a host array of " + std::to_string(bytes) + " bytes: " + std::strerror(errno)};
}

}  // namespace

Result<std::unique_ptr<HostBuffer>> HostBuffer::Make(uint64_t bytes) {
  WARPGRADE_CHECK(bytes > 0);
  const uint64_t mapped = protocol::HostMappingBytes(bytes);
  const int descriptor = memfd_create("warpgrade host array", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return NoMemory(bytes);
  void* data = MAP_FAILED;
  if (ftruncate(descriptor, static_cast<off_t>(mapped)) == 0 &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    data = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  if (data == MAP_FAILED) {
    const Error error = NoMemory(bytes);
    close(descriptor);
    return error;
  }
  return std::unique_ptr<HostBuffer>(new HostBuffer(descriptor, static_cast<std::byte*>(data), bytes));
}

HostBuffer::~HostBuffer() {
  munmap(data_, protocol::HostMappingBytes(bytes_));
  close(descriptor_);
}

void HostBuffer::Write(std::span<const std::byte> from) {
  WARPGRADE_CHECK(from.size() <= bytes_);
  CopyBytes({data_, from.size()}, from);
}

std::optional<size_t> HostBuffer::FirstDifferenceFrom(std::span<const std::byte> expected) const {
  return FirstDifference(expected, {data_, bytes_});
}

ScatteredOrder::ScatteredOrder(uint64_t count, Random& random)
    : count_(count),
      cycle_(std::bit_ceil(count)),
      step_(random() / 4 * 4 + 1),
      shift_(random() | 1),
      next_(random() % cycle_) {}

std::optional<uint64_t> ScatteredOrder::Next() {
  while (steps_ < cycle_) {
    const uint64_t number = next_;
    next_ = (step_ * next_ + shift_) % cycle_;
    ++steps_;
    if (number < count_) return number;
  }
  return std::nullopt;
}

void HostBuffer::ReadScattered(std::span<std::byte> to, Random& random) const {
  WARPGRADE_CHECK(to.size() == bytes_);
  const uint64_t pages = (bytes_ + protocol::kHostPage - 1) / protocol::kHostPage;
  const ScatteredOrder whole(pages, random);
  // Each thread takes the next steps of the same order, so that nobody can foresee which pages come last.
  ParallelFor(pages, bytes_ / sizeof(float), [&](size_t begin, size_t end) {
    ScatteredOrder order = whole;
    for (size_t step = 0; step < begin; ++step) order.Next();
    for (size_t step = begin; step < end; ++step) {
      const uint64_t at = *order.Next() * protocol::kHostPage;
      std::memcpy(to.data() + at, data_ + at, std::min(protocol::kHostPage, bytes_ - at));
    }
  });
}

void HostBuffer::Fill(std::byte value) { FillBytes({data_, bytes_}, value); }

void HostBuffer::FillGuard(std::byte value) { std::memset(data_ + bytes_, std::to_integer<int>(value), guard_bytes()); }

bool HostBuffer::GuardIsIntact(std::byte value) const { return AllBytesAre({data_ + bytes_, guard_bytes()}, value); }

}  // namespace warpgrade::judge
