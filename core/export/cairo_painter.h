// Painter of figures with Cairo, shared by PNG and PDF.
#pragma once

#include <cairo.h>

#include <memory>

#include "base/progress.h"
#include "base/result.h"
#include "figure/figure.h"

namespace attn {

struct ReleaseSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using SurfacePtr = std::unique_ptr<cairo_surface_t, ReleaseSurface>;

struct ReleaseContext {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using ContextPtr = std::unique_ptr<cairo_t, ReleaseContext>;

struct PaintStyle {
  bool transparent = false;  // without a background
  // Enlarges matrices before embedding: viewers of vector files blur images of few pixels.
  bool enlarge_matrices = false;
};

// Draws in the units of `context`. False when the progress (may be null) was cancelled.
bool paint(cairo_t* context, const Figure& figure, const PaintStyle& style, Progress* progress);

// Converts cairo's status to an error.
Status status_of(cairo_status_t status);

}  // namespace attn
