// The cells of all heads as one image.
#pragma once

#include <memory>

#include "plot/maps/heads_scene.h"

namespace attn {

struct Thumbnails {
  std::shared_ptr<MatrixCells> cells;
  float top = 1.0F;  // of the colours of all; 1 where heads have their own
  ColorCurve curve = ColorCurve::Linear;
  bool beyond_low = false, beyond_high = false;
};

// The weights of the page's heads, each in its place, divided by the top of its own colours where
// heads have their own.
Thumbnails thumbnails_of(const HeadsScene& scene);

// The image, and what hides the room between the thumbnails.
void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails);

}  // namespace attn
