// Facts about PTX types. The table is in the order of enum Type.
#include "grader/emulator/ptx/module.h"

#include <iterator>
#include <string_view>

namespace warpgrade::ptx {
namespace {

struct TypeRow {
  Type type;
  const char* name;
  int size;
};

constexpr TypeRow kTypes[] = {
    {Type::kNone, "", 0},       {Type::kPred, "pred", 0}, {Type::kB8, "b8", 1},         {Type::kB16, "b16", 2},
    {Type::kB32, "b32", 4},     {Type::kB64, "b64", 8},   {Type::kB128, "b128", 16},    {Type::kU8, "u8", 1},
    {Type::kU16, "u16", 2},     {Type::kU32, "u32", 4},   {Type::kU64, "u64", 8},       {Type::kS8, "s8", 1},
    {Type::kS16, "s16", 2},     {Type::kS32, "s32", 4},   {Type::kS64, "s64", 8},       {Type::kF16, "f16", 2},
    {Type::kF16x2, "f16x2", 4}, {Type::kBF16, "bf16", 2}, {Type::kBF16x2, "bf16x2", 4}, {Type::kF32, "f32", 4},
    {Type::kF32x2, "f32x2", 8}, {Type::kF64, "f64", 8},   {Type::kTF32, "tf32", 4},     {Type::kE4M3, "e4m3", 1},
    {Type::kE5M2, "e5m2", 1},
};

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (static_cast<size_t>(kTypes[i].type) != i) return false;
  }
  return std::size(kTypes) == static_cast<size_t>(Type::kE5M2) + 1;
}
static_assert(InEnumOrder(), "kTypes has one row per Type, in order");

}  // namespace

int SizeOf(Type type) { return kTypes[static_cast<size_t>(type)].size; }

const char* Name(Type type) { return kTypes[static_cast<size_t>(type)].name; }

Type TypeFromName(const char* name, size_t length) {
  const std::string_view wanted(name, length);
  if (wanted.empty()) return Type::kNone;
  for (const TypeRow& row : kTypes) {
    if (wanted == row.name) return row.type;
  }
  return Type::kNone;
}

}  // namespace warpgrade::ptx
