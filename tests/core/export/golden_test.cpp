// SVG goldens of every plot: small documents that show the plot at its best and can be reviewed.
// ATTNSCOPE_UPDATE_GOLDENS=1 rewrites the files.
#include "support/golden.h"

#include <gtest/gtest.h>

#include <map>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/svg.h"
#include "plot/all_plots.h"
#include "support/fake_result.h"
#include "support/paths.h"

namespace attn {
namespace {

struct Golden {
  std::string document;
  PlotOptions options = {};
};

// A document for each plot, by the plot's name.
const std::map<std::string, Golden, std::less<>>& goldens() {
  static const std::map<std::string, Golden, std::less<>> kGoldens = {
      {"heatmap", {R"({"title": "I love cats", "tokens": ["I", "love", "cats", "<pad>"],
            "q": [[1, 0], [0, 1], [1, 1], [0, 0]], "k": [[1, 1], [0, 1], [1, 0], [0, 0]],
            "v": [[1, 0], [0, 1], [1, 1], [0, 0]],
            "mask": {"causal": true, "causal_offset": 1, "key_lengths": 3}})"}},
      {"heads", {R"({"title": "Two layers of two heads", "tokens": ["a", "b", "c"],
            "mask": {"causal": true}, "attention": [
            [[[[1, 0, 0], [0.875, 0.125, 0], [0.75, 0, 0.25]],
              [[1, 0, 0], [1, 0, 0], [0, 1, 0]]]],
            [[[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]],
              [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]]]})"}},
      {"links", {R"({"title": "Links", "query_tokens": ["le", "chat", "dort"],
            "key_tokens": ["the", "cat", "sleeps"], "attention": [
            [[0.75, 0.25, 0], [0.125, 0.75, 0.125], [0, 0.25, 0.75]],
            [[0, 1, 0], [0.5, 0, 0.5], [1, 0, 0]]]})"}},
      {"text", {R"({"title": "Undo it", "tokens": ["un", "##do", "it", "."], "attention": [
            [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.5, 0], [0.125, 0.5, 0.25, 0.125]],
            [[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0, 0.5, 0], [0.75, 0, 0, 0.25]]]})"}},
      {"token", {R"({"title": "From two layers", "tokens": ["a", "b", "c"],
            "mask": {"causal": true}, "attention": [
            [[[[1, 0, 0], [0.875, 0.125, 0], [0.75, 0, 0.25]],
              [[1, 0, 0], [1, 0, 0], [0, 1, 0]]]],
            [[[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]],
              [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]]]})"}},
      {"why", {R"({"title": "I love cats", "tokens": ["I", "love", "cats"],
            "q": [[1, 0], [0, 1], [2, 1]], "k": [[0.5, 1], [0, 1], [1, -1]],
            "v": [[1, 0], [0, 1], [1, -2]], "scoring": {"scale": 0.5}})"}},
      {"flow", {R"({"title": "Flow", "tokens": ["I", "love", "cats"],
            "q": [[1, 0], [0, 1], [1, 1]], "k": [[1, 1], [0, 1], [1, 0]],
            "v": [[1, 0], [0, 1], [1, 1]], "mask": {"causal": true}})"}},
      {"next", {R"({"title": "At a mask", "model": {"folder": "pronoun-encoder"},
            "text": "the dog was [MASK]"})"}},
      {"lens", {R"({"title": "After each layer", "model": {"folder": "pronoun-encoder"},
            "text": "it was old"})"}},
      {"atlas", {R"({"title": "Without each head", "model": {"folder": "pronoun-encoder"},
            "text": "the dog was [MASK]"})"}},
      {"measures", {R"({"title": "Two heads", "tokens": ["a", "b", "a", "b"], "attention": [
            [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
            [[0.25, 0.25, 0.25, 0.25], [0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5], [0, 0, 0, 1]]]})"}},
      {"derived", {R"({"title": "Through two layers", "tokens": ["x", "y", "z"], "attention": [
            [[[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]]],
            [[[[1, 0, 0], [0.75, 0.25, 0], [0, 0.5, 0.5]]]]]})"}},
      {"difference", {R"({"title": "Two heads", "tokens": ["I", "love", "cats"], "attention": [
            [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.5, 0.25]],
            [[1, 0, 0], [0.125, 0.875, 0], [0.25, 0, 0.75]]]})"}},
      {"alignment", {R"({"title": "Je t'aime", "query_tokens": ["I", "love", "you"],
            "key_tokens": ["je", "t'", "aime"], "d_model": 3,
            "recurrent": {"hidden": 2, "d_out": 2}})"}},
      {"dimensions",
       {R"({"title": "Shapes", "query_tokens": ["a", "b"], "key_tokens": ["x", "y", "z"],
            "d_model": 4, "heads": 2})"}},
      {"compare", {R"({"title": "Every function", "tokens": ["a", "b"], "d_model": 4})"}},
      {"sharpness", {R"({"title": "Why √d_k", "tokens": ["a", "b", "c"], "d_model": 4})"}},
      {"distribution", {R"({"title": "How large the weights are", "tokens": ["a", "b", "c", "d"],
            "mask": {"causal": true}, "attention": [[1, 0, 0, 0], [0.75, 0.25, 0, 0],
            [0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.25, 0.25]]})"}},
      {"distances", {R"({"title": "How far they go", "tokens": ["a", "b", "c", "d"],
            "mask": {"causal": true}, "attention": [[1, 0, 0, 0], [0.75, 0.25, 0, 0],
            [0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.25, 0.25]]})"}},
      {"cost", {R"({"title": "Cost", "tokens": ["a", "b", "c"], "d_model": 4})"}},
      {"positions", {R"({"title": "Positions", "tokens": ["a", "b", "c", "d"], "d_model": 4,
            "position": "sinusoidal", "heads": 1})"}},
  };
  return kGoldens;
}

Result<std::string> drawn(const PlotEntry& plot, const Golden& golden) {
  const ReadOptions options{.folder = test::source_folder() + "/assets/models"};
  const Result<Reading> read = read_document(golden.document, std::string(plot.name), options);
  if (!read) return read.error();
  const Result<ResultPtr> result = compute(make_problem(read->document));
  if (!result) return result.error();
  const Result<Figure> figure =
      draw_complete(plot, read->document, *result, golden.options, test::FixedMetrics());
  return figure ? svg_of(*figure, {}, test::FixedMetrics()) : figure.error();
}

TEST(Golden, EveryPlotIsAsItWas) {
  for (const PlotEntry& plot : all_plots()) {
    const auto golden = goldens().find(plot.name);
    if (golden == goldens().end()) {
      ADD_FAILURE() << plot.name << " has no golden: give it a document above";
      continue;
    }
    const Result<std::string> svg = drawn(plot, golden->second);
    ASSERT_TRUE(svg.ok()) << plot.name << ": " << describe(svg.error());
    EXPECT_LT(svg->size(), 40'000U) << plot.name << " is too long to be read in a review";
    EXPECT_TRUE(
        test::matches_golden(*svg, "core/export/golden/" + std::string(plot.name) + ".svg"));
  }
}

}  // namespace
}  // namespace attn
