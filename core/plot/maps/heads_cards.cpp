// The heads of the figure, their measures and their order.
#include <algorithm>
#include <memory>

#include "document/token_ids.h"
#include "engine/compute.h"
#include "plot/maps/heads_maps.h"
#include "plot/maps/heads_row.h"
#include "plot/maps/heads_scene.h"
#include "plot/needs.h"
#include "plot/parts/measuring.h"

namespace attn {
namespace {

std::vector<HeadCard> unmeasured(const HeadRow& row) {
  std::vector<HeadCard> cards;
  for (std::size_t i = 0; i < row.count(); ++i) cards.push_back({row.at(i), {}});
  return cards;
}

// The heads of the figure in the order of layers.
class MeasuredHeads final : public Derivation {
 public:
  explicit MeasuredHeads(std::vector<HeadCard> cards) : cards_(std::move(cards)) {}
  const std::vector<HeadCard>& cards() const { return cards_; }
  std::uint64_t bytes() const override { return cards_.size() * sizeof(HeadCard); }

 private:
  std::vector<HeadCard> cards_;
};

std::string key_of(const PlotInput& input, const PlotOptions& options, bool sampled) {
  const HeadRow row = head_row(input.result.shape(), options);
  return std::string(sampled ? "some rows of all heads of " : "all heads of ") +
         (options.all_samples ? "all samples, " : "") +
         text_of(MatrixId{Stage::Weights, {0, row.sample, 0}, input.result.problem().part}) +
         row.choice;
}

// Without what is known of single queries and keys, which nobody reads here.
HeadMeasures measures_of(const AttentionResult& result, const HeadAddress& at,
                         const TokenIds& tokens, const MeasuringOptions& how) {
  HeadMeasures measures = measure_head(result, at, tokens, how);
  measures.row_entropy = {};
  measures.received = {};
  return measures;
}

Result<DerivationPtr> measured(const Document& document, const AttentionResult& result,
                               const PlotOptions& options, const MeasuringOptions& how) {
  std::vector<HeadCard> cards = unmeasured(head_row(result.shape(), options));
  const float share = 1.0F / static_cast<float>(std::max<std::size_t>(cards.size(), 1));
  TokenIds tokens;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const ProgressPart part(how.progress, share * static_cast<float>(i), share);
    const std::size_t sample = cards[i].at.sample;
    if (i == 0 || sample != cards[i - 1].at.sample) tokens = token_ids(document, sample);
    cards[i].measures = measures_of(result, cards[i].at, tokens, how);
    if (how.progress != nullptr && how.progress->cancelled) return stopped();
  }
  return DerivationPtr(std::make_shared<MeasuredHeads>(std::move(cards)));
}

Need need_of(const PlotInput& input, const PlotOptions& options, std::size_t row_step) {
  const std::size_t heads = head_row(input.result.shape(), options).count();
  Need need{key_of(input, options, row_step > 1),
            row_step > 1 ? "First rows for the measures" : "Measures of all heads",
            steps_to_measure_heads(input.result, heads, row_step),
            {}};
  need.awaited = !has_maps_to_find(input.result);
  need.derive = [options, row_step](const Document& document, const ResultPtr& result,
                                    Progress* progress) {
    return measured(document, *result, options, {row_step, progress});
  };
  return need;
}

// The best that is known; null when nothing is.
std::shared_ptr<const MeasuredHeads> known_heads(const PlotInput& input,
                                                 const PlotOptions& options) {
  const auto all = derived_as<MeasuredHeads>(input, key_of(input, options, false));
  return all != nullptr ? all : derived_as<MeasuredHeads>(input, key_of(input, options, true));
}

}  // namespace

const MeasureInfo* measure_named(std::string_view name) {
  const auto found = std::ranges::find(all_measures(), name, &MeasureInfo::name);
  return found == all_measures().end() ? nullptr : &*found;
}

std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure) {
  return card.measures ? measure.value(*card.measures) : std::nullopt;
}

std::string words_of(const MeasureInfo& measure) {
  const std::string first(measure.heading[0]);
  return (first.empty() ? "" : first + " ") + std::string(measure.heading[1]);
}

std::vector<Need> heads_needs(const PlotInput& input, const PlotOptions& options) {
  const std::size_t heads = head_row(input.result.shape(), options).count();
  if (heads == 0) return {};
  std::vector<Need> needs = head_map_needs(input.result, options);
  for (const std::size_t step : row_steps(input.result, heads, options)) {
    needs.push_back(need_of(input, options, step));
  }
  return needs;
}

std::vector<HeadCard> head_cards(const PlotInput& input, const PlotOptions& options) {
  const auto known = known_heads(input, options);
  if (known == nullptr) return unmeasured(head_row(input.result.shape(), options));
  std::vector<HeadCard> cards = known->cards();
  if (const MeasureInfo* sort = measure_named(options.sort)) {
    std::ranges::stable_sort(cards, [&](const HeadCard& a, const HeadCard& b) {
      return value_of(a, *sort) > value_of(b, *sort);
    });
  }
  return cards;
}

}  // namespace attn
