// What a process may still do after a fork. A child of a process that used the device has no device, as with CUDA: its
// calls fail with cudaErrorInitializationError, and it reports nothing of what its parent did. A child of a process
// that only has kernels may use them.
#pragma once

#include <mutex>

namespace warpgrade::cudart {

// From now on a fork gives a child without a device. Thread-safe.
void DeviceIsUsed();
// This process is such a child. Thread-safe.
bool IsForkedChild();

// Keeps the lock in order over forks: a child has no other thread that could give it back. To be called once.
void KeepLockOverForks(std::mutex& mutex);

}  // namespace warpgrade::cudart
