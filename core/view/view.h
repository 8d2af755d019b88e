// What is looked at: a plot by its name, and all that is set of it.
#pragma once

#include <string>

#include "view/options.h"

namespace attn {

inline constexpr std::string_view kUsualPlot = "heatmap";

struct View {
  std::string plot{kUsualPlot};  // name in the list of plots
  ViewOptions options;
  friend bool operator==(const View&, const View&) = default;
};

}  // namespace attn
