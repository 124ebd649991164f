// A ticket lock: blocks are served in the order in which they drew their numbers.
#include "program.h"

struct TicketLock {
  int next, serving;
};

__global__ void Append(TicketLock* lock, int* length, int* list) {
  if (threadIdx.x > 0) return;
  const int ticket = atomicAdd(&lock->next, 1);
  while (*static_cast<volatile int*>(&lock->serving) != ticket) {
  }
  __threadfence();
  list[*length] = ticket;
  *length += 1;
  __threadfence();
  atomicAdd(&lock->serving, 1);
}

int main() {
  constexpr int kBlocks = 24;
  DeviceArray<TicketLock> lock(1);
  DeviceArray<int> length(1), list(kBlocks);
  lock.Fill(0);
  length.Fill(0);
  Append<<<kBlocks, 32>>>(lock, length, list);
  FINISH();
  int got[kBlocks];
  list.CopyTo(got);
  for (int i = 0; i < kBlocks; ++i) EXPECT(got[i] == i);
  PrintOut(got, sizeof got);
  return 0;
}
