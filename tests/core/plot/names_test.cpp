// Names of features and spellings of tokens in figures and sentences.
#include "plot/kit/names.h"

#include <gtest/gtest.h>

#include "plot/all_plots.h"
#include "plot/kit/axis.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using namespace test;

constexpr const char* kNamed = R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2, "blocks": 1,
  "features": {"d_model": ["animal", "", "plural"], "d_k": ["what", "שם"], "d_v": ["", "colour"],
               "d_ff": ["edge"]}})";
constexpr const char* kByteLevel = R"({"tokens": ["The", "Ġcat", "Ġsat"],
  "embeddings": [[1, 0], [0, 1], [1, 1]], "heads": 1})";

ComputedCase case_of(const char* json) {
  return computed_case(read_document(json, "it")->document);
}

Figure heatmap_of(const ComputedCase& own, Stage stage, bool as_written = false) {
  PlotOptions options;
  options.stage = stage;
  options.tokens_as_written = as_written;
  return draw("heatmap", own.input(), options, FixedMetrics()).value();
}

std::string sentence(const ComputedCase& own, Stage stage, std::size_t col) {
  return cell_sentence(own.input(), {{stage, {}}, 0, col});
}

// Numbers of tokens count from 1 in words and at axes alike.
TEST(UnnamedTokens, AreCalledByTheirNumberAlone) {
  const ComputedCase own = case_of(R"({"tokens": 30, "d_model": 4})");
  const std::string words = cell_sentence(own.input(), {{Stage::Weights, {}}, 14, 7});
  EXPECT_TRUE(words.starts_with("Token 15 takes ")) << words;
  EXPECT_NE(words.find(" % from token 8"), std::string::npos) << words;
  EXPECT_EQ(words.find("query"), std::string::npos) << words;
}

TEST(UnnamedTokens, HaveAtAxesTheNumbersThatWordsGiveThem) {
  const ComputedCase own =
      case_of(R"({"tokens": {"count": 4, "names": {"2": "cat"}}, "d_model": 4})");
  PlotOptions options;
  options.annotate = "none";
  options.color_bar = false;
  const Figure figure = draw("heatmap", own.input(), options, FixedMetrics()).value();
  const std::vector<std::string> labels = texts_of(figure);
  for (const char* label : {"1", "2", "cat", "4"}) {
    EXPECT_EQ(std::ranges::count(labels, label), 2) << label;
  }
  EXPECT_FALSE(has_text(figure, "0"));
  EXPECT_FALSE(has_text(figure, "3"));
}

TEST(RepeatedTokens, HaveTheirNumbers) {
  const ComputedCase own = case_of(R"({"tokens": ["the", "cat", "the"], "d_model": 4})");
  const auto number = [&](std::size_t index) {
    return number_if_repeated(own.input().document, Side::Key, {}, index);
  };
  EXPECT_EQ(number(0), " (1)");
  EXPECT_EQ(number(1), "");
  EXPECT_EQ(number(2), " (3)");
  const ComputedCase unnamed = case_of(R"({"tokens": 3, "d_model": 4})");
  EXPECT_EQ(number_if_repeated(unnamed.input().document, Side::Key, {}, 1), "");
}

TEST(FeatureAxis, ShowsNamesInPlaceOfNumbers) {
  const ComputedCase own = case_of(kNamed);
  for (const Stage stage : {Stage::BlockInput, Stage::AttentionNorm, Stage::BlockOutput,
                            Stage::Projected, Stage::FeedForward}) {
    const Figure figure = heatmap_of(own, stage);
    EXPECT_TRUE(has_text(figure, "animal")) << stage_info(stage).name;
    EXPECT_TRUE(has_text(figure, "2")) << stage_info(stage).name;
    EXPECT_TRUE(has_text(figure, "plural")) << stage_info(stage).name;
  }
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Query), "what"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Key), "what"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Value), "colour"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Output), "colour"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Concat), "h1 colour"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Concat), "h2 colour"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Hidden), "edge"));
}

TEST(FeatureAxis, IsCountedOnlyWithoutNames) {
  const ComputedCase own = case_of(kNamed);
  const MatrixAxis named{"",        2,  false,
                         Side::Key, {}, feature_columns(own.result->shape(), Extent::KeyWidth)};
  EXPECT_FALSE(is_counted(own.document, named));
  EXPECT_TRUE(is_counted(own.document, {"", 2, false, Side::Key}));
  Document unnamed = own.document;
  unnamed.features = {};
  EXPECT_TRUE(is_counted(unnamed, named));
  EXPECT_EQ(axis_label(unnamed, named, 1), "2");
}

// Only the last of consecutive numbers is measured; all names are.
TEST(FeatureAxis, IsAsWideAsItsWidestName) {
  const ComputedCase own = case_of(kNamed);
  const MatrixAxis axis{"",        4,  false,
                        Side::Key, {}, feature_columns(own.result->shape(), Extent::ModelWidth)};
  const FontStyle font{10.0};
  EXPECT_EQ(widest_label(own.document, axis, 1, font, FixedMetrics(), 1000.0),
            FixedMetrics().measure("animal", font).width);
}

TEST(FeatureAxis, SentencesNameTheColumn) {
  const ComputedCase own = case_of(kNamed);
  EXPECT_NE(sentence(own, Stage::BlockInput, 0).find("(query 1), “animal” (feature 1): "),
            std::string::npos);
  EXPECT_NE(sentence(own, Stage::BlockInput, 1).find("(query 1), feature 2: "), std::string::npos);
  EXPECT_NE(sentence(own, Stage::Concat, 3).find("“h2 colour” (feature 4): "), std::string::npos);
  EXPECT_NE(sentence(own, Stage::Query, 1).find("\u2068שם\u2069”"), std::string::npos);
}

TEST(TokensAsWritten, AreShownOnTheAxesOfFigures) {
  const ComputedCase own = case_of(kByteLevel);
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Weights), "␣cat"));
  EXPECT_FALSE(has_text(heatmap_of(own, Stage::Weights), "Ġcat"));
  EXPECT_TRUE(has_text(heatmap_of(own, Stage::Weights, true), "Ġcat"));
  EXPECT_FALSE(has_text(heatmap_of(own, Stage::Weights, true), "␣cat"));
}

TEST(TokensAsWritten, AreShownByEveryPlotThatShowsTokens) {
  const ComputedCase own = case_of(kByteLevel);
  for (const PlotEntry& plot : all_plots()) {
    if (!why_nothing(plot, *own.result).empty()) continue;
    PlotOptions options;
    const Result<Figure> usual = draw(plot.name, own.input(), options, FixedMetrics());
    options.tokens_as_written = true;
    const Result<Figure> written = draw(plot.name, own.input(), options, FixedMetrics());
    if (!usual || !written) continue;
    const bool sets_text = plot.name == "text";  // with blanks between the tokens
    EXPECT_EQ(has_text(*usual, sets_text ? "cat" : "␣cat"), uses(plot, Option::TokensAsWritten))
        << plot.name;
    EXPECT_EQ(has_text(*written, "Ġcat"), uses(plot, Option::TokensAsWritten)) << plot.name;
  }
}

TEST(TokensAsWritten, ChangeNothingElse) {
  const Document document = read_document(kByteLevel, "it")->document;
  const Document written = with_spelling(document);
  EXPECT_EQ(written, document);
  EXPECT_EQ(written.query_tokens.front().spoken(1), "Ġcat");
  EXPECT_EQ(document.query_tokens.front().spoken(1), " cat");
}

TEST(SpelledToken, SaysWhatTheVocabularyWrites) {
  const Document document = read_document(kByteLevel, "it")->document;
  EXPECT_EQ(spelled_token(document, Side::Key, {}, 1), "“␣cat”, written “Ġcat”");
  EXPECT_EQ(spelled_token(document, Side::Key, {}, 0), "“The”");
  EXPECT_EQ(spelled_token(with_spelling(document), Side::Key, {}, 1), "“Ġcat”");
}

}  // namespace
}  // namespace attn
