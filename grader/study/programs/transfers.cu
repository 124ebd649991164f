// Copies of 1 KB to 256 MB, to the device and to the host, from and to pinned and pageable memory. Every copy is
// compared with what was sent. A time is that of the host, from the call until the copy is done.
#include "measure.h"

static const size_t kSmallest = 1 << 10, kLargest = size_t(256) << 20, kLargestOnEmulator = 1 << 20;
static const int kWarmUps = 2, kRuns = 21, kRunsOfLarge = 7;
static const size_t kLarge = 16 << 20;

struct Memory {
  char *sent, *here, *there;  // what is sent; the host's memory; the device's
  size_t bytes;
};

static void FillDifferently(char* bytes, size_t count, int run) {
  for (size_t i = 0; i < count; i += 512) bytes[i] = char(i / 512 + size_t(run) * 7);  // a place in each 512 is enough
  bytes[count - 1] = char(run);
}

// Times one copy, and ends the program if other bytes arrive.
static double CopyOnce(const Memory& m, bool to_device, int run) {
  FillDifferently(m.sent, m.bytes, run);
  if (to_device) {
    memcpy(m.here, m.sent, m.bytes);
    MUST(cudaMemset(m.there, 0, m.bytes));
  } else {
    MUST(cudaMemcpy(m.there, m.sent, m.bytes, cudaMemcpyHostToDevice));
    memset(m.here, 0, m.bytes);
  }
  MUST(cudaDeviceSynchronize());
  const double begin = Microseconds();
  if (to_device) {
    MUST(cudaMemcpy(m.there, m.here, m.bytes, cudaMemcpyHostToDevice));
  } else {
    MUST(cudaMemcpy(m.here, m.there, m.bytes, cudaMemcpyDeviceToHost));
  }
  MUST(cudaDeviceSynchronize());
  const double time = Microseconds() - begin;
  if (to_device) {
    memset(m.here, 0, m.bytes);
    MUST(cudaMemcpy(m.here, m.there, m.bytes, cudaMemcpyDeviceToHost));
  }
  if (memcmp(m.here, m.sent, m.bytes) != 0) {
    fprintf(stderr, "a copy of %zu bytes brought other bytes than those that were sent\n", m.bytes);
    exit(1);
  }
  return time;
}

int main() {
  const bool has_times = BeginRows();
  const size_t largest = has_times ? kLargest : kLargestOnEmulator;
  char *sent = static_cast<char*>(calloc(largest, 1)), *pageable = static_cast<char*>(calloc(largest, 1));
  char *pinned = nullptr, *there = nullptr;
  if (sent == nullptr || pageable == nullptr) return 1;
  MUST(cudaMallocHost(&pinned, largest));
  MUST(cudaMalloc(&there, largest));
  for (int way = 0; way < 4; ++way) {
    static const char* const kNames[] = {"up, pinned", "up, pageable", "down, pinned", "down, pageable"};
    const bool to_device = way < 2, is_pinned = way % 2 == 0;
    for (size_t bytes = kSmallest; bytes <= largest; bytes *= 4) {
      const Memory memory = {sent, is_pinned ? pinned : pageable, there, bytes};
      const int runs = !has_times ? 1 : kWarmUps + (bytes < kLarge ? kRuns : kRunsOfLarge);
      Samples times;
      for (int run = 0; run < runs; ++run) {
        const double time = CopyOnce(memory, to_device, run);
        if (run >= kWarmUps) times.Add(time);
      }
      Row("arrived", kNames[way], double(bytes), double(bytes), double(bytes), double(bytes));
      if (has_times) times.Print("time", kNames[way], double(bytes));
    }
  }
  free(sent);
  free(pageable);
  MUST(cudaFreeHost(pinned));
  MUST(cudaFree(there));
  return 0;
}
