// What the links plot says in words.
#pragma once

#include <string>

#include "plot/charts/links_scene.h"

namespace attn {

// "Attention weights, layer 2 of 12, all 12 heads".
std::string links_heading(const LinksScene& scene);

// Which weights are drawn, and how.
std::string links_rule(const LinksScene& scene);

// The part in view, and what is left out; "" where everything is drawn.
std::string links_limits(const LinksScene& scene);

// Of which token the links alone are drawn; "" where they are of all.
std::string links_focus(const LinksScene& scene);

// One sentence for those who cannot see the figure.
std::string links_alt_text(const LinksScene& scene);

// “↑ 100 more, 37 links”: the tokens of the side before or after the view, and the links that end
// at them; "" where there are none.
std::string beyond_words(const LinksScene& scene, Side side, bool before);

}  // namespace attn
