// Draws a plot as SVG: for each chart a frame with marks, series with whiskers, a legend at the right, and sentences
// below. Series differ in colour and in the shape of their points, so a print without colours can be read. Tests:
// tests/plot/svg_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "grader/plot/plot.h"

namespace warpgrade::plot {
namespace {

constexpr double kWidth = 960, kLeft = 84, kRight = 220, kFrameHeight = 360;
constexpr double kLineHeight = 19, kTitleHeight = 30, kBelowFrame = 54;
constexpr size_t kLettersOfALine = 125;
constexpr double kRadius = 4;

// Of Okabe and Ito, "Color Universal Design" (2008), readable with any colour vision; the ninth is grey.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9",
                                 "#e69f00", "#6a3d9a", "#1c2128", "#808890"};

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) escaped += c;
    }
  }
  return escaped;
}

std::vector<std::string> Wrapped(const std::string& text) {
  std::vector<std::string> lines(1);
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > kLettersOfALine) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

// Where a value lies between the ends of an axis: 0 to 1.
class AxisPlace {
 public:
  AxisPlace(Scale scale, double low, double high) : scale_(scale), low_(Of(low)), high_(Of(high)) {
    if (high_ <= low_) high_ = low_ + 1;
  }
  double operator()(double value) const { return std::clamp((Of(value) - low_) / (high_ - low_), 0.0, 1.0); }

 private:
  double Of(double value) const { return scale_ == Scale::kLinear ? value : std::log2(std::max(value, 1e-300)); }
  Scale scale_;
  double low_, high_;
};

struct Range {
  double low = INFINITY, high = -INFINITY;
  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Ranges {
  Range x, y;
};

Ranges RangesOf(const Chart& chart) {
  Ranges ranges;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      ranges.x.Add(point.x);
      ranges.y.Add(point.high);
      // A whisker that goes down to nothing must not stretch a logarithmic axis.
      ranges.y.Add(chart.y.scale == Scale::kLinear ? point.low : std::max(point.low, point.y / 2));
    }
  }
  if (ranges.x.low > ranges.x.high) ranges = {{1, 2}, {1, 2}};  // no points
  if (chart.y.scale == Scale::kLinear) ranges.y.low = std::min(0.0, ranges.y.low);
  if (!chart.categories.empty()) ranges.x = {-0.5, static_cast<double>(chart.categories.size()) - 0.5};
  return ranges;
}

std::string Text(double x, double y, const char* more, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more, Escaped(text));
}

std::string Line(double x1, double y1, double x2, double y2, const std::string& more) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x1, y1, x2, y2, more);
}

class ChartDrawing {
 public:
  ChartDrawing(const Chart& chart, double top)
      : chart_(chart),
        top_(top + kTitleHeight),
        ranges_(RangesOf(chart)),
        x_(chart.categories.empty() ? chart.x.scale : Scale::kLinear, ranges_.x.low, ranges_.x.high),
        y_(chart.y.scale, ranges_.y.low, ranges_.y.high) {}

  // *height: what it takes, with the title and the sentences.
  std::string Draw(double* height) {
    svg_ += Text(0, top_ - 12, " class=\"title\"", chart_.title);
    DrawAxes();
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      chart_.categories.empty() ? DrawSeries(i) : DrawBars(i);
      DrawLegend(i);
    }
    double below = top_ + kFrameHeight + kBelowFrame;
    for (const std::string& sentence : chart_.sentences) {
      for (const std::string& line : Wrapped(sentence)) {
        below += kLineHeight;
        svg_ += Text(0, below, "", line);
      }
    }
    *height = below + kLineHeight - top_ + kTitleHeight;
    return std::move(svg_);
  }

 private:
  double X(double value) const { return kLeft + x_(value) * (kWidth - kLeft - kRight); }
  double Y(double value) const { return top_ + (1 - y_(value)) * kFrameHeight; }
  static const char* Colour(size_t i) { return kColours.at(i % kColours.size()); }

  void DrawAxes() {
    const double right = kWidth - kRight, bottom = top_ + kFrameHeight;
    for (const double tick : Ticks(chart_.y.scale, ranges_.y.low, ranges_.y.high, 9)) {
      svg_ += Line(kLeft, Y(tick), right, Y(tick), " class=\"grid\"");
      svg_ += Text(kLeft - 8, Y(tick) + 5, " class=\"quiet\" text-anchor=\"end\"", NumberOn(chart_.y.scale, tick));
    }
    if (chart_.categories.empty()) {
      for (const double tick : Ticks(chart_.x.scale, ranges_.x.low, ranges_.x.high, 10)) {
        svg_ += Line(X(tick), top_, X(tick), bottom, " class=\"grid\"");
        svg_ += Text(X(tick), bottom + 20, " class=\"quiet\" text-anchor=\"middle\"", NumberOn(chart_.x.scale, tick));
      }
    }
    for (size_t i = 0; i < chart_.categories.size(); ++i) {
      svg_ +=
          Text(X(static_cast<double>(i)), bottom + 20, " class=\"quiet\" text-anchor=\"middle\"", chart_.categories[i]);
    }
    svg_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#9aa3ae\"/>\n",
        kLeft, top_, right - kLeft, kFrameHeight);
    svg_ += Text((kLeft + right) / 2, bottom + 44, " class=\"quiet\" text-anchor=\"middle\"", chart_.x.title);
    svg_ += fmt::format(
        "<text transform=\"translate(16 {:.1f}) rotate(-90)\" class=\"quiet\" text-anchor=\"middle\">{}</text>\n",
        top_ + kFrameHeight / 2, Escaped(chart_.y.title));
  }

  // A circle, a square, a triangle or a diamond.
  std::string Mark(double x, double y, size_t i, bool hollow) const {
    const std::string look =
        fmt::format(" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", hollow ? "#ffffff" : Colour(i), Colour(i));
    const double r = kRadius;
    switch (i % 4) {
      case 0:
        return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"{}/>\n", x, y, r, look);
      case 1:
        return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"{}/>\n", x - r, y - r, 2 * r,
                           2 * r, look);
      case 2:
        return fmt::format("<path d=\"M{:.1f} {:.1f} l{} {} h{} z\"{}/>\n", x, y - r, r, 2 * r, -2 * r, look);
      default:
        return fmt::format("<path d=\"M{:.1f} {:.1f} l{} {} l{} {} l{} {} z\"{}/>\n", x, y - r, r, r, -r, r, -r, -r,
                           look);
    }
  }

  std::string Whisker(double x, const Point& point, size_t i) const {
    const double low = Y(point.low), high = Y(point.high);
    if (low - high < 2 * kRadius) return "";  // hidden by the point
    const std::string look = fmt::format(" stroke=\"{}\" stroke-width=\"1\"", Colour(i));
    return Line(x, low, x, high, look) + Line(x - 3, low, x + 3, low, look) + Line(x - 3, high, x + 3, high, look);
  }

  void DrawSeries(size_t i) {
    const Series& series = chart_.series[i];
    std::string path;
    for (const Point& point : series.points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", X(point.x), Y(point.y));
    }
    if (series.joined && series.points.size() > 1) {
      svg_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", path, Colour(i),
                          series.is_bound ? " stroke-dasharray=\"6 4\"" : "");
    }
    if (series.is_bound) return;
    for (const Point& point : series.points) {
      svg_ += Whisker(X(point.x), point, i) + Mark(X(point.x), Y(point.y), i, point.doubtful);
    }
  }

  void DrawBars(size_t i) {
    const double room = (kWidth - kLeft - kRight) / static_cast<double>(std::max<size_t>(1, chart_.categories.size()));
    const double width = 0.7 * room / static_cast<double>(chart_.series.size());
    for (const Point& point : chart_.series[i].points) {
      const double x = X(point.x) - 0.35 * room + width * static_cast<double>(i);
      svg_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
                          Y(point.y), width, top_ + kFrameHeight - Y(point.y), Colour(i));
      svg_ += Text(x + width / 2, Y(point.y) - 5, " class=\"quiet\" text-anchor=\"middle\"",
                   NumberOn(Scale::kLinear, point.y));
      svg_ += Whisker(x + width / 2, point, i);
    }
  }

  void DrawLegend(size_t i) {
    const double x = kWidth - kRight + 22, y = top_ + 12 + 22 * static_cast<double>(i);
    if (chart_.series[i].is_bound) {
      svg_ += Line(x - 9, y, x + 9, y,
                   fmt::format(" stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\"", Colour(i)));
    } else {
      svg_ += Mark(x, y, i, false);
    }
    svg_ += Text(x + 16, y + 5, "", chart_.series[i].name);
  }

  const Chart& chart_;
  const double top_;
  const Ranges ranges_;
  const AxisPlace x_, y_;
  std::string svg_;
};

}  // namespace

std::string SvgText(const Plot& plot) {
  std::string body = Text(0, 26, " class=\"head\"", plot.title);
  double top = 36;
  for (const auto& [name, value] : plot.facts) {
    for (const std::string& line : Wrapped(fmt::format("{}: {}", name, value))) {
      top += kLineHeight;
      body += Text(0, top, " class=\"quiet\"", line);
    }
  }
  top += kLineHeight;
  for (const Chart& chart : plot.charts) {
    double height = 0;
    body += ChartDrawing(chart, top).Draw(&height);
    top += height + kLineHeight;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
             "height=\"{:.0f}\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#1c2128\" role=\"img\">\n"
             "<title>{}</title>\n"
             "<style>.head{{font-size:22px;font-weight:600}}.title{{font-size:17px;font-weight:600}}"
             ".quiet{{fill:#59626d;font-size:13px}}.grid{{stroke:#e4e7eb}}</style>\n"
             "<rect x=\"-20\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n",
             kWidth + 40, top, kWidth + 40, top, Escaped(plot.title), kWidth + 40, top) +
         body + "</svg>\n";
}

}  // namespace warpgrade::plot
