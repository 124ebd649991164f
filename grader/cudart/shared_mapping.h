// Memory that host and device share: pinned, managed, and managed variables. The host maps it at its device address, so
// that one pointer works on both sides.
#pragma once

#include <driver_types.h>

#include <cstdint>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

class ErrorState;

// Maps the device's shared memory [base, base + bytes) at the same addresses of this process. Errors, explained on
// stderr: cudaErrorMemoryAllocation, when this process uses those addresses otherwise; those of Backend::Share.
cudaError_t MapShared(Backend& backend, ErrorState& errors, DevicePtr base, uint64_t bytes);

// REQUIRES: MapShared mapped this range.
void UnmapShared(DevicePtr base, uint64_t bytes);

}  // namespace warpgrade::cudart
