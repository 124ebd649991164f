// Markdown as HTML and for a terminal: what stays, what is added, and that nothing of an author is more than text.
#include "grader/report/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

MarkdownHtml HtmlOf(const std::string& markdown, const MarkdownOptions& options = {}) {
  auto html = HtmlOfMarkdown(markdown, "README.md", options);
  EXPECT_TRUE(html.ok()) << markdown;
  return html.ok() ? *std::move(html) : MarkdownHtml();
}

std::string TerminalText(const std::string& markdown, int width = 60, bool with_hints = false) {
  const auto text = TextOfMarkdown(markdown, "README.md", width, with_hints);
  EXPECT_TRUE(text.ok()) << markdown;
  return text.ok() ? *text : "";
}

std::vector<std::string> HeadingWords(const MarkdownHtml& html) {
  std::vector<std::string> words;
  for (const MarkdownHeading& heading : html.headings) {
    words.push_back(std::to_string(heading.level).append(" ").append(heading.text).append(" #").append(heading.id));
  }
  return words;
}

TEST(MarkdownTest, TheFirstHeadingIsTheTitleAndTheOthersHaveIdsForLinks) {
  const MarkdownHtml html =
      HtmlOf("# Lab *3*\n\n## The rungs\n\n### v1: `a[i]`, twice\n\n## The rungs\n\n# More\n", {.id_prefix = "part-"});
  EXPECT_EQ(html.title, "Lab 3");
  EXPECT_THAT(HeadingWords(html), ElementsAre("2 The rungs #part-the-rungs", "3 v1: a[i], twice #part-v1-ai-twice",
                                              "2 The rungs #part-the-rungs-1", "2 More #part-more"));
  EXPECT_THAT(html.html, HasSubstr("<h3 id=\"part-v1-ai-twice\">v1: <code>a[i]</code>, twice</h3>"));
  EXPECT_THAT(html.html, Not(HasSubstr("<h1")));
}

TEST(MarkdownTest, ALevelThatIsLeftOutIsClosedUp) {
  const MarkdownHtml html = HtmlOf("# T\n\n#### Deep\n\n###### Deeper\n\n## Up\n", {.deeper = 1});
  EXPECT_THAT(HeadingWords(html), ElementsAre("3 Deep #deep", "4 Deeper #deeper", "3 Up #up"));
}

TEST(MarkdownTest, HintsOpenAndWhatIsNotClosedIs) {
  const MarkdownHtml html =
      HtmlOf("<details><summary>v1: a < b?</summary>\n\nYes.\n</details>\n<details><summary>v2</summary>\n\n- No.\n");
  EXPECT_EQ(html.html,
            "<details><summary>v1: a &lt; b?</summary>\n<p>Yes.</p>\n</details>\n<details><summary>v2</summary>\n"
            "<ul>\n<li>No.</li>\n</ul>\n</details>\n");
  EXPECT_EQ(HtmlOf("</details>\n\nText\n").html, "<p>Text</p>\n");
}

TEST(MarkdownTest, OtherHtmlIsTextAndCommentsGo) {
  const MarkdownHtml html = HtmlOf(
      "<!-- table: points -->\n\nA<!-- b --> <b onclick=\"x()\">c</b>\n\n<script>\nx()\n</script>\n\n"
      "- <details><summary>in a list</summary>\n\n<details open onclick=x()><summary>s</summary>\n");
  EXPECT_THAT(html.html, HasSubstr("<p>A &lt;b onclick=&quot;x()&quot;&gt;c&lt;/b&gt;</p>"));
  EXPECT_THAT(html.html, HasSubstr("<code>&lt;script&gt;\nx()\n&lt;/script&gt;\n</code>"));
  EXPECT_THAT(html.html, HasSubstr("<code>&lt;details&gt;&lt;summary&gt;in a list"));
  EXPECT_THAT(html.html, HasSubstr("<code>&lt;details open onclick=x()&gt;"));
  EXPECT_THAT(html.html, Not(HasSubstr("<details>")));
  EXPECT_THAT(html.html, Not(HasSubstr("omitted")));
  EXPECT_THAT(html.html, Not(HasSubstr("table: points")));
}

TEST(MarkdownTest, ALinkLeadsWhereTheCallerSaysOrBecomesItsText) {
  const auto link = [](const std::string& target, const std::string& text) {
    if (target == "#a") return LinkTarget{"#part-a", ""};
    return LinkTarget{"", " (" + target + ", " + text + ")"};
  };
  const MarkdownHtml html = HtmlOf("[one](#a \"title\"), [*two* `x`](b.h) and <javascript:x>\n", {.link = link});
  EXPECT_EQ(html.html,
            "<p><a href=\"#part-a\">one</a>, <em>two</em> <code>x</code> (b.h, two x) and javascript:x "
            "(javascript:x, javascript:x)</p>\n");
  EXPECT_EQ(HtmlOf("[one](http://example.org)\n").html, "<p>one</p>\n") << "without a rule";
}

TEST(MarkdownTest, APictureIsItsWords) {
  EXPECT_EQ(HtmlOf("![a *tree*](http://example.org/x.png)\n").html, "<p>[picture: a tree]</p>\n");
}

TEST(MarkdownTest, TablesAndCodeScrollByThemselvesAndHaveNames) {
  const MarkdownHtml html =
      HtmlOf("## Ru\"ngs\n\n| rung | x |\n|---|--:|\n| `v1` | 2 |\n\n```sh\nls\n```\n\n    -->\n");
  EXPECT_THAT(html.html, HasSubstr("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: "
                                   "Ru&quot;ngs\"><table><caption class=\"hidden\">Table: Ru&quot;ngs</caption>"));
  EXPECT_THAT(html.html, HasSubstr("<th scope=\"col\">rung</th>\n<th scope=\"col\" align=\"right\">x</th>"));
  EXPECT_THAT(html.html, HasSubstr("<th scope=\"row\"><code>v1</code></th>\n<td align=\"right\">2</td>"));
  EXPECT_THAT(html.html, HasSubstr("</table></div>"));
  EXPECT_THAT(html.html, HasSubstr("<pre class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Commands: "
                                   "Ru&quot;ngs\"><code class=\"language-sh\">ls\n</code></pre>"));
  EXPECT_THAT(html.html, HasSubstr("aria-label=\"Picture: Ru&quot;ngs\"><code>--&gt;\n</code>"));
}

TEST(MarkdownTest, OnlyTheSectionsThatAreWanted) {
  const MarkdownHtml html = HtmlOf("# Words\n\nIntro.\n\n## Lane\n\na\n\n### Part\n\nb\n\n## Warp\n\nc\n",
                                   {.deeper = 1, .sections = std::set<std::string>{"lane"}});
  EXPECT_EQ(html.html, "<h3 id=\"lane\">Lane</h3>\n<p>a</p>\n<h4 id=\"part\">Part</h4>\n<p>b</p>\n");
}

TEST(MarkdownTest, MarksThatCannotBeSeenAreWrittenOut) {
  const std::string hostile = "a &#27;[31m \x1b]0; \u202E b\n\n```\n\x1b[2J\u2066\n```\n\n## \u202E\n";
  for (const std::string& text : {HtmlOf(hostile).html, TerminalText(hostile)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\u202E")));
    EXPECT_THAT(text, HasSubstr("\\x1b[31m"));
    EXPECT_THAT(text, HasSubstr("\\x1b[2J\\u2066"));
  }
}

TEST(MarkdownTest, ADocumentThatIsTooLargeOrTooDeepIsRefusedWithItsPath) {
  const auto large = HtmlOfMarkdown(std::string(kMostMarkdownBytes + 1, 'x'), "my/README.md", {});
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().message, "my/README.md: a handout may have 256 KB, and this one has 256; make it shorter");
  for (const std::string& deep : {std::string(100'000, '>') + " x", std::string(100'000, '[') + "x"}) {
    const auto html = HtmlOfMarkdown(deep, "README.md", {});
    if (!html.ok()) {
      EXPECT_EQ(html.error().message,
                "README.md: lists, quotes or marks stand in each other more than 40 deep; write them flatter");
    }
    EXPECT_EQ(html.ok(), deep[0] == '[') << "brackets without a link are text";
  }
}

TEST(MarkdownTextTest, ParagraphsAndListsAreWrappedAndCodeKeepsItsLines) {
  EXPECT_EQ(
      TerminalText("# Title\n\n## Part\n\n### v1\n\none two three four [five](x.h) *six* seven\n\n- a `b`\n"
                   "- one two three four five six\n\n1. x\n\n```\n  a   ->   b, which is longer than a line\n\n```\n",
                   24),
      "Title\n=====\n\nPart\n----\n\nv1\n\none two three four five\n*six* seven\n\n- a `b`\n- one two three four\n"
      "  five six\n\n1. x\n\n    a   ->   b, which is longer than a line\n\n");
}

TEST(MarkdownTextTest, AWideTableGetsNarrowerInItsWidestColumn) {
  EXPECT_EQ(TerminalText("| rung | what is new |\n|---|---|\n| v1 | one thread for each element |\n", 24),
            "rung  what is new\n----  ------------------\nv1    one thread for\n      each element\n");
}

TEST(MarkdownTextTest, OfAHintOnlyItsQuestionIsThereUnlessItIsWanted) {
  const std::string markdown =
      "<details><summary>Where?</summary>\n\nHere.\n</details>\n<details><summary>How?</summary>\n\nSo.\n</details>\n\n"
      "After.\n";
  EXPECT_EQ(TerminalText(markdown), "? Where?\n? How?\n\nAfter.\n");
  EXPECT_EQ(TerminalText(markdown, 60, true), "? Where?\n\nHere.\n\n? How?\n\nSo.\n\nAfter.\n");
}

}  // namespace
}  // namespace warpgrade::report
