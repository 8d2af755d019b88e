// A document of each kind through every plot and both painters, Cairo and SVG: both draw it,
// reproducibly, or both return an error with a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/svg.h"
#include "plot/all_plots.h"
#include "support/paths.h"
#include "support/rasterize.h"
#include "support/read_svg.h"

namespace attn {
namespace {

const std::map<std::string, std::string>& documents() {
  static const std::map<std::string, std::string> kDocuments = {
      {"finished weights", R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})"},
      {"q, k and v",
       R"({"tokens": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 1], [0, 1]],
           "v": [[1, 2], [3, 4]], "mask": {"causal": true}})"},
      {"a layer",
       R"({"tokens": ["我", "爱", "猫"], "d_model": 4, "heads": 2, "position": "sinusoidal"})"},
      {"a stack", R"({"tokens": ["a", "b"], "d_model": 4, "blocks": 2})"},
      {"a decoder",
       R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["x", "y"], "d_model": 4, "blocks": 1})"},
      {"a recurrent model",
       R"({"query_tokens": ["a", "b"], "key_tokens": ["x", "y", "z"], "d_model": 3,
           "recurrent": {"hidden": 2}})"},
      {"cross-attention",
       R"({"query_tokens": ["a", "b"], "key_tokens": ["مرحبا", "y", "z"], "d_model": 4})"},
      {"a language model",
       R"({"model": {"folder": "pronoun-encoder"}, "text": "the dog was [MASK]"})"},
  };
  return kDocuments;
}

Result<Figure> drawn(const PlotEntry& plot, const std::string& document) {
  const ReadOptions models{.folder = test::source_folder() + "/assets/models"};
  const Document read = read_document(document, "document", models).value().document;
  const ResultPtr result = compute(make_problem(read)).value();
  PlotOptions options;
  options.width = 300.0;
  return draw_complete(plot, read, result, options, pango_metrics());
}

bool is_blank(const Raster& raster) {
  for (std::size_t i = 4; i < raster.rgba.size(); i += 4) {
    if (!std::equal(&raster.rgba[i], &raster.rgba[i] + 3, raster.rgba.data())) return false;
  }
  return true;
}

void expect_painted(const Figure& figure, const std::string& what) {
  const Result<Raster> raster = test::rasterize(figure, 0.5);
  ASSERT_TRUE(raster.ok()) << what;
  EXPECT_FALSE(is_blank(*raster)) << what;
  const Result<std::string> bytes = svg_of(figure, {}, pango_metrics());
  ASSERT_TRUE(bytes.ok()) << what;
  const test::ReadSvg svg = test::read_svg(*bytes);
  EXPECT_EQ(svg.error, "") << what;
  const auto texts = std::ranges::count_if(figure.items, [](const FigureItem& item) {
    const auto* text = std::get_if<TextItem>(&item);
    return text != nullptr && !text->text.empty();
  });
  EXPECT_EQ(svg.named("text").size(), static_cast<std::size_t>(texts)) << what;
}

TEST(Kinds, OfEachEveryPlotIsDrawnByBothPaintersOrRefusedWithAReason) {
  std::map<std::string, std::size_t> figures;
  for (const auto& [kind, document] : documents()) {
    for (const PlotEntry& plot : all_plots()) {
      const std::string what = std::string(plot.name) + " of " + kind;
      const Result<Figure> figure = drawn(plot, document);
      if (!figure) {
        EXPECT_FALSE(figure.error().message.empty()) << what;
        continue;
      }
      ++figures[std::string(plot.name)];
      expect_painted(*figure, what);
    }
  }
  for (const PlotEntry& plot : all_plots()) {
    EXPECT_GT(figures[std::string(plot.name)], 0U) << plot.name << " shows nothing of any kind";
  }
}

// One figure per plot, of the first kind that it shows.
std::vector<Figure> one_figure_of_each_plot() {
  std::vector<Figure> figures;
  for (const PlotEntry& plot : all_plots()) {
    for (const auto& [kind, document] : documents()) {
      Result<Figure> figure = drawn(plot, document);
      if (!figure) continue;
      figures.push_back(std::move(*figure));
      break;
    }
  }
  return figures;
}

// Writes PDF, and SVG with texts and with outlines.
std::vector<std::string> files_of(const Figure& figure) {
  ExportOptions outlines;
  outlines.outlines = true;
  return {exporter_for("f.pdf")->write(figure, {}, nullptr).value(),
          exporter_for("f.svg")->write(figure, {}, nullptr).value(),
          exporter_for("f.svg")->write(figure, outlines, nullptr).value()};
}

// Global numbering of surfaces, fonts or clips in libraries would show here.
TEST(Kinds, AFigureIsTheSameBytesWhateverWasWrittenBeforeIt) {
  const std::vector<Figure> figures = one_figure_of_each_plot();
  std::vector<std::vector<std::string>> first;
  for (const Figure& figure : figures) first.push_back(files_of(figure));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    EXPECT_TRUE(files_of(figures[i]) == first[i])
        << figures[i].title << ": " << figures[i].alt_text;
  }
}

}  // namespace
}  // namespace attn
