// libFuzzer target: whatever the handout of a lab is, its page has only tags and attributes that are ours, all of its
// text is printable, and so is what a terminal gets.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/report/markdown.h"
#include "grader/result/result.h"

namespace {

using namespace warpgrade::report;

constexpr std::string_view kTags[] = {
    "a",  "blockquote", "br", "caption", "code",   "details", "div",   "em",    "h2", "h3", "h4",    "h5", "h6", "hr",
    "li", "ol",         "p",  "pre",     "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"};
constexpr std::string_view kAttributes[] = {"align", "aria-label", "class", "href",    "id",
                                            "role",  "scope",      "start", "tabindex"};

template <size_t kCount>
bool IsOneOf(const std::string_view (&names)[kCount], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view TakeName(std::string_view* text) {
  size_t end = 0;
  while (end < text->size() && (std::isalnum(static_cast<unsigned char>((*text)[end])) != 0 || (*text)[end] == '-')) {
    ++end;
  }
  const std::string_view name = text->substr(0, end);
  text->remove_prefix(end);
  return name;
}

// Checks the attributes up to the end of a tag, and takes all of it from `html`.
void CheckAttributes(std::string_view* html) {
  while (html->starts_with(" ") && !html->starts_with(" />")) {
    html->remove_prefix(1);
    const std::string_view name = TakeName(html);
    WARPGRADE_CHECK(IsOneOf(kAttributes, name));
    WARPGRADE_CHECK(html->starts_with("=\""));
    html->remove_prefix(2);
    const std::string_view value = html->substr(0, html->find('"'));
    WARPGRADE_CHECK(name != "href" || value.starts_with("#") || value.starts_with("https://"));
    html->remove_prefix(value.size() + 1);
  }
  const size_t end = html->find('>');
  WARPGRADE_CHECK(end == 0 || (end == 2 && html->starts_with(" />")));
  html->remove_prefix(end + 1);
}

void CheckHtml(std::string_view html) {
  for (size_t tag; (tag = html.find('<')) != std::string_view::npos;) {
    html.remove_prefix(tag + 1);
    if (html.starts_with("/")) html.remove_prefix(1);
    WARPGRADE_CHECK(IsOneOf(kTags, TakeName(&html)));
    CheckAttributes(&html);
  }
}

void CheckVisible(const std::string& text) {
  WARPGRADE_CHECK(
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\n' || (c >= ' ' && c != 0x7F); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string markdown(reinterpret_cast<const char*>(data), size);
  const MarkdownOptions options = {
      .id_prefix = "part-", .link = [](const std::string& target, const std::string&) {
        return target.starts_with("#") || target.starts_with("https://") ? LinkTarget{target, ""} : LinkTarget{"", "?"};
      }};
  const auto html = HtmlOfMarkdown(markdown, "README.md", options);
  if (!html.ok()) return 0;
  CheckHtml(html->html);
  CheckVisible(html->html);
  CheckVisible(html->title);
  for (const MarkdownHeading& heading : html->headings) WARPGRADE_CHECK(heading.level >= 2 && heading.level <= 6);
  const auto text = TextOfMarkdown(markdown, "README.md", 60, true);
  WARPGRADE_CHECK(text.ok());
  CheckVisible(*text);
  return 0;
}
