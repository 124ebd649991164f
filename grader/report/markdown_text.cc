// Markdown for a terminal: paragraphs and the cells of tables are wrapped, code keeps its lines, headings are
// underlined. A table that is too wide gets narrower in its widest columns. Tests: tests/report/markdown_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "grader/report/markdown.h"
#include "grader/report/markdown_tree.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

constexpr int kLeastWidth = 20, kLeastColumn = 12;
constexpr int kCodeIndent = 2;

void AppendLines(const std::vector<std::string>& more, std::vector<std::string>* lines) {
  lines->insert(lines->end(), more.begin(), more.end());
}

std::vector<std::string> CodeLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

using TextRows = std::vector<std::vector<std::string>>;

// As wide as the widest cell, and if that is too wide for the terminal, evenly less in the widest columns.
std::vector<int> ColumnWidths(const TextRows& rows, int width) {
  size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  std::vector<int> widths(columns, 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  const int room = width - kGap * std::max(0, static_cast<int>(columns) - 1);
  while (std::accumulate(widths.begin(), widths.end(), 0) > room) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeastColumn) break;
    --*widest;
  }
  return widths;
}

std::vector<std::string> TableLines(cmark_node* table, int width) {
  TextRows rows;
  for (cmark_node* row : ChildrenOf(table)) {
    rows.emplace_back();
    for (cmark_node* cell : ChildrenOf(row)) rows.back().push_back(PrintableLine(PlainText(cell)));
  }
  const std::vector<int> widths = ColumnWidths(rows, width);
  std::vector<std::string> lines;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (size_t i = 0; i < rows[r].size(); ++i) {
      cells.push_back(Wrap(rows[r][i], std::max(widths[i], 1)));
      height = std::max(height, cells.back().size());
    }
    for (size_t line = 0; line < height; ++line) {
      std::string text;
      for (size_t i = 0; i < cells.size(); ++i) {
        const std::string part = line < cells[i].size() ? cells[i][line] : "";
        text += (i > 0 ? std::string(kGap, ' ') : "") + PadRight(part, widths[i]);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      lines.push_back(text);
    }
    if (r > 0) continue;
    std::string rule;
    for (size_t i = 0; i < widths.size(); ++i) {
      rule += (i > 0 ? std::string(kGap, ' ') : "") + std::string(static_cast<size_t>(widths[i]), '-');
    }
    lines.push_back(rule);
  }
  return lines;
}

class TextWriter {
 public:
  explicit TextWriter(bool with_hints) : with_hints_(with_hints) {}

  // The lines of the blocks in `parent`, with an empty line between two of them.
  std::vector<std::string> Blocks(cmark_node* parent, int width, bool tight = false) {
    std::vector<std::string> lines;
    for (cmark_node* block : ChildrenOf(parent)) {
      const bool hidden = hints_ > 0 && !with_hints_;
      const bool is_mark = cmark_node_get_type(block) == CMARK_NODE_HTML_BLOCK;
      if (hidden && !is_mark) continue;
      const std::vector<std::string> more = is_mark ? HintLines(block, width) : BlockLines(block, width);
      if (more.empty()) continue;
      const bool below_a_hint = is_mark && was_mark_ && !with_hints_;
      if (!lines.empty() && !tight && !below_a_hint) lines.emplace_back();
      was_mark_ = is_mark;
      AppendLines(more, &lines);
    }
    return lines;
  }

 private:
  std::vector<std::string> BlockLines(cmark_node* block, int width) {
    width = std::max(width, kLeastWidth);
    switch (cmark_node_get_type(block)) {
      case CMARK_NODE_HEADING:
        return HeadingLines(block, width);
      case CMARK_NODE_PARAGRAPH:
        return Wrap(PlainText(block, "`", "*"), width);
      case CMARK_NODE_CODE_BLOCK:
        return Indented(CodeLines(cmark_node_get_literal(block)), std::string(kCodeIndent, ' '));
      case CMARK_NODE_THEMATIC_BREAK:
        return {std::string(static_cast<size_t>(width), '-')};
      case CMARK_NODE_LIST:
        return ListLines(block, width);
      case CMARK_NODE_BLOCK_QUOTE:
        return Indented(Blocks(block, width - 2), "> ");
      default:
        return IsTable(block) ? TableLines(block, width) : Blocks(block, width);
    }
  }

  static std::vector<std::string> HeadingLines(cmark_node* block, int width) {
    std::vector<std::string> lines = Wrap(PrintableLine(PlainText(block)), width);
    int longest = 0;
    for (const std::string& line : lines) longest = std::max(longest, DisplayWidth(line));
    const int level = cmark_node_get_heading_level(block);
    if (level <= 2) lines.emplace_back(static_cast<size_t>(longest), level == 1 ? '=' : '-');
    return lines;
  }

  static std::vector<std::string> Indented(std::vector<std::string> lines, const std::string& by) {
    for (std::string& line : lines) {
      if (!line.empty()) line.insert(0, by);
    }
    return lines;
  }

  std::vector<std::string> ListLines(cmark_node* list, int width) {
    const bool ordered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
    const bool tight = cmark_node_get_list_tight(list) != 0;
    int number = cmark_node_get_list_start(list);
    std::vector<std::string> lines;
    for (cmark_node* item : ChildrenOf(list)) {
      const std::string mark = ordered ? fmt::format("{}. ", number++) : "- ";
      const std::string indent(mark.size(), ' ');
      std::vector<std::string> of_item = Blocks(item, width - static_cast<int>(mark.size()), tight);
      if (of_item.empty()) of_item.emplace_back();
      for (size_t i = 0; i < of_item.size(); ++i) {
        if (!of_item[i].empty() || i == 0) of_item[i].insert(0, i == 0 ? mark : indent);
      }
      if (!lines.empty() && !tight) lines.emplace_back();
      AppendLines(of_item, &lines);
    }
    return lines;
  }

  std::vector<std::string> HintLines(cmark_node* block, int width) {
    std::vector<std::string> lines;
    for (const HintPart& part : HintsOf(block)) {
      if (part.mark == HintMark::kEnd) {
        hints_ = std::max(0, hints_ - 1);
        continue;
      }
      if (hints_ == 0 || with_hints_) AppendLines(Wrap("? " + part.summary, std::max(width, kLeastWidth)), &lines);
      ++hints_;
    }
    return lines;
  }

  const bool with_hints_;
  bool was_mark_ = false;
  int hints_ = 0;  // that are open here
};

}  // namespace

Result<std::string> TextOfMarkdown(const std::string& markdown, const std::string& path, int width, bool with_hints) {
  const Result<MarkdownTree> tree = ParseMarkdown(markdown, path);
  if (!tree) return tree.error();
  std::string text;
  for (const std::string& line : TextWriter(with_hints).Blocks(tree->get(), width)) text += line + "\n";
  return text;
}

}  // namespace warpgrade::report
