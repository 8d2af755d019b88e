// What the parts of the plot of all heads share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "plot/maps/heads.h"
#include "plot/maps/heads_layout.h"
#include "plot/parts/drawing.h"

namespace attn {

// Of the heads of the page, where maps are found before they are drawn; else empty: all are known.
struct FoundMaps {
  std::vector<bool> known, whole;  // a few rows at least; all of them
  std::size_t rows_read = 0;       // of a head that is not whole; 0: none is known

  bool is_known(std::size_t card) const { return known.empty() || known[card]; }
  bool is_nothing() const { return !known.empty() && std::ranges::count(known, true) == 0; }
  std::size_t whole_count() const {
    return static_cast<std::size_t>(std::ranges::count(whole, true));
  }
};

struct HeadsScene : Drawing {
  std::span<const HeadCard> cards{};  // of the page
  HeadsLayout layout{};
  FoundMaps maps{};
  const MeasureInfo* tint = nullptr;  // under each head; null: none
};

// Null when there is none of that name.
const MeasureInfo* measure_named(std::string_view name);

// Nothing where the head is not measured or has no such value.
std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure);

}  // namespace attn
