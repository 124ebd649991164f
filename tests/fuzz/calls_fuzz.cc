// libFuzzer target: sequences of runtime calls, right and wrong ones, against the judge's device and beside a model of
// it. The model is a list of live allocations with their bytes. Each call must succeed exactly if the model says so;
// what is read must be what was written; and what the judge counts must be what was done. The input is a list of
// choices. server_fuzz sends bytes of any kind instead, and has no model.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cudart/device/server.h"
#include "tests/cudart/ptx_fatbin.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/peer.h"

namespace {

using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::Server;
using warpgrade::cudart::ServerOptions;
using warpgrade::fuzz::Choices;
using warpgrade::fuzz::Peer;
namespace emulator = warpgrade::emulator;
namespace wire = warpgrade::cudart::wire;
using wire::Type;

constexpr size_t kMostCalls = 64;
constexpr uint64_t kJudgesBytes = 1000;
constexpr uint64_t kCall = 0;  // the place of the host's call is not known

// put: byte k of `to` becomes value + k, for k < n. move: byte k of `to` becomes byte k of `from`. spin: never ends.
constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 8 .b8 variable[64];
.visible .entry put(.param .u64 to, .param .u32 n, .param .u32 value)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>;
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u32 %r3, [n];
  setp.ge.u32 %p0, %r0, %r3;
  @%p0 ret;
  ld.param.u64 %d0, [to];
  ld.param.u32 %r4, [value];
  add.u32 %r4, %r4, %r0;
  cvt.u64.u32 %d1, %r0;
  add.u64 %d0, %d0, %d1;
  st.global.u8 [%d0], %r4;
  ret;
}
.visible .entry move(.param .u64 to, .param .u64 from, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>;
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u32 %r3, [n];
  setp.ge.u32 %p0, %r0, %r3;
  @%p0 ret;
  cvt.u64.u32 %d2, %r0;
  ld.param.u64 %d0, [to];
  ld.param.u64 %d1, [from];
  add.u64 %d0, %d0, %d2;
  add.u64 %d1, %d1, %d2;
  ld.global.u8 %r4, [%d1];
  st.global.u8 [%d0], %r4;
  ret;
}
.visible .entry spin()
{
L:
  bra L;
}
)";

struct Piece {
  uint64_t base = 0;
  MemoryKind kind = MemoryKind::kDevice;
  bool judges = false;
  std::vector<int> bytes;  // -1: not known

  bool Holds(uint64_t at, uint64_t count) const {
    return at >= base && at - base <= bytes.size() && count <= bytes.size() - (at - base);
  }
};

struct Range {
  uint64_t at = 0;
  uint64_t count = 0;
};

class Session {
 public:
  Session(Choices& choices, emulator::Device& device)
      : choices_(choices), device_(device), server_(device, peer_.server_fd(), Options()) {
    pieces_.push_back(
        {device.Allocate(kJudgesBytes, "d_in").value(), MemoryKind::kDevice, true, std::vector<int>(kJudgesBytes, -1)});
    const std::vector<std::byte> fatbin = warpgrade::cudart::FatbinOf(kPtx);
    wire::Writer request;
    request.PutBytes(fatbin.data(), fatbin.size());
    WARPGRADE_CHECK(Ask(Type::kLoadModule, request) == cudaSuccess);
    module_ = answer_.Get<uint32_t>();
    for (const char* name : {"put", "move", "spin"}) kernels_.push_back(Find(name));
  }

  void Run() {
    for (size_t calls = 0; calls < kMostCalls && !choices_.AtEnd(); ++calls) Call();
    CheckMetrics();
  }
  uint64_t judges() const { return pieces_.front().base; }

 private:
  static ServerOptions Options() {
    ServerOptions options;
    options.write_timeout_ms = 1;
    return options;
  }

  // Sends the request and returns the answer's error. answer_ is what comes after it.
  cudaError_t Ask(Type type, wire::Writer& payload) {
    peer_.Send(warpgrade::fuzz::WithHeader(static_cast<uint8_t>(type), payload.buffer()));
    WARPGRADE_CHECK(server_.ServeOne() == Server::Outcome::kServed);
    reply_ = *peer_.Answer();
    answer_ = wire::Reader(reply_);
    return static_cast<cudaError_t>(answer_.Get<int32_t>());
  }
  void Tell(Type type, wire::Writer& payload) {
    peer_.Send(warpgrade::fuzz::WithHeader(static_cast<uint8_t>(type), payload.buffer()));
    WARPGRADE_CHECK(server_.ServeOne() == Server::Outcome::kServed);
  }
  template <typename... Values>
  static wire::Writer Of(Values... values) {
    wire::Writer writer;
    (writer.Put(values), ...);
    return writer;
  }
  // A call that must succeed exactly if `legal`.
  void Expect(bool legal, Type type, wire::Writer payload) {
    WARPGRADE_CHECK((Ask(type, payload) == cudaSuccess) == legal);
  }

  uint32_t Find(const char* name) {
    wire::Writer request = Of(module_);
    request.PutString(name);
    WARPGRADE_CHECK(Ask(Type::kFindKernel, request) == cudaSuccess);
    return answer_.Get<uint32_t>();
  }

  void Call() {
    switch (choices_.Below(16)) {
      case 0:
        return Allocate();
      case 1:
        return Free();
      case 2:
      case 3:
        return Write();
      case 4:
      case 5:
        return Read();
      case 6:
        return Copy();
      case 7:
        return Fill();
      case 8:
      case 9:
        return Put();
      case 10:
        return Move();
      case 11:
        return Spin();
      case 12:
        return Order();
      case 13:
        return Look();
      case 14:
        return Reset();
      default:
        return Share();
    }
  }

  Piece* PieceOf(const Range& range) {
    const auto piece =
        std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.Holds(range.at, range.count); });
    return piece == pieces_.end() ? nullptr : &*piece;
  }
  bool Legal(const Range& range) { return PieceOf(range) != nullptr; }
  // Somewhere in or around a piece; now and then in one that is gone, or anywhere.
  Range SomeRange(uint64_t most) {
    Range range;
    const std::vector<uint64_t>& from = choices_.OneIn(16) && !gone_.empty() ? gone_ : Bases();
    range.at = choices_.OneIn(32) ? choices_.Word() : choices_.Of(from);
    if (choices_.OneIn(2)) range.at += choices_.Below(1024);
    if (choices_.OneIn(16)) range.at -= choices_.Below(64);
    range.count = 1 + choices_.Below(most);
    return range;
  }
  const std::vector<uint64_t>& Bases() {
    bases_.clear();
    for (const Piece& piece : pieces_) bases_.push_back(piece.base);
    return bases_;
  }

  void Allocate() {
    static const std::vector<uint64_t> kSizes = {1, 3, 256, 1000, 4096, 70000, uint64_t{64} << 20, ~uint64_t{0}};
    const uint64_t bytes = choices_.Of(kSizes);
    const bool shared = choices_.OneIn(3);
    const MemoryKind kind = !shared             ? MemoryKind::kDevice
                            : choices_.OneIn(2) ? MemoryKind::kManaged
                                                : MemoryKind::kPinned;
    wire::Writer request = Of(bytes);
    if (shared) request.Put(static_cast<uint8_t>(kind));
    const cudaError_t error = Ask(shared ? Type::kAllocateShared : Type::kAllocate, request);
    WARPGRADE_CHECK(error == cudaSuccess || error == cudaErrorMemoryAllocation);
    WARPGRADE_CHECK(error == cudaErrorMemoryAllocation || bytes <= uint64_t{4} << 20);
    if (error != cudaSuccess) return;
    const auto base = answer_.Get<uint64_t>();
    for (const Piece& piece : pieces_) {
      WARPGRADE_CHECK(base + bytes <= piece.base || piece.base + piece.bytes.size() <= base);
    }
    pieces_.push_back({base, kind, false, std::vector<int>(bytes, -1)});
    new_bytes_ += static_cast<double>(bytes);
  }

  void Free() {
    const Range range = SomeRange(1);
    const auto piece =
        std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.base == range.at && !p.judges; });
    Expect(piece != pieces_.end(), Type::kFree, Of(range.at));
    if (piece == pieces_.end()) return;
    if (gone_.size() < 16) gone_.push_back(range.at);
    if (static_cast<size_t>(piece - pieces_.begin()) >= first_new_) {
      new_bytes_ -= static_cast<double>(piece->bytes.size());
    } else {
      --first_new_;
    }
    pieces_.erase(piece);
  }

  void Write() {
    const Range range = SomeRange(600);
    wire::Writer request = Of(kCall, range.at);
    std::vector<uint8_t> data(range.count);
    const uint8_t first = choices_.Byte();
    for (size_t k = 0; k < data.size(); ++k) data[k] = static_cast<uint8_t>(first + 3 * k);
    request.PutBytes(data.data(), data.size());
    Piece* piece = PieceOf(range);
    Expect(piece != nullptr, Type::kWrite, std::move(request));
    if (piece == nullptr) return;
    std::copy(data.begin(), data.end(), piece->bytes.begin() + static_cast<ptrdiff_t>(range.at - piece->base));
    host_to_device_ += static_cast<double>(range.count);
  }

  void Read() {
    const Range range = SomeRange(600);
    Piece* piece = PieceOf(range);
    Expect(piece != nullptr, Type::kRead, Of(kCall, range.at, static_cast<uint32_t>(range.count)));
    if (piece == nullptr) return;
    const std::span<const std::byte> data = answer_.GetRest();
    WARPGRADE_CHECK(data.size() == range.count);
    for (size_t k = 0; k < data.size(); ++k) {
      int& known = piece->bytes[range.at - piece->base + k];
      WARPGRADE_CHECK(known < 0 || known == static_cast<int>(data[k]));
      known = static_cast<int>(data[k]);
    }
    device_to_host_ += static_cast<double>(range.count);
  }

  void Copy() {
    const Range to = SomeRange(600), place = SomeRange(1);
    const Range from{place.at, to.count};
    Piece *target = PieceOf(to), *source = PieceOf(from);
    Expect(target != nullptr && source != nullptr, Type::kCopy, Of(kCall, to.at, from.at, to.count));
    if (target == nullptr || source == nullptr) return;
    const std::vector<int> bytes(source->bytes.begin() + static_cast<ptrdiff_t>(from.at - source->base),
                                 source->bytes.begin() + static_cast<ptrdiff_t>(from.at - source->base + from.count));
    std::copy(bytes.begin(), bytes.end(), target->bytes.begin() + static_cast<ptrdiff_t>(to.at - target->base));
    const bool from_host = source->kind == MemoryKind::kPinned, to_host = target->kind == MemoryKind::kPinned;
    if (from_host && !to_host) host_to_device_ += static_cast<double>(to.count);
    if (to_host && !from_host) device_to_host_ += static_cast<double>(to.count);
  }

  void Fill() {
    const Range range = SomeRange(600);
    const uint8_t value = choices_.Byte();
    Piece* piece = PieceOf(range);
    Expect(piece != nullptr, Type::kFill, Of(kCall, range.at, range.count, value));
    if (piece != nullptr)
      std::fill_n(piece->bytes.begin() + static_cast<ptrdiff_t>(range.at - piece->base), range.count, value);
  }

  // The answer's error to a launch of these blocks and threads.
  cudaError_t Launch(size_t kernel, uint32_t blocks, uint32_t threads, const wire::Writer& parameters) {
    wire::Writer request = Of(kCall, kernels_[kernel], blocks, uint32_t{1}, uint32_t{1}, threads, uint32_t{1},
                              uint32_t{1}, uint32_t{0}, static_cast<uint8_t>(choices_.OneIn(4) ? wire::kMayWait : 0));
    request.PutBytes(parameters.buffer().data(), parameters.buffer().size());
    const size_t before = device_.Launches().size();
    const cudaError_t error = Ask(Type::kRun, request);
    WARPGRADE_CHECK(device_.Launches().size() <= before + 1);
    WARPGRADE_CHECK(error != cudaSuccess || device_.Launches().size() == before + 1);
    return error;
  }
  uint32_t SomeBlocks() { return choices_.Of(std::vector<uint32_t>{1, 2, 3, 0}); }
  uint32_t SomeThreads() { return choices_.Of(std::vector<uint32_t>{32, 64, 33, 1024, 1, 1025, 0}); }
  static bool Valid(uint32_t blocks, uint32_t threads) { return blocks > 0 && threads > 0 && threads <= 1024; }

  void Put() {
    const uint32_t blocks = SomeBlocks(), threads = SomeThreads();
    Range range = SomeRange(600);
    const auto n = static_cast<uint32_t>(range.count);
    const uint32_t value = choices_.Byte();
    const cudaError_t error = Launch(0, blocks, threads, Of(range.at, n, value));
    WARPGRADE_CHECK(Valid(blocks, threads) || error != cudaSuccess);
    if (!Valid(blocks, threads)) return;
    range.count = std::min<uint64_t>(range.count, uint64_t{blocks} * threads);
    Piece* piece = PieceOf(range);
    WARPGRADE_CHECK((error == cudaSuccess) == (piece != nullptr));
    if (piece == nullptr) return Forget(range);
    for (uint64_t k = 0; k < range.count; ++k)
      piece->bytes[range.at - piece->base + k] = static_cast<uint8_t>(value + k);
  }

  void Move() {
    const uint32_t blocks = SomeBlocks(), threads = SomeThreads();
    Range to = SomeRange(600), from = SomeRange(1);
    const auto n = static_cast<uint32_t>(to.count);
    const cudaError_t error = Launch(1, blocks, threads, Of(to.at, from.at, n));
    WARPGRADE_CHECK(Valid(blocks, threads) || error != cudaSuccess);
    if (!Valid(blocks, threads)) return;
    from.count = to.count = std::min<uint64_t>(to.count, uint64_t{blocks} * threads);
    Piece *target = PieceOf(to), *source = PieceOf(from);
    WARPGRADE_CHECK((error == cudaSuccess) == (target != nullptr && source != nullptr));
    const bool overlap = to.at < from.at + from.count && from.at < to.at + to.count;
    if (error != cudaSuccess || overlap) return Forget(to);
    for (uint64_t k = 0; k < to.count; ++k) {
      target->bytes[to.at - target->base + k] = source->bytes[from.at - source->base + k];
    }
  }

  // The bytes in this range may have any value now.
  void Forget(const Range& range) {
    for (Piece& piece : pieces_) {
      for (size_t k = 0; k < piece.bytes.size(); ++k) {
        if (piece.base + k - range.at < range.count) piece.bytes[k] = -1;
      }
    }
  }

  void Spin() {
    const cudaError_t error = Launch(2, 1, 1, {});
    WARPGRADE_CHECK(error == cudaErrorLaunchTimeout || error == cudaErrorNotReady);
    if (error != cudaErrorNotReady) return;
    const auto launch = answer_.Get<uint64_t>();
    wire::Writer request =
        Of(kCall, choices_.OneIn(4) ? choices_.Word() : launch, static_cast<uint8_t>(choices_.OneIn(2)));
    WARPGRADE_CHECK(Ask(Type::kContinue, request) != cudaSuccess);
  }

  void Order() {
    if (choices_.OneIn(2)) {
      wire::Writer request =
          Of(kCall, static_cast<uint8_t>(choices_.Below(static_cast<size_t>(OrderOp::kLast) + 1)),
             uint64_t{choices_.Below(8)}, choices_.OneIn(4) ? choices_.Of(Bases()) : choices_.Below(8));
      return Tell(Type::kOrder, request);
    }
    wire::Writer request = Of(uint64_t{choices_.Below(8)}, choices_.Byte(), choices_.Byte());
    Tell(Type::kUseStream, request);
  }

  void Look() {
    const Range range = SomeRange(1);
    Expect(true, Type::kFindAllocation, Of(range.at));
    const auto found = answer_.Get<uint8_t>();
    const auto base = answer_.Get<uint64_t>(), bytes = answer_.Get<uint64_t>();
    const auto kind = static_cast<MemoryKind>(answer_.Get<uint8_t>());
    const Piece* piece = PieceOf(range);
    if (piece != nullptr) {
      WARPGRADE_CHECK(found && base == piece->base && bytes == piece->bytes.size() && kind == piece->kind);
    } else {
      WARPGRADE_CHECK(!found || PieceOf({base, bytes}) == nullptr);  // a variable of the module
    }
  }

  // The judge's next call of the student's function.
  void Reset() {
    CheckMetrics();
    server_.ResetObservations();
    host_to_device_ = device_to_host_ = 0;
    most_left_ = std::max(most_left_, new_bytes_);
    new_bytes_ = 0;
    first_new_ = pieces_.size();
  }

  void Share() {
    const Range range = SomeRange(1);
    const auto piece = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.base == range.at; });
    const bool has_one = piece != pieces_.end() && piece->kind != MemoryKind::kDevice;
    const cudaError_t error = [&] {
      wire::Writer request = Of(range.at);
      return Ask(Type::kShare, request);
    }();
    // Each has one descriptor.
    WARPGRADE_CHECK(error != cudaSuccess || has_one);
  }

  void CheckMetrics() {
    std::map<std::string, double> metrics;
    server_.AddMetrics(&metrics);
    for (const auto& [name, value] : metrics) WARPGRADE_CHECK(std::isfinite(value) && value >= 0);
    WARPGRADE_CHECK(metrics.at("host_to_device_bytes") == host_to_device_);
    WARPGRADE_CHECK(metrics.at("device_to_host_bytes") == device_to_host_);
    WARPGRADE_CHECK(metrics.at("bytes_not_freed") == std::max(most_left_, new_bytes_));
  }

  Choices& choices_;
  emulator::Device& device_;
  Peer peer_;
  Server server_;
  std::vector<std::byte> reply_;
  wire::Reader answer_{{}};
  uint32_t module_ = 0;
  std::vector<uint32_t> kernels_;
  std::vector<Piece> pieces_;
  std::vector<uint64_t> bases_, gone_;
  size_t first_new_ = 1;  // in pieces_: what was allocated since the last reset
  double host_to_device_ = 0, device_to_host_ = 0, new_bytes_ = 0, most_left_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  emulator::Device device(warpgrade::fuzz::SmallDevice());
  Choices choices(data, size);
  uint64_t judges = 0;
  {
    Session session(choices, device);
    session.Run();
    judges = session.judges();
  }
  const std::vector<emulator::AllocationInfo> live = device.LiveAllocations();
  WARPGRADE_CHECK(live.size() == 1 && live[0].base == judges && live[0].bytes == kJudgesBytes);
  return 0;
}
