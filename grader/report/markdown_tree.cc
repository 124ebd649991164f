// Parses Markdown with cmark-gfm, and makes the tree harmless before anybody renders it: every text is printable, and
// HTML of the author is text, except comments, which go, and the marks of hints, which are the author's only HTML that
// is understood. Loops, not recursion, go through the tree until its depth is known. Tests:
// tests/report/markdown_test.cc, and tests/fuzz/markdown_fuzz.cc.
#include "grader/report/markdown_tree.h"

#include <cmark-gfm-core-extensions.h>
#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "grader/report/markdown.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

// Each node of the tree in the order of the text, before its children.
std::vector<cmark_node*> NodesOf(cmark_node* root, int* deepest) {
  std::vector<cmark_node*> nodes;
  int depth = 0;
  const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> iter(cmark_iter_new(root), cmark_iter_free);
  for (cmark_event_type event; (event = cmark_iter_next(iter.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(iter.get());
    if (event == CMARK_EVENT_EXIT) {
      --depth;
      continue;
    }
    nodes.push_back(node);
    *deepest = std::max(*deepest, depth);
    // A node without children that can have some has both events.
    const cmark_node_type type = cmark_node_get_type(node);
    const bool is_leaf = type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE || type == CMARK_NODE_CODE_BLOCK ||
                         type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE ||
                         type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK ||
                         type == CMARK_NODE_THEMATIC_BREAK;
    if (!is_leaf) ++depth;
  }
  return nodes;
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \n");
  return first == std::string_view::npos ? "" : text.substr(first);
}

bool Take(std::string_view* text, std::string_view word) {
  if (!text->starts_with(word)) return false;
  text->remove_prefix(word.size());
  return true;
}

// The marks in a block of HTML, without comments. nullopt: there is something else in it.
std::optional<std::vector<HintPart>> MarksIn(std::string_view text) {
  std::vector<HintPart> marks;
  while (!(text = Trimmed(text)).empty()) {
    if (Take(&text, "<!--")) {
      const size_t end = text.find("-->");
      if (end == std::string_view::npos) return std::nullopt;
      text.remove_prefix(end + 3);
    } else if (Take(&text, "</details>")) {
      marks.push_back({HintMark::kEnd, ""});
    } else if (Take(&text, "<details>") && Take(&(text = Trimmed(text)), "<summary>")) {
      const size_t end = text.find("</summary>");
      if (end == std::string_view::npos) return std::nullopt;
      marks.push_back({HintMark::kBegin, PrintableLine(text.substr(0, end))});
      text.remove_prefix(end + 10);
    } else {
      return std::nullopt;
    }
  }
  return marks;
}

void ReplaceNode(cmark_node* old, cmark_node_type type, const std::string& literal) {
  cmark_node* const made = cmark_node_new(type);
  cmark_node_set_literal(made, literal.c_str());
  cmark_node_replace(old, made);
  cmark_node_free(old);
}

void CleanHtmlBlock(cmark_node* node) {
  const std::string literal = Printable(cmark_node_get_literal(node));
  const auto marks = MarksIn(literal);
  const bool is_top = cmark_node_get_type(cmark_node_parent(node)) == CMARK_NODE_DOCUMENT;
  if (!marks || (!marks->empty() && !is_top)) return ReplaceNode(node, CMARK_NODE_CODE_BLOCK, literal);
  if (!marks->empty()) {
    cmark_node_set_literal(node, literal.c_str());
    return;
  }
  cmark_node_unlink(node);  // comments
  cmark_node_free(node);
}

void CleanHtmlInline(cmark_node* node) {
  const std::string literal = PrintableLine(cmark_node_get_literal(node));
  ReplaceNode(node, CMARK_NODE_TEXT, literal.starts_with("<!--") ? "" : literal);
}

// REQUIRES: nothing else is held of what is inside of `node`.
void CleanMarkdownNode(cmark_node* node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HTML_BLOCK:
      return CleanHtmlBlock(node);
    case CMARK_NODE_HTML_INLINE:
      return CleanHtmlInline(node);
    case CMARK_NODE_TEXT:
    case CMARK_NODE_CODE:
      cmark_node_set_literal(node, PrintableLine(cmark_node_get_literal(node)).c_str());
      return;
    case CMARK_NODE_CODE_BLOCK: {
      cmark_node_set_literal(node, Printable(cmark_node_get_literal(node)).c_str());
      const std::string_view info = cmark_node_get_fence_info(node);
      cmark_node_set_fence_info(
          node, std::string(info.substr(0, info.find_first_not_of("abcdefghijklmnopqrstuvwxyz"))).c_str());
      return;
    }
    case CMARK_NODE_LINK:
      cmark_node_set_url(node, PrintableLine(cmark_node_get_url(node)).c_str());
      cmark_node_set_title(node, "");
      return;
    case CMARK_NODE_IMAGE:
      return ReplaceNode(node, CMARK_NODE_TEXT, "[picture: " + PrintableLine(PlainText(node)) + "]");
    default:
      return;
  }
}

MarkdownTree Parsed(const std::string& markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(cmark_parser_new(CMARK_OPT_VALIDATE_UTF8),
                                                                      cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  return MarkdownTree(cmark_parser_finish(parser.get()));
}

}  // namespace

Result<MarkdownTree> ParseMarkdown(const std::string& markdown, const std::string& path) {
  if (markdown.size() > kMostMarkdownBytes) {
    return Error{ErrorKind::kUsage, fmt::format("{}: a handout may have {} KB, and this one has {}; make it shorter",
                                                PrintableLine(path), kMostMarkdownBytes >> 10, markdown.size() >> 10)};
  }
  MarkdownTree tree = Parsed(markdown);
  int deepest = 0;
  std::vector<cmark_node*> nodes = NodesOf(tree.get(), &deepest);
  if (deepest > kMostMarkdownDepth) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: lists, quotes or marks stand in each other more than {} deep; write them flatter",
                             PrintableLine(path), kMostMarkdownDepth)};
  }
  // From the end, so that what is inside of a node is clean before the node itself is replaced.
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) CleanMarkdownNode(*node);
  cmark_consolidate_text_nodes(tree.get());
  return tree;
}

std::vector<HintPart> HintsOf(cmark_node* block) {
  return MarksIn(cmark_node_get_literal(block)).value_or(std::vector<HintPart>());
}

std::vector<cmark_node*> ChildrenOf(cmark_node* node) {
  std::vector<cmark_node*> children;
  for (cmark_node* child = cmark_node_first_child(node); child != nullptr; child = cmark_node_next(child)) {
    children.push_back(child);
  }
  return children;
}

std::string PlainText(cmark_node* node, const std::string& code, const std::string& emphasis) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
    case CMARK_NODE_HTML_INLINE:
      return cmark_node_get_literal(node);
    case CMARK_NODE_CODE:
      return code + cmark_node_get_literal(node) + code;
    case CMARK_NODE_SOFTBREAK:
      return " ";
    case CMARK_NODE_LINEBREAK:
      return "\n";
    default:
      break;
  }
  std::string text;
  for (cmark_node* child : ChildrenOf(node)) text += PlainText(child, code, emphasis);
  return cmark_node_get_type(node) == CMARK_NODE_EMPH ? emphasis + text + emphasis : text;
}

bool IsTable(cmark_node* node) { return std::string_view(cmark_node_get_type_string(node)) == "table"; }

}  // namespace warpgrade::report
