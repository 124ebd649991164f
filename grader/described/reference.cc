// The call and its arrays are one file in memory, which both processes map. Tests:
// tests/described/described_lab_test.cc.
#include "grader/described/reference.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "grader/described/texts.h"
#include "grader/lab/parallel.h"
#include "grader/sandbox/process.h"

namespace warpgrade::described {
namespace {

constexpr int kCallFd = 3;                         // in the program
constexpr int64_t kMoreMemory = int64_t{2} << 30;  // beside the arrays: what a reference may allocate

uint64_t RoundedUp(uint64_t bytes) { return (bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment; }

Error NoMemory(uint64_t bytes) {
  return {ErrorKind::kMachine, fmt::format("there is no memory for a reference's {} MB of arrays: {}; make the sizes "
                                           "smaller, or use a machine with more memory",
                                           bytes >> 20, std::strerror(errno))};
}

// A file in memory of `bytes` zeros, mapped. Closes the file itself.
class SharedFile {
 public:
  explicit SharedFile(uint64_t bytes) : bytes_(bytes), fd_(memfd_create("warpgrade-reference", MFD_CLOEXEC)) {
    if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(bytes)) != 0) return;
    mapped_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (mapped_ == MAP_FAILED) mapped_ = nullptr;
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() {
    if (fd_ >= 0) close(fd_);
    if (mapped_ != nullptr) munmap(mapped_, bytes_);
  }
  int fd() const { return fd_; }
  std::byte* data() const { return static_cast<std::byte*>(mapped_); }
  void* Release() { return std::exchange(mapped_, nullptr); }

 private:
  const uint64_t bytes_;
  const int fd_;
  void* mapped_ = nullptr;
};

sandbox::ProcessOptions OptionsFor(const Description& lab, const std::string& program, uint64_t bytes, int fd) {
  sandbox::ProcessOptions options;
  options.argv = {program};
  options.limits.wall_ms = int64_t{lab.reference_seconds} * 1000;
  options.limits.cpu_s = int64_t{lab.reference_seconds} * 4;  // it may have threads
  options.limits.memory_bytes = static_cast<int64_t>(bytes) + kMoreMemory;
  options.inherited_fds = {{fd, kCallFd}};
  return options;
}

// Most of the time goes into the pages of the file, which are made when they are first touched.
void CopyInParallel(std::span<const std::byte> from, std::byte* to) {
  ForEachChunk(from.size(),
               [&](size_t, size_t begin, size_t end) { std::memcpy(to + begin, from.data() + begin, end - begin); });
}

std::string FirstLines(const std::string& output) {
  constexpr size_t kMost = 500;
  return output.empty() ? "" : "\n" + output.substr(0, kMost);
}

}  // namespace

ReferenceAnswer::ReferenceAnswer(ReferenceAnswer&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)), bytes_(other.bytes_), offsets_(std::move(other.offsets_)) {}

ReferenceAnswer::~ReferenceAnswer() {
  if (mapped_ != nullptr) munmap(mapped_, bytes_);
}

Result<ReferenceAnswer> RunReference(const Description& lab, const std::string& program, const Case& c,
                                     std::span<const std::span<const std::byte>> buffers) {
  ReferenceCall call;
  call.variant = c.variant;
  std::copy(c.sizes.begin(), c.sizes.end(), call.sizes);
  uint64_t end = RoundedUp(sizeof(ReferenceCall));
  for (size_t i = 0; i < lab.buffers.size(); ++i) {
    const ElementType& type = lab.TypeOf(lab.buffers[i], c.variant);
    const uint64_t elements = buffers[i].size() / type.bytes;
    call.offsets[i] = end;
    end += RoundedUp(lab.buffers[i].is_output ? elements * type.bytes_of_reference() : buffers[i].size());
  }
  call.bytes = end + kArrayAlignment;
  SharedFile file(call.bytes);
  if (file.data() == nullptr) return NoMemory(call.bytes);
  std::memcpy(file.data(), &call, sizeof call);
  for (size_t i = 0; i < lab.buffers.size(); ++i) {
    if (lab.buffers[i].is_output || buffers[i].empty()) continue;
    CopyInParallel(buffers[i], file.data() + call.offsets[i]);
  }
  const sandbox::ProcessOptions options = OptionsFor(lab, program, call.bytes, file.fd());
  const Result<sandbox::ProcessResult> ran = sandbox::RunProcess(options);
  if (!ran) return ran.error();
  uint64_t mark = 0;
  std::memcpy(&mark, file.data(), sizeof mark);
  if (!ran->succeeded() || mark != ReferenceCall::kDone) {
    const std::string how = ran->succeeded() ? "ended before it returned" : sandbox::Describe(*ran, options.limits);
    const std::string place = (std::filesystem::path(lab.folder) / kReferenceFile).string();
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: Reference() {}, in the case '{}'; correct it{}{}", place, how, c.name,
                             ran->timed_out ? ", or give it more time with 'reference: {time: 60s}' in lab.yaml" : "",
                             FirstLines(ran->output))};
  }
  return ReferenceAnswer(file.Release(), call.bytes, std::vector<uint64_t>(call.offsets, call.offsets + kMaxBuffers));
}

}  // namespace warpgrade::described
