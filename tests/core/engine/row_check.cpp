// Checks one row through every stage by the formulas in double.
#include "row_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/special_numbers.h"
#include "problems.h"
#include "support/oracle/reference.h"

namespace attn::test {
namespace {

class RowCheck {
 public:
  RowCheck(const AttentionResult& result, const HeadAddress& head, std::size_t q)
      : result_(result), head_(head), q_(q), visible_(result.shape(head).n_k) {
    hidden_row(mask_of(result.problem(), head), head, q, visible_);
    for (HiddenRules& cell : visible_) cell = cell == kVisible ? 1 : 0;
  }

  void check_scores() const {
    for (std::size_t k = 0; k < visible_.size(); ++k) {
      if (is_dot_product()) expect(Stage::Scores, k, static_cast<float>(dot_product(k)));
      expect(Stage::Scaled, k, row(Stage::Scores)[k] * scale_of(result_.problem()));
    }
  }

  void check_masked() const {
    Stage before = Stage::Scaled;
    if (const auto cap = result_.problem().scoring.softcap) {
      before = Stage::Softcapped;
      for (std::size_t k = 0; k < visible_.size(); ++k) {
        const float expected = *cap * std::tanh(row(Stage::Scaled)[k] / *cap);
        const float got = row(before)[k];
        EXPECT_TRUE(near(wide(got), wide(expected), 1e-44, 4e-7)) << got << " " << expected;
      }
    }
    for (std::size_t k = 0; k < visible_.size(); ++k) {
      const float biased =
          row(before)[k] + bias_at(mask_of(result_.problem(), head_), head_, q_, k);
      expect(Stage::Masked, k, visible_[k] != 0 ? biased : -kInfinity);
    }
  }

  void check_weights() const {
    const std::vector<float> masked = row(Stage::Masked);
    const std::vector<double> expected = expected_weights(masked);
    const bool is_softmax = result_.problem().scoring.normaliser == Normaliser::Softmax;
    const std::vector<float> got = row(Stage::Weights);
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (visible_[k] == 0) {
        EXPECT_EQ(got[k], 0.0F);
      } else {
        // The distance to the largest score is rounded before eˣ.
        EXPECT_TRUE(!is_softmax || near(wide(got[k]), expected[k], 1e-44, 1e-5))
            << got[k] << " " << expected[k];
        EXPECT_TRUE(near(wide(got[k]), expected[k], 1e-6, 0.0)) << got[k] << " " << expected[k];
      }
    }
  }

  void check_output() const {
    const std::vector<float> weights = row(Stage::Weights);
    for (std::size_t c = 0; c < result_.shape().d_v; ++c) {
      double sum = 0.0;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        if (visible_[k] == 0) continue;
        sum += wide(weights[k]) * wide(result_.value(Stage::Value, head_, k, c));
      }
      expect(Stage::Output, c, static_cast<float>(sum));
    }
  }

 private:
  bool is_dot_product() const { return scoring_info(result_.problem().scoring.function).plain; }

  double dot_product(std::size_t k) const {
    const std::vector<float> query = row(query_stage(result_.problem(), head_));
    double sum = 0.0;
    for (std::size_t c = 0; c < query.size(); ++c) {
      const Stage keys = key_stage(result_.problem(), head_);
      sum += wide(query[c]) * wide(result_.value(keys, head_, k, c));
    }
    return sum;
  }

  // Division by the temperature is in float and may overflow.
  std::vector<double> expected_weights(const std::vector<float>& masked) const {
    Scoring scoring = result_.problem().scoring;
    scoring.sinks = sinks_of(result_.problem(), head_);
    const float temperature = scoring.temperature.value_or(1.0F);
    scoring.temperature.reset();
    for (float& sink : scoring.sinks) sink /= temperature;
    std::vector<double> logits;
    for (const float score : masked) logits.push_back(wide(score / temperature));
    return reference::normalised(scoring, head_.head, logits, visible_);
  }

  std::vector<float> row(Stage stage) const {
    std::vector<float> out(result_.stage_shape(stage, head_).cols);
    result_.read(stage, head_, {q_, 0, 1, out.size()}, out.data());
    return out;
  }

  void expect(Stage stage, std::size_t col, float expected) const {
    const float got = result_.value(stage, head_, q_, col);
    EXPECT_TRUE(same_bits({got}, {expected})) << stage_info(stage).name << " " << q_ << ", " << col
                                              << ": " << got << ", expected " << expected;
  }

  const AttentionResult& result_;
  HeadAddress head_;
  std::size_t q_;
  std::vector<std::uint8_t> visible_;
};

}  // namespace

double wide(float value) { return static_cast<double>(value); }

bool near(double got, double expected, double absolute, double relative) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= absolute + relative * std::abs(expected);
}

void expect_ieee_row(const AttentionResult& result, const HeadAddress& head, std::size_t q) {
  const RowCheck check(result, head, q);
  check.check_scores();
  check.check_masked();
  check.check_weights();
  check.check_output();
}

}  // namespace attn::test
