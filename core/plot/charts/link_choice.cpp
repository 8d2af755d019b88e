// Sorts the weights of each row and takes the largest.
#include "plot/charts/link_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "engine/compute.h"

namespace attn {
namespace {

bool counts(std::span<const float> row, std::span<const std::uint8_t> hidden, std::size_t cell) {
  const bool visible = hidden.empty() || hidden[cell] == kVisible;
  return visible && std::isfinite(row[cell]) && row[cell] > 0.0F;
}

// How many of the cells, the largest first, make up the share of their sum.
std::size_t most_of(std::span<const float> row, const std::vector<std::size_t>& cells,
                    double share) {
  double sum = 0.0;
  for (const std::size_t cell : cells) sum += row[cell];
  double so_far = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (so_far >= share * sum * (1.0 - 1e-6)) return i;
    so_far += row[cells[i]];
  }
  return cells.size();
}

// One row after the other, with what hides its cells.
struct RowReader {
  const AttentionResult& result;
  std::vector<float> row;
  std::vector<std::uint8_t> hidden;

  void read(const HeadAddress& at, std::size_t query) {
    result.read(Stage::Weights, at, {query, 0, 1, row.size()}, row.data());
    for (std::size_t key = 0; key < row.size(); ++key) hidden[key] = result.hidden(at, query, key);
  }
};

bool is_weaker(const Link& a, const Link& b) { return a.weight < b.weight; }

std::uint64_t not_numbers(const std::vector<float>& row) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(row, [](float weight) { return !std::isfinite(weight); }));
}

// Sorts links by where their ends lie.
struct Chooser {
  const LinkView& view;
  LinkSet set;
  std::map<std::tuple<std::size_t, Side, std::size_t, bool>, Stub> stubs;

  bool reads(std::size_t query) const { return !view.only_query || *view.only_query == query; }

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
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < row.size(); ++cell) {
    if (counts(row, hidden, cell)) cells.push_back(cell);
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  if (rule.least) {
    const auto is_enough = [&](std::size_t cell) { return row[cell] >= *rule.least; };
    cells.erase(std::partition_point(cells.begin(), cells.end(), is_enough), cells.end());
  } else {
    cells.resize(most_of(row, cells, rule.row_share));
  }
  return cells;
}

Result<LinkSet> choose_links(const AttentionResult& result, const HeadAddress& at,
                             const std::vector<std::size_t>& heads, const LinkView& view,
                             const LinkRule& rule, Progress* progress) {
  const StageShape shape = result.stage_shape(Stage::Weights);
  Chooser chooser{view, {}, {}};
  RowReader reader{result, std::vector<float>(shape.cols), std::vector<std::uint8_t>(shape.cols)};
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const ProgressPart part(progress, static_cast<float>(i) / static_cast<float>(heads.size()),
                            1.0F / static_cast<float>(heads.size()));
    for (std::size_t query = 0; query < shape.rows; ++query) {
      if (progress != nullptr && progress->cancelled) return stopped();
      if (!chooser.reads(query)) continue;
      reader.read({at.layer, at.sample, heads[i]}, query);
      for (const std::size_t key : chosen_cells(reader.row, reader.hidden, rule)) {
        chooser.take({heads[i], query, key, reader.row[key]});
      }
      if (view.queries.contains(query)) chooser.set.not_numbers += not_numbers(reader.row);
      if (progress != nullptr) {
        progress->report(static_cast<float>(query + 1) / static_cast<float>(shape.rows));
      }
    }
  }
  return std::move(chooser).chosen();
}

LinkSet links_of_token(const LinkSet& set, Side side, std::size_t token) {
  LinkSet own;
  own.not_numbers = set.not_numbers;
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
