// Which heads the figure of all heads has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

// In the order of layers, without a list of all of them.
struct HeadRow {
  std::vector<std::size_t> layers{}, heads{};  // of every sample; rising
  std::size_t samples = 1, sample = 0;         // how many, from which on
  std::string choice{};                        // as the options say it; empty: all

  std::size_t count() const { return layers.size() * heads.size() * samples; }
  HeadAddress at(std::size_t index) const;
  std::size_t index_of(const HeadAddress& head) const;  // of one that is among them
};

// Those of options.layers and options.heads that are there, of one sample or of all.
HeadRow head_row(const AttentionShape& shape, const PlotOptions& options);

}  // namespace attn
