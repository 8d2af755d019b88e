// The chips of heads above the links.
#pragma once

#include "plot/charts/links_scene.h"

namespace attn {

// One chip for each head and one for all, from left to right behind the word "Heads", wrapped to
// the width. A click on one sets the option "heads".
Figure link_chips(const LinksScene& scene, double width);

}  // namespace attn
