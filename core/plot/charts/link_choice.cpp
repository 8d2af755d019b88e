// Takes the largest weights of each row.
#include "plot/charts/link_choice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/compute.h"
#include "engine/read/result.h"

namespace attn {
namespace {

bool counts(std::span<const float> row, std::span<const std::uint8_t> hidden, std::size_t cell) {
  const bool visible = hidden.empty() || hidden[cell] == kVisible;
  return visible && std::isfinite(row[cell]) && row[cell] > 0.0F;
}

constexpr double kReached = 1.0 - 1e-6;  // of a share, whatever was rounded on the way

// The order in which cells are chosen.
struct IsBefore {
  std::span<const float> row;
  bool operator()(std::size_t a, std::size_t b) const {
    return row[a] > row[b] || (row[a] == row[b] && a < b);
  }
};

// The first cells that make up the share of the sum; brings no more of them into their order.
void keep_share(std::span<const float> row, std::vector<std::size_t>& cells, double share) {
  double sum = 0.0, so_far = 0.0;
  for (const std::size_t cell : cells) sum += static_cast<double>(row[cell]);
  std::size_t sorted = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (so_far >= share * sum * kReached) return cells.resize(i);
    if (i == sorted) {
      constexpr std::size_t kSome = 64;
      sorted = std::min(cells.size(), std::max(kSome, 4 * sorted));
      const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(i);
      const auto end = cells.begin() + static_cast<std::ptrdiff_t>(sorted);
      std::nth_element(begin, end, cells.end(), IsBefore{row});
      std::sort(begin, end, IsBefore{row});
    }
    so_far += static_cast<double>(row[cells[i]]);
  }
}

void keep_least(std::span<const float> row, std::vector<std::size_t>& cells, double least) {
  std::erase_if(cells, [&](std::size_t cell) { return static_cast<double>(row[cell]) < least; });
  std::ranges::sort(cells, IsBefore{row});
}

std::vector<std::size_t> cells_that_count(std::span<const float> row,
                                          std::span<const std::uint8_t> hidden, std::size_t first,
                                          std::size_t end) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = first; cell < end; ++cell) {
    if (counts(row, hidden, cell)) cells.push_back(cell);
  }
  return cells;
}

// Weights that count are positive, so that their bits have their order: some steps to an octave.
std::size_t bin_of(float weight) { return std::bit_cast<std::uint32_t>(weight) >> 18U; }
constexpr std::size_t kBins = std::size_t{1} << 13U;

// Where the largest weights of a row reach the share of its sum: all in higher bins are chosen,
// none in lower ones.
struct Reach {
  std::size_t bin = 0;
  double before = 0.0, enough = 0.0;  // sums: of higher bins, and to be reached
};

Reach reach_of(std::span<const float> row, std::span<const std::uint8_t> hidden, double share) {
  std::vector<double> sums(kBins);
  for (std::size_t cell = 0; cell < row.size(); ++cell) {
    if (counts(row, hidden, cell)) sums[bin_of(row[cell])] += static_cast<double>(row[cell]);
  }
  Reach reach{kBins - 1, 0.0, share * kReached * std::reduce(sums.begin(), sums.end())};
  while (reach.bin > 0 && reach.before + sums[reach.bin] < reach.enough) {
    reach.before += sums[reach.bin--];
  }
  return reach;
}

// The chosen cells of the bin, in their order.
std::vector<std::size_t> chosen_in_bin(std::span<const float> row,
                                       std::span<const std::uint8_t> hidden, const Reach& reach) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < row.size(); ++cell) {
    if (counts(row, hidden, cell) && bin_of(row[cell]) == reach.bin) cells.push_back(cell);
  }
  std::ranges::sort(cells, IsBefore{row});
  double so_far = reach.before;
  std::size_t count = 0;
  while (count < cells.size() && so_far < reach.enough) {
    so_far += static_cast<double>(row[cells[count++]]);
  }
  cells.resize(count);
  return cells;
}

// Of some cells those that belong to the share of the whole row.
void keep_share_of_row(std::span<const float> row, std::span<const std::uint8_t> hidden,
                       std::vector<std::size_t>& cells, double share) {
  const Reach reach = reach_of(row, hidden, share);
  std::erase_if(cells, [&](std::size_t cell) { return bin_of(row[cell]) < reach.bin; });
  const auto is_doubtful = [&](std::size_t cell) { return bin_of(row[cell]) == reach.bin; };
  if (std::ranges::none_of(cells, is_doubtful)) return;
  const std::vector<std::size_t> chosen = chosen_in_bin(row, hidden, reach);
  std::erase_if(cells, [&](std::size_t cell) {
    return is_doubtful(cell) && !std::ranges::binary_search(chosen, cell, IsBefore{row});
  });
}

bool is_weaker(const Link& a, const Link& b) { return a.weight < b.weight; }

std::uint64_t not_numbers(std::span<const float> row) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(row, [](float weight) { return !std::isfinite(weight); }));
}

// Sorts links by where their ends lie.
struct Chooser {
  const LinkView& view;
  LinkSet set;
  std::map<std::tuple<std::size_t, Side, std::size_t, bool>, Stub> stubs;

  // The keys whose links to a query matter; none of them: the query need not be read.
  TokenSpan keys_for(std::size_t query, std::size_t all) const {
    if (view.only_query && *view.only_query != query) return {};
    if (view.only_key) return {*view.only_key, 1};
    if (view.only_query || view.queries.contains(query)) return {0, all};
    return view.keys;
  }

  void take(const Link& link) {
    if (view.only_key && *view.only_key != link.key) return;
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
    std::stable_sort(set.links.begin(), set.links.end(), is_weaker);
    return std::move(set);
  }
};

}  // namespace

std::vector<std::size_t> chosen_cells(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkRule& rule) {
  std::vector<std::size_t> cells = cells_that_count(row, hidden, 0, row.size());
  if (rule.least) {
    keep_least(row, cells, *rule.least);
  } else {
    keep_share(row, cells, rule.row_share);
  }
  return cells;
}

std::vector<std::size_t> chosen_among(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkRule& rule,
                                      std::size_t first, std::size_t count) {
  std::vector<std::size_t> cells = cells_that_count(row, hidden, first, first + count);
  if (rule.least) {
    keep_least(row, cells, *rule.least);
  } else if (!cells.empty()) {
    keep_share_of_row(row, hidden, cells, rule.row_share);
  }
  return cells;
}

namespace {

// The part of some keys that a row has.
TokenSpan within(const TokenSpan& keys, std::size_t first, std::size_t count) {
  const std::size_t begin = std::clamp(keys.first, first, first + count);
  const std::size_t end = std::clamp(keys.first + keys.count, begin, first + count);
  return {begin - first, end - begin};
}

std::vector<std::size_t> chosen_of(const WeightRow& row, const LinkRule& rule,
                                   const TokenSpan& keys) {
  if (keys.count == row.weights.size()) return chosen_cells(row.weights, row.rules, rule);
  return chosen_among(row.weights, row.rules, rule, keys.first, keys.count);
}

void choose_of_row(Chooser& chooser, const WeightRow& row, std::size_t head, const LinkRule& rule,
                   std::size_t all_keys) {
  const TokenSpan keys =
      within(chooser.keys_for(row.query, all_keys), row.first, row.weights.size());
  if (keys.count > 0) {
    for (const std::size_t cell : chosen_of(row, rule, keys)) {
      chooser.take({head, row.query, row.first + cell, row.weights[cell]});
    }
  }
  if (chooser.view.queries.contains(row.query)) {
    chooser.set.not_numbers += not_numbers(row.weights);
  }
}

// Whether one of the rows has a link that matters.
bool matter(const Chooser& chooser, const AttentionProblem& problem, const HeadAddress& head,
            const RowSpan& rows) {
  const KeySpan reached = keys_reached(problem, head, rows);
  const std::size_t count = reached.end - std::min(reached.begin, reached.end);
  for (std::size_t query = rows.begin; query < rows.end; ++query) {
    const TokenSpan keys = chooser.keys_for(query, problem.shape.n_k);
    if (within(keys, reached.begin, count).count > 0) return true;
  }
  return false;
}

RowSpan rows_of(const LinkView& view, std::size_t all) {
  if (view.only_query) return {*view.only_query, *view.only_query + 1};
  if (view.rows_in_view) return {view.queries.first, view.queries.first + view.queries.count};
  return {0, all};
}

// False when it was cancelled.
bool choose_of_head(Chooser& chooser, const AttentionResult& result, const HeadAddress& head,
                    const LinkRule& rule, Progress* progress) {
  const AttentionShape& shape = result.shape();
  const RowSpan all = rows_of(chooser.view, shape.n_q);
  const std::size_t at_once = rows_at_once(shape, all.end - all.begin);
  WeightRows rows(result, head);
  for (std::size_t first = all.begin; first < all.end; first += at_once) {
    if (progress != nullptr && progress->cancelled) return false;
    if (progress != nullptr) {
      progress->report(static_cast<float>(first - all.begin) /
                       static_cast<float>(all.end - all.begin));
    }
    const std::size_t end = std::min(first + at_once, all.end);
    if (!matter(chooser, result.problem(), head, {first, end})) continue;
    rows.read(first, end - first);
    for (std::size_t row = 0; row < end - first; ++row) {
      choose_of_row(chooser, rows.row(row), head.head, rule, shape.n_k);
    }
  }
  return true;
}

}  // namespace

Result<LinkSet> choose_links(const AttentionResult& result, const HeadAddress& at,
                             const std::vector<std::size_t>& heads, const LinkView& view,
                             const LinkRule& rule, Progress* progress) {
  Chooser chooser{view, {}, {}};
  chooser.set.rows_in_view = view.rows_in_view;
  const float share = 1.0F / static_cast<float>(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const ProgressPart part(progress, share * static_cast<float>(i), share);
    if (!choose_of_head(chooser, result, {at.layer, at.sample, heads[i]}, rule, progress)) {
      return stopped();
    }
  }
  return std::move(chooser).chosen();
}

LinkSet links_of_token(const LinkSet& set, Side side, std::size_t token) {
  LinkSet own;
  own.not_numbers = set.not_numbers;
  own.rows_in_view = set.rows_in_view;
  std::ranges::copy_if(set.links, std::back_inserter(own.links), [&](const Link& link) {
    return (side == Side::Query ? link.query : link.key) == token;
  });
  std::ranges::copy_if(set.stubs, std::back_inserter(own.stubs),
                       [&](const Stub& stub) { return stub.side == side && stub.token == token; });
  return own;
}

LinkSet strongest_of(LinkSet set) {
  if (set.links.size() <= kMostLinks) return set;
  set.left_out = set.links.size() - kMostLinks;
  set.links.erase(set.links.begin(), set.links.end() - static_cast<std::ptrdiff_t>(kMostLinks));
  return set;
}

}  // namespace attn
