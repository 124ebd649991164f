// Markdown of handouts, as HTML for a page and as text for a terminal. Handouts of labs outside of the kit are from
// strangers, so nothing in them becomes more than text: no HTML of theirs, no address that is code, no picture that is
// loaded. The dialect is that of GitHub, with tables.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::report {

// A larger document is refused, and one in which blocks stand deeper in each other.
inline constexpr size_t kMostMarkdownBytes = size_t{256} << 10;
inline constexpr int kMostMarkdownDepth = 40;

// Where a link leads on the page. `url`: "#id", or an address; "": nowhere, so its text stands there alone, and
// `behind` after it.
struct LinkTarget {
  std::string url, behind;
};

struct MarkdownOptions {
  std::string id_prefix;  // of the ids of headings
  int deeper = 0;         // how many levels headings are moved down
  // Only the sections with these names, which are those of GitHub: "memory-order". nullopt: all.
  std::optional<std::set<std::string>> sections;
  // What becomes of a link. `target` is printable, and may be anything.
  std::function<LinkTarget(const std::string& target, const std::string& text)> link;
};

struct MarkdownHeading {
  int level = 2;  // 2 to 6, at most one more than that of the heading before
  std::string text, id;
};

struct MarkdownHtml {
  std::string title;  // of the first heading of level 1, which is not in `html`
  std::string html;
  std::vector<MarkdownHeading> headings;  // those in `html`, in order
};

// `<details><summary>TEXT</summary>` and `</details>` between blocks stay what they are; comments go; other HTML is
// shown as text. Tables have captions and heads of rows, and scroll by themselves, as code does. `path` is for the
// error (kUsage): the document is too large or too deep.
Result<MarkdownHtml> HtmlOfMarkdown(const std::string& markdown, const std::string& path,
                                    const MarkdownOptions& options);

// The same for a terminal of `width` columns; code keeps its lines. `with_hints`: with what is inside of <details>, of
// which otherwise only the summaries are there. Ends with a newline.
Result<std::string> TextOfMarkdown(const std::string& markdown, const std::string& path, int width, bool with_hints);

// The name of a heading in links, as GitHub makes it: "memory-order".
std::string SectionName(const std::string& heading);

}  // namespace warpgrade::report
