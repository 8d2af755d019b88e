// Claims of the examples of scoring functions, normalisers, masks and positions are true of their
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "document/edit.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

// The computed numbers of a document, by place or by token.
class Shown {
 public:
  explicit Shown(const std::string& name)
      : Shown(open_document(std::string(kExamplePrefix) + name)->document) {}
  explicit Shown(Document document)
      : document_(std::move(document)), result_(*compute(make_problem(document_))) {}

  const Document& document() const { return document_; }
  std::size_t n_q() const { return result_->shape().n_q; }
  std::size_t n_k() const { return result_->shape().n_k; }
  float at(Stage stage, std::size_t q, std::size_t k, std::size_t head = 0) const {
    return result_->value(stage, {0, 0, head}, q, k);
  }
  float weight(std::size_t q, std::size_t k, std::size_t head = 0) const {
    return at(Stage::Weights, q, k, head);
  }
  float weight(const std::string& query, const std::string& key) const {
    return weight(index(Side::Query, query), index(Side::Key, key));
  }
  float row_sum(std::size_t q, std::size_t head = 0) const {
    float sum = 0.0F;
    for (std::size_t k = 0; k < n_k(); ++k) sum += weight(q, k, head);
    return sum;
  }
  std::size_t strongest(std::size_t q, std::size_t head = 0) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < n_k(); ++k) {
      if (weight(q, k, head) > weight(q, best, head)) best = k;
    }
    return best;
  }
  std::string strongest(const std::string& query) const {
    return tokens_of(document_, Side::Key)[strongest(index(Side::Query, query))];
  }
  bool hidden(std::size_t q, std::size_t k) const { return rules(q, k) != kVisible; }
  HiddenRules rules(std::size_t q, std::size_t k) const { return result_->hidden({}, q, k); }
  std::size_t index(Side side, const std::string& token) const {
    const std::vector<std::string> tokens = tokens_of(document_, side).texts();
    return static_cast<std::size_t>(std::find(tokens.begin(), tokens.end(), token) -
                                    tokens.begin());
  }
  // Returns this with one part of the scoring, the mask or the positions changed.
  template <class Change>
  Shown with_scoring_changed(Change change) const {
    Scoring scoring = document_.scoring;
    change(scoring);
    return Shown(*with_scoring(document_, scoring));
  }
  template <class Change>
  Shown with_mask_changed(Change change) const {
    Mask mask = document_.mask;
    change(mask);
    return Shown(*with_mask(document_, mask));
  }
  Shown without_positions() const { return Shown(*with_position(document_, {})); }
  Shown with_number(const TensorPath& path, std::size_t row, std::size_t col, float value) const {
    return Shown(*with_cell(document_, {path, {}}, row, col, value));
  }

 private:
  Document document_;
  ResultPtr result_;
};

bool even_row(const Shown& shown, std::size_t q) {
  for (std::size_t k = 0; k < shown.n_k(); ++k) {
    if (std::abs(shown.weight(q, k) - shown.weight(q, 0)) > 1e-5F) return false;
  }
  return true;
}

TEST(RuleExamples, AdditiveUnitsAlignATranslation) {
  const Shown shown("additive-bahdanau");
  EXPECT_EQ(shown.strongest("black"), "noirs");
  EXPECT_EQ(shown.strongest("cats"), "chats");
  EXPECT_EQ(shown.strongest("I"), "J'");
  EXPECT_EQ(shown.strongest("love"), "aime");
  EXPECT_GT(shown.weight("black", "noirs"), 0.7F);
  const Shown blind = shown.with_number("/scoring/v", 0, 2, 0.0F);
  EXPECT_LT(blind.weight("black", "noirs"), 0.3F);
}

TEST(RuleExamples, GeneralTranslatesBetweenWidths) {
  const Shown shown("luong-general");
  const auto& input = std::get<GivenQkv>(shown.document().model);
  EXPECT_EQ(input.q.shape().back(), 3U);
  EXPECT_EQ(input.k.shape().back(), 2U);
  EXPECT_EQ(shown.strongest("who"), "Ann");
  EXPECT_EQ(shown.strongest("where"), "Rome");
  EXPECT_TRUE(even_row(shown, 2));
  EXPECT_FALSE(even_row(shown.with_number("/scoring/w", 2, 0, 3.0F), 2));
}

TEST(RuleExamples, ConcatFindsEqualsWhereADotProductFindsTheLargest) {
  const Shown shown("luong-concat");
  const Shown dot =
      shown.with_scoring_changed([](Scoring& s) { s.function = ScoringFunction::Dot; });
  for (std::size_t q = 0; q < 5; ++q) {
    EXPECT_EQ(shown.strongest(q), q);
    EXPECT_EQ(dot.strongest(q), 4U);
    for (std::size_t k = 0; k < 5; ++k) {
      for (std::size_t far = 0; far < 5; ++far) {
        const auto distance = [&](std::size_t key) { return std::max(q, key) - std::min(q, key); };
        if (distance(k) < distance(far)) {
          EXPECT_GT(shown.weight(q, k), shown.weight(q, far));
        }
      }
    }
  }
}

TEST(RuleExamples, LocationLooksAtPlacesNotWords) {
  const Shown shown("luong-location");
  EXPECT_EQ(shown.strongest(0), 0U);
  EXPECT_EQ(shown.strongest(1), 2U);
  EXPECT_EQ(shown.strongest(2), 4U);
  EXPECT_GT(shown.weight(0, 0), 0.9F);
  const Shown other(with_fill(shown.document(), {"/k", {}}, Fill::RandomNormal));
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(other.weight(i / 5, i % 5), shown.weight(i / 5, i % 5));
  }
}

TEST(RuleExamples, SparsemaxGivesExactZeros) {
  const Shown shown("sparsemax-vs-softmax");
  const Shown soft =
      shown.with_scoring_changed([](Scoring& s) { s.normaliser = Normaliser::Softmax; });
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    std::size_t zeros = 0;
    for (std::size_t k = 0; k < shown.n_k(); ++k) {
      zeros += shown.weight(q, k) == 0.0F ? 1 : 0;
      EXPECT_GT(soft.weight(q, k), 0.0F);
    }
    EXPECT_GT(zeros, 0U) << q;
    EXPECT_NEAR(shown.row_sum(q), 1.0F, 1e-6F);
  }
}

TEST(RuleExamples, ASigmoidJudgesEachKeyForItself) {
  const Shown shown("sigmoid");
  EXPECT_GT(shown.weight("cat", "cat"), 0.9F);
  EXPECT_GT(shown.weight("cat", "dog"), 0.9F);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_LT(shown.weight(2, k), 0.1F);
  const Shown soft =
      shown.with_scoring_changed([](Scoring& s) { s.normaliser = Normaliser::Softmax; });
  EXPECT_NEAR(soft.row_sum(2), 1.0F, 1e-6F);
}

TEST(RuleExamples, TheSoftcapHoldsThunderDown) {
  const Shown shown("temperature-softcap");
  float loudest = 0.0F;
  for (std::size_t q = 0; q < 4; ++q) {
    loudest = std::max(loudest, shown.at(Stage::Scores, q, 3));
    EXPECT_LE(shown.at(Stage::Softcapped, q, 3), 4.0F);
    EXPECT_LT(shown.weight(q, 3), 0.75F);
  }
  EXPECT_EQ(loudest, 50.0F);
  const Shown loud = shown.with_scoring_changed([](Scoring& s) { s.softcap.reset(); });
  const Shown sharp = shown.with_scoring_changed([](Scoring& s) { s.temperature.reset(); });
  for (std::size_t q = 0; q < 4; ++q) {
    EXPECT_GT(loud.weight(q, 3), 0.999F);
    EXPECT_GT(sharp.weight(q, 3), shown.weight(q, 3)) << "the temperature flattens";
  }
}

TEST(RuleExamples, SinksTakeTheirShare) {
  const Shown shown("attention-sinks");
  const Shown without = shown.with_scoring_changed([](Scoring& s) { s.sinks.clear(); });
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    EXPECT_GT(shown.row_sum(q, 0), 0.95F);
    EXPECT_LT(shown.row_sum(q, 1), 0.5F);
    EXPECT_NEAR(without.row_sum(q, 1), 1.0F, 1e-6F);
  }
}

TEST(RuleExamples, TheWindowTakesEverySecondKeyAndTheFirst) {
  const Shown shown("sliding-window");
  bool far = false, skipped = false, both = false;
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    for (std::size_t k = 0; k < shown.n_k(); ++k) {
      const bool near = k <= q && q - k < 7 && (q - k) % 2 == 0;
      EXPECT_EQ(shown.hidden(q, k), !near && k != 0) << q << "," << k;
      EXPECT_EQ(shown.weight(q, k) > 0.0F, near || k == 0);
      far = far || shown.rules(q, k) == kHiddenByWindow;
      skipped = skipped || shown.rules(q, k) == kHiddenByDilation;
      both = both || shown.rules(q, k) == (kHiddenByWindow | kHiddenByDilation);
    }
  }
  EXPECT_TRUE(far && skipped && both);
}

TEST(RuleExamples, ThePromptReadsItselfWhole) {
  const Shown shown("prefix-lm");
  const Shown causal = shown.with_mask_changed([](Mask& m) { m.prefix.clear(); });
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    for (std::size_t k = 0; k < shown.n_k(); ++k) {
      EXPECT_EQ(shown.hidden(q, k), k > q && k >= 4);
      EXPECT_EQ(causal.hidden(q, k), k > q);
    }
  }
}

TEST(RuleExamples, PackedDocumentsDoNotSeeEachOther) {
  const Shown shown("packed-documents");
  const std::vector<std::int64_t>& segments = shown.document().mask.query_segments[0];
  EXPECT_EQ(segments.back(), 2) << "three documents";
  const Shown one = shown.with_mask_changed(
      [](Mask& m) { m.query_segments = {std::vector<std::int64_t>(12, 0)}; });
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    for (std::size_t k = 0; k < shown.n_k(); ++k) {
      EXPECT_EQ(shown.hidden(q, k), k > q || segments[q] != segments[k]);
      EXPECT_EQ(one.hidden(q, k), k > q);
    }
  }
}

TEST(RuleExamples, SinusoidsKnowTheirPlaceAndComeRoundAgain) {
  const Shown shown("sinusoidal-positions");
  for (std::size_t q = 0; q < shown.n_q(); ++q) {
    EXPECT_EQ(shown.strongest(q), q);
    // The fastest wave is 2π long: three steps are half of it, six all of it.
    const auto away = [&](std::size_t steps) { return q >= steps ? q - steps : q + steps; };
    EXPECT_GT(shown.weight(q, away(6)), 2.0F * shown.weight(q, away(3)));
    EXPECT_TRUE(even_row(shown.without_positions(), q));
  }
}

TEST(RuleExamples, TheTableSpeaksInTurns) {
  const Shown shown("learned-positions");
  for (std::size_t q = 0; q < 6; ++q) {
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(shown.weight(q, k) > 0.2F, q % 2 == k % 2) << q << "," << k;
    }
  }
  const Shown other =
      shown.with_number("/position/table", 0, 0, 0.0F).with_number("/position/table", 0, 1, 2.0F);
  EXPECT_GT(other.weight(0, 1), 0.2F);
  EXPECT_LT(other.weight(0, 2), 0.1F);
}

TEST(RuleExamples, RotaryScoresDependOnDistanceAlone) {
  const Shown shown("rope");
  for (std::size_t q = 1; q < shown.n_q(); ++q) {
    for (std::size_t k = 1; k < shown.n_k(); ++k) {
      EXPECT_NEAR(shown.at(Stage::Scaled, q, k), shown.at(Stage::Scaled, q - 1, k - 1), 1e-4F);
    }
  }
  EXPECT_GT(shown.at(Stage::Scaled, 0, 0) - shown.at(Stage::Scaled, 0, 3), 3.0F);
  const Shown plain = shown.without_positions();
  EXPECT_EQ(plain.at(Stage::Scaled, 0, 0), plain.at(Stage::Scaled, 0, 7));
}

TEST(RuleExamples, AlibiFadesWithDistance) {
  const Shown shown("alibi");
  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t k = 1; k < 12; ++k) {
      EXPECT_GT(shown.weight(11, k, head), shown.weight(11, k - 1, head));
    }
    if (head > 0) {
      EXPECT_LT(shown.weight(11, 11, head), shown.weight(11, 11, head - 1));
      EXPECT_GT(shown.weight(11, 0, head), shown.weight(11, 0, head - 1));
    }
  }
  EXPECT_GT(shown.weight(11, 0, 3), 0.9F * shown.weight(11, 11, 3)) << "hardly at all in head 4";
}

TEST(RuleExamples, BucketsLookOneStepBackAndAhead) {
  const Shown shown("t5-relative");
  for (std::size_t q = 1; q + 1 < shown.n_q(); ++q) {
    EXPECT_EQ(shown.strongest(q, 0), q - 1);
    EXPECT_EQ(shown.strongest(q, 1), q + 1);
  }
  for (std::size_t k = 1; k <= 5; ++k) EXPECT_EQ(shown.weight(9, k), shown.weight(9, 0));
  EXPECT_NE(shown.weight(9, 6), shown.weight(9, 0));
}

TEST(RuleExamples, GroupedQueriesShareKeys) {
  const Shown shown("grouped-query");
  const auto same = [&](Stage stage, std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < 7 * 4; ++i) {
      if (shown.at(stage, i / 4, i % 4, a) != shown.at(stage, i / 4, i % 4, b)) return false;
    }
    return true;
  };
  for (const Stage stage : {Stage::Key, Stage::Value}) {
    EXPECT_TRUE(same(stage, 0, 1));
    EXPECT_FALSE(same(stage, 1, 2));
    EXPECT_TRUE(same(stage, 2, 3));
  }
  for (std::size_t head = 1; head < 4; ++head) {
    EXPECT_FALSE(same(Stage::Weights, head - 1, head));
  }
}

TEST(RuleExamples, WordsLookAtTheirCorner) {
  const Shown shown("cross-attention-own-widths");
  const auto& input = *embeddings_of(shown.document().model);
  EXPECT_EQ(input.query.shape().back(), 4U);
  EXPECT_EQ(input.key.shape().back(), 3U);
  EXPECT_EQ(input.value.shape().back(), 2U);
  EXPECT_EQ(shown.strongest("red"), "ball");
  EXPECT_EQ(shown.strongest("ball"), "ball");
  EXPECT_EQ(shown.strongest("lawn"), "grass");
  EXPECT_TRUE(even_row(shown, 0));
}

TEST(RuleExamples, ThePastedLayerIsTurnedRoundAndCutApart) {
  const Shown shown("pytorch-layer");
  const auto& input = std::get<AttentionLayer>(shown.document().model);
  EXPECT_EQ(input.heads, 2U);
  for (const Tensor* matrix :
       {&input.projections.w_q, &input.projections.w_k, &input.projections.w_v}) {
    EXPECT_EQ(matrix->shape(), (Shape{4, 4}));
  }
  // q = x · (first four rows of in_proj_weight)ᵀ + b, by columns of the turned matrix.
  for (std::size_t column = 0; column < 4; ++column) {
    float q = input.projections.b_q[column];
    for (std::size_t i = 0; i < 4; ++i)
      q += input.embeddings.query[i] * input.projections.w_q[i * 4 + column];
    EXPECT_NEAR(shown.at(Stage::Query, 0, column % 2, column / 2), q, 1e-5F);
  }
  const auto text = std::find_if(all_examples().begin(), all_examples().end(),
                                 [](const Example& e) { return e.name == "pytorch-layer"; });
  EXPECT_NE(text->json.find("\"w_qkv\""), std::string_view::npos);
  EXPECT_NE(text->json.find("\"out_in\""), std::string_view::npos);
}

}  // namespace
}  // namespace attn
