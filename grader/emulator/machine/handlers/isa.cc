#include "grader/emulator/machine/handlers/isa.h"

namespace warpgrade::emulator {
namespace {

std::string NotInThisBuild(std::string_view isa, std::string_view build_folder) {
  const std::string folder(build_folder);
  return "this build of the emulator was not compiled for " + std::string(isa) +
         ". Compile it for every processor with: cmake -DWARPGRADE_ISAS=all " + folder + " && cmake --build " + folder +
         " --parallel $(nproc) --target kit";
}

}  // namespace

IsaSet MachineIsas() {
  IsaSet machine;
#if defined(__x86_64__)
  __builtin_cpu_init();
  machine.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  machine.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
  return machine;
}

Result<Isa> ChooseIsa(std::string_view wanted, IsaSet machine, IsaSet build, std::string_view build_folder) {
  const auto error = [](std::string text) { return Error{ErrorKind::kMachine, std::move(text)}; };
  if (!wanted.empty()) {
    const std::string setting = "WARPGRADE_EMULATOR_ISA=" + std::string(wanted) + ": ";
    if (wanted != "avx2" && wanted != "avx512") return error(setting + "write avx2 or avx512, or unset it");
    const bool is_avx512 = wanted == "avx512";
    if (!(is_avx512 ? machine.avx512 : machine.avx2))
      return error(setting + "this processor does not have it; unset it");
    if (!(is_avx512 ? build.avx512 : build.avx2)) return error(setting + NotInThisBuild(wanted, build_folder));
    return is_avx512 ? Isa::kAvx512 : Isa::kAvx2;
  }
  if (machine.avx512 && build.avx512) return Isa::kAvx512;
  if (machine.avx2 && build.avx2) return Isa::kAvx2;
  if (machine.avx2) return error(NotInThisBuild("this processor", build_folder));
  return error("the emulator needs a processor with AVX2 and FMA (any x86 since about 2013)");
}

}  // namespace warpgrade::emulator
