// Memory fences: data is written, then a fence, then a flag; who sees the flag and passes a fence sees the data.
#include "feature.h"

struct Mailbox {
  int data[4];
  int full;
};

__global__ void Pass(Mailbox* boxes, int* out, int* ticket) {
  __shared__ int place;  // by arrival, so that the sender of the mail has always started
  if (threadIdx.x == 0) place = atomicAdd(ticket, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int values[4] = {1, 2, 3, 4};
  if (place > 0) {
    const Mailbox* from = &boxes[place - 1];
    while (*const_cast<volatile int*>(&from->full) == 0) {
    }
    __threadfence();
    for (int i = 0; i < 4; ++i) values[i] = *const_cast<volatile int*>(&from->data[i]) * (i + 2) + place;
  }
  for (int i = 0; i < 4; ++i) *const_cast<volatile int*>(&boxes[place].data[i]) = values[i];
  for (int i = 0; i < 4; ++i) out[4 * place + i] = values[i];
  __threadfence();
  *const_cast<volatile int*>(&boxes[place].full) = 1;
}

__global__ void WithinBlock(int* out) {
  __shared__ volatile int data[32], full;
  if (threadIdx.x == 32) full = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[threadIdx.x] = threadIdx.x * threadIdx.x;
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 0) full = 1;
  } else {
    while (full == 0) {
    }
    __threadfence_block();
    out[threadIdx.x - 32] = data[63 - threadIdx.x];
  }
}

int main() {
  constexpr int kBlocks = 12;
  int got[4 * kBlocks], want[4 * kBlocks], squares[32], wanted_squares[32];
  for (int i = 0; i < 4; ++i) want[i] = i + 1;
  for (int k = 4; k < 4 * kBlocks; ++k)
    want[k] = static_cast<int>(static_cast<unsigned>(want[k - 4]) * (k % 4 + 2) + k / 4);
  for (int i = 0; i < 32; ++i) wanted_squares[i] = (31 - i) * (31 - i);
  DeviceArray<Mailbox> boxes(kBlocks);
  DeviceArray<int> out(4 * kBlocks), ticket(1), d_squares(32);
  boxes.Fill(0);
  ticket.Fill(0);
  Pass<<<kBlocks, 32>>>(boxes, out, ticket);
  WithinBlock<<<1, 64>>>(d_squares);
  FINISH();
  out.CopyTo(got);
  d_squares.CopyTo(squares);
  ExpectSame("out", got, want, 4 * kBlocks);
  ExpectSame("squares", squares, wanted_squares, 32);
  Out(got, sizeof got);
  Out(squares, sizeof squares);
  return Verdict();
}
