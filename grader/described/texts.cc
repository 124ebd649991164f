// Prints C++ with fmt. Every name in it was checked by the reader of lab.yaml (letters, digits and "_"), so no text of
// a file can become anything but a name. Tests: tests/described/described_lab_test.cc, which compiles what is printed.
#include "grader/described/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace warpgrade::described {
namespace {

std::string TypeIn(const BufferRow& buffer, std::string_view any) {
  return std::string(buffer.type != nullptr ? buffer.type->name : any);
}

// The parameters behind the arrays.
void AddNumbers(const Description& lab, std::vector<std::string>* parameters) {
  for (const std::vector<Parameter>* numbers : {&lab.sizes, &lab.scalars}) {
    for (const Parameter& one : *numbers) parameters->push_back(fmt::format("{} {}", one.type->name, one.name));
  }
}

std::vector<std::string> ReferenceParameters(const Description& lab, int32_t variant) {
  std::vector<std::string> parameters;
  for (const BufferRow& buffer : lab.buffers) {
    const ElementType& type = lab.TypeOf(buffer, variant);
    parameters.push_back(buffer.is_output ? fmt::format("{}* {}", type.of_reference(), buffer.name)
                                          : fmt::format("const {}* {}", type.name, buffer.name));
  }
  AddNumbers(lab, &parameters);
  return parameters;
}

std::string Macro(const Description& lab) {
  std::string name = lab.name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name + "_INSTANTIATE";
}

std::string ShapeText(const BufferRow& buffer) {
  std::vector<std::string> lengths;
  for (const Expression& length : buffer.shape) {
    const bool is_simple = length.text().find(' ') == std::string::npos || buffer.shape.size() == 1;
    lengths.push_back(is_simple ? length.text() : "(" + length.text() + ")");
  }
  return fmt::format("{}", fmt::join(lengths, " x "));
}

// What the arrays are, as lines of a comment.
std::string ArraysText(const Description& lab) {
  size_t widest = 0;
  for (const BufferRow& buffer : lab.buffers) widest = std::max(widest, buffer.name.size());
  std::string text;
  for (const BufferRow& buffer : lab.buffers) {
    text += fmt::format("//   {:<{}}  {} {} of type {}\n", buffer.name, widest,
                        buffer.is_output ? "output, any values before the call:" : "input:", ShapeText(buffer),
                        TypeIn(buffer, "T"));
  }
  return text;
}

}  // namespace

std::string FunctionSignature(const Description& lab, std::string_view type) {
  std::vector<std::string> parameters;
  for (const BufferRow& buffer : lab.buffers) {
    parameters.push_back(fmt::format("{}{}* {}", buffer.is_output ? "" : "const ", TypeIn(buffer, type), buffer.name));
  }
  AddNumbers(lab, &parameters);
  parameters.emplace_back("cudaStream_t stream");
  return fmt::format("void {}({})", lab.function, fmt::join(parameters, ", "));
}

std::string LastLine(const Description& lab) { return lab.types.empty() ? "" : Macro(lab) + "();"; }

std::string ReferenceSignature(const Description& lab) {
  std::vector<std::string> all;
  all.reserve(static_cast<size_t>(lab.variants()));
  for (int32_t variant = 0; variant < lab.variants(); ++variant) {
    all.push_back(fmt::format("void Reference({})", fmt::join(ReferenceParameters(lab, variant), ", ")));
  }
  return fmt::format("{}", fmt::join(all, " and "));
}

std::string HeaderText(const Description& lab) {
  std::string text = fmt::format(
      "// {}: what you implement, once per rung. Made from lab.yaml; do not edit.\n"
      "#pragma once\n"
      "\n"
      "#include <cstddef>\n"
      "#include <cstdint>\n"
      "\n"
      "#include \"labs/not_written.h\"\n"
      "\n"
      "// The same declaration as the CUDA headers' own, so that this header needs none of them.\n"
      "typedef struct CUstream_st* cudaStream_t;\n"
      "\n"
      "{}"
      "//\n"
      "// The arrays are in device memory. They do not overlap, and one without elements may be null. Launches on\n"
      "// `stream` and returns.\n",
      lab.name, ArraysText(lab));
  if (lab.types.empty()) return text + FunctionSignature(lab, "") + ";\n";
  text += fmt::format("template <typename T>\n{};\n", FunctionSignature(lab, "T"));
  text += fmt::format("\n// The last line of every rung's file: compiles {} for each type.\n#define {}()", lab.function,
                      Macro(lab));
  for (size_t i = 0; i < lab.types.size(); ++i) {
    text += fmt::format("{} \\\n  template {}", i > 0 ? ";" : "", FunctionSignature(lab, lab.types[i]->name));
  }
  return text + "\n";
}

std::string AdapterText(const Description& lab) {
  std::string text = fmt::format(
      "#include <cstring>\n"
      "#include <stdexcept>\n"
      "\n"
      "#include \"grader/lab/call.h\"\n"
      "#include \"labs/{0}/{0}.h\"\n"
      "#include \"labs/support/launch_error.h\"\n"
      "\n"
      "extern \"C\" void warpgrade_lab_call(const warpgrade::LabCall* call) {{\n"
      "  if (call->buffer_count != {1} || call->size_count != {2}) throw std::invalid_argument(\"wrong call of "
      "{0}\");\n",
      lab.name, lab.buffers.size(), lab.sizes.size() + lab.scalars.size());
  for (size_t i = 0; i < lab.scalars.size(); ++i) {
    text += fmt::format("  double scalar_{0};\n  std::memcpy(&scalar_{0}, &call->sizes[{1}], sizeof scalar_{0});\n", i,
                        lab.sizes.size() + i);
  }
  text += "  switch (call->variant) {\n";
  for (int32_t variant = 0; variant < lab.variants(); ++variant) {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < lab.buffers.size(); ++i) {
      const BufferRow& buffer = lab.buffers[i];
      arguments.push_back(fmt::format("static_cast<{}{}*>(call->buffers[{}])", buffer.is_output ? "" : "const ",
                                      lab.TypeOf(buffer, variant).name, i));
    }
    for (size_t i = 0; i < lab.sizes.size(); ++i) {
      arguments.push_back(fmt::format("static_cast<{}>(call->sizes[{}])", lab.sizes[i].type->name, i));
    }
    for (size_t i = 0; i < lab.scalars.size(); ++i) {
      arguments.push_back(fmt::format("static_cast<{}>(scalar_{})", lab.scalars[i].type->name, i));
    }
    arguments.emplace_back("static_cast<cudaStream_t>(call->stream)");
    const std::string type =
        lab.types.empty() ? "" : fmt::format("<{}>", lab.types[static_cast<size_t>(variant)]->name);
    text += fmt::format("    case {}:\n      ::{}{}({});\n      break;\n", variant, lab.function, type,
                        fmt::join(arguments, ", "));
  }
  return text + fmt::format(
                    "    default:\n      throw std::invalid_argument(\"{} has no such type\");\n  }}\n"
                    "  lab::ThrowLaunchError();\n}}\n",
                    lab.name);
}

std::string ReferenceProgramText(const Description& lab) {
  std::string text =
      "#include <sys/mman.h>\n"
      "\n"
      "#include <algorithm>\n"
      "#include <cmath>\n"
      "#include <cstddef>\n"
      "#include <cstdint>\n"
      "#include <cstring>\n"
      "#include <vector>\n"
      "\n"
      "#include \"reference.cc\"\n"
      "\n"
      "int main() {\n"
      "  std::uint64_t bytes = 0;\n"
      "  void* mapped = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);\n"
      "  if (mapped == MAP_FAILED) return 41;\n"
      "  std::memcpy(&bytes, static_cast<char*>(mapped) + 8, 8);\n"
      "  mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);\n"
      "  if (mapped == MAP_FAILED) return 42;\n"
      "  char* const base = static_cast<char*>(mapped);\n"
      "  std::uint64_t* const words = reinterpret_cast<std::uint64_t*>(base);\n";
  for (size_t i = 0; i < lab.scalars.size(); ++i) {
    text +=
        fmt::format("  double scalar_{0};\n  std::memcpy(&scalar_{0}, &words[{1}], 8);\n", i, 3 + lab.sizes.size() + i);
  }
  text += "  switch (words[2]) {\n";
  for (int32_t variant = 0; variant < lab.variants(); ++variant) {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < lab.buffers.size(); ++i) {
      const BufferRow& buffer = lab.buffers[i];
      const ElementType& type = lab.TypeOf(buffer, variant);
      arguments.push_back(fmt::format(
          "reinterpret_cast<{}*>(base + words[{}])",
          buffer.is_output ? std::string(type.of_reference()) : fmt::format("const {}", type.name), 3 + kMaxSizes + i));
    }
    for (size_t i = 0; i < lab.sizes.size(); ++i) {
      arguments.push_back(fmt::format("static_cast<{}>(words[{}])", lab.sizes[i].type->name, 3 + i));
    }
    for (size_t i = 0; i < lab.scalars.size(); ++i) {
      arguments.push_back(fmt::format("static_cast<{}>(scalar_{})", lab.scalars[i].type->name, i));
    }
    text += fmt::format("    case {}:\n      Reference({});\n      break;\n", variant, fmt::join(arguments, ", "));
  }
  return text + fmt::format("    default:\n      return 43;\n  }}\n  words[0] = {}u;\n  return 0;\n}}\n",
                            ReferenceCall::kDone);
}

}  // namespace warpgrade::described
