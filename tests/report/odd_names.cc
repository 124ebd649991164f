#include "tests/report/odd_names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpgrade::report {
namespace {

constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};

bool StartsWithSign(std::string_view text) {
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) return true;
  }
  return false;
}

std::string_view Without(std::string_view text, const char* leading) {
  return text.substr(std::min(text.find_first_not_of(leading), text.size()));
}

}  // namespace

const std::vector<std::string>& OddNames() {
  static const std::vector<std::string> kNames = {
      "=cmd|' /C calc'!A0",
      "+1+1",
      "-2+3",
      "@SUM(1)",
      "\t=1",
      "\r=1",
      "  =1",
      "'=1",
      "''' -1",
      "'just quoted'",
      "＝1",
      "😀 Zoë",
      std::string(300, 'x'),
      "Doe, Jane",
      "say \"hi\"",
      "two\nlines",
      "\u202Eleft to right",
      "a\u200Fb",
      "not \xff\xfe\x80 UTF-8",
      "    Points Possible",
      "Muted",
      "<script>alert(1)</script>",
      "]]>",
      "{0} [click](http://example.com)",
      "time: 5",
      "a;b",
      "back\\slash",
      "nul\1bell\7",
      "",
  };
  return kNames;
}

bool IsUtf8(std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(std::string(text)).dump());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

// Long because a state machine is read best in one piece.
std::pair<std::vector<std::vector<std::string>>, std::string> ReadCsv(std::string_view text,
                                                                      std::string_view line_end) {
  std::vector<std::vector<std::string>> rows;
  for (size_t at = 0; at < text.size();) {
    std::vector<std::string> row;
    for (bool more = true; more;) {
      std::string cell;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          if (at >= text.size()) return {rows, "a quote is not closed"};
          if (text[at] == '"' && !text.substr(at).starts_with("\"\"")) break;
          if (text[at] == '"') ++at;
          cell += text[at];
        }
        ++at;
      } else {
        while (at < text.size() && text[at] != ',' && !text.substr(at).starts_with(line_end)) {
          if (text[at] == '"' || text[at] == '\r' || text[at] == '\n') return {rows, "a bare quote or line end"};
          cell += text[at++];
        }
      }
      row.push_back(cell);
      if (at < text.size() && text[at] == ',') {
        ++at;
      } else if (text.substr(at).starts_with(line_end)) {
        at += line_end.size();
        more = false;
      } else {
        return {rows, "something stands behind a field, or the last line has no end"};
      }
    }
    if (!rows.empty() && row.size() != rows[0].size()) return {rows, "the rows have different lengths"};
    rows.push_back(std::move(row));
  }
  return {rows, ""};
}

std::string FromBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=' || c == '\n') break;
    group = group << 6 | static_cast<uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xFF);
  }
  return bytes;
}

bool IsFormula(std::string_view cell) { return StartsWithSign(Without(cell, " ")); }

std::string Recovered(const std::string& cell) {
  return cell.starts_with('\'') && StartsWithSign(Without(cell, " '")) ? cell.substr(1) : cell;
}

}  // namespace warpgrade::report
