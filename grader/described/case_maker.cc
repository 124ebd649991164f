// Makes cases of the rows of lab.yaml: evaluates the expressions of a row, in the order of the sizes, and checks that
// what comes out can be allocated. Tests: tests/described/description_test.cc.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "grader/described/description.h"

namespace warpgrade::described {
namespace {

Error Wrong(std::string what) { return {ErrorKind::kUsage, std::move(what)}; }

int64_t LargestOf(const ElementType& type) {
  if (type.bytes == 8) return std::numeric_limits<int64_t>::max();
  const int bits = static_cast<int>(type.bytes) * 8 - (type.kind == ElementType::Kind::kSigned ? 1 : 0);
  return (int64_t{1} << bits) - 1;
}

Result<std::vector<uint64_t>> TryShape(const BufferRow& buffer, const Values& sizes) {
  std::vector<uint64_t> shape;
  for (const Expression& length : buffer.shape) {
    const Result<int64_t> value = length.Whole(sizes);
    if (!value) return Wrong(fmt::format("the shape of {}: {}", buffer.name, value.error().message));
    if (*value < 0)
      return Wrong(fmt::format("the shape of {}: '{}' is {}, below 0", buffer.name, length.text(), *value));
    shape.push_back(static_cast<uint64_t>(*value));
  }
  return shape;
}

// The bytes of a buffer, at most `most`.
Result<uint64_t> BytesOf(const Description& lab, const BufferRow& buffer, int32_t variant, const Values& sizes,
                         uint64_t most) {
  const auto shape = TryShape(buffer, sizes);
  if (!shape) return shape.error();
  uint64_t bytes = lab.TypeOf(buffer, variant).bytes;
  for (const uint64_t length : *shape) {
    if (length == 0) return uint64_t{0};
    if (__builtin_mul_overflow(bytes, length, &bytes) || bytes > most) {
      return Wrong(fmt::format("{} would have more than {} MB; make the sizes smaller", buffer.name, most >> 20));
    }
  }
  return bytes;
}

// A number of `work`, which is not negative.
Result<uint64_t> WorkOf(const std::optional<Expression>& expression, const char* what, const Values& sizes,
                        uint64_t otherwise) {
  if (!expression) return otherwise;
  const Result<int64_t> value = expression->Whole(sizes);
  if (!value) return Wrong(fmt::format("work.{}: {}", what, value.error().message));
  if (*value < 0) return Wrong(fmt::format("work.{}: '{}' is {}, below 0", what, expression->text(), *value));
  return static_cast<uint64_t>(*value);
}

std::string NameOf(const Description& lab, const CaseRow& row, const Values& sizes, int32_t variant) {
  std::string name;
  const auto add = [&name](std::string part) { name += (name.empty() ? "" : ", ") + std::move(part); };
  for (const Parameter& size : lab.sizes) add(fmt::format("{} = {}", size.name, sizes.at(size.name)));
  for (size_t i = 0; i < lab.scalars.size(); ++i) add(fmt::format("{} = {}", lab.scalars[i].name, row.scalars[i]));
  if (!lab.types.empty()) add(std::string(lab.types[static_cast<size_t>(variant)]->name));
  if (row.pattern != 0) add(kValueKinds[row.pattern]);
  return name.empty() ? "the only size" : name;
}

// What the tolerances of a case are, so that grading never finds one without a value.
Status CheckTolerances(const Description& lab, const Values& sizes) {
  for (const BufferRow& buffer : lab.buffers) {
    for (const auto* tolerance : {&buffer.relative, &buffer.absolute}) {
      if (!*tolerance) continue;
      const Result<double> value = (*tolerance)->Number(sizes);
      if (!value) return Wrong(fmt::format("the tolerance of {}: {}", buffer.name, value.error().message));
      if (*value < 0)
        return Wrong(fmt::format("the tolerance of {}: '{}' is below 0", buffer.name, (*tolerance)->text()));
    }
    double bounds[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const auto& bound = i == 0 ? buffer.low : buffer.high;
      if (!bound) continue;
      const Result<double> value = bound->Number(sizes);
      if (!value) return Wrong(fmt::format("the range of {}: {}", buffer.name, value.error().message));
      bounds[i] = *value;
    }
    if (buffer.low && buffer.high && bounds[0] > bounds[1]) {
      return Wrong(fmt::format("the range of {} goes from {} to {}; write the smaller number first", buffer.name,
                               bounds[0], bounds[1]));
    }
  }
  return Status();
}

}  // namespace

std::vector<uint64_t> ShapeOf(const Description& /*lab*/, const BufferRow& buffer, const Values& sizes) {
  const auto shape = TryShape(buffer, sizes);
  WARPGRADE_CHECK(shape.ok());
  return *shape;
}

Values SizesOf(const Description& lab, const Case& c) {
  Values sizes;
  for (size_t i = 0; i < lab.sizes.size(); ++i) sizes[lab.sizes[i].name] = static_cast<int64_t>(c.sizes.at(i));
  return sizes;
}

Result<Case> MakeCase(const Description& lab, const CaseRow& row, int32_t variant, bool is_timed, Random* random) {
  Case c;
  c.variant = variant;
  c.pattern = row.pattern;
  Values sizes;
  for (size_t i = 0; i < lab.sizes.size(); ++i) {
    const Parameter& size = lab.sizes[i];
    const Result<int64_t> value = row.sizes[i].Whole(sizes, random);
    if (!value) return Wrong(fmt::format("{}: {}", size.name, value.error().message));
    if (*value < 0 || *value > LargestOf(*size.type)) {
      return Wrong(fmt::format("{} is {}, which is not between 0 and {}, the largest {}", size.name, *value,
                               LargestOf(*size.type), size.type->name));
    }
    sizes[size.name] = *value;
    c.sizes.push_back(static_cast<uint64_t>(*value));
  }
  for (const double scalar : row.scalars) c.sizes.push_back(std::bit_cast<uint64_t>(scalar));
  const uint64_t most = is_timed ? kMostTimedBytes : kMostBytes;
  uint64_t of_inputs = 0, of_all = 0, first_elements = 0;
  for (const BufferRow& buffer : lab.buffers) {
    const Result<uint64_t> bytes = BytesOf(lab, buffer, variant, sizes, most);
    if (!bytes) return bytes.error();
    of_all += *bytes;
    if (of_all > most)
      return Wrong(fmt::format("all arrays together would have more than {} MB; make the sizes smaller", most >> 20));
    if (first_elements == 0) first_elements = *bytes / lab.TypeOf(buffer, variant).bytes;
    if (!buffer.is_output) of_inputs += *bytes;
  }
  const auto take = [&sizes](const std::optional<Expression>& from, const char* what, uint64_t otherwise,
                             uint64_t* to) {
    const Result<uint64_t> value = WorkOf(from, what, sizes, otherwise);
    if (value) *to = *value;
    return value ? Status() : Status(value.error());
  };
  for (const Status& taken :
       {take(lab.elements, "elements", first_elements, &c.elements), take(lab.bytes, "bytes", of_all, &c.bytes_moved),
        take(lab.flops, "flops", 0, &c.flops), take(lab.loads, "loads", of_inputs, &c.loaded_bytes),
        take(lab.stores, "stores", 0, &c.stored_bytes), CheckTolerances(lab, sizes)}) {
    if (!taken.ok()) return taken.error();
  }
  c.name = NameOf(lab, row, sizes, variant);
  return c;
}

}  // namespace warpgrade::described
