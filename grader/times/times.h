// Times as people and platforms write them, as UTC seconds. Header only: small, and pure.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

// "2026-11-29T10:15:00Z" of seconds since 1970.
inline std::string UtcText(int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

namespace times_internal {

// Takes `digits` digits from the beginning of `text`. nullopt if they are not there.
inline std::optional<int> TakeNumber(std::string_view* text, size_t digits) {
  if (text->size() < digits) return std::nullopt;
  int number = 0;
  for (size_t i = 0; i < digits; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  text->remove_prefix(digits);
  return number;
}

inline bool Take(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

// The seconds that "Z", " UTC", "-0700" and "-07:00" are east of Greenwich. No zone is UTC.
inline std::optional<int> TakeZone(std::string_view* text) {
  while (Take(text, " ")) {
  }
  if (text->empty()) return 0;
  if (*text == "Z" || *text == "UTC") {
    *text = {};
    return 0;
  }
  const int sign = text->front() == '-' ? -1 : 1;
  if (!Take(text, "+-")) return std::nullopt;
  const std::optional<int> hours = TakeNumber(text, 2);
  Take(text, ":");
  const std::optional<int> minutes = TakeNumber(text, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

}  // namespace times_internal

// Seconds since 1970 of "2026-11-29", "2026-11-29T10:15Z", "2026-11-29 10:15:00.123 UTC", "2026-11-29T10:15:00-07:00".
// nullopt if the text is not a time. A time without a zone is UTC. `if_date`: the seconds to add to a mere date.
inline std::optional<int64_t> ParseTime(std::string_view text, int64_t if_date = 0) {
  using times_internal::Take;
  using times_internal::TakeNumber;
  std::tm utc = {};
  const auto year = TakeNumber(&text, 4);
  const bool dash = Take(&text, "-");
  const auto month = TakeNumber(&text, 2);
  const bool second_dash = Take(&text, "-");
  const auto day = TakeNumber(&text, 2);
  if (!year || !dash || !month || !second_dash || !day || *year < 1970) return std::nullopt;
  utc.tm_year = *year - 1900;
  utc.tm_mon = *month - 1;
  utc.tm_mday = *day;
  int64_t extra = if_date;
  if (!text.empty()) {
    if (!Take(&text, "T ")) return std::nullopt;
    const auto hour = TakeNumber(&text, 2);
    const bool colon = Take(&text, ":");
    const auto minute = TakeNumber(&text, 2);
    if (!hour || !colon || !minute || *hour > 23 || *minute > 59) return std::nullopt;
    std::optional<int> second = 0;
    if (Take(&text, ":")) second = TakeNumber(&text, 2);
    if (!second || *second > 60) return std::nullopt;
    if (Take(&text, ".")) {
      while (TakeNumber(&text, 1)) {
      }
    }
    const std::optional<int> zone = times_internal::TakeZone(&text);
    if (!zone || !text.empty()) return std::nullopt;
    extra = *hour * 3600 + *minute * 60 + *second - *zone;
  }
  std::tm same = utc;
  const std::time_t midnight = timegm(&same);
  if (same.tm_year != utc.tm_year || same.tm_mon != utc.tm_mon || same.tm_mday != utc.tm_mday) return std::nullopt;
  return static_cast<int64_t>(midnight) + extra;
}

// The last second that `text` allows: of a date the end of the day.
inline std::optional<int64_t> EndOfTime(std::string_view text) {
  constexpr int64_t kLastSecondOfDay = 24 * 3600 - 1;
  return ParseTime(text, kLastSecondOfDay);
}

}  // namespace warpgrade
