// The likeliest tokens of a language model at one place of its text, with their shares.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/number_text.h"
#include "kinds/parts/logits.h"
#include "plot/charts/charts.h"
#include "plot/kit/bar_table.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/token_lines.h"

namespace attn {
namespace {

constexpr std::size_t kLikeliestShown = 10;
constexpr double kWidestNext = 60.0;  // font sizes

const Vocabulary& vocabulary_in(const PlotInput& view) { return *view.result.problem().vocabulary; }

// The row of the reference to compare with: at the same place or, if both are at the end of their
// texts, the last one. Nothing without a reference of the same vocabulary that has this place.
std::optional<std::size_t> place_before(const FittedView& view, std::size_t place) {
  const ReferencePtr& reference = view.options.reference;
  if (!reference) return std::nullopt;
  const AttentionProblem& other = reference->result->problem();
  const bool is_same_model = nothing_predicted(other).empty() &&
                             other.vocabulary->head.extent(0) == vocabulary_in(view).head.extent(0);
  if (!is_same_model || other.shape.samples <= view.options.at.sample) return std::nullopt;
  const bool at_end = place + 1 == view.shape().n_q;
  const std::size_t row = at_end ? other.shape.n_q - 1 : place;
  return row < other.shape.n_q ? std::optional(row) : std::nullopt;
}

// A need for the logits of one row; of the reference unless it is null.
std::vector<Need> row_needs(const AttentionProblem& problem, std::size_t sample, std::size_t row,
                            const ReferencePtr& reference) {
  const PredictedRows rows = last_rows(problem, sample, row, 1);
  const auto make = [rows, reference](const Sources& from, const Pass& /*pass*/) {
    return logits_of(reference ? *reference->result : *from.result, rows, from.progress);
  };
  const std::string key = "logits of " + std::to_string(sample) + "." + std::to_string(row) +
                          (reference ? " in " + reference->key : "");
  const std::size_t bytes = element_count({problem.vocabulary->head.extent(0), sizeof(float)});
  return needs_of<LogitsRows>(
      key, {{.label = "The next token", .nanoseconds = nanoseconds_to_predict(problem, 1)}}, make,
      bytes);
}

std::vector<Need> needs_before(const FittedView& view, std::size_t place) {
  const std::optional<std::size_t> before = place_before(view, place);
  if (!before) return {};
  const ReferencePtr& reference = view.options.reference;
  return row_needs(reference->result->problem(), view.options.at.sample, *before, reference);
}

std::vector<Need> needs_now(const FittedView& view, std::size_t place) {
  return row_needs(view.result.problem(), view.options.at.sample, place, nullptr);
}

struct NextScene : Drawing {
  std::size_t place = 0;
  std::shared_ptr<const LogitsRows> now, before;  // the latter may be null

  std::string name(std::uint32_t id) const {
    return vocabulary_label(vocabulary_in(*this), id, options.tokens_as_written);
  }
  std::string share(double part) const {
    return std::isnan(part) ? "–" : percent_text(part) + " %";
  }
};

// The likeliest tokens now and before, in order of their shares now.
std::vector<std::uint32_t> ids_shown(const NextScene& scene) {
  std::vector<std::uint32_t> ids = likeliest(*scene.now, 0, kLikeliestShown);
  if (scene.before == nullptr) return ids;
  constexpr std::size_t kBefore = 3;
  for (const std::uint32_t id : likeliest(*scene.before, 0, kBefore)) {
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, std::ranges::greater{},
                           [&](std::uint32_t id) { return scene.now->logits[id]; });
  return ids;
}

BarTable table_of(const NextScene& scene) {
  BarTable table{.heads = {"token", "share", "logit"}, .bars = 1};
  if (scene.before) table.heads.insert(table.heads.begin() + 1, "before");
  for (const std::uint32_t id : ids_shown(scene)) {
    const double share = scene.now->share(0, id);
    const std::string number =
        fixed_text(static_cast<double>(scene.now->logits[id]), scene.options.decimals);
    BarTableRow row{.texts = {scene.name(id), scene.share(share), with_minus(number)},
                    .to = std::isnan(share) ? 0.0 : share,
                    .color = scene.theme.accent,
                    .hit = ReadingHit{"“" + scene.name(id) + "”", scene.share(share)}};
    if (scene.before) {
      const double then = scene.before->share(0, id);
      row.texts.insert(row.texts.begin() + 1, scene.share(then));
      if (std::isfinite(then)) row.behind = then;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string heading(const NextScene& scene) {
  const std::string token = placed_token(scene, Side::Query, scene.place);
  return vocabulary_in(scene).masked ? "What the model writes at " + token
                                     : "What the model writes after " + token;
}

std::string note_of(const NextScene& scene) {
  double rest = 1.0;
  for (const std::uint32_t id : ids_shown(scene)) rest -= scene.now->share(0, id);
  std::string words =
      what_if_sentence(scene) + "Shares: softmax of the logits of all " +
      counted(scene.now->vocabulary, "token") +
      (std::isfinite(rest) ? "; those not shown have " + scene.share(std::max(rest, 0.0)) + "."
                           : ".");
  if (scene.before) words += " Before, and faint bars: " + scene.options.reference->label + ".";
  if (!std::isfinite(scene.now->log_sums[0])) {
    words += " Some logits are NaN or infinite, so that no token has a share.";
  }
  return words + remark_on_place(scene, scene.place);
}

}  // namespace

std::vector<Need> next_needs(const FittedView& view) {
  const std::size_t place = place_of_next(view);
  std::vector<Need> needs = needs_now(view, place);
  append(needs, needs_before(view, place));
  return needs;
}

Result<Figure> next_plot(const Drawing& drawing) {
  if (conceals_predictions(drawing.result, drawing.options.at.sample))
    return concealed_page(drawing);
  const std::size_t place = place_of_next(drawing);
  const auto now = found<LogitsRows>(drawing, needs_now(drawing, place));
  if (!now) return now.error();
  const std::vector<Need> then = needs_before(drawing, place);
  const NextScene scene{{drawing}, place, *now, best_of<LogitsRows>(then, drawing.derivations)};
  Page page(scene);
  page.add_heading(heading(scene), 0.4);
  page.add_part(
      draw_bar_table(scene, table_of(scene), std::min(page.width(), kWidestNext * scene.font())));
  page.add_note(note_of(scene));
  const std::uint32_t best = likeliest(*scene.now, 0, 1).front();
  return page.finished(heading(scene) + ": most likely “" + scene.name(best) + "”, " +
                       scene.share(scene.now->share(0, best)) + ".");
}

}  // namespace attn
