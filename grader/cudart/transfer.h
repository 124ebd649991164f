// Copies between any two places, with the checks that make a wrong one an error instead of a crash.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "grader/cudart/device/backend.h"
#include "grader/cudart/graph.h"

namespace warpgrade::cudart {

struct Runtime;

// A rectangle of `height` rows, `width` bytes each, whose rows start `pitch` bytes apart; a plain range has one row.
struct Shape {
  size_t width = 0;
  size_t height = 1;
};

// Copies `shape` from `from` to `to`. Errors, explained on stderr: cudaErrorInvalidMemcpyDirection (no such kind);
// cudaErrorInvalidPitchValue (a pitch below the width); cudaErrorInvalidValue (a null pointer, a pointer that is not
// where `kind` says, a range that leaves its allocation, or ranges that overlap). Nothing is copied then.
cudaError_t Transfer(Runtime& runtime, void* to, size_t to_pitch, const void* from, size_t from_pitch, Shape shape,
                     cudaMemcpyKind kind);

// The error that Transfer would give, or Set.
cudaError_t CheckTransfer(Runtime& runtime, void* to, size_t to_pitch, const void* from, size_t from_pitch, Shape shape,
                          cudaMemcpyKind kind);
cudaError_t CheckSet(Runtime& runtime, void* to, size_t pitch, Shape shape);
// What a copy of one row uses of memory that the host reaches too.
std::vector<HostVisibleBytes> HostVisibleOf(Runtime& runtime, const void* to, const void* from, const Shape& shape);

// The pointer is to host memory that is neither pinned nor registered. An asynchronous copy has read such a source when
// it returns, and has written such a destination.
bool IsPageable(Runtime& runtime, const void* pointer);

// Keeps a copy of a pageable source of `shape` until the work that `make` gives for it is done. If the source is not
// pageable, gives the work for the source itself.
DeviceWork KeepSource(Runtime& runtime, const void* from, size_t from_pitch, Shape shape,
                      const std::function<DeviceWork(const void*)>& make);

// Copies a box of pitched memory. Errors as Transfer; cudaErrorNotSupported: an end is a CUDA array.
cudaError_t Transfer3D(Runtime& runtime, const cudaMemcpy3DParms& parameters);

// Sets each byte of a rectangle on the device. Errors as Transfer.
cudaError_t Set(Runtime& runtime, void* to, size_t pitch, int value, Shape shape);

// Sets each byte of a box of pitched memory. Errors as Transfer.
cudaError_t Set3D(Runtime& runtime, const cudaPitchedPtr& memory, int value, const cudaExtent& extent);

}  // namespace warpgrade::cudart
