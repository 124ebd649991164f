// The names that a program imports when it is compiled with --default-stream per-thread: the same functions, to which a
// stream of 0 is the calling thread's own. Each is an indirect function of its row in exports.def, which the dynamic
// linker resolves. Tested by tests/cudart/programs_test.cc (programs/per_thread_stream.cu) and by tests/programs.
#include "grader/cudart/api/api.h"
#include "grader/cudart/default_stream.h"

using warpgrade::cudart::PerThread;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // NVIDIA's mark on functions that programs may still call
extern "C" {

#define WARPGRADE_EXPORT(name)
#define WARPGRADE_EXPORT_ALIAS(name_suffix, name)                                        \
  static decltype(&(name)) Resolve_##name_suffix() { return &PerThread<&(name)>::Call; } \
  __attribute__((visibility("default"), ifunc("Resolve_" #name_suffix))) extern decltype(name) name_suffix;
#include "grader/cudart/api/exports.def"
#undef WARPGRADE_EXPORT
#undef WARPGRADE_EXPORT_ALIAS

}  // extern "C"
#pragma GCC diagnostic pop
