// Takes heads out one at a time, each from the result with all of them.
#include "kinds/parts/atlas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/special_numbers.h"
#include "engine/compute.h"
#include "engine/matrix/comparison.h"
#include "engine/matrix/matrix.h"
#include "kinds/parts/logits.h"

namespace attn {
namespace {

// All that is compared with the result of a head that was taken out.
struct AtlasRun {
  const ResultPtr& result;
  const AtlasRequest& request;
  std::shared_ptr<PanelStore> panels;
  std::shared_ptr<const LogitsRows> logits{}, others{};  // null without a vocabulary

  const AttentionProblem& problem() const { return result->problem(); }
  std::shared_ptr<const LogitsRows> logits_in(const AttentionResult& of, Progress* progress) const {
    if (!nothing_predicted(problem()).empty()) return nullptr;
    return logits_of(of, last_rows(problem(), request.of.sample, request.row, 1), progress);
  }
};

MatrixPtr weights_in(const ResultPtr& result, const HeadAddress& at) {
  return stage_matrix(result, {Stage::Weights, at});
}

double divergence_of(const LogitsRows& before, const LogitsRows& after) {
  double sum = 0.0;
  for (std::size_t id = 0; id < before.vocabulary; ++id) {
    const double p = before.share(0, static_cast<std::uint32_t>(id));
    if (p == 0.0) continue;
    const double by = static_cast<double>(before.logits[id]) - before.log_sums[0] -
                      static_cast<double>(after.logits[id]) + after.log_sums[0];
    sum += p * by;
  }
  return std::max(sum, 0.0);
}

void compare_heads(const AtlasRun& run, const ResultPtr& without, HeadEffect& effect) {
  const AttentionShape& s = run.problem().shape;
  effect.changes.assign(s.layers * s.heads, 0.0F);
  for (std::size_t layer = effect.at.layer + 1; layer < s.layers; ++layer) {
    for (std::size_t head = 0; head < s.heads; ++head) {
      const HeadAddress at = effect.at.moved_to(layer, run.request.of.sample, head);
      effect.changes[layer * s.heads + head] =
          static_cast<float>(mean_variation(*weights_in(run.result, at), *weights_in(without, at)));
    }
  }
}

// The logit of the first text's token less that of the other text's.
double lead_in(const LogitsRows& logits, const Atlas& atlas) {
  return static_cast<double>(logits.logits[*atlas.token]) -
         static_cast<double>(logits.logits[*atlas.other_token]);
}

// The problem without the head, or with its outputs for the other text.
AttentionProblem changed_problem(const AtlasRun& run, const HeadAddress& at) {
  AttentionProblem problem = run.problem();
  problem.panels = run.panels;
  if (run.request.other == nullptr) {
    set_gate(problem.what_if, at, 0.0F);
    return problem;
  }
  const HeadAddress of = at.moved_to(at.layer, run.request.of.sample, at.head);
  problem.what_if.outputs.push_back({of, whole_stage(*run.request.other, Stage::Output, of)});
  return problem;
}

Result<HeadEffect> effect_of(const AtlasRun& run, const HeadAddress& at, const Atlas& atlas,
                             Progress* progress) {
  const AttentionProblem problem = changed_problem(run, at);
  const Result<ResultPtr> without =
      compute(problem, {.memory_limit_bytes = std::numeric_limits<std::uint64_t>::max(),
                        .progress = progress,
                        .before = run.result});
  if (!without) return without.error();
  HeadEffect effect{at, {}, kNaN, kNaN, kNaN};
  compare_heads(run, *without, effect);
  if (run.logits == nullptr) return effect;
  const auto after = run.logits_in(**without, progress);
  if (after == nullptr) return stopped();
  effect.divergence = divergence_of(*run.logits, *after);
  effect.logit_change =
      static_cast<double>(after->logits[*atlas.token] - run.logits->logits[*atlas.token]);
  if (atlas.other_token && atlas.other_token != atlas.token) {
    const double lead = lead_in(*run.logits, atlas);
    effect.carried = (lead - lead_in(*after, atlas)) / (lead - lead_in(*run.others, atlas));
  }
  return effect;
}

}  // namespace

std::uint64_t Atlas::bytes() const {
  return effects.size() * (sizeof(HeadEffect) + effects.size() * sizeof(float));
}

std::string why_no_atlas(const AttentionProblem& problem, const HeadAddress& at) {
  if (!linear_stage(problem, Stage::Projected, at)) {
    return "No output projection joins the heads of this document";
  }
  const bool has_layers = problem.shape.layers > 1 || nothing_predicted(problem).empty();
  return has_layers ? "" : "Nothing reads the heads of the only layer";
}

std::string why_no_patching(const AttentionProblem& problem, const AttentionProblem& other) {
  const AttentionShape &a = problem.shape, &b = other.shape;
  if (a.n_q != b.n_q || a.n_k != b.n_k) {
    return "The texts have " + std::to_string(a.n_q) + " and " + std::to_string(b.n_q) +
           " tokens: heads give what they give for another text of equal length";
  }
  const bool same = problem.kind == other.kind && a == b && problem.vocabulary != nullptr &&
                    other.vocabulary != nullptr;
  return same ? "" : "The document compared with is not of the same model";
}

Result<std::shared_ptr<Atlas>> atlas_of(const ResultPtr& result, const AtlasRequest& request,
                                        Progress* progress) {
  AtlasRun run{result, request, shared_panels(result->problem(), {.before = result})};
  run.logits = run.logits_in(*result, progress);
  if (request.other != nullptr) run.others = run.logits_in(*request.other, progress);
  auto atlas = std::make_shared<Atlas>();
  if (run.logits != nullptr) atlas->token = likeliest(*run.logits, 0, 1).front();
  if (run.others != nullptr) atlas->other_token = likeliest(*run.others, 0, 1).front();
  const AttentionShape& s = run.problem().shape;
  const std::size_t first = request.layer.value_or(0), layers = request.layer ? 1 : s.layers;
  for (std::size_t i = 0; i < layers * s.heads; ++i) {
    const ProgressPart part(progress, i, layers * s.heads);
    const HeadAddress at = request.of.moved_to(first + i / s.heads, 0, i % s.heads);
    Result<HeadEffect> effect = effect_of(run, at, *atlas, progress);
    if (!effect) return effect.error();
    atlas->effects.push_back(*std::move(effect));
  }
  return atlas;
}

// Layers before that of the head are those of the result.
std::uint64_t nanoseconds_of_atlas(const AttentionProblem& problem, std::size_t layer) {
  constexpr std::uint64_t kMultiplyAddsInANanosecond = 10;
  const std::uint64_t all = computing_multiply_adds(problem) / kMultiplyAddsInANanosecond;
  const std::uint64_t later = all / problem.shape.layers * (problem.shape.layers - layer);
  const std::uint64_t logits =
      nothing_predicted(problem).empty() ? nanoseconds_to_predict(problem, 1) : 0;
  return element_count({problem.shape.heads, saturating_sum({later, logits})});
}

std::uint64_t bytes_of_atlas(const AttentionProblem& problem) {
  return saturating_sum(
      {predicted_bytes(problem), laid_out_bytes(problem), shared_panel_bytes(problem)});
}

}  // namespace attn
