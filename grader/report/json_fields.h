// Reads fields of a JSON document: of the type that is asked for, with the field's name in each error. RapidJSON itself
// checks no types. All functions throw an exception of <stdexcept> if the document is not as it should be.
#pragma once

#include <fmt/format.h>
#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::report {

[[noreturn]] inline void Refuse(std::string_view key, const char* is_not) {
  throw std::invalid_argument(fmt::format("{} is not {}", key, is_not));
}

// An object whose fields are looked up, most of them in the order in which they were written. A look-up begins behind
// the field that the one before found, and so compares one name, not all.
class Fields {
 public:
  // `key`: of the object, for errors.
  explicit Fields(const rapidjson::Value& object, std::string_view key = "the document") {
    if (!object.IsObject()) Refuse(key, "an object");
    members_ = object.MemberBegin();
    count_ = object.MemberCount();
  }

  // null if there is no such field.
  const rapidjson::Value* Find(std::string_view key) const {
    for (rapidjson::SizeType tried = 0; tried < count_; ++tried) {
      if (next_ == count_) next_ = 0;
      const auto& member = members_[next_++];
      if (key == std::string_view(member.name.GetString(), member.name.GetStringLength())) return &member.value;
    }
    return nullptr;
  }

  const rapidjson::Value& At(std::string_view key) const {
    const rapidjson::Value* const found = Find(key);
    if (found == nullptr) throw std::out_of_range(fmt::format("there is no field {}", key));
    return *found;
  }

  Fields Object(std::string_view key) const { return Fields(At(key), key); }

 private:
  rapidjson::Value::ConstMemberIterator members_;
  rapidjson::SizeType count_ = 0;
  mutable rapidjson::SizeType next_ = 0;  // where the next look-up begins
};

// `key` is for errors.
template <typename T>
T As(const rapidjson::Value& value, std::string_view key);

template <>
inline std::string As<std::string>(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsString()) Refuse(key, "a text");
  return {value.GetString(), value.GetStringLength()};
}

template <>
inline bool As<bool>(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsBool()) Refuse(key, "true or false");
  return value.GetBool();
}

template <>
inline int As<int>(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsInt()) Refuse(key, "a whole number");
  return value.GetInt();
}

template <>
inline uint64_t As<uint64_t>(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsUint64()) Refuse(key, "a whole number from 0 on");
  return value.GetUint64();
}

template <>
inline double As<double>(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsNumber()) Refuse(key, "a number");
  return value.GetDouble();
}

template <typename T>
T Get(const Fields& from, std::string_view key) {
  return As<T>(from.At(key), key);
}

// Fields that an older version did not write.
template <typename T>
T GetOr(const Fields& from, std::string_view key, T otherwise) {
  const rapidjson::Value* const found = from.Find(key);
  return found == nullptr ? otherwise : As<T>(*found, key);
}

// nullopt: null, or a field that is missing.
template <typename T>
std::optional<T> Maybe(const Fields& from, std::string_view key) {
  const rapidjson::Value* const found = from.Find(key);
  return found == nullptr || found->IsNull() ? std::nullopt : std::optional(As<T>(*found, key));
}

// What `read` makes of the objects of a list.
template <typename Item, typename Read>
std::vector<Item> Items(const rapidjson::Value& array, std::string_view key, const Read& read) {
  if (!array.IsArray()) Refuse(key, "a list");
  std::vector<Item> items;
  items.reserve(array.Size());
  for (const rapidjson::Value& item : array.GetArray()) {
    if (!item.IsObject()) Refuse(key, "a list of objects");
    items.push_back(read(Fields(item)));
  }
  return items;
}

template <typename Item, typename Read>
std::vector<Item> Items(const Fields& from, std::string_view key, const Read& read) {
  return Items<Item>(from.At(key), key, read);
}

inline std::vector<std::string> Texts(const Fields& from, std::string_view key) {
  const rapidjson::Value& array = from.At(key);
  if (!array.IsArray()) Refuse(key, "a list");
  std::vector<std::string> texts;
  texts.reserve(array.Size());
  for (const rapidjson::Value& text : array.GetArray()) texts.push_back(As<std::string>(text, key));
  return texts;
}

}  // namespace warpgrade::report
