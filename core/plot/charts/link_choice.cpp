// Choice of the largest weights of each row as links, its derivation, the arrangement of tokens,
// and the texts about the links that are drawn.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/number_text.h"
#include "base/special_numbers.h"
#include "engine/matrix/matrix_id.h"
#include "plot/charts/charts.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/names.h"
#include "view/fields.h"

namespace attn {
namespace {

bool counts(std::span<const float> row, std::span<const std::uint8_t> hidden, std::size_t cell) {
  const bool visible = hidden.empty() || hidden[cell] == kVisible;
  return visible && std::isfinite(row[cell]) && row[cell] > 0.0F;
}

constexpr double kReached = 1.0 - 1e-6;  // of a share, to allow for rounding

// Returns the order in which cells are chosen.
auto order_in(std::span<const float> row) {
  return [row](std::size_t a, std::size_t b) {
    return row[a] > row[b] || (row[a] == row[b] && a < b);
  };
}

// The bin in which the largest weights of a row reach the share of its sum. Positive floats are
// ordered by their bits: all cells in higher bins are chosen, none in lower ones.
struct RowReach {
  unsigned shift = 31;  // bits of a weight within its bin; short rows have one bin
  std::size_t bin = 0;
  double before = 0.0, enough = 0.0;  // sums: of higher bins, and to be reached

  std::size_t bin_of(float weight) const { return std::bit_cast<std::uint32_t>(weight) >> shift; }
};

RowReach reach_of(std::span<const float> row, std::span<const std::uint8_t> hidden, double share) {
  constexpr std::size_t kShortRow = 256;
  RowReach reach{row.size() <= kShortRow ? 31U : 18U};
  std::vector<double> sums(std::size_t{1} << (31U - reach.shift));
  for (std::size_t cell = 0; cell < row.size(); ++cell) {
    if (counts(row, hidden, cell)) sums[reach.bin_of(row[cell])] += static_cast<double>(row[cell]);
  }
  reach.bin = sums.size() - 1;
  reach.enough = share * kReached * std::reduce(sums.begin(), sums.end());
  while (reach.bin > 0 && reach.before + sums[reach.bin] < reach.enough) {
    reach.before += sums[reach.bin--];
  }
  return reach;
}

// Returns the chosen cells of the bin, sorted.
std::vector<std::size_t> chosen_in_bin(std::span<const float> row,
                                       std::span<const std::uint8_t> hidden,
                                       const RowReach& reach) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < row.size(); ++cell) {
    if (counts(row, hidden, cell) && reach.bin_of(row[cell]) == reach.bin) cells.push_back(cell);
  }
  std::ranges::sort(cells, order_in(row));
  double so_far = reach.before;
  std::size_t count = 0;
  while (count < cells.size() && so_far < reach.enough) {
    so_far += static_cast<double>(row[cells[count++]]);
  }
  cells.resize(count);
  return cells;
}

// Keeps the cells that belong to the share of the whole row.
void keep_share_of_row(std::span<const float> row, std::span<const std::uint8_t> hidden,
                       std::vector<std::size_t>& cells, double share) {
  const RowReach reach = reach_of(row, hidden, share);
  std::erase_if(cells, [&](std::size_t cell) { return reach.bin_of(row[cell]) < reach.bin; });
  const auto is_doubtful = [&](std::size_t cell) { return reach.bin_of(row[cell]) == reach.bin; };
  if (std::ranges::none_of(cells, is_doubtful)) return;
  const std::vector<std::size_t> chosen = chosen_in_bin(row, hidden, reach);
  std::erase_if(cells, [&](std::size_t cell) {
    return is_doubtful(cell) && !std::ranges::binary_search(chosen, cell, order_in(row));
  });
}

// Sorts links by the position of their ends.
struct Chooser {
  const LinkView& view;
  LinkSet set;
  std::map<std::tuple<std::size_t, Side, std::size_t, bool>, Stub> stubs;

  // Returns keys whose links to a query may be chosen; empty: the query need not be read.
  TokenSpan keys_for(std::size_t query, std::size_t all) const {
    if (view.is_of_one(Side::Key)) return {view.only->index, 1};
    if (view.is_of_one(Side::Query)) return {0, view.only->index == query ? all : 0};
    return view.queries.contains(query) ? TokenSpan{0, all} : view.keys;
  }

  void take(const Link& link) {
    const bool query_in = view.queries.contains(link.query), key_in = view.keys.contains(link.key);
    if (query_in && key_in) {
      set.links.push_back(link);
    } else if (query_in) {
      add(link, Side::Query, link.query, link.key < view.keys.first);
    } else if (key_in) {
      add(link, Side::Key, link.key, link.query < view.queries.first);
    }
  }

  void add(const Link& link, Side side, std::size_t token, bool before) {
    Stub& stub = stubs[{link.head, side, token, before}];
    stub = {link.head,     side, token, before, stub.weight + static_cast<double>(link.weight),
            stub.links + 1};
  }

  LinkSet chosen() && {
    for (const auto& [key, stub] : stubs) set.stubs.push_back(stub);
    std::ranges::stable_sort(set.links, {}, &Link::weight);
    return std::move(set);
  }
};

// Returns the part of a span of keys that a row contains.
TokenSpan within(const TokenSpan& keys, std::size_t first, std::size_t count) {
  const std::size_t begin = std::clamp(keys.first, first, first + count);
  const std::size_t end = std::clamp(keys.end(), begin, first + count);
  return {begin - first, end - begin};
}

void choose_of_row(Chooser& chooser, const WeightRow& row, std::size_t head,
                   const LinkOptions& rule, std::size_t all_keys) {
  const TokenSpan keys =
      within(chooser.keys_for(row.query, all_keys), row.first, row.weights.size());
  if (keys.count > 0) {
    for (const std::size_t cell :
         chosen_cells(row.weights, row.rules, rule, keys.first, keys.count)) {
      chooser.take({head, row.query, row.first + cell, row.weights[cell]});
    }
  }
  if (chooser.view.queries.contains(row.query)) {
    for (const float weight : row.weights) {
      const NumberKind kind = number_kind(weight);
      if (kind == NumberKind::Number) continue;
      ++(kind == NumberKind::Concealed ? chooser.set.concealed : chooser.set.not_numbers);
    }
  }
}

// True if one of the rows may have a link that the view includes.
bool matter(const Chooser& chooser, const AttentionProblem& problem, const HeadAddress& head,
            const RowSpan& rows) {
  const KeySpan reached = keys_reached(problem, head, rows);
  const std::size_t count = reached.end - std::min(reached.begin, reached.end);
  for (std::size_t query = rows.begin; query < rows.end; ++query) {
    const TokenSpan keys = chooser.keys_for(query, shape_of(problem, head).n_k);
    if (within(keys, reached.begin, count).count > 0) return true;
  }
  return false;
}

RowSpan rows_of(const LinkView& view, std::size_t all) {
  if (view.is_of_one(Side::Query)) return {view.only->index, view.only->index + 1};
  if (view.rows_in_view) return {view.queries.first, view.queries.end()};
  return {0, all};
}

// False when cancelled.
bool choose_of_head(Chooser& chooser, const AttentionResult& result, const HeadAddress& head,
                    const LinkOptions& rule, Progress* progress) {
  const AttentionShape shape = result.shape(head);
  const RowSpan all = rows_of(chooser.view, shape.n_q);
  const std::size_t at_once = rows_at_once(shape.n_k, all.end - all.begin);
  WeightRows rows(result, head);
  StepCount steps(progress, all.end - all.begin);
  for (std::size_t first = all.begin; first < all.end; first += at_once) {
    const std::size_t end = std::min(first + at_once, all.end);
    const bool matters = matter(chooser, result.problem(), head, {first, end});
    if (matters) rows.read(first, end - first);
    for (std::size_t row = 0; matters && row < end - first; ++row) {
      choose_of_row(chooser, rows.row(row), head.head, rule, shape.n_k);
    }
    if (!steps.add(end - first)) return false;
  }
  return true;
}

StageShape extents(const FittedView& view) {
  return view.result.stage_shape(Stage::Weights, view.options.at);
}

TokenSpan span_of(std::size_t first, std::size_t most, std::size_t count) {
  return {first, std::min(count - first, most)};
}

bool is_in_view(const LinkView& view, const TokenHit& token) {
  return (token.side == Side::Query ? view.queries : view.keys).contains(token.index);
}

std::string text_of(const TokenSpan& span) {
  return std::to_string(span.first) + "+" + std::to_string(span.count);
}

std::string key_of(const FittedView& of, const LinkView& view) {
  const HeadAddress at = of.options.at.moved_to(of.options.at.layer, of.options.at.sample, 0);
  std::string key = "links of " + attn::text_of({Stage::Weights, at}) + ", heads";
  for (const std::size_t head : heads_of_links(of)) key += " " + std::to_string(head);
  key += ", queries " + text_of(view.queries) + ", keys " + text_of(view.keys);
  if (view.only) key += ", of " + attn::text_of(*view.only);
  const std::optional<double>& least = of.options.least;
  return key +
         (least ? ", from " + plain_text(*least) : ", share " + plain_text(of.options.row_share));
}

// Predicts nanoseconds: queries in view are sorted, for others only the keys in view are read.
std::uint64_t time_of(const FittedView& of, std::size_t heads, const LinkView& view) {
  constexpr std::size_t kNanosecondsInView = 30, kNanosecondsBeyond = 8;
  const StageShape shape = extents(of);
  const bool is_one = view.is_of_one(Side::Query);
  const std::size_t in_view = is_one ? 1 : view.queries.count;
  const bool is_all = !is_one && !view.rows_in_view;
  const std::size_t beyond = is_all ? shape.rows - in_view : 0;
  const std::uint64_t looking = element_count(
      {kNanosecondsInView * in_view + kNanosecondsBeyond * beyond, heads, shape.cols});
  const std::uint64_t reading = element_count(
      {heads, nanoseconds_to_read_weights(of.result, of.options.at, in_view + beyond)});
  return reading > UINT64_MAX - looking ? UINT64_MAX : reading + looking;
}

// Reads queries in view first when reading all takes long; a file has only those when reading all
// takes more than a minute.
std::vector<Need> needs_of_links(const FittedView& of, const LinkView& view) {
  const PlotOptions& options = of.options;
  const std::vector<std::size_t> heads = heads_of_links(of);
  LinkView rows_in_view = view;
  rows_in_view.rows_in_view = true;
  const auto make = [at = options.at, heads, view, rows_in_view, rule = LinkOptions(options)](
                        const Sources& from, const Pass& pass) -> Result<std::shared_ptr<LinkSet>> {
    const LinkView& wanted = pass.name.empty() ? view : rows_in_view;
    Result<LinkSet> set = choose_links(*from.result, at, heads, wanted, rule, from.progress);
    if (!set) return set.error();
    return std::make_shared<LinkSet>(*std::move(set));
  };
  const std::uint64_t nanoseconds = time_of(of, heads.size(), view);
  std::vector<Pass> passes{{"", "Links", nanoseconds}};
  const bool is_materialised = of.result.range(Stage::Weights, options.at).has_value();
  if (!is_materialised && !view.is_of_one(Side::Query) && nanoseconds > kShortTime) {
    passes[0].awaited = false;
    passes.insert(passes.begin(), {", of no other queries", "Links of the queries in view",
                                   time_of(of, heads.size(), rows_in_view)});
    if (options.is_file() && nanoseconds > kMinute) passes.pop_back();
  }
  return needs_of<LinkSet>(
      key_of(of, view), passes, make,
      element_count({sizeof(Link), heads.size(), view.queries.count, view.keys.count}));
}

// Returns the tokens in view, or the focused one when it is out of view.
LinkView chosen_view(const FittedView& view) {
  LinkView tokens = links_view(view);
  const std::optional<TokenHit> focus = focus_of_links(view);
  if (focus && !is_in_view(tokens, *focus)) tokens.only = focus;
  return tokens;
}

LinkSet links_of_token(const LinkSet& set, Side side, std::size_t token) {
  LinkSet own;
  own.not_numbers = set.not_numbers;
  own.concealed = set.concealed;
  own.rows_in_view = set.rows_in_view;
  std::ranges::copy_if(set.links, std::back_inserter(own.links), [&](const Link& link) {
    return (side == Side::Query ? link.query : link.key) == token;
  });
  std::ranges::copy_if(set.stubs, std::back_inserter(own.stubs),
                       [&](const Stub& stub) { return stub.side == side && stub.token == token; });
  return own;
}

// --- Texts about the drawn links

constexpr std::size_t kManyLinks = 300;  // more are indistinguishable

std::string heads_words(const LinksScene& scene) {
  const std::size_t all = scene.shape().heads, shown = scene.heads.size();
  if (shown == 1) return numbered("head", scene.heads[0], all);
  const std::string front =
      scene.front ? ", head " + std::to_string(*scene.front + 1) + " in front" : "";
  if (shown == all) return ", all " + std::to_string(all) + " heads" + front;
  return ", " + std::to_string(shown) + " of " + std::to_string(all) + " heads" + front;
}

std::string range_words(const char* name, const LinkSide& side) {
  return std::string(name) + " " + grouped_text(side.first + 1) + " to " +
         grouped_text(side.end()) + " of " + grouped_text(side.axis.count);
}

// "" when all tokens are in view.
std::string view_words(const LinksScene& scene) {
  const bool all_queries = scene.queries.count == scene.queries.axis.count;
  const bool all_keys = scene.keys.count == scene.keys.axis.count;
  if (all_queries && all_keys) return "";
  return range_words("Queries", scene.queries) + ", " + range_words("keys", scene.keys) +
         " are in view; links to and from others are dashed stubs.";
}

// Returns words about heads that are not drawn, which count from 1 in figures.
std::string missing_heads_words(const LinksScene& scene) {
  const std::vector<std::size_t> missing = heads_missing(scene.options.heads, scene.shape().heads);
  if (missing.empty()) return "";
  const std::string names =
      joined(missing, ", ", [](std::size_t head) { return std::to_string(head + 1); });
  return (missing.size() == 1 ? "Head " : "Heads ") + names + " of " +
         std::to_string(scene.shape().heads) + (missing.size() == 1 ? " does" : " do") +
         " not exist.";
}

std::string rows_in_view_words(const LinksScene& scene) {
  if (!scene.chosen.rows_in_view) return "";
  return scene.options.is_file() ? "Links of queries beyond the view are left out."
                                 : "Links of queries beyond the view are not known yet.";
}

std::string not_numbers_words(const LinksScene& scene) {
  if (scene.chosen.not_numbers == 0) return "";
  return counted(scene.chosen.not_numbers, "weight is", "weights are") +
         " not a number and not drawn.";
}

}  // namespace

bool prefers_rows(const Document& document, const HeadAddress& at) {
  EastAsianShare both;
  for (const Side side : {Side::Query, Side::Key}) {
    const EastAsianShare share = east_asian_share(tokens_of(document, side, at));
    both = {both.count + share.count, both.all + share.all};
  }
  return both.is_most();
}

std::vector<std::size_t> chosen_cells(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkOptions& rule,
                                      std::size_t first, std::size_t count) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = first; cell < first + count; ++cell) {
    if (counts(row, hidden, cell)) cells.push_back(cell);
  }
  if (rule.least) {
    std::erase_if(cells,
                  [&](std::size_t cell) { return static_cast<double>(row[cell]) < *rule.least; });
  } else if (!cells.empty()) {
    keep_share_of_row(row, hidden, cells, rule.row_share);
  }
  std::ranges::sort(cells, order_in(row));
  return cells;
}

Result<LinkSet> choose_links(const AttentionResult& result, const HeadAddress& at,
                             const std::vector<std::size_t>& heads, const LinkView& view,
                             const LinkOptions& rule, Progress* progress) {
  Chooser chooser{view, {}, {}};
  chooser.set.rows_in_view = view.rows_in_view;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const ProgressPart part(progress, i, heads.size());
    if (!choose_of_head(chooser, result, at.moved_to(at.layer, at.sample, heads[i]), rule,
                        progress)) {
      return stopped();
    }
  }
  return std::move(chooser).chosen();
}

LinkSet strongest_of(LinkSet set) {
  if (set.links.size() <= kMostLinks) return set;
  set.left_out = set.links.size() - kMostLinks;
  set.links.erase(set.links.begin(), set.links.end() - static_cast<std::ptrdiff_t>(kMostLinks));
  return set;
}

Status check_links(const FittedView& view) {
  const PlotOptions& options = view.options;
  if (!view.result.has(Stage::Weights)) return usage_error("there are no weights to join");
  const std::size_t heads = view.result.shape().heads;
  if (heads_of_links(view).empty() && !heads_missing(options.heads, heads).empty()) {
    Error error = usage_error("there are no such heads");
    const std::size_t first = options.on_screen ? 1 : 0;  // as in the fields of the window
    error.found = with_numbers_moved(options.heads, static_cast<std::int64_t>(first));
    error.expected = "all, or heads from " + std::to_string(first) + " to " +
                     std::to_string(heads - 1 + first) + " with commas between";
    return error;
  }
  const auto [rows, cols] = extents(view);
  Status query =
      check_index("query to begin with", options.first_query, std::max<std::size_t>(rows, 1));
  if (!query) return query;
  return check_index("key to begin with", options.first_key, std::max<std::size_t>(cols, 1));
}

std::vector<std::size_t> heads_of_links(const FittedView& view) {
  return heads_named(view.options.heads, view.result.shape().heads)
      .value_or(std::vector<std::size_t>{0});
}

LinkView links_view(const FittedView& view) {
  const PlotOptions& options = view.options;
  const StageShape shape = extents(view);
  return {span_of(options.first_query, options.tokens_shown, shape.rows),
          span_of(options.first_key, options.tokens_shown, shape.cols)};
}

std::optional<TokenHit> focus_of_links(const FittedView& view) {
  const PlotOptions& options = view.options;
  if (options.focus && is_in_view(links_view(view), *options.focus)) return options.focus;
  const std::optional<TokenHit> token = token_chosen(options.token);
  const StageShape shape = extents(view);
  if (!token || token->index >= (token->side == Side::Key ? shape.cols : shape.rows)) {
    return std::nullopt;
  }
  return TokenHit{token->side, options.at.sample, token->index};
}

std::vector<Need> links_needs(const FittedView& view) {
  if (!check_links(view)) return {};
  std::vector<Need> needs = needs_of_links(view, links_view(view));
  if (const LinkView own = chosen_view(view); own.only) append(needs, needs_of_links(view, own));
  return needs;
}

Result<LinkSet> chosen_links(const FittedView& view) {
  const auto chosen = found<LinkSet>(view, needs_of_links(view, chosen_view(view)));
  if (!chosen) return chosen.error();
  const std::optional<TokenHit> focus = focus_of_links(view);
  if (!focus) return strongest_of(**chosen);
  return strongest_of(links_of_token(**chosen, focus->side, focus->index));
}

std::string links_heading(const LinksScene& scene) {
  const HeadAddress& at = scene.options.at;
  return "Attention weights" + which_attention(scene.result.problem(), at, ", ") +
         address_words(scene.shape(), at, false) + heads_words(scene);
}

std::string links_rule(const LinksScene& scene) {
  const PlotOptions& options = scene.options;
  std::string words = "Opacity and width show the weight. ";
  if (options.least) {
    words += "Weights of at least " + short_text(*options.least) + " are drawn";
  } else if (options.row_share >= 1.0) {
    words += "All weights above 0 are drawn";
  } else {
    words += "For each query, the largest weights totalling " +
             short_text(100.0 * options.row_share, 3) + " % of its row are drawn";
  }
  if (scene.chosen.left_out > 0) {
    words += "; the " + grouped_text(scene.chosen.left_out) + " smallest are left out";
  }
  return words + ".";
}

std::string links_advice(const LinksScene& scene) {
  const std::size_t lines = scene.chosen.links.size();
  if (lines <= kManyLinks) return "";
  return grouped_text(lines) +
         " lines are too many to tell apart: draw fewer heads, or a smaller share of each row";
}

std::string links_limits(const LinksScene& scene) {
  const std::string advice = scene.options.on_screen ? links_advice(scene) : "";
  std::string all = advice.empty() ? "" : advice + ".";
  for (const std::string& words :
       {view_words(scene), rows_in_view_words(scene), missing_heads_words(scene),
        not_numbers_words(scene), concealed_words(scene.chosen.concealed)}) {
    all += (all.empty() || words.empty() ? "" : " ") + words;
  }
  return all;
}

std::string links_focus(const LinksScene& scene) {
  if (!scene.focus) return "";
  const TokenHit& token = *scene.focus;
  const bool query = token.side == Side::Query;
  return "Only the links " + std::string(query ? "from " : "to ") +
         placed_token(scene, token.side, token.index) + ".";
}

std::string beyond_words(const LinksScene& scene, Side side, bool before) {
  const LinkSide& tokens = scene.side(side);
  const std::size_t hidden = before ? tokens.first : tokens.after();
  if (hidden == 0) return "";
  std::uint64_t links = 0;
  for (const Stub& stub : scene.chosen.stubs) {
    if (stub.side != side && stub.before == before) links += stub.links;
  }
  const std::string arrow = before ? (scene.rows ? "← " : "↑ ") : (scene.rows ? "→ " : "↓ ");
  std::string words = arrow + grouped_text(hidden) + " more";
  if (side == Side::Query && scene.chosen.rows_in_view) return words;
  return words + ", " + counted(links, "link");
}

}  // namespace attn
