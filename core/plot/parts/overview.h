// All of a matrix, small, in a corner of the part that is in view, with a frame about that part.
#pragma once

#include "plot/parts/pooled_part.h"
#include "plot/plot.h"

namespace attn {

struct Overview {
  const PlotInput& input;
  const Matrix& matrix;
  const PlotOptions& options;
  CellWindow window;  // in view
  Rect clip;          // where it is drawn
  ColorScale scale;
  const PooledQuestion* cells = nullptr;  // how they were read beforehand; null: somebody has them
};

// Nothing while all of the matrix is in view, while nothing is known of it, of a few cells, and
// where there is no room. Carries an OverviewHit.
void add_overview(Figure& figure, const Overview& overview);

}  // namespace attn
