// Loads, stores and atomics in every memory space, checked byte by byte: the tables behind global_access_test.cc,
// shared_access_test.cc and local_access_test.cc.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::emulator {

// How a space is addressed: which modifier the instruction has, and how an offset becomes an address.
struct MemorySpace {
  const char* name;      // for messages
  const char* modifier;  // ".shared", "" for generic
  const char* key;       // what follows ld, st, atom in the handler's key: ".shared.a32"
  // PTX that makes `%base`, the address of the space's first byte, a 64-bit register; or `%base32`, a 32-bit one.
  const char* base;
  bool narrow;  // addresses are 32 bits wide
  bool atomics;
};
inline constexpr MemorySpace kGlobalSpace{"global", ".global", ".global", "mov.u64 %base, arena;", false, true};
inline constexpr MemorySpace kSharedSpace{"shared", ".shared", ".shared", "mov.u64 %base, shared_arena;", false, true};
inline constexpr MemorySpace kShared32Space{"shared, 32-bit addresses",       ".shared", ".shared.a32",
                                            "mov.u32 %base32, shared_arena;", true,      true};
inline constexpr MemorySpace kLocalSpace{"local", ".local", ".local", "mov.u64 %base, local_arena;", false, false};
inline constexpr MemorySpace kGenericGlobal{"generic to global", "", "", "cvta.global.u64 %base, arena;", false, true};
inline constexpr MemorySpace kGenericShared{
    "generic to shared", "", "", "cvta.shared.u64 %base, shared_arena;", false, true};
inline constexpr MemorySpace kGenericLocal{
    "generic to local", "", "", "mov.u64 %base, local_arena; cvta.local.u64 %base, %base;", false, false};

std::vector<std::string> LoadKeys(const MemorySpace& space);
std::vector<std::string> StoreKeys(const MemorySpace& space);
std::vector<std::string> AtomicKeys(const MemorySpace& space);

// Run every form of the space over address patterns (a run, permuted, all the same, some lanes off) and compare with
// plain byte copies.
void CheckLoads(const MemorySpace& space);
void CheckStores(const MemorySpace& space);
// atom and red, lane after lane in order.
void CheckAtomics(const MemorySpace& space);

}  // namespace warpgrade::emulator
