// A parsed Markdown document: what markdown.cc and markdown_text.cc share.
#pragma once

#include <cmark-gfm.h>

#include <memory>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::report {

struct FreeMarkdown {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using MarkdownTree = std::unique_ptr<cmark_node, FreeMarkdown>;

// What an author's HTML may say: hints that open.
enum class HintMark { kBegin, kEnd };
struct HintPart {
  HintMark mark = HintMark::kBegin;
  std::string summary;  // of kBegin
};

// Parses a document. All text in it is printable; pictures have become text, comments are gone, and HTML that is no
// mark of a hint has become text or code. Errors (kUsage): see HtmlOfMarkdown.
Result<MarkdownTree> ParseMarkdown(const std::string& markdown, const std::string& path);

// The marks of a block of HTML. Only blocks right below the document have any left. REQUIRES: of a tree of
// ParseMarkdown.
std::vector<HintPart> HintsOf(cmark_node* block);

// The children, so that the tree may change meanwhile.
std::vector<cmark_node*> ChildrenOf(cmark_node* node);

// The text without marks. `code` and `emphasis`: what stands before and behind a piece of code or stressed words.
std::string PlainText(cmark_node* node, const std::string& code = "", const std::string& emphasis = "");

bool IsTable(cmark_node* node);

}  // namespace warpgrade::report
