// The heads of the figure, their measures and their order.
#include <algorithm>
#include <memory>

#include "document/token_ids.h"
#include "engine/compute.h"
#include "plot/maps/heads_maps.h"
#include "plot/maps/heads_scene.h"
#include "plot/needs.h"

namespace attn {
namespace {

// Every head of the sample, or of all samples, in the order of layers.
std::vector<HeadCard> all_heads(const AttentionShape& shape, const PlotOptions& options) {
  std::vector<HeadCard> cards;
  const std::size_t first = options.all_samples ? 0 : options.at.sample;
  const std::size_t end = options.all_samples ? shape.samples : first + 1;
  for (std::size_t sample = first; sample < end; ++sample) {
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        cards.push_back({{layer, sample, head}, {}});
      }
    }
  }
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

std::string key_of(const PlotInput& input, const PlotOptions& options) {
  const HeadAddress sample{0, options.all_samples ? 0 : options.at.sample, 0};
  return std::string("all heads of ") + (options.all_samples ? "all samples, " : "") +
         text_of(MatrixId{Stage::Weights, sample, input.result.problem().part});
}

// Without what is known of single queries and keys, which nobody reads here.
HeadMeasures measures_of(const AttentionResult& result, const HeadAddress& at,
                         const TokenIds& tokens) {
  HeadMeasures measures = measure_head(result, at, tokens);
  measures.row_entropy = {};
  measures.received = {};
  return measures;
}

Result<DerivationPtr> measured(const Document& document, const AttentionResult& result,
                               const PlotOptions& options, Progress* progress) {
  std::vector<HeadCard> cards = all_heads(result.shape(), options);
  TokenIds tokens;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (progress != nullptr && progress->cancelled) return stopped();
    if (progress != nullptr) {
      progress->report(static_cast<float>(i) / static_cast<float>(cards.size()));
    }
    const std::size_t sample = cards[i].at.sample;
    if (i == 0 || sample != cards[i - 1].at.sample) tokens = token_ids(document, sample);
    cards[i].measures = measures_of(result, cards[i].at, tokens);
  }
  return DerivationPtr(std::make_shared<MeasuredHeads>(std::move(cards)));
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
  constexpr std::size_t kStepsOfACell = 10;
  const std::size_t heads = all_heads(input.result.shape(), options).size();
  Need need{key_of(input, options),
            "Measures of all heads",
            element_count({kStepsOfACell, heads, cells_to_measure(input.result.shape())}),
            {}};
  need.awaited = !has_maps_to_find(input.result);
  need.derive = [options](const Document& document, const ResultPtr& result, Progress* progress) {
    return measured(document, *result, options, progress);
  };
  std::vector<Need> needs = head_map_needs(input.result, options);
  needs.push_back(std::move(need));
  return needs;
}

std::vector<HeadCard> head_cards(const PlotInput& input, const PlotOptions& options) {
  const auto known = derived_as<MeasuredHeads>(input, key_of(input, options));
  if (known == nullptr) return all_heads(input.result.shape(), options);
  std::vector<HeadCard> cards = known->cards();
  if (const MeasureInfo* sort = measure_named(options.sort)) {
    std::ranges::stable_sort(cards, [&](const HeadCard& a, const HeadCard& b) {
      return value_of(a, *sort) > value_of(b, *sort);
    });
  }
  return cards;
}

}  // namespace attn
