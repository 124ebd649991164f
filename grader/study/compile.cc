// What the compiler makes of a kernel: the stages from .cu to the fatbinary, the figures of `ptxas -v`, and what some
// options change. It calls nvcc, ptxas and fatbinary, and needs no GPU. Tested by tests/study/compile_test.cc.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grader/study/programs.h"
#include "grader/study/ptxas.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

const char* const kPtxasArch = "-arch=sm_75";

// Calls the tools of one study. The first error stays.
class Compiler {
 public:
  explicit Compiler(Machine& machine) : machine_(machine) { Keep(machine.Write("compile.cu", kCompileProgram)); }

  // The output of a call that must succeed.
  std::string Call(const std::string& tool, const std::vector<std::string>& arguments) {
    if (error_) return "";
    const auto end = machine_.Call(tool, arguments);
    if (!end) return Lose(end.error());
    if (end->exit_code == 0) return end->output;
    return Lose({ErrorKind::kMachine, fmt::format("{} failed: {}", tool, end->output)});
  }
  // The output of a call that must fail.
  std::string Refusal(const std::string& tool, const std::vector<std::string>& arguments) {
    if (error_) return "";
    const auto end = machine_.Call(tool, arguments);
    if (!end) return Lose(end.error());
    if (end->exit_code != 0) return end->output;
    return Lose({ErrorKind::kMachine, fmt::format("{} accepted what it should refuse", tool)});
  }
  std::string Read(const std::string& name) {
    if (error_) return "";
    auto content = machine_.Read(name);
    return content ? *content : Lose(content.error());
  }
  // The machine code of a kernel in a cubin.
  std::string CodeOf(const std::string& cubin, const std::string& kernel) {
    const std::string file = Read(cubin);
    if (error_) return "";
    const auto code = SectionOf(file, ".text." + kernel);
    return code ? std::string(*code) : Lose({ErrorKind::kMachine, cubin + " has no code of " + kernel});
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  void Keep(const Status& status) {
    if (!status.ok() && !error_) error_ = status.error();
  }
  std::string Lose(const Error& error) {
    if (!error_) error_ = error;
    return "";
  }

  Machine& machine_;
  std::optional<Error> error_;
};

void AddBar(plot::Chart* chart, size_t series, double value) {
  chart->series.at(series).points.push_back(plot::Exact(static_cast<double>(chart->categories.size()), value));
}

// The files from the source to the object, by their sizes.
plot::Chart Stages(Compiler& compiler) {
  plot::Chart chart{
      .id = "stages", .title = "From the source to the object", .x = {"file"}, .y = {"bytes"}, .series = {{"bytes"}}};
  const auto add = [&chart](const std::string& name, size_t bytes) {
    AddBar(&chart, 0, static_cast<double>(bytes));
    chart.categories.push_back(name);
  };
  compiler.Call("nvcc", {"-ptx", "-arch=compute_75", "compile.cu", "-o", "compile.ptx"});
  compiler.Call("ptxas", {kPtxasArch, "compile.ptx", "-o", "compile.cubin"});
  compiler.Call("fatbinary", {"--create", "compile.fatbin", "--image3=kind=elf,sm=75,file=compile.cubin",
                              "--image3=kind=ptx,sm=75,file=compile.ptx"});
  compiler.Call("nvcc", {"-c", "-gencode", "arch=compute_75,code=[compute_75,sm_75]", "compile.cu", "-o", "compile.o"});
  for (const char* file : {"compile.cu", "compile.ptx", "compile.cubin", "compile.fatbin", "compile.o"}) {
    add(file, compiler.Read(file).size());
  }
  const std::string object = compiler.Read("compile.o");
  const auto inside = SectionOf(object, ".nv_fatbin");
  chart.sentences = {
      "nvcc -ptx -arch=compute_75 makes PTX, for a virtual GPU; ptxas -arch=sm_75 makes machine code from it, a cubin.",
      fmt::format("fatbinary puts both into one file. The host's object has a fatbinary in its section .nv_fatbin: {} "
                  "bytes. The PTX in it is compressed.",
                  inside ? inside->size() : 0),
      "At run time the driver takes machine code for its GPU, or else compiles the PTX."};
  compiler.Call("nvcc", {"-ptx", "-arch=compute_90", "compile.cu", "-o", "newer.ptx"});
  const std::string refusal = compiler.Refusal("ptxas", {kPtxasArch, "newer.ptx", "-o", "newer.cubin"});
  chart.sentences.push_back(
      "The real GPU must be at least as new as the virtual one. ptxas -arch=sm_75 refuses PTX of "
      "compute_90: " +
      refusal.substr(0, refusal.find('\n')));
  return chart;
}

struct PtxasCall {
  const char* name;
  const char* kernel;
  std::vector<std::string> options;
};

// What ptxas -v says, for each kernel and for options that matter to it.
std::vector<plot::Chart> Resources(Compiler& compiler) {
  const std::vector<PtxasCall> calls = {
      {"polynomials", "polynomials", {"compile.ptx"}},
      {"polynomials, __restrict__", "polynomials", {"restrict.ptx"}},
      {"smooth", "smooth", {"compile.ptx"}},
      {"smooth, -maxrregcount=24", "smooth", {"-maxrregcount=24", "compile.ptx"}},
      {"pick", "pick", {"compile.ptx"}},
  };
  plot::Chart registers{.id = "registers",
                        .title = "Registers of a thread",
                        .x = {"kernel"},
                        .y = {"registers"},
                        .series = {{"registers"}}};
  plot::Chart bytes{.id = "bytes",
                    .title = "Memory of a thread, and the constants of the kernel",
                    .x = {"kernel"},
                    .y = {"bytes"},
                    .series = {{"stack"}, {"spill stores"}, {"spill loads"}, {"cmem[0]"}}};
  for (const PtxasCall& call : calls) {
    std::vector<std::string> arguments = {"-v", kPtxasArch};
    arguments.insert(arguments.end(), call.options.begin(), call.options.end());
    arguments.insert(arguments.end(), {"-o", "any.cubin"});
    const KernelResources use = ReadResources(compiler.Call("ptxas", arguments))[call.kernel];
    AddBar(&registers, 0, use.registers);
    AddBar(&bytes, 0, use.stack_bytes);
    AddBar(&bytes, 1, use.spill_stores_bytes);
    AddBar(&bytes, 2, use.spill_loads_bytes);
    AddBar(&bytes, 3, use.constant_bytes);
    registers.categories.emplace_back(call.name);
    bytes.categories.emplace_back(call.name);
  }
  const auto stack = [&bytes](size_t bar) { return bytes.series[0].points[bar].y; };
  registers.sentences = {"The figures are those of nvcc -Xptxas -v, for sm_75."};
  bytes.sentences = {
      "A spill is a value for which no register is left: it goes to local memory, in the stack frame, and comes back.",
      fmt::format("pick has a stack of {} bytes without a spill: its array has an index that is known only at run "
                  "time, and registers have no addresses.",
                  stack(4)),
      "cmem[0] holds the parameters of the kernel, behind 352 bytes of the driver's."};
  return {registers, bytes};
}

// What __restrict__ and -dlcm change in the loads.
plot::Chart Loads(Compiler& compiler) {
  const std::string kernel = "polynomials";
  plot::Chart chart{.id = "loads",
                    .title = "Loads of polynomials, in the text of the kernel",
                    .x = {"option"},
                    .y = {"instructions"},
                    .series = {{"loads"}, {"of them read-only"}, {"machine instructions"}}};
  for (const auto& [name, ptx, cubin] : {std::tuple("without", "compile.ptx", "compile.cubin"),
                                         std::tuple("with __restrict__", "restrict.ptx", "restrict.cubin")}) {
    compiler.Call("ptxas", {kPtxasArch, ptx, "-o", cubin});
    const std::string text = compiler.Read(ptx);
    AddBar(&chart, 0, static_cast<double>(InstructionsOf(text, kernel, "ld.global")));
    AddBar(&chart, 1, static_cast<double>(InstructionsOf(text, kernel, "ld.global.nc")));
    const size_t instructions = compiler.CodeOf(cubin, kernel).size() / kInstructionBytes;
    AddBar(&chart, 2, static_cast<double>(instructions));
    chart.categories.emplace_back(name);
  }
  compiler.Call("ptxas", {kPtxasArch, "-dlcm=ca", "compile.ptx", "-o", "ca.cubin"});
  compiler.Call("ptxas", {kPtxasArch, "-dlcm=cg", "compile.ptx", "-o", "cg.cubin"});
  const std::string all = compiler.CodeOf("ca.cubin", kernel), l2_only = compiler.CodeOf("cg.cubin", kernel);
  chart.sentences = {
      "With __restrict__ the compiler knows that a store to y changes neither x nor the coefficients. So it loads each "
      "of them once, and may read them by way of the read-only cache (ld.global.nc).",
      fmt::format("nvcc -Xptxas -dlcm=cg lets loads use the L2 cache only, -dlcm=ca also L1: {} of {} machine "
                  "instructions differ.",
                  DifferentInstructions(all, l2_only), all.size() / kInstructionBytes)};
  return chart;
}

}  // namespace

Result<plot::Plot> StudyCompile(Machine& machine) {
  Compiler compiler(machine);
  plot::Plot plot;
  plot.title = "Compilation: from .cu to machine code, and what ptxas says";
  plot.facts = {{"Device", "none: nothing runs"}, {"Sizes", "three kernels, for sm_75"}};
  plot.charts = {Stages(compiler)};
  compiler.Call("nvcc", {"-ptx", "-arch=compute_75", "-DREAD_ONLY", "compile.cu", "-o", "restrict.ptx"});
  for (const plot::Chart& chart : Resources(compiler)) plot.charts.push_back(chart);
  plot.charts.push_back(Loads(compiler));
  if (compiler.error()) return *compiler.error();
  return plot;
}

}  // namespace warpgrade::study
