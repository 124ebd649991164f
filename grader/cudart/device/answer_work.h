// Which launches, copies and sets made the answer: those that last changed a byte of it, those that last changed a byte
// that one of these read, and so on, back to the inputs. Everything else is useless work, which the counts of a
// technique need not believe.
//
//   decoy<<<>>>(d_in, d_scratch)     useless: nobody reads d_scratch
//   turn<<<>>>(d_in, d_strips)       made the answer, because the copy reads d_strips
//   cudaMemcpy2D(d_out, d_strips)    made the answer: it is the last to change d_out
//   decoy<<<>>>(d_out, d_out)        useless: it stores what is there already
//
// The unit is a whole launch with the bytes that it touched. A launch that made a part of what is needed needs all that
// it read. When in doubt, work counts as work for the answer: what reaches the host may steer the program, so whatever
// was copied to the host, or stored where the host reaches it, was needed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::cudart {

class AnswerWork {
 public:
  using Ranges = std::vector<emulator::ByteRange>;  // disjoint, in rising order

  // `device` outlives this. Its memory is looked at after each piece of work.
  explicit AnswerWork(const emulator::Device& device) : device_(device) {}

  // What a program did, in order. `launch`: its place in Device::Launches(), or the place that it would have had.
  void Launched(size_t launch, const emulator::TouchedBytes& touched);
  // On the device; from == 0: a set. `is_traffic`: of the device's memory alone (Device::CountCopy).
  void Copied(uint64_t to, uint64_t from, uint64_t bytes, bool is_traffic);
  void CopiedToDevice(uint64_t to, uint64_t bytes);
  void CopiedToHost(uint64_t from, uint64_t bytes);

  struct Made {
    std::vector<size_t> launches;  // in rising order
    emulator::CopyTraffic copies;
  };
  // What made the bytes of `answer`, which are in it in any order.
  Made Of(const std::vector<emulator::ByteRange>& answer) const;
  // Why this is not clear, as a sentence about the program; "": it is clear. No lab needs what makes it unclear.
  const std::string& unclear() const { return unclear_; }

 private:
  enum class Kind : uint8_t { kLaunch, kCopies, kToDevice, kToHost };
  struct Work {
    Kind kind = Kind::kLaunch;
    size_t launch = 0;
    emulator::CopyTraffic copies;
    Ranges reads, writes;  // of kCopies: as they came
    bool is_needed = false;
    bool is_partly_known = false;  // it touched more than its ranges say
  };
  // The bytes of allocations as this last saw them, to see what a store changes.
  struct Mirror {
    uint64_t sequence = 0;
    std::vector<uint8_t> bytes;
    std::vector<bool> known;  // of each line
  };
  Work& Next(Kind kind);
  Ranges Changed(const Ranges& writes);
  void AddChanged(const emulator::ByteRange& range, Ranges* changed);
  void Forget(uint64_t begin, uint64_t bytes);
  void ForgetFreed();
  Mirror* MirrorOf(const emulator::AllocationInfo& allocation);  // nullptr: there are too many bytes

  const emulator::Device& device_;
  std::vector<Work> work_;
  std::map<uint64_t, Mirror> mirrors_;  // by the allocation's address
  uint64_t mirrored_bytes_ = 0;
  uint64_t ranges_ = 0;  // in work_
  std::string unclear_;
};

}  // namespace warpgrade::cudart
