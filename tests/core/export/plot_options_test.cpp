// The options that a plot lists are those that change its figure.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/enum_table.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/logits.h"
#include "kinds/recurrent/model.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "support/fake_result.h"
#include "support/golden.h"
#include "support/other_options.h"
#include "support/paths.h"
#include "tokenizer/tokenizer.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::FakeResult;

// Two of everything that can be chosen, and a unique value in every cell, within 0.2 … 0.7.
FakeResult result_of(std::size_t tokens) {
  AttentionProblem problem;
  problem.shape.layers = problem.shape.samples = problem.shape.heads = problem.shape.kv_heads = 2;
  problem.shape.n_q = problem.shape.n_k = tokens;
  problem.shape.d_k = problem.shape.d_v = 3;
  problem.mask.alibi = {{0.5F, 0.25F}};
  const auto cell = [](const HeadAddress& head, std::size_t row, std::size_t col) {
    const std::size_t at = 4 * head.layer + 2 * head.sample + head.head;
    return 0.2F + 0.05F * static_cast<float>(at) + 0.01F * static_cast<float>((7 * row + col) % 13);
  };
  FakeResult result(problem);
  for (const Stage stage :
       {Stage::Query, Stage::Key, Stage::Value, Stage::Scores, Stage::Weights, Stage::Output}) {
    result.with(stage, cell);
  }
  return result;
}

// A figure and the document whose options are changed.
struct Scene {
  Document document;
  ResultPtr result;
  PlotOptions options;
};

Scene scene_of(std::size_t tokens) {
  Document document;
  document.query_tokens = {TokenList(tokens, "Ġword"), TokenList(tokens, "Ġother")};
  return {document, std::make_shared<FakeResult>(result_of(tokens)), {}};
}

// An encoder–decoder of two samples.
Scene recurrent_scene() {
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  problem.shape.samples = 2;
  problem.shape.n_q = problem.shape.n_k = 3;
  problem.shape.d_k = problem.shape.d_v = problem.shape.d_model = 3;
  problem.query_embeddings = Tensor({2, 3, 3}, std::vector<float>(18, 0.5F));
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  const auto cell = [](const HeadAddress& head, std::size_t row, std::size_t col) {
    return 0.2F + 0.1F * static_cast<float>(head.sample) +
           0.01F * static_cast<float>((7 * row + col) % 13);
  };
  FakeResult result(problem);
  for (const Stage stage :
       {Stage::Weights, Stage::Influence, Stage::FixedInfluence, Stage::Survival}) {
    result.with(stage, cell);
  }
  Scene scene{scene_of(3).document, std::make_shared<FakeResult>(result), {}};
  return scene;
}

Scene scene_of_text(std::string_view text) {
  const Document document = read_document(text, "scene").value().document;
  return {document, compute(make_problem(document)).value(), {}};
}

// A decoder whose two sequences differ in length.
Scene decoder_scene() {
  return scene_of_text(R"({"query_tokens": ["a", "Ġb", "Ġc"], "d_model": 4,
      "key_tokens": ["x", "Ġy"], "blocks": 2, "position": "sinusoidal",
      "mask": {"alibi": true}})");
}

// A language model whose vocabulary is written as byte-level ones are.
Scene model_scene() {
  const std::string folder = test::source_folder() + "/assets/models/pronoun-encoder";
  Document document = open_document(folder)->document;
  Vocabulary vocabulary = *document.source_model->vocabulary;
  TokenizerFiles files;
  for (std::size_t id = 0; id < vocabulary.table.extent(0); ++id) {
    const std::string number = std::to_string(id);
    files.vocab_json += (id == 0 ? "{" : ",") + ("\"Ġw" + number + "\":" + number);
  }
  files.vocab_json += "}";
  files.merges_txt = "#version: 0.2\n";
  vocabulary.tokenizer = Tokenizer::open(files).value();
  document.source_model->vocabulary = std::make_shared<const Vocabulary>(std::move(vocabulary));
  return {document, compute(make_problem(document)).value(), {}};
}

// Numbers generated from the seed, of a kind of model that the plot draws.
Scene generated_scene(const PlotEntry& plot) {
  if (plot.nothing == nothing_predicted || plot.name == "atlas") return model_scene();
  if (!uses(plot, Option::Step)) {
    return scene_of_text(
        R"({"tokens": ["a", "b", "c"], "d_model": 4, "heads": 2, "position": "sinusoidal"})");
  }
  return scene_of_text(R"({"query_tokens": ["a", "b"], "key_tokens": ["x", "y"], "d_model": 4,
      "recurrent": {}})");
}

// Small matrices show their numbers, large ones pooling, some derived ones their head, parts of
// large ones the overview, and one of many heads is in front.
std::vector<Scene> scenes() {
  std::vector<Scene> made = {scene_of(3),     scene_of(40), scene_of(3),  recurrent_scene(),
                             decoder_scene(), scene_of(40), model_scene()};
  made.push_back(scene_of_text(R"({"tokens": ["a", "b"], "d_model": 5, "heads": 5})"));
  made.push_back(scene_of_text(
      R"({"tokens": [["a", "b"], ["c", "d"]], "d_model": 4, "blocks": 2, "heads": 2})"));
  made[1].options.pixel_budget = 16;
  made[2].options.derived = Derived::ValueNorm;
  made[2].options.show = Compared::A;
  made[5].options.window = {5.0, 5.0, 20.0, 20.0};
  return made;
}

// The figure as text, without drawing letters, which takes most of the time.
std::string picture(const PlotEntry& plot, const Scene& scene, const PlotOptions& options) {
  const Result<Figure> drawn =
      draw_complete(plot, scene.document, scene.result, options, test::FixedMetrics());
  if (!drawn) return describe(drawn.error());
  const Figure& figure = *drawn;
  std::string text = test::figure_text(figure);
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix == nullptr) continue;
    const std::vector<float>& values = matrix->cells->values;
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  return text;
}

// Texts to try; fields of another type refuse them.
std::vector<std::string> values_for(const Field<ViewOptions>& field) {
  std::vector<std::string> values = {test::another_value(field)};
  values.insert(values.end(), field.choices.begin(), field.choices.end());
  for (const char* text : {"true", "false", "0", "1", "0.5", "7", "20", "400", "query 1"}) {
    values.emplace_back(text);
  }
  return values;
}

using Pictures = std::vector<std::string>;  // of each scene with its own options

bool changes(const PlotEntry& plot, const std::vector<Scene>& all, const Pictures& plain,
             const Field<ViewOptions>& field) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& value : values_for(field)) {
      PlotOptions options = all[i].options;
      if (!field.set(options, value, Spelling::Field).ok()) continue;
      if (picture(plot, all[i], options) != plain[i]) return true;
    }
  }
  return false;
}

// Sets other values of all these options at once.
bool any_changes(const PlotEntry& plot, const Scene& scene, const std::string& plain,
                 const std::vector<const Field<ViewOptions>*>& fields) {
  PlotOptions options = scene.options;
  for (const Field<ViewOptions>* field : fields) {
    EXPECT_TRUE(field->set(options, test::another_value(*field), Spelling::Field).ok())
        << field->name;
  }
  return picture(plot, scene, options) != plain;
}

TEST(PlotOptions, ThatAPlotListsAreThoseThatChangeItsFigure) {
  const std::vector<Scene> all = scenes();
  for (const PlotEntry& plot : all_plots()) {
    Pictures plain;
    for (const Scene& scene : all) plain.push_back(picture(plot, scene, scene.options));
    std::vector<const Field<ViewOptions>*> others;
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (!uses(plot, field.name)) {
        others.push_back(&field);
      } else {
        EXPECT_TRUE(changes(plot, all, plain, field)) << plot.name << " " << field.name;
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!any_changes(plot, all[i], plain[i], others)) continue;
      for (const Field<ViewOptions>* field : others) {
        EXPECT_FALSE(any_changes(plot, all[i], plain[i], {field}))
            << plot.name << " " << field->name;
      }
      ADD_FAILURE() << plot.name << " changes with options that it does not list";
    }
  }
}

std::set<std::string> texts_of(const Figure& figure) {
  std::set<std::string> texts;
  for (const FigureItem& item : figure.items) {
    if (const auto* text = std::get_if<TextItem>(&item)) texts.insert(text->text);
  }
  return texts;
}

// Notes of a file are the sentence on generated numbers, ranges of colours, and sentences below the
// figure.
TEST(PlotOptions, NotesAreLeftOutOfEveryPlot) {
  for (const PlotEntry& plot : all_plots()) {
    if (!uses(plot, Option::Notes)) {
      EXPECT_EQ(plot.name, "dimensions") << "which has none";
      continue;
    }
    const Scene scene = generated_scene(plot);
    PlotOptions options = scene.options;
    options.previewed = true;
    const auto drawn = [&](bool notes) {
      options.notes = notes;
      return draw_complete(plot, scene.document, scene.result, options, test::FixedMetrics());
    };
    const Result<Figure> with = drawn(true), without = drawn(false);
    ASSERT_TRUE(with.ok() && without.ok()) << plot.name << describe(with.error());
    std::size_t gone = 0;
    const std::set<std::string> left = texts_of(*without);
    for (const std::string& text : texts_of(*with)) gone += left.contains(text) ? 0 : 1;
    EXPECT_GE(gone, 1U) << plot.name;
    EXPECT_LE(without->height, with->height) << plot.name;
    for (const std::string& text : left) {
      EXPECT_EQ(text.find("0 to 1"), text.npos) << plot.name << ": " << text;
      EXPECT_FALSE(text.starts_with("Generated from seed")) << plot.name << ": " << text;
      EXPECT_FALSE(text.ends_with(".") && text.size() > 12) << plot.name << ": " << text;
    }
  }
}

// A family of the system is in every text, also of what the metrics measure; others change nothing.
TEST(PlotOptions, TheFontIsThatOfEveryText) {
  const std::string& family = all_font_families().front();
  for (const PlotEntry& plot : all_plots()) {
    const Scene scene = generated_scene(plot);
    PlotOptions options = scene.options;
    options.font = family;
    const Result<Figure> drawn =
        draw_complete(plot, scene.document, scene.result, options, test::FixedMetrics());
    ASSERT_TRUE(drawn.ok()) << plot.name;
    for (const FigureItem& item : drawn->items) {
      const auto* text = std::get_if<TextItem>(&item);
      if (text == nullptr) continue;
      EXPECT_EQ(text->font.family, &family) << plot.name << ": " << text->text;
    }
    EXPECT_TRUE(check_options(options).ok());
  }
  PlotOptions unknown;
  unknown.font = "No Such Family";
  const Status checked = check_options(unknown);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().found, "No Such Family");
  EXPECT_NE(checked.error().hint.find("fc-list"), std::string::npos);
}

TEST(PlotOptions, AreListedByTheNamesOfFieldsInTheirOrder) {
  ASSERT_EQ(plot_option_fields().size(), count_of<Option>()) << "a row for each option";
  for (const PlotEntry& plot : all_plots()) {
    std::vector<std::string_view> used;
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (uses(plot, field.name)) used.push_back(field.name);
    }
    EXPECT_EQ(names_of(plot.options), used) << plot.name;
  }
}

TEST(PlotOptions, AreAllOfUseToSomePlot) {
  const auto plots = all_plots();
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    const bool is_of_some = std::any_of(
        plots.begin(), plots.end(), [&](const PlotEntry& plot) { return uses(plot, field.name); });
    EXPECT_TRUE(is_of_some || is_of_the_page(field.name)) << field.name;
  }
}

}  // namespace
}  // namespace attn
