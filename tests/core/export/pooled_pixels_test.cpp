// Cells smaller than a dot: each important one leaves a mark on paper.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "document/load/read.h"
#include "export/export.h"
#include "figure/text.h"
#include "plot/kit/cells.h"
#include "plot/maps/heatmap.h"
#include "support/rasterize.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using test::FakeResult;

constexpr std::size_t kSide = 1000;

using Cells = std::set<std::pair<std::size_t, std::size_t>>;

// Two hundred isolated cells, none at an edge, where pixels belong to the frame too.
Cells scattered() {
  Cells cells;
  for (std::size_t i = 1; i <= 200; ++i) cells.emplace(4 * i + 90, 20 + (i * 617) % (kSide - 40));
  return cells;
}

PlotOptions on_paper(double dpi) {
  PlotOptions options;
  options.width = 238.0;
  options.range = ColorSpan::Unit;
  options.dots_per_unit = dpi / kUnitsPerInch;
  return options;
}

Figure figure_of(const Cells& hot, const PlotOptions& options) {
  std::vector<float> weights(kSide * kSide);  // found quickly, a million times
  for (const auto& [row, col] : hot) weights[row * kSide + col] = 1.0F;
  const FakeResult result =
      FakeResult(test::problem_of(kSide, kSide)).with(Stage::Weights, [&](auto&, auto r, auto c) {
        return weights[r * kSide + c];
      });
  return test::heatmap({{test::cross_document(kSide, kSide), result}, options, pango_metrics()});
}

bool is_hot(const Raster& raster, int x, int y) {
  const Color top = colormap_named("viridis")->colors.back();
  if (x < 0 || y < 0 || x >= raster.width_px || y >= raster.height_px) return false;
  const std::uint8_t* rgba =
      raster.rgba.data() +
      4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width_px) +
           static_cast<std::size_t>(x));
  return rgba[0] == top.r && rgba[1] == top.g && rgba[2] == top.b;
}

// True if the cell is visible in its pixel or in a neighbouring one.
bool is_seen(const Raster& raster, const Rect& cell, double scale) {
  const int x = static_cast<int>((cell.x + cell.width / 2.0) * scale);
  const int y = static_cast<int>((cell.y + cell.height / 2.0) * scale);
  for (int i = 0; i < 25; ++i) {
    if (is_hot(raster, x + i % 5 - 2, y + i / 5 - 2)) return true;
  }
  return false;
}

TEST(PooledPixels, EverySingleCellLeavesASpot) {
  const Cells hot = scattered();
  for (const double dpi : {300.0, 150.0}) {
    const PlotOptions options = on_paper(dpi);
    const Figure figure = figure_of(hot, options);
    const Result<Raster> raster = test::rasterize(figure, options.dots_per_unit);
    ASSERT_TRUE(raster.ok());
    const double scale = raster->width_px / figure.width;
    std::size_t seen = 0;
    for (const auto& [row, col] : hot) {
      seen += is_seen(*raster, cell_rect(*find_matrix(figure), row, col), scale) ? 1U : 0U;
    }
    EXPECT_EQ(seen, hot.size()) << dpi;
  }
}

TEST(PooledPixels, NoTexelIsSmallerThanADotAndTheFigureSaysWhatItHolds) {
  const Figure figure = figure_of(scattered(), on_paper(150.0));
  const MatrixItem& m = *find_matrix(figure);
  const double dots = 150.0 / kUnitsPerInch;
  EXPECT_LE(static_cast<double>(m.cells->cols), m.clip.width * dots);
  EXPECT_LE(static_cast<double>(m.cells->rows), m.clip.height * dots);
  const std::string step = std::to_string(m.row_step);
  ASSERT_GT(m.row_step, 2U);
  EXPECT_TRUE(
      test::has_text(figure, "each pixel shows the maximum of " + step + " × " + step + " cells"));
  EXPECT_EQ(most_texels(10.0, on_paper(144.0)), 20U);
  EXPECT_EQ(most_texels(1e6, on_paper(144.0)), PlotOptions().pixel_budget);
}

double smallest_texel(const Figure& figure) {
  double smallest = 1e9;
  for (const MatrixItem& m : test::items_of<MatrixItem>(figure)) {
    if (m.origin) smallest = std::min(smallest, m.rect.width / static_cast<double>(m.cells->cols));
  }
  return smallest;
}

TEST(PooledPixels, SmallMapsAndShrunkPagesPoolAsWell) {
  std::string tokens = "\"t\"";
  for (int i = 1; i < 250; ++i) tokens += ", \"t\"";
  const Result<Reading> read =
      read_document(R"({"d_model": 4, "seed": 1, "tokens": [)" + tokens + "]}", "test");
  ASSERT_TRUE(read.ok());
  const test::ComputedCase long_text = test::computed_case(read->document);
  for (const double height : {0.0, 110.0}) {
    PlotOptions options = on_paper(100.0);
    options.width = 400.0;
    options.height = height;
    const Result<Figure> figure =
        test::draw("compare", long_text.input(), options, pango_metrics());
    ASSERT_TRUE(figure.ok());
    EXPECT_EQ(figure->scale<1.0, height> 0.0);
    EXPECT_GE(smallest_texel(*figure) * options.dots_per_unit, 1.0 - 1e-6) << height;
    EXPECT_TRUE(test::says(*figure, "Each pixel shows the maximum of"));
  }
}

}  // namespace
}  // namespace attn
