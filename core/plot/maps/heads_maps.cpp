// Maps, measures and order of the heads.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "document/token_ids.h"
#include "engine/matrix/comparison.h"
#include "plot/maps/heads.h"
#include "view/fields.h"

namespace attn {
namespace {

std::size_t place_in(const std::vector<std::size_t>& rising, std::size_t number) {
  return static_cast<std::size_t>(std::ranges::lower_bound(rising, number) - rising.begin());
}

std::vector<std::size_t> chosen(const std::string& text, const AttentionShape& layers) {
  return layers_named(text, layers).value_or(std::vector<std::size_t>{});
}

constexpr std::size_t kMostGroups = 64;  // of heads; each is one need

struct HeadMaps final : Derivation {
  std::vector<PooledPartPtr> heads;
  std::uint64_t bytes() const override {
    std::uint64_t sum = 0;
    for (const PooledPartPtr& map : heads) sum += map->bytes();
    return sum;
  }
};

// Smaller maps when there are more heads, so that their total stays small.
std::size_t side_of(const HeadRow& row) {
  constexpr double kSideOfAll = 2048.0;
  constexpr std::size_t kLeast = 16, kMost = 256;
  const double side = kSideOfAll / std::ceil(std::sqrt(static_cast<double>(row.count())));
  return std::clamp(std::bit_floor(static_cast<std::size_t>(side)), kLeast, kMost);
}

// Heads [first, first + count) of the row, and how each is read.
struct HeadGroup {
  HeadRow row;
  std::size_t first = 0, count = 0;
  PooledQuestion question;
  std::size_t rows = 0;  // of each head; 0: all of them
};

HeadGroup all_heads(const FittedView& view) {
  const HeadRow row = head_row(view);
  PlotOptions of_head = view.options;
  of_head.stage = Stage::Weights;
  of_head.range = ColorSpan::Automatic;
  of_head.at = row.at(0);
  HeadGroup all{row, 0, row.count(), *pooled_question(view.result, of_head)};
  all.question.side = side_of(row);
  return all;
}

HeadGroup group_with(HeadGroup all, std::size_t head) {
  const std::size_t size = (all.row.count() - 1) / kMostGroups + 1;
  all.first = head / size * size;
  all.count = std::min(size, all.row.count() - all.first);
  return all;
}

std::uint64_t time_of(const HeadGroup& group) {
  CellRange range = every_row(group.question.extents, 1);
  if (group.rows > 0) range.rows = std::min(group.rows, range.rows);
  return element_count({group.count, reading_time(group.question, range)});
}

// Chooses as many rows of each head as can be read soon for all heads, within bounds.
HeadGroup first_rows(HeadGroup all) {
  constexpr std::uint64_t kLeast = 16;
  all.rows = 1;
  const std::uint64_t rows = kShortTime / std::max<std::uint64_t>(time_of(all), 1);
  all.rows = static_cast<std::size_t>(std::clamp<std::uint64_t>(rows, kLeast, all.question.side));
  return all;
}

Result<std::shared_ptr<HeadMaps>> read_group(const HeadGroup& group, const Sources& from) {
  auto maps = std::make_shared<HeadMaps>();
  for (std::size_t i = 0; i < group.count; ++i) {
    const ProgressPart part(from.progress, i, group.count);
    PooledQuestion question = group.question;
    question.id.head = group.row.at(group.first + i);
    const MatrixPtr matrix = stage_matrix(from.result, question.id);
    maps->heads.push_back(read_map(*matrix, question, group.rows, from.progress));
    if (is_cancelled(from.progress)) return stopped();
  }
  return maps;
}

std::string key_of(const HeadGroup& group) {
  MatrixId id = group.question.id;
  id.head = group.row.at(group.first);
  return (group.rows > 0 ? "some rows of maps of " : "maps of ") + std::to_string(group.count) +
         " heads from " + text_of(id) + group.row.choice + ", side " +
         std::to_string(group.question.side) +
         (group.question.pooling == Pooling::Mean ? ", mean" : "");
}

Need need_of(const HeadGroup& group, bool awaited) {
  const auto make = [group](const Sources& from, const Pass& /*pass*/) {
    return read_group(group, from);
  };
  const std::string label = group.rows > 0 ? "First rows of the heads" : "Maps of the heads";
  return needs_of<HeadMaps>(key_of(group), {{"", label, time_of(group), 1, awaited}}, make).front();
}

std::vector<HeadCard> unmeasured(const HeadRow& row) {
  std::vector<HeadCard> cards;
  for (std::size_t i = 0; i < row.count(); ++i) cards.push_back({row.at(i), {}});
  return cards;
}

// The cards with measures, without their lists of queries and keys; incomplete when cancelled.
std::shared_ptr<MeasuredHeads> measured_heads(const Sources& from, std::vector<HeadCard> cards,
                                              const Pass& pass) {
  TokenIds tokens;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const ProgressPart part(from.progress, i, cards.size());
    const HeadAddress& at = cards[i].at;
    if (i == 0 || at.sample != cards[i - 1].at.sample) tokens = token_ids(from.document, at);
    HeadMeasures measures = measure_head(*from.result, at, tokens, pass.row_step, from.progress);
    measures.row_entropy = {};  // lists of queries and keys are not used here
    measures.received = {};
    cards[i].measures = std::move(measures);
    if (is_cancelled(from.progress)) break;
  }
  auto measured = std::make_shared<MeasuredHeads>();
  measured->cards = std::move(cards);
  return measured;
}

std::vector<Need> measures_of_all(const FittedView& view) {
  std::vector<Need> needs = measure_needs(view, head_row(view), "Measures of all heads");
  for (Need& need : needs) need.awaited = !has_maps_to_find(view);
  return needs;
}

}  // namespace

bool shows_gates(const FittedView& view) {
  const AttentionProblem& problem = view.result.problem();
  return view.options.on_screen
             ? linear_stage(problem, Stage::Projected, view.options.at).has_value()
             : problem.what_if != Interventions{};
}

std::optional<double> change_of(const AttentionResult& result, const AttentionResult& reference,
                                const HeadAddress& head) {
  const MatrixId id{Stage::Weights, head};
  const bool is_known = reference.shape(head) == result.shape(head) &&
                        is_materialised(result, id.stage, head) &&
                        is_materialised(reference, id.stage, head);
  if (!is_known) return std::nullopt;
  const double change =
      mean_variation(*stage_matrix(borrowed(result), id), *stage_matrix(borrowed(reference), id));
  return std::isfinite(change) ? std::optional(change) : std::nullopt;
}

HeadAddress HeadRow::at(std::size_t index) const {
  const std::size_t row = index / heads.size();
  return first.moved_to(layers[row % layers.size()], first.sample + row / layers.size(),
                        heads[index % heads.size()]);
}

std::size_t HeadRow::index_of(const HeadAddress& head) const {
  const std::size_t row =
      (head.sample - first.sample) * layers.size() + place_in(layers, head.layer);
  return row * heads.size() + place_in(heads, head.head);
}

HeadRow head_row(const FittedView& view) {
  const AttentionShape& shape = view.result.shape();
  const PlotOptions& options = view.options;
  HeadRow row{chosen(options.layers, shape), chosen(options.heads, {.layers = shape.heads})};
  if (options.all_samples) row.samples = shape.samples;
  row.first = options.at.moved_to(0, options.all_samples ? 0 : options.at.sample, 0);
  const bool all = row.layers.size() == shape.layers && row.heads.size() == shape.heads;
  if (!all) row.choice = " of layers " + options.layers + " and heads " + options.heads;
  return row;
}

bool has_maps_to_find(const FittedView& view) {
  return !is_materialised(view.result, Stage::Weights, view.options.at);
}

std::vector<Need> head_map_needs(const FittedView& view) {
  if (!has_maps_to_find(view) || head_row(view).count() == 0) return {};
  const HeadGroup all = all_heads(view);
  const bool soon = time_of(all) <= kShortTime;
  std::vector<Need> needs;
  if (!soon) needs.push_back(need_of(first_rows(all), true));
  for (std::size_t first = 0; first < all.count;) {
    const HeadGroup group = group_with(all, first);
    needs.push_back(need_of(group, soon));
    first += group.count;
  }
  return needs;
}

PooledPartPtr head_map(const FittedView& view, const HeadAddress& head) {
  if (view.derivations == nullptr) return nullptr;
  const HeadGroup all = all_heads(view);
  const std::size_t index = all.row.index_of(head);
  const auto map_in = [&](const HeadGroup& group) -> PooledPartPtr {
    const auto maps = view.derivations->get<HeadMaps>(key_of(group));
    return maps != nullptr ? maps->heads[index - group.first] : nullptr;
  };
  if (PooledPartPtr map = map_in(group_with(all, index))) return map;
  return map_in(first_rows(all));
}

Coarsening head_map_step(const FittedView& view) {
  return has_maps_to_find(view) ? steps_of_whole(all_heads(view).question) : Coarsening();
}

Error why_no_maps(const FittedView& view) {
  for (const Need& need : head_map_needs(view)) {
    if (const Error* error = error_of(view.derivations, need.key)) return *error;
  }
  return usage_error("The maps of the heads are not computed yet");
}

const MeasureInfo* measure_named(std::string_view name) {
  const auto found = std::ranges::find(all_measures(), name, &MeasureInfo::name);
  return found == all_measures().end() ? nullptr : &*found;
}

std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure) {
  return card.measures ? measure.value(*card.measures) : std::nullopt;
}

double full_tint(std::span<const HeadCard> cards, const MeasureInfo& measure) {
  if (measure.is_share) return 1.0;
  double largest = 0.0;
  for (const HeadCard& card : cards) {
    largest = std::max(largest, value_of(card, measure).value_or(0.0));
  }
  return largest > 0.0 ? largest : 1.0;
}

std::vector<Need> measure_needs(const FittedView& view, const HeadRow& row,
                                std::string_view label) {
  const auto make = [cards = unmeasured(row)](const Sources& from, const Pass& pass) {
    return measured_heads(from, cards, pass);
  };
  return needs_of<MeasuredHeads>(
      std::string(label) + (row.samples > 1 ? " in all samples, " : ", ") +
          text_of(MatrixId{Stage::Weights, row.first}) + row.choice,
      passes_by_rows(view, row.count(), label, "First rows for the measures"), make);
}

std::string words_of(const MeasureInfo& measure) {
  const std::string first(measure.heading[0]);
  return (first.empty() ? "" : first + " ") + std::string(measure.heading[1]);
}

std::vector<Need> heads_needs(const FittedView& view) {
  if (head_row(view).count() == 0) return {};
  std::vector<Need> needs = head_map_needs(view);
  append(needs, measures_of_all(view));
  return needs;
}

std::vector<HeadCard> head_cards(const FittedView& view) {
  const auto known = best_of<MeasuredHeads>(measures_of_all(view), view.derivations);
  if (known == nullptr) return unmeasured(head_row(view));
  std::vector<HeadCard> cards = known->cards;
  if (const MeasureInfo* sort = measure_named(view.options.sort)) {
    std::ranges::stable_sort(cards, [&](const HeadCard& a, const HeadCard& b) {
      return value_of(a, *sort) > value_of(b, *sort);
    });
  }
  return cards;
}

}  // namespace attn
