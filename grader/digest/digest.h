// SHA-256 of a list of named parts, and of plain text.
#pragma once

#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace warpgrade {

// SHA-256 of a list of named parts. Names and lengths are part of it, so that different lists have different digests.
class Digest {
 public:
  Digest() { sha256_init(&state_); }

  void Add(std::string_view name, std::string_view content) {
    for (std::string_view part : {name, content}) {
      const std::string length = std::to_string(part.size()) + ":";
      Update(length);
      Update(part);
    }
  }

  // 64 hexadecimal digits. Call it once, at the end.
  std::string Hex() {
    unsigned char bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&state_, sizeof bytes, bytes);
    std::string hex;
    for (unsigned char byte : bytes) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
  }

 private:
  void Update(std::string_view text) {
    sha256_update(&state_, text.size(), reinterpret_cast<const unsigned char*>(text.data()));
  }
  sha256_ctx state_;
};

// SHA-256 of the bytes of `text` and nothing else, in base64: what a page's Content-Security-Policy names its scripts
// by.
inline std::string Sha256Base64(std::string_view text) {
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, text.size(), reinterpret_cast<const unsigned char*>(text.data()));
  unsigned char bytes[SHA256_DIGEST_SIZE];
  sha256_digest(&state, sizeof bytes, bytes);
  std::string base64(BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base64_encode_raw(base64.data(), sizeof bytes, bytes);
  return base64;
}

}  // namespace warpgrade
