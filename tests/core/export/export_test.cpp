// Contracts of all exporters, and contents of PNG and PDF.
#include "export/export.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/random.h"
#include "base/utf8.h"
#include "figure/colormap.h"
#include "support/process.h"
#include "support/rasterize.h"
#include "support/read_png.h"
#include "support/read_svg.h"
#include "tests/core/export/small_figures.h"

namespace attn {
namespace {

using test::figure_with;
using test::labelled_figure;

constexpr double kUnitPx = 4.0;  // pixels per unit in these tests

Color pixel(const Raster& raster, int x, int y) {
  const std::uint8_t* p = &raster.rgba[static_cast<std::size_t>(4 * (y * raster.width_px + x))];
  return {p[0], p[1], p[2], p[3]};
}

Color pixel_at(const Raster& raster, double x_units, double y_units) {
  return pixel(raster, static_cast<int>(x_units * kUnitPx), static_cast<int>(y_units * kUnitPx));
}

std::string bytes_of(std::string_view extension, const Figure& figure,
                     const ExportOptions& options = {}) {
  const Exporter* exporter = exporter_for("x." + std::string(extension));
  if (exporter == nullptr) return {};
  const Result<std::string> bytes = exporter->write(figure, options, nullptr);
  EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : describe(bytes.error()));
  return bytes.ok() ? *bytes : std::string();
}

TEST(Rasterize, EveryCellHasTheColourOfItsValueAtItsCentre) {
  std::vector<float> values;
  for (int i = 0; i < 35; ++i) values.push_back(static_cast<float>(i) / 34.0F);
  const Figure figure = figure_with(5, 7, values);
  const MatrixItem& matrix = *find_matrix(figure);
  const Result<Raster> raster = test::rasterize(figure, kUnitPx);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(raster->width_px, 240);
  EXPECT_EQ(raster->height_px, 160);
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t col = 0; col < 7; ++col) {
      const Rect cell = cell_rect(matrix, row, col);
      EXPECT_EQ(pixel_at(*raster, cell.x + cell.width / 2, cell.y + cell.height / 2),
                matrix.scale.map->colors[color_index(matrix.scale, values[row * 7 + col])]);
    }
  }
}

TEST(Rasterize, HiddenAndNonFiniteCellsShowTheirPatterns) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Figure figure = figure_with(1, 3, {0.5F, nan, 0.5F}, {1, 0, 0});
  const MatrixItem& m = *find_matrix(figure);
  const Result<Raster> raster = test::rasterize(figure, kUnitPx);
  ASSERT_TRUE(raster.ok());
  int ink = 0, ground = 0;
  for (int y = 0; y < raster->height_px; ++y) {
    for (int x = 0; x < raster->width_px; ++x) {
      const double ux = (x + 0.5) / kUnitPx - m.clip.x;
      const double uy = (y + 0.5) / kUnitPx - m.clip.y;
      if (ux < 0.5 || ux > 26.0 || uy < 0.5 || uy > 29.5) continue;
      if (std::abs(ux - 40.0 / 3) < 0.5) continue;
      const CellLook look = ux < 40.0 / 3 ? CellLook::Hidden : CellLook::NonFinite;
      const Color color = pixel(*raster, x, y);
      // Pixels at the edge of a line are mixtures.
      if (color == m.hatch) {
        ++ink;
        EXPECT_TRUE(pattern_ink(look, ux, uy)) << ux << " " << uy;
      } else if (color == m.hatch_background) {
        ++ground;
        EXPECT_FALSE(pattern_ink(look, ux, uy)) << ux << " " << uy;
      }
    }
  }
  EXPECT_GT(ink, 3000);
  EXPECT_GT(ground, 6000);
  EXPECT_EQ(pixel_at(*raster, 45, 20), m.scale.map->colors[128]);
}

TEST(Rasterize, EachKindOfRuleHasItsLinesAndTwoKindsBoth) {
  const std::uint8_t padded = kHiddenByKeyPadding, by_hand = kHiddenByHand;
  const auto both = static_cast<std::uint8_t>(kHiddenByCausal | kHiddenByKeyPadding);
  for (const std::uint8_t rules : {padded, by_hand, both}) {
    const Figure figure = figure_with(1, 1, {0.5F}, {rules});
    const MatrixItem& m = *find_matrix(figure);
    const Result<Raster> raster = test::rasterize(figure, kUnitPx);
    ASSERT_TRUE(raster.ok());
    int ink = 0, ground = 0;
    for (int y = 0; y < raster->height_px; ++y) {
      for (int x = 0; x < raster->width_px; ++x) {
        const double ux = (x + 0.5) / kUnitPx - m.clip.x;
        const double uy = (y + 0.5) / kUnitPx - m.clip.y;
        if (ux < 0.5 || ux > m.clip.width - 0.5 || uy < 0.5 || uy > m.clip.height - 0.5) continue;
        const Color color = pixel(*raster, x, y);
        if (color != m.hatch && color != m.hatch_background) continue;  // the edge of a line
        ++(color == m.hatch ? ink : ground);
        EXPECT_EQ(pattern_ink(CellLook::Hidden, ux, uy, hatch_lines(rules)), color == m.hatch)
            << int{rules} << " at " << ux << " " << uy;
      }
    }
    EXPECT_GT(ink, 1000);
    EXPECT_GT(ground, 3000);
  }
}

TEST(Rasterize, ManyScatteredHiddenCellsAreAnEvenTint) {
  constexpr std::size_t kSide = 300;
  std::vector<std::uint8_t> hidden(kSide * kSide);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] = (i + i / kSide) % 2 == 0;
  const Figure figure = figure_with(kSide, kSide, std::vector<float>(kSide * kSide, 1.0F), hidden);
  const Result<Raster> raster = test::rasterize(figure, 20.0);
  ASSERT_TRUE(raster.ok());
  const MatrixItem& m = *find_matrix(figure);
  const Rect cell = cell_rect(m, 10, 10);
  const Color tint = pixel(*raster, static_cast<int>((cell.x + cell.width / 2) * 20),
                           static_cast<int>((cell.y + cell.height / 2) * 20));
  EXPECT_GT(tint.r, m.hatch.r);
  EXPECT_LT(tint.r, m.hatch_background.r);
}

TEST(Rasterize, NothingOfAMatrixIsDrawnOutsideItsClip) {
  Figure figure = figure_with(2, 2, {1, 1, 1, 1}, {1, 1, 0, 0});
  std::get<MatrixItem>(figure.items[0]).clip = {20, 10, 10, 10};
  const Result<Raster> raster = test::rasterize(figure, kUnitPx);
  ASSERT_TRUE(raster.ok());
  for (int y = 0; y < raster->height_px; ++y) {
    for (int x = 0; x < raster->width_px; ++x) {
      if (x >= 80 && x < 120 && y >= 40 && y < 80) continue;
      ASSERT_EQ(pixel(*raster, x, y), figure.background) << x << "," << y;
    }
  }
}

TEST(Rasterize, ShapesAndTextsStandWhereTheFigureSays) {
  Figure figure;
  figure.width = figure.height = 40;
  RectItem rect;
  rect.rect = {5, 5, 10, 10};
  rect.fill = {10, 200, 30, 255};
  const LineItem line{{0, 30}, {40, 30}, {200, 0, 0, 255}, 2.0, {}};
  TextItem text;
  text.anchor = {30, 20};
  text.text = "I";
  text.halign = HAlign::Center;
  text.valign = VAlign::Middle;
  figure.items = {rect, line, text};
  const Result<Raster> raster = test::rasterize(figure, kUnitPx);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(pixel_at(*raster, 10, 10), (Color{10, 200, 30, 255}));
  EXPECT_EQ(pixel_at(*raster, 20, 30), (Color{200, 0, 0, 255}));
  EXPECT_EQ(pixel_at(*raster, 2, 2), figure.background);
  int left = 1000, right = 0, top = 1000, bottom = 0;
  for (int y = 0; y < 112; ++y) {
    for (int x = 80; x < 160; ++x) {
      if (pixel(*raster, x, y).r > 100) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  }
  EXPECT_NEAR((left + right) / 2.0, 120.0, 2.5);
  EXPECT_NEAR((top + bottom) / 2.0, 80.0, 2.5);
}

TEST(Rasterize, RefusesWhatWouldNotFitIntoMemoryBeforeAllocating) {
  Figure figure;
  figure.width = figure.height = 1e5;
  const Result<Raster> raster = test::rasterize(figure, 10.0);
  ASSERT_FALSE(raster.ok());
  EXPECT_EQ(raster.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(raster.error().found, "1000000 × 1000000 pixels (3.6 TiB)");
  figure.height = 1.0;
  EXPECT_EQ(test::rasterize(figure, 1.0).error().kind, ErrorKind::OverMemoryLimit);
}

TEST(Rasterize, RefusesFiguresWithoutSize) {
  for (const double none : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const auto& [width, height] : {std::pair(none, none), {none, 1.0}, {1.0, none}}) {
      Figure figure;
      figure.width = width;
      figure.height = height;
      const Result<Raster> raster = test::rasterize(figure, 1.0);
      ASSERT_FALSE(raster) << width << " " << height;
      EXPECT_EQ(raster.error().kind, ErrorKind::Usage);
      EXPECT_EQ(raster.error().message, "the figure has no size") << width << " " << height;
    }
  }
}

TEST(Png, KeepsResolutionTextsAndPixels) {
  const Figure figure = figure_with(2, 2, {0.1F, 0.2F, 0.7F, 1.0F});
  const test::ReadPng png = test::read_png(bytes_of("png", figure));
  EXPECT_EQ(png.width, 250U);  // 60 / 72 inch at 300 dots per inch
  EXPECT_EQ(png.height, 167U);
  EXPECT_TRUE(png.per_metre);
  EXPECT_NEAR(png.pixels_per_metre_x * 0.0254, 300.0, 0.01);
  EXPECT_NEAR(png.pixels_per_metre_y * 0.0254, 300.0, 0.01);
  const std::vector<std::pair<std::string, std::string>> texts{
      {"Title", "Cats & <dogs>"}, {"Software", "AttnScope"}, {"Description", "A heatmap"}};
  EXPECT_EQ(png.texts, texts);
  EXPECT_FALSE(png.has_alpha);
  EXPECT_EQ(png.rgba[0], 255);
}

TEST(Png, TextsInAnyScriptSurvive) {
  Figure figure = figure_with(1, 1, {1.0F});
  figure.title = "我爱 “cats”";
  const test::ReadPng png = test::read_png(bytes_of("png", figure));
  EXPECT_EQ(png.texts[0], std::pair(std::string("Title"), figure.title));
}

TEST(Png, TransparentPicturesHaveAnAlphaChannel) {
  ExportOptions options;
  options.transparent = true;
  const test::ReadPng png = test::read_png(bytes_of("png", figure_with(1, 1, {1.0F}), options));
  EXPECT_TRUE(png.has_alpha);
  EXPECT_EQ(png.rgba[3], 0);
  EXPECT_EQ(png.rgba[4 * (80 * 250 + 125) + 3], 255);
}

TEST(Png, EncodingKeepsEveryByteOfTheRaster) {
  Raster raster{3, 2, {}};
  for (int i = 0; i < 24; ++i) raster.rgba.push_back(static_cast<std::uint8_t>(i * 10));
  const Result<std::string> bytes = encode_png(raster);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(test::read_png(*bytes).rgba, raster.rgba);
  EXPECT_FALSE(test::read_png(*bytes).per_metre);
}

// Rows that repeat are stored in another way than noise, which is compressed less.
TEST(Png, KeepsRepeatedRowsAndNoise) {
  for (const int repeats : {1, 2, 9}) {
    for (const int least_alpha : {255, 200}) {
      Raster raster{50, 300, {}};
      Random random(7);
      std::vector<std::uint8_t> row;
      for (int y = 0; y < raster.height_px; ++y) {
        for (int i = 0; i < 4 * raster.width_px && y % repeats == 0; ++i) {
          const int least = i % 4 == 3 ? least_alpha : 0;
          if (i == 0) row.clear();
          row.push_back(static_cast<std::uint8_t>(
              least + static_cast<int>(random.uniform() * static_cast<float>(256 - least))));
        }
        raster.rgba.insert(raster.rgba.end(), row.begin(), row.end());
      }
      const Result<std::string> bytes = encode_png(raster);
      ASSERT_TRUE(bytes.ok());
      const test::ReadPng png = test::read_png(*bytes);
      EXPECT_EQ(png.has_alpha, least_alpha < 255);
      EXPECT_TRUE(png.rgba == raster.rgba) << repeats;
      EXPECT_LT(bytes->size(), raster.rgba.size() * 12 / 10 / static_cast<std::size_t>(repeats));
    }
  }
}

TEST(Png, RefusesResolutionsOutOfBounds) {
  const Figure figure = figure_with(1, 1, {0.0F});
  for (const double dpi : {9.9, 2401.0, 0.0, -5.0, std::nan("")}) {
    const auto bytes = exporter_for("a.png")->write(figure, {dpi, false}, nullptr);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().kind, ErrorKind::Usage);
  }
}

TEST(Png, RefusesAnEmptyRaster) {
  const Result<std::string> bytes = encode_png(Raster{});
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().kind, ErrorKind::CannotWrite);
}

TEST(Exporters, WriteTheSameBytesEachTime) {
  for (const Exporter& exporter : all_exporters()) {
    const Figure figure = labelled_figure();
    const std::string first = bytes_of(exporter.extension, figure);
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, bytes_of(exporter.extension, figure)) << exporter.extension;
  }
}

TEST(Exporters, WriteTitlesThatAreNotUtf8) {
  Figure figure = labelled_figure();
  figure.title = "caf\xe9";
  figure.alt_text = "\xff\x01";
  for (const Exporter& exporter : all_exporters()) {
    EXPECT_FALSE(bytes_of(exporter.extension, figure).empty()) << exporter.extension;
  }
  EXPECT_NE(bytes_of("svg", figure).find("<title>caf\xEF\xBF\xBD</title>"), std::string::npos);
}

// A figure with the text as title, description and label.
Figure figure_saying(const std::string& text) {
  Figure figure = labelled_figure();
  figure.title = figure.alt_text = text;
  for (FigureItem& item : figure.items) {
    if (auto* const words = std::get_if<TextItem>(&item)) words->text = text;
  }
  return figure;
}

std::string all_noncharacters() {
  std::string text;
  for (char32_t c = 0xFDD0; c <= 0xFDEF; ++c) append_utf8(text, c);
  for (char32_t c = 0xFFFE; c <= 0x10FFFF; c += 0x10000) {
    append_utf8(text, c);
    append_utf8(text, c + 1);
  }
  return text;
}

TEST(Exporters, ShowNoncharactersBySigns) {
  const Figure figure = figure_saying(all_noncharacters());
  const std::string shown = drawable_text(figure.title);
  const test::ReadSvg svg = test::read_svg(bytes_of("svg", figure));
  EXPECT_EQ(svg.error, "");
  for (const char* name : {"title", "desc", "text"}) {
    EXPECT_EQ(svg.named(name).at(0).text, shown) << name;
  }
  EXPECT_FALSE(bytes_of("pdf", figure).empty());
  EXPECT_NE(bytes_of("png", figure).find(shown), std::string::npos);
}

// Versions of Cairo write metadata either as text or compressed.
TEST(Pdf, HasTitleAndNoDate) {
  const std::string pdf = bytes_of("pdf", labelled_figure());
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  const test::TemporaryFolder folder;
  const std::string file = folder.file("figure.pdf");
  ASSERT_TRUE(write_file_atomically(file, pdf, Overwrite::Replace).ok());
  const test::ProcessResult info = test::run_process({"pdfinfo", file});
  if (info.exit_code == 127) GTEST_SKIP() << "pdfinfo is not installed";
  EXPECT_TRUE(std::regex_search(info.out, std::regex("Title: +Cats & <dogs>\n"))) << info.out;
  EXPECT_TRUE(std::regex_search(info.out, std::regex("Subject: +A heatmap\n"))) << info.out;
  EXPECT_EQ(info.out.find("Date"), std::string::npos) << info.out;
}

TEST(Exporters, RefuseFiguresWithoutSize) {
  for (const Exporter& exporter : all_exporters()) {
    const auto bytes = exporter.write(Figure{}, {}, nullptr);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().kind, ErrorKind::Usage);
  }
}

TEST(Exporters, AreFoundByExtensionInAnyCase) {
  std::set<std::string_view> extensions;
  for (const Exporter& exporter : all_exporters()) {
    EXPECT_TRUE(extensions.insert(exporter.extension).second);
    EXPECT_EQ(exporter_for("some/where." + std::string(exporter.extension)), &exporter);
    EXPECT_FALSE(exporter.description.empty());
  }
  EXPECT_TRUE(extensions.contains("png"));
  EXPECT_TRUE(extensions.contains("svg"));
  ASSERT_NE(exporter_for("FIGURE.PNG"), nullptr);
  EXPECT_EQ(exporter_for("FIGURE.PNG")->extension, "png");
  EXPECT_EQ(exporter_for("png"), nullptr);
  EXPECT_EQ(exporter_for("a.bmp"), nullptr);
  EXPECT_EQ(exporter_for(""), nullptr);
}

}  // namespace
}  // namespace attn
