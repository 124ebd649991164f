// A spin lock that each lane of a warp takes in turn: lanes that wait must not keep the one that holds it from going
// on.
#include "feature.h"

struct Account {
  int lock;
  int balance;
  int transfers;
};

__device__ void Lock(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void Unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void Transfer(Account* accounts, int n, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    const int one = Mix(thread * 31 + round) % n, other = (one + 1 + thread % (n - 1)) % n;
    Account* first = &accounts[one < other ? one : other];  // always in this order: no two wait for each other
    Account* second = &accounts[one < other ? other : one];
    Lock(&first->lock);
    Lock(&second->lock);
    volatile int* from = &first->balance;
    volatile int* to = &second->balance;
    *from = *from - thread;
    *to = *to + thread;
    volatile int* transfers = &first->transfers;
    *transfers = *transfers + 1;
    Unlock(&second->lock);
    Unlock(&first->lock);
  }
}

int main() {
  constexpr int kAccounts = 5, kBlocks = 3, kThreads = 64, kRounds = 2;
  Account got[kAccounts], want[kAccounts];
  for (Account& account : want) account = {0, 100000, 0};
  DeviceArray<Account> accounts(want, kAccounts);
  for (int thread = 0; thread < kBlocks * kThreads; ++thread) {
    for (int round = 0; round < kRounds; ++round) {
      const int one = Mix(thread * 31 + round) % kAccounts, other = (one + 1 + thread % (kAccounts - 1)) % kAccounts;
      Account& first = want[one < other ? one : other];
      first.balance -= thread;
      ++first.transfers;
      want[one < other ? other : one].balance += thread;
    }
  }
  Transfer<<<kBlocks, kThreads>>>(accounts, kAccounts, kRounds);
  FINISH();
  accounts.CopyTo(got);
  ExpectSame("accounts (lock, balance, transfers)", &got[0].lock, &want[0].lock, 3 * kAccounts);
  Out(got, sizeof got);
  return Verdict();
}
