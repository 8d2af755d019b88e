// What the parts of the plot of all heads share.
#pragma once

#include <optional>
#include <span>

#include "plot/maps/heads.h"
#include "plot/maps/heads_layout.h"
#include "plot/parts/drawing.h"

namespace attn {

struct HeadsScene : Drawing {
  std::span<const HeadCard> cards{};  // of the page
  HeadsLayout layout{};
  const MeasureInfo* tint = nullptr;  // under each head; null: none
};

// Null when there is none of that name.
const MeasureInfo* measure_named(std::string_view name);

// Nothing where the head is not measured or has no such value.
std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure);

}  // namespace attn
