// Cells of a layer that nobody keeps, computed when they are read. Internal to the engine.
#pragma once

#include "engine/layer/layer_result.h"

namespace attn {

struct CellsOfStage {
  Stage stage;
  HeadAddress head;
  CellRange range;
};

// Row-major, on several threads where that pays. Precondition: the layer does not hold the stage.
void compute_cells(const LayerResult& layer, const CellsOfStage& cells, float* out);

}  // namespace attn
