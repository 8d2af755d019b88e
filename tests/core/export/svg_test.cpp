// SVG holds every cell, text and hit of a figure, and renders like the PNG.
#include "export/svg.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "attention/mask.h"
#include "base/files.h"
#include "support/fake_result.h"
#include "support/process.h"
#include "support/rasterize.h"
#include "support/read_png.h"
#include "support/read_svg.h"
#include "tests/core/export/small_figures.h"

namespace attn {
namespace {

using test::figure_with;
using test::labelled_figure;
using test::ReadSvg;
using test::SvgElement;

ReadSvg svg_of(const Figure& figure, const ExportOptions& options = {}) {
  const Result<std::string> bytes = svg_of(figure, options, test::FixedMetrics());
  EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : describe(bytes.error()));
  ReadSvg svg = test::read_svg(bytes.ok() ? *bytes : std::string());
  EXPECT_EQ(svg.error, "");
  return svg;
}

std::string hex(Color c) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", c.r, c.g, c.b);
  return text.data();
}

Figure figure_of(TextItem text) {
  Figure figure;
  figure.width = figure.height = 100;
  text.anchor = {40, 50};
  text.color = {1, 2, 3, 255};
  figure.items = {std::move(text)};
  return figure;
}

SvgElement only_text(const TextItem& text) {
  const std::vector<SvgElement> texts = svg_of(figure_of(text)).named("text");
  EXPECT_EQ(texts.size(), 1U);
  return texts.empty() ? SvgElement() : texts[0];
}

// --- The file

TEST(Svg, OutlinesNeedNoFonts) {
  TextItem text;
  text.text = "d_k <我>";
  text.degrees = 90.0;
  ExportOptions options;
  options.outlines = true;
  const std::string bytes = *svg_of(figure_of(text), options, pango_metrics());
  EXPECT_EQ(test::read_svg(bytes).error, "");
  EXPECT_EQ(bytes.find("<text"), std::string::npos);
  EXPECT_NE(bytes.find("aria-label=\"d_k &lt;我&gt;\""), std::string::npos);
  EXPECT_NE(bytes.find("translate(40 50) rotate(-90)"), std::string::npos);
  EXPECT_NE(bytes.find(" d=\"M"), std::string::npos);
}

TEST(Svg, IndicesAreLowered) {
  TextItem text;
  text.text = "√d_k + 1";
  text.font = {10.0, false, false, true};
  const std::string bytes = *svg_of(figure_of(text), {}, test::FixedMetrics());
  EXPECT_NE(bytes.find("<tspan>√d</tspan><tspan dy=\"1.8\" font-size=\"7.2\">k</tspan>"
                       "<tspan dy=\"-1.8\"> + 1</tspan>"),
            std::string::npos)
      << bytes;
}

TEST(Svg, CarriesSizeTitleAndDescription) {
  const ReadSvg svg = svg_of(labelled_figure());
  EXPECT_EQ(svg.elements[0].of("width"), "60pt");
  EXPECT_EQ(svg.elements[0].of("height"), "40pt");
  EXPECT_EQ(svg.elements[0].of("viewBox"), "0 0 60 40");
  EXPECT_EQ(svg.elements[0].of("role"), "img");
  EXPECT_EQ(svg.title_of(0), "Cats & <dogs>");
  EXPECT_EQ(svg.named("desc").at(0).text, "A heatmap");
}

TEST(Svg, HasABackgroundUnlessItIsTransparent) {
  Figure figure = labelled_figure();
  figure.background = {9, 8, 7, 255};
  EXPECT_EQ(svg_of(figure).named("rect").at(0).of("fill"), "#090807");
  ExportOptions options;
  options.transparent = true;
  EXPECT_NE(svg_of(figure, options).named("rect").at(0).of("fill"), "#090807");
}

TEST(Svg, NumbersAreShortAndWithoutALocale) {
  EXPECT_EQ(svg_number(12.0), "12");
  EXPECT_EQ(svg_number(0.5), "0.5");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(100.0), "100");
  EXPECT_EQ(svg_number(1234.567), "1234.57");
}

TEST(Svg, TextsThatXmlCannotHoldAreReplaced) {
  EXPECT_EQ(title_markup("a\x01"
                         "b\n"),
            "<title>a␁b\n</title>");
  EXPECT_EQ(title_markup("caf\xe9"), "<title>caf\uFFFD</title>");
  EXPECT_EQ(title_markup("\"<&>\""), "<title>&quot;&lt;&amp;&gt;&quot;</title>");
}

// --- Shapes

TEST(Svg, ShapesHaveTheirPlacesColoursAndLines) {
  Figure figure;
  figure.width = figure.height = 50;
  RectItem rect;
  rect.rect = {1, 2, 3, 4.25};
  rect.fill = {255, 0, 0, 51};
  rect.stroke = {0, 0, 255, 255};
  rect.stroke_width = 1.5;
  rect.radius = 0.5;
  PathItem path;
  path.points = {{0, 0}, {10, 0}, {5, 5.5}};
  path.closed = true;
  path.fill = {0, 255, 0, 255};
  figure.items = {rect, LineItem{{1, 2}, {3, 4}, {16, 32, 48, 255}, 0.75, {3, 1.5}}, path};
  const ReadSvg svg = svg_of(figure);
  const SvgElement r = svg.named("rect").at(1);
  const std::map<std::string, std::string> expected = {{"x", "1"},
                                                       {"y", "2"},
                                                       {"width", "3"},
                                                       {"height", "4.25"},
                                                       {"fill", "#ff0000"},
                                                       {"rx", "0.5"},
                                                       {"fill-opacity", "0.2"},
                                                       {"stroke", "#0000ff"},
                                                       {"stroke-width", "1.5"}};
  EXPECT_EQ(r.attributes, expected);
  EXPECT_EQ(svg.named("line").at(0).of("stroke-dasharray"), "3 1.5");
  EXPECT_EQ(svg.named("line").at(0).number("x2"), 3.0);
  EXPECT_EQ(svg.named("path").at(0).of("d"), "M0 0L10 0L5 5.5z");
  EXPECT_EQ(svg.named("path").at(0).of("stroke"), "");
}

TEST(Svg, WhatNeitherIsSeenNorMeansAnythingIsLeftOut) {
  Figure figure;
  figure.width = figure.height = 50;
  RectItem rect;
  rect.rect = {1, 2, 3, 4};
  figure.items = {rect, LineItem{{1, 2}, {3, 4}, {0, 0, 0, 0}, 1.0, {}}};
  EXPECT_EQ(svg_of(figure).elements.size(), 2U) << "the root and its background";
  rect.hit = HeadHit{{0, 0, 3}};
  figure.items = {rect};
  EXPECT_EQ(svg_of(figure).named("rect").at(1).of("pointer-events"), "all");
}

// --- Hits

TEST(Svg, WhatStandsForOneThingIsOneGroupWithAnIdAndATitle) {
  Figure figure = figure_with(1, 1, {0.5F});
  RectItem area;
  area.rect = {0, 0, 5, 5};
  area.hit = TokenHit{Side::Query, 0, 2};
  TextItem label;
  label.text = "cat";
  label.hit = area.hit;
  TextItem other = label;
  other.hit = StageHit{Stage::Weights};
  figure.items.insert(figure.items.end(), {area, label, other, area});
  const ReadSvg svg = svg_of(figure);
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < svg.elements.size(); ++i) {
    const std::string id = svg.elements[i].of("id");
    if (svg.elements[i].name == "g" && !id.empty()) groups.push_back(id + ": " + svg.title_of(i));
    if (svg.elements[i].text == "cat" && svg.elements[i].of("y") == "0") {
      EXPECT_EQ(svg.elements[svg.elements[i].parent].name, "g");
    }
  }
  const std::vector<std::string> expected = {"token-query-2: query 3", "stage-weights: Weights",
                                             "token-query-2-2: query 3"};
  EXPECT_EQ(groups, expected);
}

// --- Texts

TEST(Svg, ALineSaysWhatItStandsFor) {
  Figure figure;
  figure.width = figure.height = 50;
  LineItem line{{1, 2}, {3, 4}, {16, 32, 48, 255}, 1.0, {}};
  figure.items = {line};
  EXPECT_TRUE(svg_of(figure).named("title").empty());
  line.words = "“sat” → “cat” 0.412, head 1";
  figure.items = {line};
  const std::vector<SvgElement> titles = svg_of(figure).named("title");
  ASSERT_EQ(titles.size(), 1U);
  EXPECT_EQ(titles[0].text, line.words);
}

TEST(Svg, ATextHasItsBaselineAndItsLength) {
  TextItem text;
  text.text = " a  <b> ";
  text.font = {12.0, true, false};
  text.valign = VAlign::Middle;
  const SvgElement element = only_text(text);
  EXPECT_EQ(element.text, " a  <b> ");
  EXPECT_EQ(element.number("x"), 40.0);
  EXPECT_NEAR(element.number("y"), 50.0 + 0.36 * 12.0, 0.005);
  EXPECT_NEAR(element.number("textLength"), 8 * 0.55 * 12.0, 0.005);
  EXPECT_EQ(element.of("font-size"), "12");
  EXPECT_EQ(element.of("font-weight"), "bold");
  EXPECT_EQ(element.of("fill"), "#010203");
  EXPECT_EQ(element.of("text-anchor"), "");
  EXPECT_EQ(element.of("transform"), "");
}

TEST(Svg, TextsKeepToTheirAnchorWhereAFontIsMissing) {
  TextItem text;
  text.text = "abc";
  text.halign = HAlign::Center;
  EXPECT_EQ(only_text(text).of("text-anchor"), "middle");
  text.halign = HAlign::Right;
  EXPECT_EQ(only_text(text).of("text-anchor"), "end");
  EXPECT_EQ(only_text(text).number("x"), 40.0);
}

TEST(Svg, WhatIsReadFromTheRightBeginsAtItsRightEnd) {
  TextItem text;
  text.text = "مرحبا 3";
  EXPECT_EQ(only_text(text).of("direction"), "rtl");
  EXPECT_EQ(only_text(text).of("text-anchor"), "end") << "the left end of the line";
  text.halign = HAlign::Right;
  EXPECT_EQ(only_text(text).of("text-anchor"), "");
  text.text = "query مرحبا";
  EXPECT_EQ(only_text(text).of("direction"), "") << "its first letter is Latin";
}

TEST(Svg, TextsAreTurnedAboutTheirAnchor) {
  TextItem text;
  text.text = "abc";
  text.degrees = 45.0;
  EXPECT_EQ(only_text(text).of("transform"), "rotate(-45 40 50)");
}

TEST(Svg, FontsAreNamedWithWhatStandsInForThem) {
  EXPECT_EQ(svg_of(labelled_figure()).elements[0].of("font-family"),
            "Noto Sans, DejaVu Sans, sans-serif");
  TextItem text;
  text.text = "abc";
  text.font.monospace = true;
  EXPECT_EQ(only_text(text).of("font-family"), "Noto Sans Mono, DejaVu Sans Mono, monospace");
}

// --- Matrices

std::vector<float> ramp(std::size_t cells) {
  std::vector<float> values;
  for (std::size_t i = 0; i < cells; ++i) {
    values.push_back(static_cast<float>(i) / static_cast<float>(cells));
  }
  return values;
}

// The rectangles of cells, which have a separate group.
std::vector<SvgElement> cells_of(const ReadSvg& svg) {
  std::vector<SvgElement> cells;
  for (const SvgElement& element : svg.elements) {
    const bool in_cells = svg.elements[element.parent].of("shape-rendering") == "crispEdges";
    if (in_cells && element.name == "rect") cells.push_back(element);
  }
  return cells;
}

TEST(Svg, EveryCellHasItsPlaceItsColourAndItsValue) {
  const Figure figure = figure_with(5, 7, ramp(35));
  const MatrixItem& m = *find_matrix(figure);
  const ReadSvg svg = svg_of(figure);
  const std::vector<SvgElement> cells = cells_of(svg);
  ASSERT_EQ(cells.size(), 35U);
  for (std::size_t i = 0; i < 35; ++i) {
    const Rect cell = cell_rect(m, i / 7, i % 7);
    EXPECT_NEAR(10.0 + cells[i].number("x"), cell.x, 0.006);
    EXPECT_NEAR(5.0 + cells[i].number("y"), cell.y, 0.006);
    EXPECT_NEAR(cells[i].number("width"), cell.width, 0.011);
    EXPECT_NEAR(cells[i].number("height"), cell.height, 0.011);
    EXPECT_EQ(cells[i].of("fill"),
              hex(m.scale.map->colors[color_index(m.scale, m.cells->values[i])]));
  }
  std::vector<std::string> titles;
  for (const SvgElement& title : svg.named("title")) titles.push_back(title.text);
  ASSERT_EQ(titles.size(), 36U);
  EXPECT_EQ(titles[1], "query 1, key 1: 0");
  EXPECT_EQ(titles[1 + 7 + 3], "query 2, key 4: 0.2857");
  EXPECT_EQ(svg.named("image").size(), 0U);
}

TEST(Svg, FeaturesAndKeysAreCalledSo) {
  Figure figure = figure_with(1, 1, {0.25F});
  std::get<MatrixItem>(figure.items[0]).origin->stage = Stage::Value;
  EXPECT_EQ(svg_of(figure).named("title").at(1).text, "key 1, feature 1: 0.25");
}

TEST(Svg, SamplesOfAKeyAreNotCalledCells) {
  Figure figure = figure_with(1, 1, {0.25F});
  std::get<MatrixItem>(figure.items[0]).origin.reset();
  EXPECT_EQ(svg_of(figure).named("title").size(), 1U);
}

TEST(Svg, MoreThan4096CellsAreAnImageEnlargedByWholeFactors) {
  EXPECT_EQ(cells_of(svg_of(figure_with(64, 64, ramp(64 * 64)))).size(), 4096U);
  const ReadSvg svg = svg_of(figure_with(50, 100, ramp(5000)));
  EXPECT_TRUE(cells_of(svg).empty());
  const std::vector<SvgElement> images = svg.named("image");
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].of("style"), "image-rendering: pixelated");
  EXPECT_EQ(images[0].number("width"), 40.0);
  EXPECT_EQ(images[0].number("height"), 30.0);
  EXPECT_TRUE(images[0].of("xlink:href").starts_with("data:image/png;base64,iVBORw0KGgo"));
  // Bytes 15 to 23 of a PNG end with its size: 1200 × 900 pixels, 12 and 18 per cell.
  EXPECT_EQ(images[0].of("xlink:href").substr(22 + 20, 12), "UgAABLAAAAOE");
}

TEST(Svg, CellsOfAllMatricesTogetherAreLimited) {
  Figure figure = figure_with(60, 60, ramp(3600));
  while (figure.items.size() < 6) figure.items.push_back(figure.items[0]);
  const ReadSvg six = svg_of(figure);
  EXPECT_EQ(cells_of(six).size(), 6U * 3600U) << "no map loses its numbers to its neighbours";
  EXPECT_EQ(six.named("image").size(), 0U);
  figure.items.push_back(figure.items[0]);
  figure.items.push_back(figure_with(2, 2, ramp(4)).items[0]);
  const ReadSvg more = svg_of(figure);
  EXPECT_EQ(cells_of(more).size(), 4U);
  EXPECT_EQ(more.named("image").size(), 7U);
}

TEST(Svg, AColourBarIsOneGradient) {
  std::vector<float> values;
  for (int i = 255; i >= 0; --i) values.push_back(static_cast<float>(i));
  Figure figure = figure_with(256, 1, values);
  auto& m = std::get<MatrixItem>(figure.items[0]);
  m.scale.high = 255.0F;
  const ReadSvg svg = svg_of(figure);
  EXPECT_TRUE(cells_of(svg).empty());
  const std::vector<SvgElement> stops = svg.named("stop");
  ASSERT_GT(stops.size(), 2U);
  EXPECT_EQ(stops.front().of("stop-color"), hex(m.scale.map->colors[255]));
  EXPECT_EQ(stops.back().of("stop-color"), hex(m.scale.map->colors[0]));
}

TEST(Svg, HiddenCellsAndThoseThatAreNotNumbersHavePatterns) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto both = static_cast<std::uint8_t>(kHiddenByCausal | kHiddenByKeyPadding);
  const ReadSvg svg =
      svg_of(figure_with(1, 4, {0.5F, 0.5F, nan, 0.5F}, {kHiddenByCausal, both, 0, 0}));
  std::map<std::string, std::string> fills;  // path data of each pattern
  for (const SvgElement& path : svg.named("path")) fills[path.of("fill")] = path.of("d");
  EXPECT_EQ(fills["url(#rising-808080)"], "M0 0H20V30H0z");
  EXPECT_EQ(fills["url(#falling-808080)"], "M10 0H20V30H10z");
  EXPECT_EQ(fills["url(#checks-808080)"], "M20 0H30V30H20z");
  EXPECT_EQ(svg.named("pattern").size(), 3U);
  EXPECT_EQ(cells_of(svg).at(0).of("fill"), "#e6e6e6");
  EXPECT_EQ(svg.named("title").at(1).text, "query 1, key 1: hidden");
  EXPECT_EQ(svg.named("title").at(3).text, "query 1, key 3: nan");
}

TEST(Svg, WhatReachesBeyondItsClipIsClipped) {
  Figure figure = figure_with(2, 2, {1, 1, 1, 1});
  EXPECT_EQ(svg_of(figure).named("clipPath").size(), 0U);
  std::get<MatrixItem>(figure.items[0]).clip = {20, 10, 10, 12};
  const ReadSvg svg = svg_of(figure);
  ASSERT_EQ(svg.named("clipPath").size(), 1U);
  EXPECT_EQ(svg.named("clipPath").at(0).of("id"), "clip-10x12");
  EXPECT_EQ(svg.named("g").at(0).of("clip-path"), "url(#clip-10x12)");
  EXPECT_EQ(cells_of(svg).at(0).number("x"), -10.0);
}

// --- Rendering

// Cairo snaps letters to whole pixels, in either direction from half a pixel: at this resolution
// that is below the tolerance.
constexpr std::size_t kPixels = 16;

// The file rendered by librsvg, kPixels per unit; "" when it is not installed.
std::string drawn_by_librsvg(const Figure& figure) {
  const Result<std::string> svg = svg_of(figure, {}, pango_metrics());
  const test::TemporaryFolder folder;
  const std::string from = folder.file("f.svg"), to = folder.file("f.png");
  if (!svg || !write_file_atomically(from, *svg, Overwrite::Replace)) return "";
  const auto drawn = test::run_process(
      {"rsvg-convert", "-d", "72", "-p", "72", "-z", std::to_string(kPixels), from, "-o", to});
  const Result<std::string> png = read_file(to, 1U << 20U);
  return drawn.exit_code == 0 && png ? *png : "";
}

// Means over squares of one unit, which ignore how edges are antialiased.
std::vector<double> squares_of(const std::vector<std::uint8_t>& rgba, std::size_t width,
                               std::size_t height) {
  std::vector<double> means;
  for (std::size_t y = 0; y + kPixels <= height; y += kPixels) {
    for (std::size_t x = 0; x + kPixels <= width; x += kPixels) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        double sum = 0.0;
        for (std::size_t i = 0; i < kPixels * kPixels; ++i) {
          sum += rgba[4 * ((y + i / kPixels) * width + x + i % kPixels) + channel];
        }
        means.push_back(sum / static_cast<double>(kPixels * kPixels));
      }
    }
  }
  return means;
}

// A figure with every kind of item.
Figure motley_figure() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Figure figure = figure_with(2, 4, {0.1F, 0.9F, 0.5F, nan, 0.3F, 0.7F, 1.0F, 0.0F},
                              {0, 0, kHiddenByCausal, 0, kHiddenByHand, 0, 0, kHiddenByKeyPadding});
  RectItem rect;
  rect.rect = {52, 4, 7, 9};
  rect.fill = {30, 90, 200, 120};
  rect.stroke = {200, 30, 30, 255};
  rect.stroke_width = 0.8;
  rect.radius = 2.0;
  PathItem path;
  path.points = {{52, 30}, {58, 16}, {59, 32}};
  path.closed = true;
  path.stroke = {10, 120, 40, 255};
  path.stroke_width = 1.0;
  figure.items.insert(figure.items.end(),
                      {rect, path, LineItem{{2, 36.5}, {58, 37.5}, {90, 0, 90, 255}, 0.9, {3, 2}}});
  const std::vector<std::string> words = {"Key 3", "مرحبا", "我爱猫", "0.25"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    TextItem text;
    text.text = words[i];
    text.font = {4.0, i == 0, i == 3};
    text.anchor = {13.0 + 10.0 * static_cast<double>(i), 4.0};
    text.halign = static_cast<HAlign>(i % 3);
    figure.items.push_back(text);
    text.anchor = {5.0, 8.0 + 8.0 * static_cast<double>(i)};
    text.degrees = 90.0;
    text.valign = VAlign::Middle;
    figure.items.push_back(text);
  }
  return figure;
}

TEST(Svg, LooksLikeThePicture) {
  if (test::run_process({"rsvg-convert", "--version"}).exit_code != 0) {
    GTEST_SKIP() << "rsvg-convert is not installed";
  }
  Figure large = figure_with(80, 90, ramp(7200));
  for (const Figure& figure : {motley_figure(), large}) {
    const std::string png = drawn_by_librsvg(figure);
    ASSERT_FALSE(png.empty());
    const test::ReadPng drawn = test::read_png(png);
    const Result<Raster> picture = test::rasterize(figure, static_cast<double>(kPixels));
    ASSERT_TRUE(picture.ok());
    ASSERT_EQ(drawn.width, 60 * kPixels);
    ASSERT_EQ(drawn.height, 40 * kPixels);
    const std::vector<double> a = squares_of(drawn.rgba, drawn.width, drawn.height);
    const std::vector<double> b = squares_of(picture->rgba, drawn.width, drawn.height);
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += std::abs(a[i] - b[i]) > 24.0 ? 1 : 0;
    EXPECT_LT(static_cast<double>(different), 0.001 * static_cast<double>(a.size())) << different;
  }
}

}  // namespace
}  // namespace attn
