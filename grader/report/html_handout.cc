// Puts the page of a handout together. The text is HTML before any script runs, so it can be read without scripts;
// handout.js adds only the charts. A link into the repository cannot work in a page that is mailed around: to the
// glossary it leads to the word, which is at the end of the page; any other one becomes its text. Tests:
// tests/report/html_handout_test.cc, and tests/report/html/ opens the page in a browser.
#include "grader/report/html_handout.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/markdown.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using HandoutJson = nlohmann::ordered_json;

constexpr const char* kPartPrefix = "part-";
constexpr const char* kWordPrefix = "word-";

std::set<std::string> IdsOf(const MarkdownHtml& html) {
  std::set<std::string> ids;
  for (const MarkdownHeading& heading : html.headings) ids.insert(heading.id);
  return ids;
}

// The ids of the headings of a document; none if it is none.
std::set<std::string> IdsIn(const std::string& markdown, const char* prefix) {
  const auto html = HtmlOfMarkdown(markdown, "", {.id_prefix = prefix});
  return html ? IdsOf(*html) : std::set<std::string>();
}

bool IsAddress(const std::string& target) {
  return target.starts_with("https://") || target.starts_with("http://") || target.starts_with("mailto:");
}

// Decides where the links of a handout lead, and collects the words that it links to.
class HandoutLinks {
 public:
  explicit HandoutLinks(const Handout& handout)
      : handout_(handout), parts_(IdsIn(handout.markdown, kPartPrefix)), words_(IdsIn(handout.glossary, kWordPrefix)) {}

  LinkTarget OfHandout(const std::string& target, const std::string& text) {
    if (target.starts_with("#")) return Inside(kPartPrefix + target.substr(1), parts_);
    if (IsAddress(target)) return {target, ""};
    const auto [path, fragment] = Resolved("labs/" + handout_.name, target);
    if (path == "labs/glossary/README.md" && words_.contains(kWordPrefix + fragment)) {
      wanted_.insert(fragment);
      return {std::string("#").append(kWordPrefix).append(fragment), ""};
    }
    return Outside(path, text);
  }

  // In the words at the end of the page. REQUIRES: all links of the handout have been decided.
  LinkTarget OfGlossary(const std::string& target, const std::string& text) const {
    if (target.starts_with("#")) {
      return wanted_.contains(target.substr(1)) ? Inside(kWordPrefix + target.substr(1), words_) : LinkTarget{};
    }
    if (IsAddress(target)) return {target, ""};
    return Outside(Resolved("labs/glossary", target).first, text);
  }

  const std::set<std::string>& wanted() const { return wanted_; }

 private:
  static LinkTarget Inside(const std::string& id, const std::set<std::string>& ids) {
    return ids.contains(id) ? LinkTarget{"#" + id, ""} : LinkTarget{};
  }

  static std::pair<std::string, std::string> Resolved(const std::string& folder, const std::string& target) {
    const size_t mark = target.find('#');
    const std::filesystem::path path = std::filesystem::path(folder) / target.substr(0, mark);
    return {PrintableLine(path.lexically_normal().string()), mark == std::string::npos ? "" : target.substr(mark + 1)};
  }

  // Says where the file is, unless the text does already: a text without a folder is a file of the lab.
  static LinkTarget Outside(const std::filesystem::path& path, const std::string& text) {
    if (path.filename() == "README.md" && path.parent_path().parent_path() == "labs") {
      return {"", fmt::format(" (warpgrade handout {})", path.parent_path().filename().string())};
    }
    if (text.find(path.filename().string()) != std::string::npos) return {};
    return {"", fmt::format(" ({})", path.string())};
  }

  const Handout& handout_;
  const std::set<std::string> parts_, words_;
  std::set<std::string> wanted_;
};

// A list of headings with those below them: <ol><li><a>..</a><ol>..</ol></li></ol>. Only two levels.
std::string ContentsHtml(const std::vector<MarkdownHeading>& headings) {
  std::string html = "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n";
  bool is_open = false, is_below = false;
  for (const MarkdownHeading& heading : headings) {
    if (heading.level > 3) continue;
    const std::string link =
        fmt::format("<a href=\"#{}\">{}</a>", MarkupEscaped(heading.id), MarkupEscaped(heading.text));
    if (heading.level == 3 && is_open) {
      html += (is_below ? "" : "<ol>") + ("<li>" + link) + "</li>\n";
      is_below = true;
      continue;
    }
    if (is_below) html += "</ol>";
    if (is_open) html += "</li>\n";
    html += "<li>" + link;
    is_open = true;
    is_below = false;
  }
  if (is_below) html += "</ol>";
  if (is_open) html += "</li>\n";
  return html + "</ol>\n</nav>\n";
}

std::string GlanceHtml(const Handout& handout) {
  std::string html = "<section>\n<h2 id=\"at-a-glance\">At a glance</h2>\n<ul class=\"figures\">\n";
  const auto figure = [&html](const std::string& value, const std::string& what) {
    html += fmt::format("<li><b>{}</b>{}</li>\n", value, what);
  };
  figure(fmt::format("{:g}", handout.points), "points");
  figure(fmt::format("{}", handout.rungs.size()), handout.rungs.size() == 1 ? "rung" : "rungs");
  if (handout.quiz_points > 0) figure(fmt::format("{:g}", handout.quiz_points), "of them for the quiz");
  return html + "</ul>\n" +
         fmt::format(
             "<p class=\"quiet\">Your files are in starter/{0}. A file that the text names without a folder is there, "
             "or in labs/{0}.</p>\n<div id=\"glance\" class=\"glance\"></div>\n</section>\n",
             MarkupEscaped(PrintableLine(handout.name)));
}

constexpr const char* kWordsHtml =
    "<section class=\"prose\">\n<h2 id=\"words\">The words</h2>\n"
    "<p>These are the words of the glossary that this handout links to. <code>./warpgrade handout glossary</code> "
    "shows all of them, and how to compile <code>build/words</code> for the commands.</p>\n";

HandoutJson HandoutData(const Handout& handout, const std::string& title) {
  HandoutJson data = {{"kit", PrintableLine(handout.kit_version)},
                      {"course", "warpgrade handout " + PrintableLine(handout.name)},
                      {"title", PrintableLine(title)},
                      {"subtitle", PrintableLine(handout.course)}};
  data["quiz"] = handout.quiz_points;
  data["rungs"] = HandoutJson::array();
  for (const HandoutRung& rung : handout.rungs) {
    data["rungs"].push_back({{"name", PrintableLine(rung.name)},
                             {"title", PrintableLine(rung.title)},
                             {"correctness", rung.correctness},
                             {"technique", rung.technique},
                             {"throughput", rung.throughput},
                             {"bonus", rung.is_bonus}});
  }
  data["charts"] = HandoutJson::array();
  for (const plot::Chart& chart : handout.charts) data["charts"].push_back(ChartJson(chart));
  return data;
}

}  // namespace

Result<std::string> HandoutPage(const Handout& handout) {
  HandoutLinks links(handout);
  const auto text = HtmlOfMarkdown(
      handout.markdown, handout.path,
      {.id_prefix = kPartPrefix,
       .link = [&links](const std::string& to, const std::string& of) { return links.OfHandout(to, of); }});
  if (!text) return text.error();
  std::vector<MarkdownHeading> contents;
  std::string parts;
  if (!handout.rungs.empty()) {
    contents.push_back({2, "At a glance", "at-a-glance"});
    parts += GlanceHtml(handout);
  }
  contents.insert(contents.end(), text->headings.begin(), text->headings.end());
  parts += "<article class=\"prose\">\n" + text->html + "</article>\n";
  if (!links.wanted().empty()) {
    const auto words = HtmlOfMarkdown(
        handout.glossary, "the glossary",
        {.id_prefix = kWordPrefix,
         .deeper = 1,
         .sections = links.wanted(),
         .link = [&links](const std::string& to, const std::string& of) { return links.OfGlossary(to, of); }});
    if (!words) return words.error();
    contents.push_back({2, "The words", "words"});
    contents.insert(contents.end(), words->headings.begin(), words->headings.end());
    parts += kWordsHtml + words->html + "</section>\n";
  }
  const PageContent content = {
      .html = "\n<div class=\"handout\">\n" + ContentsHtml(contents) + "<div>\n" + parts + "</div>\n</div>\n",
      .without_scripts =
          "This page draws its charts with JavaScript, which is switched off in this browser. The text "
          "is complete."};
  const std::string title = text->title.empty() ? handout.name : text->title;
  return PageOf(std::string(kChartsJs) + std::string(kHandoutJs), ScriptSafe(HandoutData(handout, title)), "", content);
}

}  // namespace warpgrade::report
