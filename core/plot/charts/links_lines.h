// The lines of the links plot.
#pragma once

#include "plot/charts/links_scene.h"

namespace attn {

// A line for each link of the scene, the strongest on top, the pinned ones once more; and a dashed
// stub for what a token in view shares with tokens beyond it, a short way towards them. Each says
// its tokens, its weight and its head where options.line_words asks for it.
void add_links(Figure& figure, const LinksScene& scene);

}  // namespace attn
