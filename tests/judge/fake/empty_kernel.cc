// In place of the worker's empty kernel, which the fake runtime cannot launch. Linked as an object, so that the linker
// never takes the real one out of the worker's archive.
#include "grader/worker/empty_kernel.h"

#include <unistd.h>

extern "C" void warpgrade_worker_launch_empty_kernel(cudaStream_t, uint32_t microseconds) { usleep(microseconds); }
