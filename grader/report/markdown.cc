// Turns Markdown into HTML. cmark-gfm renders a tree in which ParseMarkdown has left nothing of the author but text.
// Then one pass over the tags adds what cmark does not write: ids of headings, captions, heads of rows, and frames that
// scroll. A tag in the rendered text is always cmark's or ours, since every "<" of the author is "&lt;" there. Tests:
// tests/report/markdown_test.cc, and tests/report/html/ opens a page in a browser.
#include "grader/report/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "grader/report/markdown_tree.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// Leaves only the sections that are wanted: each from its heading to the next one that is not below it.
void KeepSections(cmark_node* root, const std::set<std::string>& wanted) {
  int kept_level = 0;  // of the section that is kept; 0: none is
  for (cmark_node* block : ChildrenOf(root)) {
    if (cmark_node_get_type(block) == CMARK_NODE_HEADING) {
      const int level = cmark_node_get_heading_level(block);
      if (kept_level == 0 || level <= kept_level)
        kept_level = wanted.contains(SectionName(PlainText(block))) ? level : 0;
    }
    if (kept_level != 0) continue;
    cmark_node_unlink(block);
    cmark_node_free(block);
  }
}

// What the pass over the tags puts into them, in the order of the text.
struct TagNotes {
  std::vector<std::string> heading_ids;
  std::vector<std::string> table_labels, code_labels;
};

const char* CodeLabel(std::string_view language) {
  if (language == "sh") return "Commands";
  if (language == "output") return "Output";
  return language.empty() ? "Picture" : "Code";
}

class Preparation {
 public:
  Preparation(const MarkdownOptions& options, MarkdownHtml* html) : options_(options), html_(*html) {}

  TagNotes Prepare(cmark_node* root) {
    if (options_.sections) KeepSections(root, *options_.sections);
    for (cmark_node* block : ChildrenOf(root)) PrepareBlock(block);
    if (open_hints_ > 0) {
      std::string ends;
      for (; open_hints_ > 0; --open_hints_) ends += "</details>\n";
      cmark_node* const end = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
      cmark_node_set_on_enter(end, ends.c_str());
      cmark_node_append_child(root, end);
    }
    return std::move(notes_);
  }

 private:
  void PrepareBlock(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_HEADING:
        return PrepareHeading(node);
      case CMARK_NODE_HTML_BLOCK:
        return PrepareHints(node);
      case CMARK_NODE_CODE_BLOCK:
        notes_.code_labels.push_back(fmt::format("{}: {}", CodeLabel(cmark_node_get_fence_info(node)), section_));
        return;
      case CMARK_NODE_LINK:
        return PrepareLink(node);
      default:
        break;
    }
    if (IsTable(node)) notes_.table_labels.push_back("Table: " + section_);
    for (cmark_node* child : ChildrenOf(node)) PrepareBlock(child);
  }

  void PrepareHeading(cmark_node* node) {
    for (cmark_node* child : ChildrenOf(node)) PrepareBlock(child);
    const std::string text = PrintableLine(PlainText(node));
    const int level = cmark_node_get_heading_level(node);
    if (level == 1 && html_.title.empty()) {
      html_.title = section_ = text;
      cmark_node_unlink(node);
      cmark_node_free(node);
      return;
    }
    // Levels that are left out would confuse a screen reader.
    const int before = html_.headings.empty() ? 1 + options_.deeper : html_.headings.back().level;
    const int shown = std::clamp(level + options_.deeper, 2 + options_.deeper, std::min(before + 1, 6));
    cmark_node_set_heading_level(node, shown);
    std::string id = options_.id_prefix + SectionName(text);
    if (const int times = ids_[id]++; times > 0) id += fmt::format("-{}", times);
    html_.headings.push_back({shown, text, id});
    notes_.heading_ids.push_back(id);
    section_ = text;
  }

  void PrepareHints(cmark_node* node) {
    std::string tags;
    for (const HintPart& part : HintsOf(node)) {
      if (part.mark == HintMark::kBegin) {
        tags += fmt::format("<details><summary>{}</summary>\n", MarkupEscaped(part.summary));
        ++open_hints_;
      } else if (open_hints_ > 0) {
        tags += "</details>\n";
        --open_hints_;
      }
    }
    cmark_node* const made = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
    cmark_node_set_on_enter(made, tags.c_str());
    cmark_node_replace(node, made);
    cmark_node_free(node);
  }

  void PrepareLink(cmark_node* node) {
    const LinkTarget target = options_.link ? options_.link(cmark_node_get_url(node), PlainText(node)) : LinkTarget{};
    if (!target.url.empty()) {
      cmark_node_set_url(node, target.url.c_str());
      return;
    }
    for (cmark_node* child : ChildrenOf(node)) cmark_node_insert_before(node, child);
    cmark_node* const behind = cmark_node_new(CMARK_NODE_TEXT);
    cmark_node_set_literal(behind, target.behind.c_str());
    cmark_node_replace(node, behind);
    cmark_node_free(node);
  }

  const MarkdownOptions& options_;
  MarkdownHtml& html_;
  TagNotes notes_;
  std::map<std::string, int> ids_;  // how many headings have had this id
  std::string section_;             // the last heading
  int open_hints_ = 0;
};

std::string Rendered(cmark_node* root) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<char, void (*)(void*)> html(cmark_render_html(root, CMARK_OPT_DEFAULT, nullptr), std::free);
  return html.get();
}

// Replaces the tags that need more than cmark writes.
class TagPass {
 public:
  explicit TagPass(const TagNotes& notes) : notes_(notes) {}

  std::string Run(std::string_view html) {
    std::string out;
    while (!html.empty()) {
      const size_t tag = html.find('<');
      out += html.substr(0, tag);
      if (tag == std::string_view::npos) break;
      html.remove_prefix(tag);
      const size_t taken = AddTag(html, &out);
      html.remove_prefix(taken);
    }
    return out;
  }

 private:
  static std::string Frame(const std::string& tag, const std::string& label) {
    return fmt::format(R"(<{} class="scroll" tabindex="0" role="region" aria-label="{}">)", tag, MarkupEscaped(label));
  }

  static std::string NextOf(const std::vector<std::string>& of, size_t* at) {
    return *at < of.size() ? of[(*at)++] : "";
  }

  // Adds what stands for the tag at the begin of `html`; returns how much of `html` that was.
  size_t AddTag(std::string_view html, std::string* out) {
    const auto is = [&html](std::string_view tag) { return html.starts_with(tag); };
    if (html.size() > 3 && is("<h") && html[2] >= '2' && html[2] <= '6' && html[3] == '>') {
      *out += fmt::format(R"(<h{} id="{}">)", html[2], MarkupEscaped(NextOf(notes_.heading_ids, &heading_)));
      return 4;
    }
    if (is("<pre>")) {
      *out += Frame("pre", NextOf(notes_.code_labels, &code_));
      return 5;
    }
    if (is("<table>")) {
      const std::string label = NextOf(notes_.table_labels, &table_);
      *out += Frame("div", label) + "<table><caption class=\"hidden\">" + MarkupEscaped(label) + "</caption>";
      return 7;
    }
    if (is("</table>")) {
      *out += "</table></div>";
      return 8;
    }
    if (is("<th>") || is("<th ")) {
      *out += "<th scope=\"col\"";
      return 3;
    }
    return AddCell(html, out);
  }

  // The first cell of a row is its head.
  size_t AddCell(std::string_view html, std::string* out) {
    if (html.starts_with("<tr>")) {
      cell_ = 0;
    } else if (html.starts_with("<td>") || html.starts_with("<td ")) {
      if (cell_++ == 0) {
        *out += "<th scope=\"row\"";
        return 3;
      }
    } else if (html.starts_with("</td>") && cell_ == 1) {
      *out += "</th>";
      return 5;
    }
    *out += html[0];
    return 1;
  }

  const TagNotes& notes_;
  size_t heading_ = 0, code_ = 0, table_ = 0;
  int cell_ = 0;  // how many cells of this row have begun
};

}  // namespace

std::string SectionName(const std::string& heading) {
  std::string name;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      name += '-';
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || byte >= 0x80) {
      name += c;
    }
  }
  return name;
}

Result<MarkdownHtml> HtmlOfMarkdown(const std::string& markdown, const std::string& path,
                                    const MarkdownOptions& options) {
  const Result<MarkdownTree> tree = ParseMarkdown(markdown, path);
  if (!tree) return tree.error();
  MarkdownHtml html;
  const TagNotes notes = Preparation(options, &html).Prepare(tree->get());
  html.html = TagPass(notes).Run(Rendered(tree->get()));
  return html;
}

}  // namespace warpgrade::report
