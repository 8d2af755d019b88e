// Asks for the links of the part in view by what the options say, and finds them again.
#include "plot/charts/link_needs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "engine/matrix/matrix_id.h"
#include "engine/read/result.h"
#include "plot/needs.h"
#include "plot/parts/pooled_part.h"
#include "view/head_list.h"
#include "view/token_choice.h"

namespace attn {
namespace {

class ChosenLinks final : public Derivation {
 public:
  explicit ChosenLinks(LinkSet set) : set_(std::move(set)) {}
  const LinkSet& set() const { return set_; }
  std::uint64_t bytes() const override {
    return set_.links.size() * sizeof(Link) + set_.stubs.size() * sizeof(Stub);
  }

 private:
  LinkSet set_;
};

Status check_first(const char* what, std::size_t first, std::size_t count) {
  if (first < std::max<std::size_t>(count, 1)) return ok_status();
  Error error = usage_error(std::string("there is no such ") + what + " to begin with");
  error.found = std::to_string(first);
  error.expected = "at most " + std::to_string(count - 1) + ", counted from 0";
  return error;
}

StageShape extents(const PlotInput& input) { return input.result.stage_shape(Stage::Weights); }

TokenSpan span_of(std::size_t first, std::size_t most, std::size_t count) {
  return {first, std::min(count - first, most)};
}

LinkRule rule_of(const PlotOptions& options) { return {options.row_share, options.least}; }

bool is_in_view(const LinkView& view, const TokenHit& token) {
  return (token.side == Side::Query ? view.queries : view.keys).contains(token.index);
}

LinkView of_token(LinkView view, const TokenHit& token) {
  (token.side == Side::Query ? view.only_query : view.only_key) = token.index;
  return view;
}

std::string text_of(const TokenSpan& span) {
  return std::to_string(span.first) + "+" + std::to_string(span.count);
}

std::string key_of(const PlotInput& input, const PlotOptions& options, const LinkView& view) {
  const HeadAddress at{options.at.layer, options.at.sample, 0};
  std::string key =
      "links of " + attn::text_of({Stage::Weights, at, input.result.problem().part}) + ", heads";
  for (const std::size_t head : heads_of_links(input, options)) key += " " + std::to_string(head);
  key += ", queries " + text_of(view.queries) + ", keys " + text_of(view.keys);
  if (view.only_query) key += ", of query " + std::to_string(*view.only_query);
  if (view.only_key) key += ", of key " + std::to_string(*view.only_key);
  if (view.rows_in_view) key += ", of no other queries";
  const LinkRule rule = rule_of(options);
  return key + (rule.least ? ", from " + plain_text(*rule.least)
                           : ", share " + plain_text(rule.row_share));
}

// Queries in view are sorted, of others only the keys in view are looked at.
std::uint64_t steps_of(const PlotInput& input, std::size_t heads, const LinkView& view) {
  constexpr std::size_t kStepsInView = 30, kStepsBeyond = 8;
  const StageShape shape = extents(input);
  const std::size_t in_view = view.only_query ? 1 : view.queries.count;
  const bool is_all = !view.only_query && !view.rows_in_view;
  const std::size_t beyond = is_all ? shape.rows - in_view : 0;
  const std::uint64_t looking =
      element_count({kStepsInView * in_view + kStepsBeyond * beyond, heads, shape.cols});
  const std::uint64_t reading =
      element_count({heads, steps_to_read_weights(input.result, in_view + beyond)});
  return reading > UINT64_MAX - looking ? UINT64_MAX : reading + looking;
}

Need need_of(const PlotInput& input, const PlotOptions& options, const LinkView& view) {
  const std::vector<std::size_t> heads = heads_of_links(input, options);
  Need need{key_of(input, options, view),
            view.rows_in_view ? "Links of the queries in view" : "Links",
            steps_of(input, heads.size(), view),
            {}};
  need.derive = [at = options.at, heads, view, rule = rule_of(options)](
                    const Document&, const ResultPtr& result,
                    Progress* progress) -> Result<DerivationPtr> {
    Result<LinkSet> set = choose_links(*result, at, heads, view, rule, progress);
    if (!set) return set.error();
    return DerivationPtr(std::make_shared<ChosenLinks>(*std::move(set)));
  };
  need.bytes = element_count({sizeof(Link), heads.size(), view.queries.count, view.keys.count});
  return need;
}

// Where all queries take long, those in view come first, and in a file alone where they take more
// than a minute.
std::vector<Need> needs_of_view(const PlotInput& input, const PlotOptions& options, LinkView view) {
  std::vector<Need> needs = {need_of(input, options, view)};
  const bool is_kept = input.result.range(Stage::Weights, {}).has_value();
  if (is_kept || view.only_query || needs[0].steps <= kSoonSteps) return needs;
  const bool is_too_long = options.dots_per_unit > 0.0 && needs[0].steps > kStepsOfAMinute;
  needs[0].awaited = false;
  view.rows_in_view = true;
  if (is_too_long) return {need_of(input, options, view)};
  needs.insert(needs.begin(), need_of(input, options, view));
  return needs;
}

// The best that is known; null when nothing is.
std::shared_ptr<const ChosenLinks> known_links(const PlotInput& input, const PlotOptions& options,
                                               LinkView view) {
  auto all = derived_as<ChosenLinks>(input, key_of(input, options, view));
  if (all != nullptr) return all;
  view.rows_in_view = true;
  return derived_as<ChosenLinks>(input, key_of(input, options, view));
}

// The view as it is asked for: of one token where that is beyond it.
LinkView view_for(const PlotInput& input, const PlotOptions& options,
                  const std::optional<TokenHit>& focus) {
  const LinkView view = links_view(input, options);
  return focus && !is_in_view(view, *focus) ? of_token(view, *focus) : view;
}

}  // namespace

Status check_links(const PlotInput& input, const PlotOptions& options) {
  if (!input.result.has(Stage::Weights)) return usage_error("there are no weights to join");
  const std::size_t heads = input.result.shape().heads;
  if (heads_of_links(input, options).empty() && !heads_missing(options.heads, heads).empty()) {
    Error error = usage_error("none of these heads is there");
    error.found = options.heads;
    error.expected =
        "all, or heads from 0 to " + std::to_string(heads - 1) + " with commas between";
    return error;
  }
  const Status query = check_first("query", options.first_query, extents(input).rows);
  return query ? check_first("key", options.first_key, extents(input).cols) : query;
}

std::vector<std::size_t> heads_of_links(const PlotInput& input, const PlotOptions& options) {
  return heads_named(options.heads, input.result.shape().heads)
      .value_or(std::vector<std::size_t>{0});
}

LinkView links_view(const PlotInput& input, const PlotOptions& options) {
  const StageShape shape = extents(input);
  return {span_of(options.first_query, options.tokens_shown, shape.rows),
          span_of(options.first_key, options.tokens_shown, shape.cols)};
}

std::optional<TokenHit> focus_of_links(const PlotInput& input, const PlotOptions& options) {
  const LinkView view = links_view(input, options);
  if (options.focus && is_in_view(view, *options.focus)) return options.focus;
  const std::optional<TokenChoice> token = token_chosen(options.token);
  const StageShape shape = extents(input);
  if (!token || token->index >= (token->of_keys ? shape.cols : shape.rows)) return std::nullopt;
  return TokenHit{token->of_keys ? Side::Key : Side::Query, options.at.sample, token->index};
}

std::vector<Need> links_needs(const PlotInput& input, const PlotOptions& options) {
  if (!check_links(input, options)) return {};
  const LinkView view = links_view(input, options);
  std::vector<Need> needs = needs_of_view(input, options, view);
  const std::optional<TokenHit> focus = focus_of_links(input, options);
  if (focus && !is_in_view(view, *focus)) {
    std::ranges::move(needs_of_view(input, options, of_token(view, *focus)),
                      std::back_inserter(needs));
  }
  return needs;
}

Result<LinkSet> chosen_links(const PlotInput& input, const PlotOptions& options) {
  const std::optional<TokenHit> focus = focus_of_links(input, options);
  const LinkView view = view_for(input, options, focus);
  const auto chosen = known_links(input, options, view);
  if (chosen == nullptr) {
    return why_missing(input, needs_of_view(input, options, view).front().key);
  }
  if (!focus) return strongest_of(chosen->set());
  return strongest_of(links_of_token(chosen->set(), focus->side, focus->index));
}

}  // namespace attn
