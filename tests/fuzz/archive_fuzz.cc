// libFuzzer target: whatever file a student hands in as an archive, what is kept of it is text of the labs' files
// within the limits, and what is said of it is printable and short.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/submission/archive.h"

namespace {

using namespace warpgrade::submission;

constexpr size_t kLongestMessage = 2000;

void Check(const Submission& submission, const WantedFiles& wanted) {
  size_t bytes = 0;
  for (const auto& [file, text] : submission.files) {
    const size_t slash = file.find('/');
    WARPGRADE_CHECK(slash != std::string::npos && wanted.IsLab(file.substr(0, slash)));
    WARPGRADE_CHECK(wanted.IsLabFile(file.substr(slash + 1)));
    WARPGRADE_CHECK(text.size() <= kMaxFileBytes && text.find('\0') == std::string::npos);
    bytes += text.size();
  }
  WARPGRADE_CHECK(bytes <= kMaxSubmissionBytes);
  WARPGRADE_CHECK(submission.messages.size() <= kMaxMessages + 1);
  for (const std::string& message : submission.messages) {
    WARPGRADE_CHECK(!message.empty() && message.size() <= kLongestMessage);
    WARPGRADE_CHECK(std::none_of(message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int kFile = memfd_create("archive", MFD_CLOEXEC);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  static const WantedFiles kWanted({{"lab1", {"v1_naive", "v2_shared"}, {"answers.yaml"}}, {"lab2", {"v1_naive"}, {}}});
  WARPGRADE_CHECK(ftruncate(kFile, 0) == 0 && pwrite(kFile, data, size, 0) == static_cast<ssize_t>(size));
  Collector collector(kWanted);
  ReadArchive(kPath, &collector);
  Submission submission;
  collector.FinishInto(&submission);
  Check(submission, kWanted);
  return 0;
}
