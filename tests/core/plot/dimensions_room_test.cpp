// Boxes and room of the dimensions plot for the examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using test::FixedMetrics;
using test::items_of;

// The numbers of "(2, 3, 4)".
Shape extents_of(const std::string& text) {
  Shape extents;
  for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos;
       at = text.find_first_of("0123456789", text.find_first_not_of("0123456789", at))) {
    extents.push_back(std::stoul(text.substr(at)));
  }
  return extents;
}

// Extents of one tensor in the result; leading axes only when there are several.
Shape extents_in(const AttentionResult& result, Stage stage, const HeadAddress& at = {}) {
  const AttentionShape& s = result.shape();
  const StageInfo& info = stage_info(stage);
  Shape extents;
  if (s.layers > 1 && stage != Stage::FinalNorm) extents.push_back(s.layers);
  if (s.samples > 1) extents.push_back(s.samples);
  if (info.per_head) extents.push_back(info.rows_are_keys() ? s.kv_heads : s.heads);
  const StageShape shape = result.stage_shape(stage, at);
  extents.insert(extents.end(), {shape.rows, shape.cols});
  return extents;
}

TEST(Flow, EveryShapeOfEveryExampleIsThatOfItsTensor) {
  std::size_t with_blocks = 0;
  for (const Example& example : all_examples()) {
    const Document document =
        read_document(example.json, std::string(example.name)).value().document;
    const AttentionProblem problem = make_problem(document);
    const ResultPtr result = compute(problem).value();
    if (!problem.stack.blocks.empty()) ++with_blocks;
    std::set<Stage> seen;  // a decoder has a stage of its own attention, then that of the other
    for (const FlowColumn& column : flow_of({document, *result}, figure_theme(ThemeKind::Paper))) {
      for (const FlowBox& box : column) {
        const Shape extents = extents_of(box.extents);
        const auto* stage = std::get_if<StageHit>(&box.tensor);
        EXPECT_EQ(std::ranges::count(box.symbols, ','), std::ranges::count(box.extents, ','));
        if (stage != nullptr) {
          const bool is_first = seen.insert(stage->stage).second;
          const HeadAddress at =
              is_first ? HeadAddress{.attention = kSelfAttention} : HeadAddress{};
          EXPECT_EQ(extents, extents_in(*result, stage->stage, at)) << example.name << box.title;
          continue;
        }
        const TensorPath& path = std::get<InputHit>(box.tensor).tensor;
        const Shape given = (path == "/key_embeddings"     ? problem.key_embeddings
                             : path == "/value_embeddings" ? problem.value_embeddings
                                                           : problem.query_embeddings)
                                .shape();
        const std::ptrdiff_t leading = given.front() == 1 ? 1 : 0;
        EXPECT_EQ(extents, Shape(given.begin() + leading, given.end()))
            << example.name << box.title;
      }
    }
    for (const StoredStage& stored : stored_stages(problem)) {
      const Shape own = extents_in(*result, stored.stage, {.attention = kSelfAttention});
      const bool of_self = stored.elements == element_count(own);  // of a decoder
      EXPECT_TRUE(of_self || stored.elements == element_count(extents_in(*result, stored.stage)))
          << example.name << " " << stage_info(stored.stage).name;
    }
  }
  EXPECT_GE(with_blocks, 1U);
}

TEST(ShapeFlow, ValuesArriveAtTheOutputHoweverNarrowTheFigure) {
  for (const char* example : {"i-love-cats", "four-heads", "encoder-decoder",
                              "encoder-decoder-luong", "transformer-decoder"}) {
    const Document document = open_document(std::string(kExamplePrefix) + example)->document;
    const ResultPtr result = compute(make_problem(document)).value();
    for (const double width : {200.0, 223.0, 464.0, 900.0, 2000.0}) {
      PlotOptions options;
      options.width = width;
      const Figure figure = shape_flow({{document, *result}, options, FixedMetrics()});
      std::size_t outputs = 0, reached = 0;
      for (const RectItem& box : items_of<RectItem>(figure)) {
        if (box.hit != HitId(StageHit{Stage::Output})) continue;
        ++outputs;
        const Rect around{box.rect.x - 2.0, box.rect.y - 2.0, box.rect.width + 4.0,
                          box.rect.height + 4.0};
        for (const PathItem& head : items_of<PathItem>(figure)) {
          const bool of_values = head.fill == figure_theme(ThemeKind::Paper).value;
          if (of_values && around.contains(head.points.front())) ++reached;
        }
      }
      EXPECT_EQ(reached, outputs) << example << " " << width;
      EXPECT_GE(outputs, 1U);
    }
  }
}

TEST(Dimensions, FitAPageOfPaperWithLegibleText) {
  for (const std::string_view example :
       {"i-love-cats", "four-heads", "encoder-decoder", "transformer-decoder"}) {
    const Document document =
        open_document(std::string(kExamplePrefix) + std::string(example))->document;
    const ResultPtr result = compute(make_problem(document)).value();
    for (const double width : {241.0, 482.0}) {
      PlotOptions options;
      options.width = width;
      const Figure figure = dimensions({{document, *result}, options, pango_metrics()}).value();
      const bool is_long =
          example == "transformer-decoder" && width < 300.0;  // 31 steps, indices of 5 points
      EXPECT_LE(figure.height, (is_long ? 15.5 : 9.5) * 72.0) << example << " " << width;
      for (const TextItem& text : items_of<TextItem>(figure)) {
        EXPECT_GE(text.font.size, 5.0) << text.text << " " << example << " " << width;
      }
    }
  }
}

TEST(ShapeFlow, NoTextLeavesTheFigureAtAnyWidth) {
  for (const char* example : {"sinusoidal-positions", "transformer-blocks", "encoder-decoder"}) {
    const Document document = open_document(std::string(kExamplePrefix) + example)->document;
    const ResultPtr result = compute(make_problem(document)).value();
    for (double width = 200.0; width < 440.0; width += 4.0) {
      PlotOptions options;
      options.width = width;
      const Figure figure = shape_flow({{document, *result}, options, FixedMetrics()});
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << example << " " << width;
    }
  }
}

}  // namespace
}  // namespace attn
