// Writes long JSON documents. The files that include this are compiled with -O2 (CMakeLists.txt).
#pragma once

#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::report {

// A document with more submissions has one line for each: a class has so much text that nobody reads it as it is, and
// indentation would more than double it.
inline constexpr size_t kMostIndented = 20;
inline constexpr std::string_view kBetweenLines = ",\n";

inline bool IsUtf8(std::string_view text) {
  struct {
    void Put(char) {}
  } nowhere;
  rapidjson::MemoryStream in(text.data(), text.size());
  while (in.Tell() < text.size()) {
    if (!rapidjson::UTF8<>::Validate(in, nowhere)) return false;
  }
  return in.Tell() == text.size();
}

// Writes a document, one field after another, without a tree in memory. In text, U+FFFD replaces bytes that are not
// UTF-8. The caller ends what it begins, unless it takes only a part of what was written.
class JsonWriter {
 public:
  enum class Layout { kIndented, kOneLine };
  explicit JsonWriter(Layout layout = Layout::kIndented) : one_line_(layout == Layout::kOneLine), out_(buffer_) {
    out_.SetIndent(' ', 2);
  }

  // What was written, from the byte `from` on.
  std::string Written(size_t from = 0) const { return {buffer_.GetString() + from, buffer_.GetSize() - from}; }

  // Begins another document behind the one that has ended, with this text between them.
  void Next(std::string_view between) {
    for (const char c : between) buffer_.Put(c);
    out_.Reset(buffer_);
  }

  void Begin() {
    Put([](auto& out) { out.StartObject(); });
  }
  void Begin(const char* key) {
    Key(key);
    Begin();
  }
  void End() {
    Put([](auto& out) { out.EndObject(); });
  }

  void Text(const char* key, std::string_view text) {
    Key(key);
    Text(text);
  }
  void Flag(const char* key, bool value) {
    Key(key);
    Put([=](auto& out) { out.Bool(value); });
  }
  void Whole(const char* key, int64_t value) {
    Key(key);
    Put([=](auto& out) { out.Int64(value); });
  }
  void Bits(const char* key, uint64_t value) {
    Key(key);
    Put([=](auto& out) { out.Uint64(value); });
  }
  void Null(const char* key) {
    Key(key);
    Put([](auto& out) { out.Null(); });
  }
  void WholeOrNull(const char* key, std::optional<int> value) { value ? Whole(key, *value) : Null(key); }
  // null: also what JSON has no number for.
  void Number(const char* key, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return Null(key);
    Key(key);
    Put([&](auto& out) { out.Double(*value); });
  }
  // An array of objects, whose fields `write` writes.
  template <typename Items, typename Write>
  void Objects(const char* key, const Items& items, const Write& write) {
    BeginArray(key);
    for (const auto& item : items) Object(item, write);
    EndArray();
  }
  void BeginArray(const char* key) {
    Key(key);
    Put([](auto& out) { out.StartArray(); });
  }
  void EndArray() {
    Put([](auto& out) { out.EndArray(); });
  }
  template <typename Item, typename Write>
  void Object(const Item& item, const Write& write) {
    Begin();
    write(item, this);
    End();
  }
  void Texts(const char* key, const std::vector<std::string>& texts) {
    BeginArray(key);
    for (const std::string& text : texts) Text(text);
    EndArray();
  }

 private:
  using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

  // `part` writes to what it is given.
  template <typename Part>
  void Put(const Part& part) {
    one_line_ ? part(static_cast<Writer&>(out_)) : part(out_);
  }

  void Key(std::string_view key) {
    Put([=](auto& out) { out.Key(key.data(), static_cast<rapidjson::SizeType>(key.size())); });
  }

  void Text(std::string_view text) {
    if (IsUtf8(text)) {
      Put([=](auto& out) { out.String(text.data(), static_cast<rapidjson::SizeType>(text.size())); });
      return;
    }
    const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Put([&](auto& out) { out.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType); });
  }

  const bool one_line_;
  rapidjson::StringBuffer buffer_;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> out_;
};

}  // namespace warpgrade::report
