// Draws figures with Cairo: PNG and PDF differ only in the target.
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
  bool transparent = false;  // leave the background out
  // Enlarge matrices before embedding them: viewers of vector files blur images of few pixels.
  bool enlarge_matrices = false;
};

// Draws in the units of `context`. False when it stopped because the progress (may be null) was
// cancelled.
bool paint(cairo_t* context, const Figure& figure, const PaintStyle& style, Progress* progress);

// Draws `matrix` alone (matrix_painter.cpp).
void paint_matrix(cairo_t* context, const MatrixItem& matrix, const PaintStyle& style);

inline void set_color(cairo_t* context, Color c) {
  cairo_set_source_rgba(context, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

// What cairo says went wrong, as an error; ok otherwise.
Status status_of(cairo_status_t status);

}  // namespace attn
