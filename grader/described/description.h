// A lab that is described by a file and not by C++ of the kit: lab.yaml, which says what students write, what they get
// and for which sizes, and hidden.yaml with the hidden cases. docs/instructors.md explains the keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/config/problems.h"
#include "grader/described/expression.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"

namespace warpgrade::described {

inline constexpr char kLabFile[] = "lab.yaml";
inline constexpr char kHiddenFile[] = "hidden.yaml";
inline constexpr char kReferenceFile[] = "reference.cc";

// A type of elements, sizes or scalars. Its name is the one in C++.
struct ElementType {
  std::string_view name;
  size_t bytes;
  enum class Kind { kFloat, kSigned, kUnsigned } kind;
  bool is_float() const { return kind == Kind::kFloat; }
  // In what the reference writes its answer: floats as double.
  std::string_view of_reference() const { return is_float() ? "double" : name; }
  size_t bytes_of_reference() const { return is_float() ? sizeof(double) : bytes; }
};
const ElementType* FindType(std::string_view name);
std::vector<std::string> TypeNames();

// A size or a scalar: a parameter that is one number.
struct Parameter {
  std::string name;
  const ElementType* type = nullptr;
};

struct BufferRow {
  std::string name;
  bool is_output = false;
  const ElementType* type = nullptr;  // nullptr: T, the type of the case
  std::vector<Expression> shape;      // row-major; the product is the number of elements
  config::Place place;
  std::optional<Expression> low, high;           // of an input's values
  std::optional<Expression> relative, absolute;  // of an output; without either it must be exact
};

// The kind of values of all inputs of a case. The numbers are Case::pattern.
inline const std::vector<std::string> kValueKinds = {"uniform", "zeros",       "ones",  "equal",
                                                     "sorted",  "alternating", "single"};

struct CaseRow {
  config::Place place;
  std::vector<Expression> sizes;   // in the order of Description::sizes
  std::vector<double> scalars;     // in the order of Description::scalars
  std::optional<int32_t> variant;  // nullopt: a case for each type
  uint32_t pattern = 0;            // index into kValueKinds
  int times = 1;                   // of hidden.yaml: how often it is drawn
};

struct Description {
  std::string folder;  // the absolute path of what was read
  std::string name;    // of the lab
  std::string function;
  std::vector<const ElementType*> types;  // what T may be; empty: the function is no template
  std::vector<Parameter> sizes, scalars;
  std::vector<BufferRow> buffers;
  // What a call must do. Without them: the elements of the first input, the bytes of all arrays, no operations, the
  // bytes of all inputs, nothing.
  std::optional<Expression> elements, bytes, flops, loads, stores;
  std::vector<CaseRow> cases;
  std::optional<CaseRow> technique, throughput;
  bool has_hidden = false;  // there is a hidden.yaml
  std::vector<CaseRow> hidden;
  std::optional<CaseRow> other_size;
  std::map<std::string, std::map<std::string, std::string>> hints;  // by rung or "any", then by what is missed
  int reference_seconds = 20;                                       // that the reference may take for one case

  int variants() const { return types.empty() ? 1 : static_cast<int>(types.size()); }
  const ElementType& TypeOf(const BufferRow& buffer, int32_t variant) const {
    return buffer.type != nullptr ? *buffer.type : *types.at(static_cast<size_t>(variant));
  }
};

// Reads and checks the files in `folder`. The sizes of all cases are computed, so that an expression that has no value
// is found here; of what hidden.yaml draws, only samples are. Errors (kUsage): all mistakes, one per line, as
// "FILE:LINE:COLUMN: what; what to do".
Result<Description> ReadDescription(const std::string& folder);

// The case of a row. Errors (kUsage): a size has no value or does not fit, or the arrays are too large.
Result<Case> MakeCase(const Description& lab, const CaseRow& row, int32_t variant, bool is_timed, Random* random);

// The sizes of a case, by name; and the lengths of a buffer in it. REQUIRES: the case was made by MakeCase.
Values SizesOf(const Description& lab, const Case& c);
std::vector<uint64_t> ShapeOf(const Description& lab, const BufferRow& buffer, const Values& sizes);

// Of all arrays of a case, and of the timed one.
inline constexpr uint64_t kMostBytes = uint64_t{256} << 20, kMostTimedBytes = uint64_t{8} << 30;

}  // namespace warpgrade::described
