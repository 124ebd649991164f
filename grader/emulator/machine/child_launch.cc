// A launch in a kernel is two calls: one gets memory for the parameters and gives the size of the grid, and after the
// thread has stored the parameters, the other one gives the stream. Tested by tests/emulator/child_launch_test.cc
// and by the programs in tests/programs/linked.
#include "grader/emulator/machine/child_launch.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <string>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/builtin_call.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/state/child_launches.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// Parameters do not take the memory that the program may use for malloc in kernels.
constexpr uint64_t kParameterHeapBytes = uint64_t{64} << 20;
constexpr uint32_t kNonBlocking = 1;    // cudaStreamNonBlocking; an H200 accepts cudaStreamDefault, too
constexpr uint32_t kDisableTiming = 2;  // cudaEventDisableTiming, the only kind of event that a kernel may make

uint64_t ThreadOf(const Exec& x, int lane) { return static_cast<uint64_t>(x.warp->index) * kLanes + lane; }

// What the function returns to the thread of `lane`. An error becomes the thread's last error.
void ReturnError(Exec& x, const Inst& i, int lane, DeviceError error) {
  if (error != DeviceError::kNone) {
    x.launch->children->Fail({error, i.index, x.block->linear, ThreadOf(x, lane)});
  }
  ReturnFrom(x, i, lane, static_cast<int32_t>(error));
}

// Stores a result at the generic address that a thread gave. Reports it if the thread may not write there.
template <typename T>
bool StoreAt(Exec& x, const Inst& i, int lane, uint64_t address, T value) {
  Warp& w = *x.warp;
  if (address - kLocalWindow < kWindowBytes && address - kLocalWindow + sizeof value <= w.local_stride) {
    const size_t at = static_cast<size_t>(lane) * w.local_stride + (address - kLocalWindow);
    std::memcpy(w.local.data() + at, &value, sizeof value);
    if (!w.local_valid.empty()) std::memset(w.local_valid.data() + at, 1, sizeof value);
    return true;
  }
  const uint64_t shared = address - kSharedWindow;
  if (shared < kWindowBytes && shared + sizeof value <= x.block->shared.size()) {
    std::memcpy(x.block->shared.data() + shared, &value, sizeof value);
    for (uint64_t at = shared; at < shared + sizeof value && !x.block->shared_valid.empty(); ++at) {
      x.block->shared_valid[at / 64] |= uint64_t{1} << at % 64;
    }
    return true;
  }
  GlobalMemory& memory = *x.launch->memory;
  const Allocation* a = memory.Find(address);
  if (a != nullptr && !a->constant && a->bytes - (address - a->base) >= sizeof value) {
    std::memcpy(memory.Host(address), &value, sizeof value);
    memory.MarkWritten(address, sizeof value);
    return true;
  }
  Report(x, i, FindingKind::kOutOfBounds, lane, address, static_cast<int>(sizeof value),
         fmt::format("a function of the device runtime wrote {} bytes at {:#x}, which is not in device memory",
                     sizeof value, address));
  return false;
}

// What `of` does for each lane that calls.
template <typename F>
void ForLanes(const Exec& x, F of) {
  for (LaneMask m = x.mask; m != 0; m &= m - 1) of(__builtin_ctz(m));
}

// void* (void* kernel, dim3 grid, dim3 block, unsigned shared_bytes)
void GetParameterBuffer(Exec& x, const Inst& i) {
  const std::vector<ptx::Function>& functions = x.launch->program->module->functions;
  ForLanes(x, [&](int lane) {
    const uint64_t address = ArgumentOf<uint64_t>(x, i, 0, lane);
    ChildLaunch launch;
    launch.grid = ArgumentOf<Dim3>(x, i, 1, lane);
    launch.block = ArgumentOf<Dim3>(x, i, 2, lane);
    launch.dynamic_shared_bytes = ArgumentOf<uint32_t>(x, i, 3, lane);
    launch.parent_block = x.block->linear;
    const uint64_t index = (address - kFunctionBase) / 16;  // that of Program::functions
    x.owed += kHeapCosts;
    const bool known = address > kFunctionBase && index >= 1 && index <= functions.size();
    uint64_t buffer = 0;
    if (known && functions[index - 1].is_entry) {
      launch.function = static_cast<uint32_t>(index - 1);
      launch.parameters.resize(LayOutParameters(functions[index - 1]).bytes);
      buffer = x.launch->memory->AllocateInKernel(std::max<uint64_t>(launch.parameters.size(), 1),
                                                  x.launch->options->heap_bytes + kParameterHeapBytes);
    }
    if (buffer != 0) {
      x.launch->children->Prepare(buffer, std::move(launch));
    } else {
      const DeviceError error = known ? DeviceError::kMemoryAllocation : DeviceError::kInvalidDeviceFunction;
      x.launch->children->Fail({error, i.index, x.block->linear, ThreadOf(x, lane)});
    }
    ReturnFrom(x, i, lane, buffer);
  });
}

// cudaError_t (void* parameters, cudaStream_t stream)
void LaunchDevice(Exec& x, const Inst& i) {
  GlobalMemory& memory = *x.launch->memory;
  ForLanes(x, [&](int lane) {
    const uint64_t buffer = ArgumentOf<uint64_t>(x, i, 0, lane);
    ChildLaunch launch;
    x.owed += kHeapCosts;
    if (!x.launch->children->TakePrepared(buffer, &launch)) {
      return ReturnError(x, i, lane, DeviceError::kInvalidValue);
    }
    if (!launch.parameters.empty())
      std::memcpy(launch.parameters.data(), memory.Host(buffer), launch.parameters.size());
    (void)memory.FreeInKernel(buffer);
    launch.parent_thread = ThreadOf(x, lane);
    launch.inst = i.index;
    const auto stream = ArgumentOf<uint64_t>(x, i, 1, lane);
    const DeviceError error = x.launch->children->Launch(std::move(launch), stream);
    // A tail launch comes after all that this grid does.
    if (error == DeviceError::kNone && stream != ChildLaunches::kTailLaunch) x.warp->launched |= LaneMask{1} << lane;
    ReturnError(x, i, lane, error);
  });
  x.allocation = AllocationCache{};  // it may describe a buffer that was freed
}

// cudaError_t ()
template <bool kClear>
void LastError(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    const DeviceError error = x.launch->children->LastError(x.block->linear, ThreadOf(x, lane), kClear);
    ReturnFrom(x, i, lane, static_cast<int32_t>(error));
  });
}

// const char* (cudaError_t)
template <const char* (*kWords)(DeviceError)>
void DescribeError(Exec& x, const Inst& i) {
  GlobalMemory& memory = *x.launch->memory;
  ForLanes(x, [&](int lane) {
    const std::string words = kWords(ArgumentOf<DeviceError>(x, i, 0, lane));
    ReturnFrom(x, i, lane, x.launch->children->Keep(words, [&] {
      const uint64_t at =
          memory.AllocateInKernel(words.size() + 1, x.launch->options->heap_bytes + kParameterHeapBytes);
      if (at == 0) return at;
      std::memcpy(memory.Host(at), words.c_str(), words.size() + 1);
      memory.MarkWritten(at, words.size() + 1);
      return at;
    }));
  });
}

// cudaError_t (T* stream_or_event, unsigned flags). `kOrNone`: no flags are right, too.
template <uint32_t kFlags, bool kOrNone>
void MakeHandle(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    x.owed += kHeapCosts;
    const auto flags = ArgumentOf<uint32_t>(x, i, 1, lane);
    const bool right = flags == kFlags || (kOrNone && flags == 0);
    if (right) StoreAt(x, i, lane, ArgumentOf<uint64_t>(x, i, 0, lane), x.launch->children->MakeHandle());
    ReturnError(x, i, lane, right ? DeviceError::kNone : DeviceError::kInvalidValue);
  });
}

// cudaError_t (T stream_or_event). The work in a stream that is destroyed is still done.
void DropHandle(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    const bool dropped = x.launch->children->DropHandle(ArgumentOf<uint64_t>(x, i, 0, lane));
    ReturnError(x, i, lane, dropped ? DeviceError::kNone : DeviceError::kInvalidResourceHandle);
  });
}

// cudaError_t (cudaEvent_t event, cudaStream_t stream) and cudaError_t (cudaStream_t stream, cudaEvent_t event, ...)
template <size_t kEvent>
void UseEvent(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    const bool known = x.launch->children->HasHandle(ArgumentOf<uint64_t>(x, i, kEvent, lane));
    x.launch->children->UseEvents();
    ReturnError(x, i, lane, known ? DeviceError::kNone : DeviceError::kInvalidResourceHandle);
  });
}

// cudaError_t (int* value): kValue
template <int32_t kValue>
void GiveNumber(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    StoreAt(x, i, lane, ArgumentOf<uint64_t>(x, i, 0, lane), kValue);
    ReturnError(x, i, lane, DeviceError::kNone);
  });
}

// cudaError_t (int* value, cudaDeviceAttr attribute, int device)
void DeviceAttribute(Exec& x, const Inst& i) {
  constexpr int32_t kMultiprocessorCount = 16;
  ForLanes(x, [&](int lane) {
    const auto attribute = ArgumentOf<int32_t>(x, i, 1, lane);
    if (ArgumentOf<int32_t>(x, i, 2, lane) != 0) return ReturnError(x, i, lane, DeviceError::kInvalidValue);
    if (attribute != kMultiprocessorCount) {
      Report(x, i, FindingKind::kUnsupported, lane, 0, 0,
             fmt::format("cudaDeviceGetAttribute in a kernel knows only cudaDevAttrMultiProcessorCount ({}) here, and "
                         "not the attribute {}; give the kernel the number as a parameter",
                         kMultiprocessorCount, attribute));
      return;
    }
    StoreAt(x, i, lane, ArgumentOf<uint64_t>(x, i, 0, lane), int32_t{x.launch->options->multiprocessors});
    ReturnError(x, i, lane, DeviceError::kNone);
  });
}

// cudaError_t (void** pointer, size_t bytes): from the heap of malloc.
void DeviceRuntimeMalloc(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    const auto bytes = ArgumentOf<uint64_t>(x, i, 1, lane);
    const uint64_t address = x.launch->memory->AllocateInKernel(bytes, x.launch->options->heap_bytes);
    x.owed += kHeapCosts + (address != 0 ? bytes / kBytesPerInstruction : 0);
    StoreAt(x, i, lane, ArgumentOf<uint64_t>(x, i, 0, lane), address);
    ReturnError(x, i, lane, address != 0 || bytes == 0 ? DeviceError::kNone : DeviceError::kMemoryAllocation);
  });
}

void DeviceRuntimeFree(Exec& x, const Inst& i) {
  ForLanes(x, [&](int lane) {
    const auto address = ArgumentOf<uint64_t>(x, i, 0, lane);
    x.owed += kHeapCosts;
    const bool freed = address == 0 || x.launch->memory->FreeInKernel(address).ok();
    ReturnError(x, i, lane, freed ? DeviceError::kNone : DeviceError::kInvalidValue);
  });
  x.allocation = AllocationCache{};
}

}  // namespace

HandlerSpan ChildLaunchHandlers() {
  static constexpr HandlerEntry kEntries[] = {
      {"call.__cudaCDP2GetParameterBufferV2", GetParameterBuffer},
      {"call.__cudaCDP2LaunchDeviceV2", LaunchDevice},
      {"call.__cudaCDP2LaunchDeviceV2_ptsz", LaunchDevice},
      {"call.__cudaCDP2GetLastError", LastError<true>},
      {"call.__cudaCDP2PeekAtLastError", LastError<false>},
      {"call.__cudaCDP2GetErrorName", DescribeError<Name>},
      {"call.__cudaCDP2GetErrorString", DescribeError<Text>},
      {"call.__cudaCDP2StreamCreateWithFlags", MakeHandle<kNonBlocking, true>},
      {"call.__cudaCDP2StreamDestroy", DropHandle},
      {"call.__cudaCDP2StreamWaitEvent", UseEvent<1>},
      {"call.__cudaCDP2StreamWaitEvent_ptsz", UseEvent<1>},
      {"call.__cudaCDP2EventCreateWithFlags", MakeHandle<kDisableTiming, false>},
      {"call.__cudaCDP2EventRecord", UseEvent<0>},
      {"call.__cudaCDP2EventRecord_ptsz", UseEvent<0>},
      {"call.__cudaCDP2EventDestroy", DropHandle},
      {"call.__cudaCDP2GetDevice", GiveNumber<0>},
      {"call.__cudaCDP2GetDeviceCount", GiveNumber<1>},
      {"call.__cudaCDP2DeviceGetAttribute", DeviceAttribute},
      {"call.__cudaCDP2Malloc", DeviceRuntimeMalloc},
      {"call.__cudaCDP2Free", DeviceRuntimeFree},
  };
  return {kEntries, std::size(kEntries)};
}

}  // namespace warpgrade::emulator
