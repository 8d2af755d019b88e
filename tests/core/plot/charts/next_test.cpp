// The plots of what a language model writes: their tokens and shares are those of its logits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kinds/parts/logits.h"
#include "lesson/concealed.h"
#include "plot/kit/names.h"
#include "support/fake_result.h"
#include "support/figure_items.h"
#include "tests/core/plot/computed_case.h"

namespace attn {
namespace {

using test::ComputedCase;
using test::FixedMetrics;
using test::has_text;
using test::items_of;
using test::says;

Figure drawn_of_model(const char* plot, const ComputedCase& of, const PlotOptions& options = {}) {
  return test::draw(plot, of.input(), options, FixedMetrics()).value();
}

std::shared_ptr<LogitsRows> logits_at(const ComputedCase& of, std::size_t row) {
  return logits_of(*of.result, last_rows(of.result->problem(), 0, row, 1), nullptr);
}

std::string share_text(double share) { return percent_text(share) + " %"; }

TEST(Next, ShowsTheLikeliestTokensAtTheMask) {
  const ComputedCase of = test::computed_model("the dog was [MASK] because it was hungry");
  const std::size_t mask = 4;
  ASSERT_EQ(of.document.query_tokens[0][mask], "[MASK]");
  const auto logits = logits_at(of, mask);
  const Figure figure = drawn_of_model("next", of);
  EXPECT_TRUE(says(figure, "What the model writes at “[MASK]” (query 5)"));
  const std::vector<std::uint32_t> ids = likeliest(*logits, 0, 10);
  double rest = 1.0;
  for (const std::uint32_t id : ids) {
    rest -= logits->share(0, id);
    EXPECT_TRUE(has_text(figure, of.document.source_model->vocabulary->tokenizer->token(id))) << id;
    EXPECT_TRUE(has_text(figure, share_text(logits->share(0, id)))) << id;
  }
  EXPECT_TRUE(says(figure, "those not shown have " + share_text(rest)));
  EXPECT_FALSE(says(figure, "mostly repeats"));
  for (std::uint32_t id = 0; id < logits->vocabulary; ++id) {
    if (std::ranges::find(ids, id) != ids.end()) continue;
    EXPECT_LE(logits->logits[id], logits->logits[ids.back()]);
  }
}

TEST(Next, FollowsTheTokenThatIsChosen) {
  const ComputedCase of = test::computed_model("the dog was [MASK] because it was hungry");
  PlotOptions options;
  options.token = "query 2";
  const Figure figure = drawn_of_model("next", of, options);
  EXPECT_TRUE(says(figure, "What the model writes at “dog” (query 3)"));
  EXPECT_TRUE(says(figure, "mostly repeats"));
  const auto logits = logits_at(of, 2);
  EXPECT_TRUE(has_text(figure, share_text(logits->share(0, likeliest(*logits, 0, 1).front()))));
}

TEST(Next, HasTheSharesOfAReference) {
  const ComputedCase of = test::computed_model("the dog was [MASK] because it was hungry");
  const ComputedCase other = test::computed_model("the road was [MASK] because it was wide");
  PlotOptions options;
  options.reference = std::make_shared<const Reference>(
      Reference{"other", "the other text", "", "", std::make_shared<const Document>(other.document),
                other.result});
  const Figure figure = drawn_of_model("next", of, options);
  EXPECT_TRUE(has_text(figure, "before"));
  EXPECT_TRUE(says(figure, "Before, and faint bars: the other text."));
  const auto before = logits_at(other, 4), now = logits_at(of, 4);
  for (const std::uint32_t id : likeliest(*before, 0, 3)) {
    EXPECT_TRUE(has_text(figure, share_text(before->share(0, id)))) << id;
    EXPECT_TRUE(has_text(figure, share_text(now->share(0, id)))) << id;
  }
}

TEST(Next, SaysWhyThereIsNothing) {
  const ComputedCase of = test::computed_example("i-love-cats");
  for (const char* plot : {"next", "lens"}) {
    const auto figure = test::draw(plot, of.input(), {}, FixedMetrics());
    ASSERT_FALSE(figure.ok());
    EXPECT_NE(figure.error().message.find("have a vocabulary"), std::string::npos);
    EXPECT_NE(figure.error().hint.find("folder of a language model"), std::string::npos);
  }
}

TEST(Next, IsConcealedWithTheWeightsThatDecideIt) {
  ComputedCase of = test::computed_model("the dog was tired");
  of.result = concealed(of.result, {{Stage::Weights, {1, 0, 0}, {0, 0, 1, 2}}});
  for (const char* plot : {"next", "lens"}) {
    const auto figure = test::draw(plot, of.input(), {}, FixedMetrics());
    ASSERT_TRUE(figure.ok());
    EXPECT_TRUE(test::says(*figure, "reveal them first")) << plot;
    EXPECT_FALSE(test::says(*figure, "%")) << plot;
  }
}

TEST(Lens, HasTheLikeliestTokenAfterEachLayer) {
  const ComputedCase of = test::computed_model("the dog was tired");
  const AttentionProblem& problem = of.result->problem();
  const Figure figure = drawn_of_model("lens", of);
  const std::size_t n = problem.shape.n_q, depths = problem.shape.layers + 1;
  const MatrixItem* map = find_matrix(figure);
  ASSERT_NE(map, nullptr);
  ASSERT_EQ(map->cells->rows, depths);
  ASSERT_EQ(map->cells->cols, n);
  for (std::size_t depth = 0; depth < depths; ++depth) {
    const auto logits = logits_of(*of.result, {0, depth, 1, 0, n}, nullptr);
    for (std::size_t row = 0; row < n; ++row) {
      const std::uint32_t best = likeliest(*logits, row, 1).front();
      EXPECT_NEAR(map->cells->values[depth * n + row], logits->share(row, best), 1e-6);
      EXPECT_TRUE(
          says(figure, of.document.source_model->vocabulary->tokenizer->token(best).substr(0, 2)));
    }
  }
  EXPECT_EQ(logits_at(of, 1)->logits,
            logits_of(*of.result, {0, depths - 1, 1, 1, 1}, nullptr)->logits);
}

// Frames stand where the likeliest token of the reference is another one.
TEST(Lens, FramesWhatWasAnotherTokenBefore) {
  const test::ComputedCase of = test::computed_model("the dog was tired");
  Document without = of.document;
  for (std::size_t head = 0; head < 4; ++head) set_gate(without.what_if, {0, 0, head}, 0.0F);
  const test::ComputedCase other = test::computed_case(without);
  PlotOptions options;
  options.reference = std::make_shared<const Reference>(Reference{
      "1", "without", "", "", std::make_shared<const Document>(other.document), other.result});
  const Figure figure = test::draw("lens", of.input(), options, FixedMetrics()).value();
  const AttentionShape& s = of.result->shape();
  const PredictedRows rows{0, 0, s.layers + 1, 0, s.n_q};
  const auto now = predictions_of(*of.result, rows, 1, nullptr),
             then = predictions_of(*other.result, rows, 1, nullptr);
  std::size_t changed = 0, framed = 0;
  for (std::size_t i = 0; i < now->tokens.size(); ++i) {
    changed += now->tokens[i].id != then->tokens[i].id ? 1 : 0;
  }
  for (const RectItem& item : items_of<RectItem>(figure))
    framed += item.stroke_width == 1.5 ? 1 : 0;
  EXPECT_EQ(framed, changed);
  EXPECT_GT(changed, 0U);
  EXPECT_LT(changed, now->tokens.size());
}

TEST(Lens, ShowsThePartOfALongTextThatIsChosen) {
  const ComputedCase of = test::computed_model("the dog was tired because it was very old");
  PlotOptions options;
  options.first_query = 3;
  options.tokens_shown = 4;
  const Figure figure = drawn_of_model("lens", of, options);
  EXPECT_EQ(find_matrix(figure)->cells->cols, 4U);
  EXPECT_TRUE(says(figure, "Tokens 4 to 7 of 11"));
  EXPECT_TRUE(has_text(figure, "tired"));
}

TEST(Lens, TurnsWordsInNarrowColumns) {
  const ComputedCase of = test::computed_model("the dog was tired because it was very old");
  const auto turned_in = [&](double width) {
    PlotOptions options;
    options.width = width;
    const Figure figure = drawn_of_model("lens", of, options);
    const Rect map = find_matrix(figure)->rect;
    std::size_t turned = 0;
    for (const TextItem& word : items_of<TextItem>(figure)) {
      if (map.contains(word.anchor) && word.degrees == 90.0) ++turned;
    }
    return std::pair(turned, says(figure, "narrow"));
  };
  EXPECT_EQ(turned_in(600.0), std::pair(std::size_t{0}, false));
  EXPECT_GT(turned_in(260.0).first, 20U);
  EXPECT_EQ(turned_in(150.0), std::pair(std::size_t{0}, true));
}

TEST(Lens, SaysUnderThePointerWhichTokensAreLikeliest) {
  const ComputedCase of = test::computed_model("the dog was tired");
  const Figure figure = drawn_of_model("lens", of);
  const auto logits = logits_of(*of.result, {0, 2, 1, 2, 1}, nullptr);
  const std::uint32_t best = likeliest(*logits, 0, 1).front();
  const std::string expected = "“" + of.document.source_model->vocabulary->tokenizer->token(best) +
                               "” " + share_text(logits->share(0, best));
  const auto cells = items_of<RectItem>(figure);
  EXPECT_TRUE(std::ranges::any_of(cells, [&](const RectItem& item) {
    const auto* hit = std::get_if<ReadingHit>(&item.hit);
    return hit != nullptr && hit->what == "Layer 2, “dog” (query 3)" &&
           hit->number.starts_with(expected);
  }));
}

}  // namespace
}  // namespace attn
