// What the colours of weights span, of one matrix or of several that share a bar.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/matrix.h"
#include "view/options.h"

namespace attn {

// The finite weights that somebody may attend to. A query that sees one key gives it all: such rows
// say nothing, and are kept aside so that they do not darken the others.
struct SeenWeights {
  std::vector<float> values;
  std::vector<float> lone;  // of rows that see one key
  Matrix::Summary summary;  // {0, 0} when nothing finite was seen
};

// Adds the cells of a matrix of weights, read row by row; of every `step`th row. Unfinished when
// it is cancelled; `progress` may be null.
void add_weights(SeenWeights& seen, const Matrix& weights, std::size_t step = 1,
                 Progress* progress = nullptr);

// The same of pixels.
void add_pixels(SeenWeights& seen, const PooledCells& pixels);

// The smallest weight that has a logarithm; 0: none.
float least_above_zero(const SeenWeights& seen);

// From more cells than these on, Automatic ends at the percentile.
inline constexpr std::size_t kMostCellsToTheLargest = 1024;

// Of plots that share one range among several matrices: rows have none of their own there.
constexpr ColorSpan shared_span(ColorSpan span) {
  return span == ColorSpan::Rows ? ColorSpan::Automatic : span;
}

struct WeightRange {
  float low = 0.0F, high = 1.0F;
  std::string basis;  // "0 to the largest, 1 cell beyond"
};
// `whose`: what Head and Heads say, "this head".
WeightRange weight_range(SeenWeights seen, ColorSpan span, const std::string& whose);
// 0 to the percentile of the pixels.
WeightRange pixel_range(SeenWeights seen);
// 0, or the least of negative ones, to a percentile that so many cells are beyond.
inline constexpr double kShareOfCells = 0.995;  // up to the percentile
WeightRange percentile_range(float least, float percentile, std::uint64_t cells_beyond);
// The place of the percentile among so many sorted values, of which there are some.
std::uint64_t place_of_percentile(std::uint64_t values);

// The range of one matrix, found once: where there are many cells, reading all of them for every
// frame would take too long.
struct KeptRange final : Derivation {
  WeightRange range;
  float least = 0.0F;       // the smallest value that has a logarithm; 0: none
  Matrix::Summary summary;  // of the cells that were read
  std::uint64_t bytes() const override { return sizeof(KeptRange); }
};
// `result`: where the other heads of the layer are, for the range of all of them. Of more cells
// than kMostGathered, rows at equal distances stand for all, and the basis says how many.
// Unfinished when it is cancelled, as below; `progress` may be null.
inline constexpr std::size_t kMostGathered = std::size_t{1} << 22U;
KeptRange kept_range(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                     Progress* progress = nullptr);

// Of all cells, however many, keeping none of them.
KeptRange exact_range(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                      Progress* progress = nullptr);

// Until that is found: of rows at equal distances, few enough to be read while a frame is drawn;
// its basis says "so far".
KeptRange range_so_far(const Matrix& matrix, ColorSpan span, const AttentionResult* result);

// Fewer cells are read whole for every frame, of matrices that somebody keeps.
inline constexpr std::size_t kReadAtOnce = 250'000;

// Calls one(matrix) and, where the range is of all heads and the matrix is of one, the same for the
// same stage of the others of the layer. They share `progress`, which may be null.
void for_each_head(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                   Progress* progress, const std::function<void(const Matrix&)>& one);

// "this head", "all heads", "this sample": whose cells the range of a stage is of.
std::string whose_cells(const Matrix& matrix, ColorSpan span);

}  // namespace attn
