// Numbers the chosen heads.
#include "plot/maps/heads_row.h"

#include <algorithm>

#include "view/head_list.h"

namespace attn {
namespace {

std::size_t place_in(const std::vector<std::size_t>& rising, std::size_t number) {
  return static_cast<std::size_t>(std::ranges::lower_bound(rising, number) - rising.begin());
}

std::vector<std::size_t> chosen(const std::string& text, std::size_t count) {
  return heads_named(text, count).value_or(std::vector<std::size_t>{});
}

}  // namespace

HeadAddress HeadRow::at(std::size_t index) const {
  const std::size_t row = index / heads.size();
  return {layers[row % layers.size()], sample + row / layers.size(), heads[index % heads.size()]};
}

std::size_t HeadRow::index_of(const HeadAddress& head) const {
  const std::size_t row = (head.sample - sample) * layers.size() + place_in(layers, head.layer);
  return row * heads.size() + place_in(heads, head.head);
}

HeadRow head_row(const AttentionShape& shape, const PlotOptions& options) {
  HeadRow row{chosen(options.layers, shape.layers), chosen(options.heads, shape.heads)};
  if (options.all_samples) row.samples = shape.samples;
  if (!options.all_samples) row.sample = options.at.sample;
  const bool all = row.layers.size() == shape.layers && row.heads.size() == shape.heads;
  if (!all) row.choice = " of layers " + options.layers + " and heads " + options.heads;
  return row;
}

}  // namespace attn
