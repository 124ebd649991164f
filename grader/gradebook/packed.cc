// Tests: tests/gradebook/packed_test.cc.
#include "grader/gradebook/packed.h"

#include <fmt/format.h>
#include <zstd.h>

#include <charconv>
#include <memory>
#include <optional>

namespace warpgrade::gradebook {
namespace {

constexpr int kCompressionLevel = 6;  // a source takes 0.2 ms

void Append(std::string_view part, std::string* packed) {
  packed->append(std::to_string(part.size())).append(":").append(part);
}

// The next part of `rest`, which loses it. nullopt: there is none, or it is cut off.
std::optional<std::string> TakePart(std::string_view* rest) {
  size_t length = 0;
  const char* const end = rest->data() + rest->size();
  const auto [after, error] = std::from_chars(rest->data(), end, length);
  if (error != std::errc() || after == end || *after != ':') return std::nullopt;
  rest->remove_prefix(static_cast<size_t>(after - rest->data()) + 1);
  if (length > rest->size()) return std::nullopt;
  std::string part(rest->substr(0, length));
  rest->remove_prefix(length);
  return part;
}

Error Damaged(const std::string& path) {
  return {ErrorKind::kMachine, path + ": a text in the gradebook is damaged; restore the file from a copy"};
}

}  // namespace

std::string Pack(const Sources& sources) {
  std::string packed;
  for (const auto& [name, text] : sources.files) {
    Append(name, &packed);
    Append(text, &packed);
  }
  for (const std::string& note : sources.notes) {
    Append("", &packed);
    Append(note, &packed);
  }
  return packed;
}

Result<Sources> Unpack(const std::string& path, std::string_view packed) {
  Sources sources;
  while (!packed.empty()) {
    std::optional<std::string> name = TakePart(&packed);
    std::optional<std::string> text = name ? TakePart(&packed) : std::nullopt;
    if (!text) return Damaged(path);
    if (name->empty()) {
      sources.notes.push_back(std::move(*text));
    } else {
      sources.files[std::move(*name)] = std::move(*text);
    }
  }
  return sources;
}

std::string Compressed(std::string_view text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), kCompressionLevel);
  WARPGRADE_CHECK(!ZSTD_isError(size));
  bytes.resize(size);
  return bytes;
}

Result<std::string> Decompressed(const std::string& path, std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostUnpackedBytes)
    return Damaged(path);
  // To make one takes as long as to unpack a text.
  thread_local std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  std::string text(size, '\0');
  if (context == nullptr ||
      ZSTD_decompressDCtx(context.get(), text.data(), text.size(), bytes.data(), bytes.size()) != size) {
    return Damaged(path);
  }
  return text;
}

}  // namespace warpgrade::gradebook
