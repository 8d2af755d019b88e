// A part of a matrix made small and kept: what is drawn of matrices whose cells are computed when
// they are read, so that no frame waits for them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "plot/colors/weight_range.h"
#include "plot/need.h"
#include "plot/plot.h"

namespace attn {

struct PooledPart final : Derivation {
  CellRange range;  // of the matrix; steps of one row
  PooledCells cells;
  std::size_t rows_read = 0;  // fewer than range.rows: some stand for all
  KeptRange pixels;           // what their colours span
  std::uint64_t bytes() const override {
    return cells.values.size() * (sizeof(float) + sizeof(HiddenRules));
  }
};
using PooledPartPtr = std::shared_ptr<const PooledPart>;

// How the parts of a matrix are found and what drawing them takes.
struct PooledQuestion {
  MatrixId id;
  StageShape extents;
  std::size_t d = 0;    // multiply-adds of a cell
  std::size_t n_k = 0;  // cells that a row must know of
  Pooling pooling = Pooling::Maximum;
};

// First few rows of all where they are many, then what is in the window, and all of it. Nothing
// where reading is cheap.
std::vector<Need> pooled_needs(const PooledQuestion& question, const CellWindow& window);

// The best that is known of the window; null when nothing is.
PooledPartPtr pooled_part(const Derivations& known, const PooledQuestion& question,
                          const CellWindow& window);

// What drawing a stage takes whose cells nobody keeps; nothing of others. `options` are fitted.
std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options);

// Weights of which a pixel shows many: their colours go by the pixels, as most pixels are beyond
// what most cells are.
bool has_range_of_pixels(const PooledQuestion& question, ColorSpan span);

// Of the pixels of the whole matrix; null while nothing is known.
std::optional<KeptRange> range_of_pixels(const Derivations& known, const PooledQuestion& question);

// ", 1,024 of 131,072 rows so far"; empty when all rows were read.
std::string rows_read_words(const PooledPart& part);

}  // namespace attn
