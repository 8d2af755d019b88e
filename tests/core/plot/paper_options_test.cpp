// Options for papers: transposed maps, own titles, chosen numbers, equal panels, black words, keys
// of hatching.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/number_text.h"
#include "plot/kit/page.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/figure_items.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::items_of;

constexpr MapRows kAllRows[] = {MapRows::Queries, MapRows::QueriesUp, MapRows::Keys,
                                MapRows::KeysUp};

PlotOptions file_options() {
  PlotOptions options;
  options.dots_per_unit = 2.0;
  return options;
}

// Five queries that attend to seven keys, none of which has the number of another cell.
test::ComputedCase cross_case() {
  return test::computed_json(R"({"query_tokens": ["q0", "q1", "q2", "q3", "q4"],
    "key_tokens": ["k0", "k1", "k2", "k3", "k4", "k5", "k6"], "attention": [
    [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.79], [0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.19],
    [0.21, 0.22, 0.23, 0.24, 0.025, 0.026, 0.049], [0.31, 0.32, 0.033, 0.034, 0.035, 0.036, 0.232],
    [0.41, 0.42, 0.043, 0.044, 0.045, 0.018, 0.02]]})");
}

Figure map_of(const test::ComputedCase& of, const PlotOptions& options) {
  return test::draw("heatmap", of.input(), options, pango_metrics()).value();
}

bool is_at(const std::vector<TextItem>& texts, const std::string& text, const Rect& cell,
           bool is_row) {
  return std::ranges::any_of(texts, [&](const TextItem& item) {
    const double off = is_row ? item.anchor.y - cell.middle().y : item.anchor.x - cell.middle().x;
    return item.text == text && std::abs(off) < 1e-6;
  });
}

TEST(TurnedMaps, HaveEachNumberAndNameAtItsPlace) {
  const test::ComputedCase of = cross_case();
  for (const MapRows rows : kAllRows) {
    PlotOptions options = file_options();
    options.map_rows = rows;
    const Figure figure = map_of(of, options);
    const MatrixItem& m = *find_matrix(figure);
    const std::vector<TextItem> texts = items_of<TextItem>(figure);
    const bool has_keys_down = rows == MapRows::Keys || rows == MapRows::KeysUp;
    for (std::size_t q = 0; q < 5; ++q) {
      for (std::size_t k = 0; k < 7; ++k) {
        const Rect cell = cell_rect(m, q, k);
        const float weight = stage_matrix(borrowed(*of.result), {Stage::Weights, {}})->value(q, k);
        EXPECT_EQ(hit_test(figure, cell.middle()),
                  HitId(CellHit{MatrixId{Stage::Weights, {}}, q, k}));
        const auto number = std::ranges::find_if(texts, [&](const TextItem& text) {
          return std::abs(text.anchor.x - cell.middle().x) < 1e-6 &&
                 std::abs(text.anchor.y - cell.middle().y) < 1e-6;
        });
        ASSERT_NE(number, texts.end());
        EXPECT_EQ(number->text, fixed_text(static_cast<double>(weight), 2));
        EXPECT_TRUE(is_at(texts, "q" + std::to_string(q), cell, !has_keys_down));
        EXPECT_TRUE(is_at(texts, "k" + std::to_string(k), cell, has_keys_down));
      }
    }
    const bool is_upward = rows == MapRows::QueriesUp || rows == MapRows::KeysUp;
    const Rect first = cell_rect(m, 0, 0), last = cell_rect(m, 4, 6);
    EXPECT_EQ(first.y > last.y, is_upward);
    EXPECT_LT(first.x, last.x);
  }
}

// Several cells share a texel, and the last texel covers fewer.
TEST(TurnedMaps, HitTheCellsUnderAPixel) {
  const test::ComputedCase of =
      test::computed_json(R"({"tokens": 1003, "blocks": 1, "heads": 1, "d_model": 4})");
  for (const MapRows rows : kAllRows) {
    PlotOptions options = file_options();
    options.map_rows = rows;
    options.pixel_budget = 100;
    const Figure figure = map_of(of, options);
    const MatrixItem& m = *find_matrix(figure);
    ASSERT_GT(m.row_step, 1U);
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < 400; ++i) {
      const Point p{m.clip.x + m.clip.width * (static_cast<double>(i) + 0.5) / 400.0,
                    m.clip.y + m.clip.height * (static_cast<double>(i) + 0.5) / 400.0};
      const HitId hit = hit_test(figure, p);
      const auto* cell = std::get_if<CellHit>(&hit);
      ASSERT_NE(cell, nullptr) << i;
      ASSERT_LT(std::max(cell->row, cell->col), 1003U);
      EXPECT_TRUE(cell_rect(m, cell->row, cell->col).grown(1e-6).contains(p)) << i;
      seen.insert(cell->row);
    }
    EXPECT_GT(seen.size(), 350U);
  }
}

TEST(TurnedMaps, ShowEachPixelOfAPart) {
  const test::ComputedCase of = cross_case();
  for (const MapRows rows : kAllRows) {
    PlotOptions options = file_options();
    options.map_rows = rows;
    options.window = {1, 2, 3, 4};
    const Figure figure = map_of(of, options);
    const MatrixItem& m = *find_matrix(figure);
    const MatrixPtr weights = stage_matrix(borrowed(*of.result), {Stage::Weights, {}});
    for (std::size_t i = 0; i < m.cells->values.size(); ++i) {
      const CellHit cell =
          source_cell(m, m.first_row + i / m.cells->cols, m.first_col + i % m.cells->cols);
      EXPECT_EQ(m.cells->values[i], weights->value(cell.row, cell.col));
      EXPECT_TRUE(cell.row >= 1 && cell.row < 4 && cell.col >= 2 && cell.col < 6);
    }
    EXPECT_TRUE(test::says(figure, "queries 2 to 4 of 5"));
    EXPECT_TRUE(test::says(figure, "keys 3 to 6 of 7"));
  }
}

TEST(TurnedMaps, AreForFiles) {
  PlotOptions options;
  options.on_screen = true;
  options.map_rows = MapRows::KeysUp;
  const Figure figure = map_of(cross_case(), options);
  EXPECT_EQ(find_matrix(figure)->turn, Turn{});
}

std::size_t numbers_in(const std::string& annotate) {
  PlotOptions options = file_options();
  options.annotate = annotate;
  const Figure figure = map_of(cross_case(), options);
  const MatrixItem& m = *find_matrix(figure);
  return static_cast<std::size_t>(
      std::ranges::count_if(items_of<TextItem>(figure),
                            [&](const TextItem& text) { return m.clip.contains(text.anchor); }));
}

TEST(ChosenNumbers, AreThoseThatAreNamed) {
  EXPECT_EQ(numbers_in("all"), 35U);
  EXPECT_EQ(numbers_in("none"), 0U);
  EXPECT_EQ(numbers_in("top 3"), 3U);
  EXPECT_EQ(numbers_in("top 100"), 35U);
  EXPECT_EQ(numbers_in("above 0.4"), 3U);  // 0.79, 0.41, 0.42
  EXPECT_EQ(numbers_in("above 2"), 0U);
  PlotOptions options = file_options();
  options.annotate = "top 1";
  const Figure figure = map_of(cross_case(), options);
  EXPECT_TRUE(test::has_text(figure, "0.79"));
  EXPECT_TRUE(test::has_text(figure, "the 1 largest number is written"));
}

TEST(ChosenNumbers, HaveAFewForms) {
  for (const char* text : {"all", "none", "top 5", "top5", "above 0.3", "above -1"}) {
    EXPECT_TRUE(numbered_cells(text)) << text;
  }
  for (const char* text : {"", "some", "top", "top x", "top -1", "above", "above y", "5"}) {
    EXPECT_FALSE(numbered_cells(text)) << text;
  }
}

TEST(OwnTitles, ReplaceThoseOfAxes) {
  PlotOptions options = file_options();
  options.x_title = "Source";
  options.y_title = "Target";
  const Figure map = map_of(cross_case(), options);
  const Figure chart =
      test::draw("distribution", cross_case().input(), options, pango_metrics()).value();
  for (const Figure* figure : {&map, &chart}) {
    EXPECT_TRUE(test::has_text(*figure, "Source"));
    EXPECT_TRUE(test::has_text(*figure, "Target"));
    EXPECT_FALSE(test::has_text(*figure, "Key (attended to)"));
  }
}

// The title of rows spans the map and the names of its columns, which may be long.
TEST(OwnTitles, OfRowsAreAsLongAsTheMapWithItsNames) {
  const test::ComputedCase of = test::computed_json(R"({"query_tokens": ["q0", "q1", "q2"],
    "key_tokens": ["a long name of a key", "another long name", "k2"],
    "attention": [[0.2, 0.3, 0.5], [0.1, 0.4, 0.5], [0.6, 0.2, 0.2]]})");
  PlotOptions options = file_options();
  options.color_bar = false;
  options.width = 200.0;
  Figure map = map_of(of, options);
  while (options.y_title.size() < 100) {
    options.y_title += "m";
    Figure next = map_of(of, options);
    if (!test::has_text(next, options.y_title)) break;
    map = std::move(next);
  }
  const std::vector<TextItem> texts = items_of<TextItem>(map);
  const auto title =
      std::ranges::find_if(texts, [](const TextItem& item) { return item.text.starts_with("m"); });
  ASSERT_NE(title, texts.end());
  const double length = pango_metrics().measure(title->text, title->font).width;
  EXPECT_GT(length, 1.1 * find_matrix(map)->clip.height);
}

TEST(BlackTheme, HasBlackWordsOutsideOfCells) {
  PlotOptions options = file_options();
  options.theme = ThemeKind::Black;
  for (const char* plot : {"heatmap", "distances", "measures"}) {
    const Figure figure =
        test::draw(plot, test::computed_example("four-heads").input(), options, pango_metrics())
            .value();
    const MatrixItem* m = find_matrix(figure);
    for (const TextItem& text : items_of<TextItem>(figure)) {
      if (m != nullptr && m->clip.contains(text.anchor)) continue;
      EXPECT_EQ(text.color, (Color{0, 0, 0, 255})) << plot << ": " << text.text;
    }
  }
}

// --- neighbouring panels

// A plot with its options: "heatmap head=1".
View view_of(const std::string& text) {
  std::istringstream words(text);
  View view;
  words >> view.plot;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const Field<ViewOptions>* const field = plot_option_named(word.substr(0, equals));
    EXPECT_TRUE(field->set(view.options, word.substr(equals + 1), Spelling::Flag).ok()) << word;
  }
  return view;
}

std::vector<MatrixItem> maps_beside(const std::vector<std::string>& plots,
                                    const test::ComputedCase& of) {
  PlotOptions page = file_options();
  page.width = 480.0;
  page.font_size = 8.0;
  Split split;
  for (const std::string& plot : plots) {
    split.parts.push_back({1.0, Pane{split.parts.size() + 1, view_of(plot), false}});
  }
  const auto draw = [&](const PlotEntry& plot, const PlotOptions& options) {
    return draw_complete(plot, of.document, of.result, options, pango_metrics());
  };
  const Figure figure = draw_layout(split, of.input(), page, pango_metrics(), draw).value();
  std::vector<MatrixItem> maps;
  for (const MatrixItem& m : items_of<MatrixItem>(figure)) {
    if (m.origin) maps.push_back(m);
  }
  return maps;
}

double cell_of(const MatrixItem& m) {
  return m.rect.width / static_cast<double>(m.cells->cols * m.col_step);
}

TEST(PanelsBeside, HaveOneTopAndCellsOfOneSize) {
  const test::ComputedCase four = test::computed_example("four-heads");
  const std::vector<std::string> rows[] = {{"heatmap head=0", "heatmap head=1", "heatmap head=2"},
                                           {"heatmap head=0", "heatmap stage=scores head=3"},
                                           {"heatmap stage=q", "heatmap"},
                                           {"heatmap head=2", "difference", "derived"},
                                           {"links", "heatmap head=0", "heatmap head=1"}};
  for (const std::vector<std::string>& row : rows) {
    const std::vector<MatrixItem> maps = maps_beside(row, four);
    ASSERT_GE(maps.size(), 2U) << row.back();
    for (const MatrixItem& m : maps) {
      EXPECT_NEAR(m.clip.y, maps.front().clip.y, 0.01) << row.back();
      EXPECT_NEAR(cell_of(m), cell_of(maps.front()), 0.01) << row.back();
      EXPECT_GT(cell_of(m), 4.0) << row.back();
    }
  }
}

// --- keys of hatching, text of a page, small indices

TEST(HatchingKeys, StandWhereverCellsAreHatched) {
  const char* const causal = R"({"tokens": ["a", "b", "c", "d"], "blocks": 2, "heads": 2,
    "d_model": 4, "mask": {"causal": true}})";
  const char* const open = R"({"tokens": ["a", "b", "c", "d"], "blocks": 2, "heads": 2,
    "d_model": 4})";
  for (const char* plot : {"heatmap", "heads", "token", "compare", "derived"}) {
    PlotOptions options = file_options();
    options.token = "query 1";
    const auto words_of = [&](const char* json) {
      const test::ComputedCase of = test::computed_json(json);
      const Figure figure = test::draw(plot, of.input(), options, pango_metrics()).value();
      const bool is_hatched = std::ranges::any_of(items_of<MatrixItem>(figure), [](const auto& m) {
        return std::ranges::count(m.cells->hidden, kHiddenByCausal) > 0;
      });
      EXPECT_EQ(is_hatched, test::has_text(figure, "hidden by causal mask")) << plot;
      return is_hatched;
    };
    EXPECT_FALSE(words_of(open)) << plot;
    EXPECT_TRUE(words_of(causal)) << plot;
  }
}

TEST(TextOfAModel, FitsOnePageUnlessHeadsAreNamed) {
  const test::ComputedCase of = test::computed_json(
      R"({"tokens": ["the", "cat", "sat", "on", "the", "mat"], "blocks": 6, "heads": 12,
          "d_model": 24})");
  PlotOptions options = file_options();
  const Figure page = test::draw("text", of.input(), options, pango_metrics()).value();
  EXPECT_LE(page.height, kPageHeight + 0.5);
  EXPECT_TRUE(test::has_text(page, "Layer 1, head 12"));
  EXPECT_FALSE(test::has_text(page, "Layer 2, head 1"));
  EXPECT_TRUE(test::says(page, "12 of 72 heads are shown"));
  options.layers = "1";
  options.heads = "0-2";
  EXPECT_TRUE(test::has_text(test::draw("text", of.input(), options, pango_metrics()).value(),
                             "Layer 2, head 3"));
}

TEST(Indices, AreNotBelowFivePoints) {
  EXPECT_DOUBLE_EQ(script_size(10.0), 7.2);
  EXPECT_DOUBLE_EQ(script_size(5.6), 5.0);
  EXPECT_DOUBLE_EQ(script_size(4.0), 4.0);
}

}  // namespace
}  // namespace attn
