// The words for findings: a table with a title and advice for each kind, and the layout. Tests:
// tests/cli/finding_text_test.cc, which also compares the table with emulator/checks/finding_kinds.def.
#include "grader/cli/finding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

constexpr size_t kLongestName = 200;
constexpr size_t kLongestMessage = 1000;

struct KindWords {
  std::string_view kind, title, advice;
};

// Sorted by severity, the worst first.
constexpr KindWords kKinds[] = {
    {"out-of-bounds", "out of bounds",
     "check how the index is computed; compare it with the array's size before the access"},
    {"use-after-free", "use after free",
     "free the memory after the last kernel that uses it; cudaFree does not set the pointer to null"},
    {"misaligned", "misaligned access",
     "access one element at a time where the address may not be a multiple of the access's size: look at the start of "
     "the array, the offset and the length of a row"},
    {"stack-overflow", "stack overflow",
     "bound the recursion, make its frame smaller, or raise cudaLimitStackSize with cudaDeviceSetLimit"},
    {"deadlock", "deadlock", "let every thread that a barrier waits for reach that barrier"},
    {"endless-loop", "kernel that did not end",
     "check the condition that ends the loop; if it waits for another block, both blocks must run at the same time"},
    {"trap", "trap", "the kernel stops itself here with a trap; find the condition that leads to it"},
    {"assert", "failed assertion", "the condition of the assert() is false for this thread; find out why"},
    {"unsupported", "not emulated", "run this program on a GPU, or do not use the feature"},
    // Before the races: a barrier that some threads skip orders nothing, so races follow from it.
    {"barrier-divergence", "barrier in divergent code",
     "move the barrier out of the branch or loop, to a place that all threads of the block reach"},
    {"shared-race", "race in shared memory",
     "put a __syncthreads() between the two accesses, where every thread of the block reaches it"},
    {"global-race", "race in global memory",
     "order the two accesses: use an atomic, a __threadfence() before the flag is set, or two launches"},
    {"unordered-volatile", "volatile accesses that nothing orders",
     "`volatile` orders nothing: put a __threadfence() before the flag or atomic that announces the first access, and "
     "another one after the second thread has read the flag"},
    {"stream-race", "race between streams",
     "let the later stream wait for the earlier one: cudaEventRecord and cudaStreamWaitEvent, or use one stream"},
    {"host-race", "race between host and device",
     "wait before the host touches it: cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize"},
    {"wrong-member-mask", "wrong member mask",
     "move the call to where all lanes of the mask reach it, or get the mask from __ballot_sync before the branch"},
    {"uninitialised-read", "read of uninitialised memory",
     "write it first: with cudaMemcpy or cudaMemset before the launch, or with a store and a barrier in the kernel"},
    {"invalid-copy", "copy outside of an allocation",
     "compare the count, which is in bytes, with the size of the allocation"},
    {"double-free", "double free", "free each allocation once; set the pointer to null after cudaFree"},
    {"invalid-free", "free of a pointer that is no allocation",
     "pass exactly the pointer that the allocation returned"},
    {"unchecked-error", "CUDA error that the program does not check",
     "call cudaGetLastError() after each launch, and check what every CUDA call returns"},
    {"leak", "leak", "free it with cudaFree before the program ends"},
};

// Advice for messages with `part` in them, where the advice of the kind does not fit.
struct Special {
  std::string_view kind, part, advice;
};
constexpr std::string_view kOneElement =
    "check how the index is computed; compare it with the array's size before the access; "
    "if the answer is one element, the partial results of several blocks need another array, "
    "and another launch combines them";
constexpr std::string_view kUseGivenStream =
    "give each launch and each copy the stream that your function gets: kernel<<<grid, block, shared_bytes, stream>>>";

constexpr Special kSpecials[] = {
    {"out-of-bounds", "this launch gives",
     "the third launch argument is the size of the `extern __shared__` array in bytes: n * sizeof(T) and not n; if it "
     "is right, check how the index is computed"},
    {"out-of-bounds", " before its start: ",
     "check how the index is computed: one such as `tid - step` needs a test before the access, `if (tid >= step)`"},
    {"out-of-bounds", " in shared memory, ",
     "check how the index is computed: before the access, one such as `tid + step` must be compared with the number of "
     "elements of this array, `if (tid + step < elements)`; an array of one element for each thread needs blockDim.x "
     "elements"},
    {"out-of-bounds", "the access goes",
     "if this access takes several elements at once, take them one at a time where the array has fewer left; otherwise "
     "look at the allocation: its size is in bytes, n * sizeof(T) and not n"},
    {"out-of-bounds", "past the end of d_out (4 bytes)", kOneElement},
    {"out-of-bounds", "past the end of d_out (8 bytes)", kOneElement},
    {"deadlock", "waits in this loop",
     "let a thread that can run at the same time write the value that this loop waits for, or leave out the wait"},
    {"out-of-bounds", "which is not in constant memory",
     "load it from global memory: ld.const is for `__constant__` variables"},
    {"out-of-bounds", "own local memory",
     "keep what several threads change in shared or global memory; a variable of one thread needs no atomic"},
    {"out-of-bounds", "parameters can only be read", "copy the parameter to a variable of the kernel, and change that"},
    {"out-of-bounds", "kernel's parameters", "load it from global memory: ld.param and st.param are for parameters"},
    {"stream-race", "gets, before the call", kUseGivenStream},
    {"stream-race", "when your function returns", kUseGivenStream},
    {"shared-race", "in the same instruction", "let one thread write, or use an atomic"},
    {"global-race", "in the same instruction", "let one thread write, or use an atomic"},
    {"shared-race", "__syncwarp",
     "put a __syncwarp() between the two accesses, because the lanes of a warp do not run in lockstep"},
    {"global-race", "__syncwarp",
     "put a __syncwarp() between the two accesses, because the lanes of a warp do not run in lockstep"},
    {"global-race", "no __syncthreads()",
     "put a __syncthreads() between the two accesses, where every thread of the block reaches it"},
    {"wrong-member-mask", "this shuffle stands in a branch",
     "move the shuffle out of the branch or loop, to where all lanes of the mask reach it, and use its result inside"},
    {"wrong-member-mask", "which does not name it", "let the mask name every lane that executes this call"},
    {"wrong-member-mask", "it is not in the member mask",
     "take values only from lanes that the mask names: use a smaller offset, or a mask of all lanes that take part"},
    {"wrong-member-mask", "it has returned from the kernel",
     "let no lane return before this call: put the bounds check around the accesses, not around the whole kernel"},
    {"wrong-member-mask", "it does not exist",
     "let the block size be a multiple of 32, or take no value from a lane past the end of the block"},
    {"wrong-member-mask", "matrix instruction",
     "let the block size be a multiple of 32, and let no lane return before this call"},
    {"uninitialised-read", "copy to the host",
     "launch the kernel that writes this array before the copy, and check that kernel and copy use the same array"},
    {"uninitialised-read", "in shared memory",
     "let every thread of the block store its element, also at the edges; where the input has no element, store a "
     "value "
     "that changes nothing in the result, or do not read it; put a __syncthreads() before this line if there is none; "
     "let no thread return before the barrier; if all this is "
     "so, the index is wrong: this line reads another element than the one that was stored"},
    {"uninitialised-read", "local", "give the variable or array element a value on every path to this line"},
};

const KindWords* WordsOf(std::string_view kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return &words;
  }
  return nullptr;
}

std::string Toned(const std::string& text, const char* code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}
constexpr const char* kRed = "1;31";
constexpr const char* kBold = "1";
constexpr const char* kDim = "2";

std::string Text(const emulator::Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }

// "file:line" and below it the line's text, where there is one.
std::string PlaceText(const SourcePlace& place, std::string_view label, SourceLines& source, bool colour) {
  const std::string where = fmt::format("{}:{}", Printable(ShownPath(place.file), kLongestName), place.line);
  std::string text = fmt::format("  {}{}\n", label, Toned(where, kBold, colour));
  if (const auto line = source.Text(place.file, place.line)) {
    text += fmt::format("{} {}\n", Toned(fmt::format("{:>8} |", place.line), kDim, colour), *line);
  }
  return text;
}

}  // namespace

std::string FindingTitle(const std::string& kind) {
  const KindWords* words = WordsOf(kind);
  return words == nullptr || words->title == kind ? kind : fmt::format("{} ({})", words->title, kind);
}

std::string FindingWho(const SeenFinding& finding) {
  std::string text = fmt::format("block {}, thread {}", Text(finding.block), Text(finding.thread));
  if (finding.count > 1) text += fmt::format("; seen {} times", finding.count);
  return text;
}

std::string_view AdviceFor(const std::string& kind, const std::string& message) {
  for (const Special& special : kSpecials) {
    if (kind == special.kind && message.find(special.part) != std::string::npos) return special.advice;
  }
  const KindWords* words = WordsOf(kind);
  return words == nullptr ? std::string_view() : words->advice;
}

std::vector<std::string_view> AllFindingKinds() {
  std::vector<std::string_view> kinds;
  for (const KindWords& words : kKinds) kinds.push_back(words.kind);
  return kinds;
}

size_t SeverityRank(const std::string& kind) {
  const KindWords* words = WordsOf(kind);
  return words == nullptr ? std::size(kKinds) : static_cast<size_t>(words - kKinds);
}

void SortWorstFirst(std::vector<SeenFinding>* findings) {
  std::stable_sort(findings->begin(), findings->end(), [](const SeenFinding& a, const SeenFinding& b) {
    return SeverityRank(a.kind) < SeverityRank(b.kind);
  });
}

std::string FindingText(const SeenFinding& finding, SourceLines& source, bool colour) {
  const KindWords* words = WordsOf(finding.kind);
  const std::string title = words == nullptr ? finding.kind : std::string(words->title);
  std::string head = Toned(title, kRed, colour);
  if (title != finding.kind) head += fmt::format(" ({})", finding.kind);
  if (!finding.kernel.empty()) head += " in " + Printable(finding.kernel, kLongestName);
  std::string text = fmt::format("warpgrade: {}\n", head);
  if (!finding.place.file.empty()) {
    text += PlaceText(finding.place, "", source, colour);
  } else if (finding.ptx_line > 0) {
    text += fmt::format("  line {} of the PTX; compile with -lineinfo to see the source\n", finding.ptx_line);
  }
  const bool on_host = !finding.host_places.empty();
  if (on_host && finding.place.file.empty() && finding.host_places[0].address != 0) {
    text += "  line not known; compile with -g to see the lines of host code\n";
  }
  // A finding in host code has no thread.
  if (!on_host && (!finding.place.file.empty() || finding.ptx_line > 0))
    text += fmt::format("  who    {}\n", FindingWho(finding));
  text += fmt::format("  what   {}\n", Printable(finding.message, kLongestMessage));
  if (finding.other && !finding.other->file.empty()) text += PlaceText(*finding.other, "other  ", source, colour);
  const std::string_view general = AdviceFor(finding.kind, finding.message);
  if (const std::string_view advice = finding.advice.empty() ? general : finding.advice; !advice.empty())
    text += fmt::format("  to do  {}\n", Printable(std::string(advice), kLongestMessage));
  return text;
}

std::string FindingsText(const std::vector<SeenFinding>& findings, SourceLines& source, bool colour) {
  std::string text;
  const size_t shown = std::min(findings.size(), kFindingsShown);
  for (size_t i = 0; i < shown; ++i) text += (i > 0 ? "\n" : "") + FindingText(findings[i], source, colour);
  if (shown < findings.size()) {
    const size_t more = findings.size() - shown;
    text += fmt::format("\nwarpgrade: {} {} not shown; --json FILE writes all of them\n", Counted(more, "more finding"),
                        IsOrAre(more));
  }
  return text;
}

std::string FindingsSummary(const std::vector<SeenFinding>& findings) {
  if (findings.empty()) return "warpgrade: no findings\n";
  std::set<std::string> kernels;
  bool host = false;
  for (const SeenFinding& finding : findings) {
    if (finding.kernel.empty()) {
      host = true;
    } else {
      kernels.insert(finding.kernel);
    }
  }
  std::string where;
  if (!kernels.empty()) where = " in " + Counted(kernels.size(), "kernel");
  if (host) where += kernels.empty() ? " in host code" : " and in host code";
  return fmt::format("warpgrade: {}{}\n", Counted(findings.size(), "finding"), where);
}

}  // namespace warpgrade::cli
