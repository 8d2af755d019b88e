// The atlas of heads: each entry against the model with that head's rows of W_O set to 0.
#include "kinds/parts/atlas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/matrix/comparison.h"
#include "engine/matrix/matrix.h"
#include "kinds/parts/logits.h"
#include "support/paths.h"

namespace attn {
namespace {

AttentionProblem model_problem() {
  ReadOptions options;
  options.input.text = "max was hungry . ann had a cake . so max ate the";
  return make_problem(
      open_document(test::source_folder() + "/assets/models/stories-decoder", options)->document);
}

AttentionProblem without_rows(AttentionProblem problem, const HeadAddress& at) {
  Tensor& w_o = problem.stack.blocks[at.layer].projections.w_o;
  const std::size_t count = problem.shape.d_v * w_o.extent(1);
  std::vector<float> values(w_o.values().begin(), w_o.values().end());
  std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(at.head * count), count, 0.0F);
  w_o = Tensor(w_o.shape(), std::move(values));
  return problem;
}

std::vector<float> cells_of_stage(const AttentionResult& result, Stage stage,
                                  const HeadAddress& at) {
  const StageShape shape = result.stage_shape(stage, at);
  std::vector<float> all(shape.rows * shape.cols);
  result.read(stage, at, {0, 0, shape.rows, shape.cols}, all.data());
  return all;
}

double divergence_between(const LogitsRows& p, const LogitsRows& q) {
  double sum = 0.0;
  for (std::uint32_t id = 0; id < p.vocabulary; ++id) {
    sum += p.share(0, id) * std::log(p.share(0, id) / q.share(0, id));
  }
  return sum;
}

TEST(Atlas, HasWhatTheModelDoesWithoutEachHeadToTheBit) {
  const AttentionProblem problem = model_problem();
  const ResultPtr before = *compute(problem);
  const std::size_t row = problem.shape.n_q - 1;
  const auto atlas = atlas_of(before, {{}, row}, nullptr);
  ASSERT_TRUE(atlas) << describe(atlas.error());
  const AttentionShape& s = problem.shape;
  ASSERT_EQ((*atlas)->effects.size(), s.layers * s.heads);
  const PredictedRows last = last_rows(problem, 0, row, 1);
  const auto shares = logits_of(*before, last, nullptr);
  EXPECT_EQ((*atlas)->token, likeliest(*shares, 0, 1).front());
  for (const HeadEffect& effect : (*atlas)->effects) {
    const ResultPtr without = *compute(without_rows(problem, effect.at));
    for (std::size_t i = 0; i < s.layers * s.heads; ++i) {
      const MatrixId id{Stage::Weights, {i / s.heads, 0, i % s.heads}};
      const auto change =
          static_cast<float>(mean_variation(*stage_matrix(before, id), *stage_matrix(without, id)));
      EXPECT_EQ(effect.changes[i], change) << effect.at.layer << "." << effect.at.head;
      EXPECT_TRUE(id.head.layer > effect.at.layer || change == 0.0F);
    }
    const auto after = logits_of(*without, last, nullptr);
    EXPECT_NEAR(effect.divergence, divergence_between(*shares, *after), 1e-9);
    EXPECT_EQ(effect.logit_change, static_cast<double>(after->logits[*(*atlas)->token] -
                                                       shares->logits[*(*atlas)->token]));
  }
}

AttentionProblem read_by_model(const std::string& text) {
  ReadOptions options;
  options.input.text = text;
  return make_problem(
      open_document(test::source_folder() + "/assets/models/stories-decoder", options)->document);
}

// A head that gives what it gives for another text moves the logits from one text's to the other's.
TEST(Atlas, PutsInEachHeadOfAnotherText) {
  const AttentionProblem problem =
      read_by_model("tom was hungry . ann was tired . who was hungry ?");
  const ResultPtr here = *compute(problem);
  const ResultPtr there =
      *compute(read_by_model("tom was hungry . ann was tired . who was tired ?"));
  const std::size_t row = problem.shape.n_q - 1;
  const auto atlas = atlas_of(here, {{}, row, there}, nullptr);
  ASSERT_TRUE(atlas) << describe(atlas.error());
  const PredictedRows last = last_rows(problem, 0, row, 1);
  const auto lead = [&](const AttentionResult& result) {
    const auto logits = logits_of(result, last, nullptr);
    return static_cast<double>(logits->logits[*(*atlas)->token]) -
           static_cast<double>(logits->logits[*(*atlas)->other_token]);
  };
  ASSERT_NE((*atlas)->token, (*atlas)->other_token) << "tom and ann";
  for (const HeadEffect& effect : (*atlas)->effects) {
    AttentionProblem patched = problem;
    std::vector<float> rows = cells_of_stage(*there, Stage::Output, effect.at);
    patched.what_if.outputs = {
        {effect.at, Tensor({problem.shape.n_q, problem.shape.d_v}, std::move(rows))}};
    const double moved = lead(*here) - lead(**compute(patched));
    EXPECT_NEAR(effect.carried, moved / (lead(*here) - lead(*there)), 1e-12);
  }
  const auto most = std::ranges::max_element((*atlas)->effects, {}, &HeadEffect::carried);
  EXPECT_EQ(most->at.layer, 2U) << "the last layer reads the name";
}

TEST(Atlas, PutsInNoHeadsOfOtherLengthsOrModels) {
  const AttentionProblem here = read_by_model("tom was hungry .");
  EXPECT_EQ(why_no_patching(here, read_by_model("ann was hungry .")), "");
  EXPECT_NE(why_no_patching(here, read_by_model("ann was hungry")).find("5 and 4 tokens"),
            std::string::npos);
  AttentionProblem other = here;
  other.vocabulary = nullptr;
  EXPECT_NE(why_no_patching(here, other), "");
}

TEST(Atlas, EndsWhenItIsCancelled) {
  Progress progress;
  progress.cancelled = true;
  const auto atlas = atlas_of(*compute(model_problem()), {}, &progress);
  ASSERT_FALSE(atlas);
  EXPECT_EQ(atlas.error().kind, ErrorKind::Interrupted);
}

TEST(Atlas, IsNotOfHeadsThatNothingReads) {
  AttentionProblem given;
  EXPECT_NE(why_no_atlas(given), "");
  EXPECT_EQ(why_no_atlas(model_problem()), "");
}

}  // namespace
}  // namespace attn
